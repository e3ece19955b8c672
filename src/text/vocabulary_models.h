/* vocabulary_models.h: the split functions of VOCABULARY_MODELS; see VocabularyModel. Pure. */
#ifndef HEADLIGHT_TEXT_VOCABULARY_MODELS_H
#define HEADLIGHT_TEXT_VOCABULARY_MODELS_H

#include "text/vocabulary.h"

/* Source: see text/bpe.h. */
bool bpe_split(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at, size_t end,
               Err *err);

/* Source: Wu et al. 2016, "Google's neural machine translation system", section 4.1; the greedy
 * search of BERT. */
bool wordpiece_split(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at, size_t end,
                     Err *err);

/* Source: Kudo 2018, "Subword regularization", section 3.2; the search is Viterbi's. */
bool unigram_split(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at, size_t end,
                   Err *err);

/* Append a token for the bytes at..end of the flow. */
static inline void flow_token(TokenList *out, const Flow *flow, size_t at, size_t end, int id) {
    uint32_t from = flow->spots[at].from, to = flow->spots[end - 1].to;
    token_add(out, from, to > from ? to - from : 0, id);
}

#endif
