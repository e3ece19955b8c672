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

/* Bytes that change_find takes of an arena, and the inputs of a RunKnown beside it. */
size_t change_bytes(int T);

/* What is known without comparing. */
typedef struct RunKnown {
    const uint8_t *inputs; /* T: as RunChange.inputs; or NULL */
    bool mask;             /* pairs of tokens that were there before are open or closed as before */
} RunKnown;

/* before.X.rows is 0 where there is nothing to compare with. now.X may be before.X, and where
 * inputs are known be in its place. */
RunChange change_find(Arena *arena, const RunInput *before, const RunInput *now,
                      const RunKnown *known);

#endif
