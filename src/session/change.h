/* change.h: which tokens a change of the text or the mask reaches. Pure. */
#ifndef HEADLIGHT_SESSION_CHANGE_H
#define HEADLIGHT_SESSION_CHANGE_H

#include "math/mat.h"
#include "model/weigh.h"

/* What a Run was made from, and is to be made from: X (T, D) and its mask. */
typedef struct RunInput {
    Mat X;
    Mask mask;
} RunInput;

typedef struct RunChange {
    bool all;              /* compute everything: nothing was there, or most of it is another */
    int inputs_count;      /* how many of inputs are set */
    const uint8_t *inputs; /* T: 1 where a row of X is another */
    const uint8_t *rows;   /* T, of WeighRow: a row of A may be, for what it may read is another */
    const uint8_t *every;  /* T: 1, which is WEIGH_ANEW, everywhere */
    int from;              /* rows of X before it are what they were */
} RunChange;

size_t change_bytes(int T);

/* before.X.rows is 0 where there is nothing to compare with. now.X may be before.X. */
RunChange change_find(Arena *arena, const RunInput *before, const RunInput *now);

#endif
