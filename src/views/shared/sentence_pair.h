/* sentence_pair.h: the chosen head's matrix for the text and for a second sentence, both read by
 * the same layer, and their difference. Tokens that both sentences have are at the same place in
 * all three matrices. */
#ifndef HEADLIGHT_VIEWS_SHARED_SENTENCE_PAIR_H
#define HEADLIGHT_VIEWS_SHARED_SENTENCE_PAIR_H

#include "views/view.h"

#define PAIR_TOKENS_MAX 256 /* most tokens of each of the two sentences */

enum { PAIR_FIRST, PAIR_SECOND, PAIR_DIFFERENCE, PAIR_COUNT };

typedef struct SentencePair {
    char why[400]; /* why nothing can be compared; "" if it can be */
    bool is_begun; /* true between sentence_pair_begin and sentence_pair_end */
    Results run;   /* the Results of the second sentence */
    Arena arena;
    /* Number of rows and columns: the tokens of both sentences, with common tokens counted once. */
    int count;
    int *at[PAIR_DIFFERENCE]; /* (count): for each sentence, its token at each place, or -1 */
    /* (count, count): DRAW_CELL_MASKED where a sentence lacks a token, or where a pair is closed.
     * The difference is the second matrix minus the first. */
    Mat values[PAIR_COUNT];
    /* True if the values of the sentences may be negative; their difference always may. */
    bool is_signed;
    float hi[PAIR_COUNT]; /* end of each colour scale; it is the same for both sentences */
} SentencePair;

/* Compare in three steps. The first and the last run in the thread that owns the session, the
 * second in any thread. sentence_pair_make fails if the job (may be NULL) was cancelled. */
void sentence_pair_begin(SentencePair *pair, const ViewContext *context);
bool sentence_pair_make(SentencePair *pair, const ViewContext *context, const Job *job);
void sentence_pair_end(SentencePair *pair);
void sentence_pair_release(SentencePair *pair);

#endif
