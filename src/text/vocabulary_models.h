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

#endif
