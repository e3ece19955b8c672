/* gram.h: the inner products of a matrix's rows, in double precision, and figures computed from
 * them. Pure, except for its memory. */
#ifndef HEADLIGHT_LAB_GRAM_H
#define HEADLIGHT_LAB_GRAM_H

#include "math/mat.h"

typedef struct Gram {
    int T;
    double *at;    /* (T, T), owned */
    double square; /* mean over rows of |x|² */
    double centre; /* |mean of x|² */
    double share; /* tr C²/(tr C)², C the rows' second moments: 1 / the number of directions used */
} Gram;

/* Fill gram from the first cols columns of m (T, cols or more). Return false if memory ran out;
 * then there is nothing to release. */
bool gram_make(Gram *gram, const Mat *m, int cols);

/* Fill gram from the rows minus their mean. A softmax's derivative ignores what all rows have in
 * common, and rounding that common part would hide the differences between nearly equal rows. */
bool gram_make_apart(Gram *gram, const Mat *m, int cols);

void gram_release(Gram *gram);

static inline double gram_square(const Gram *gram, int i) {
    return gram->at[i * gram->T + i];
}

#endif
