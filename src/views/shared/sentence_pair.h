/* sentence_pair.h: the chosen head's matrix for the text and for a second sentence, read by the
 * same layer, and their difference. Tokens that both have stand at the same place of all three. */
#ifndef HEADLIGHT_VIEWS_SHARED_SENTENCE_PAIR_H
#define HEADLIGHT_VIEWS_SHARED_SENTENCE_PAIR_H

#include "views/view.h"

#define PAIR_TOKENS_MAX 256 /* most tokens of the text that a second sentence is compared with */

enum { PAIR_FIRST, PAIR_SECOND, PAIR_DIFFERENCE, PAIR_COUNT };

typedef struct SentencePair {
    char why[400]; /* why nothing can be compared; "" if it can */
    bool is_begun; /* between sentence_pair_begin and sentence_pair_end */
    Results run;   /* of the second sentence */
    Arena arena;
    int count;                /* places of a side: the tokens of both, those in common once */
    int *at[PAIR_DIFFERENCE]; /* (count): the token of each sentence at a place, or -1 */
    /* (count, count): DRAW_CELL_MASKED where a sentence lacks a token or a pair is closed. The
     * difference is the second minus the first. */
    Mat values[PAIR_COUNT];
    bool is_signed;       /* of the two sentences; their difference always is */
    float hi[PAIR_COUNT]; /* end of each scale; both sentences have the same */
} SentencePair;

/* Compare in three steps: the first and the last run in the thread that owns the session, the
 * second in any thread. sentence_pair_make fails if the job (may be NULL) was cancelled. */
void sentence_pair_begin(SentencePair *pair, const ViewContext *context);
bool sentence_pair_make(SentencePair *pair, const ViewContext *context, const Job *job);
void sentence_pair_end(SentencePair *pair);
void sentence_pair_release(SentencePair *pair);

#endif
