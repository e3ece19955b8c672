/* pool.h: reduces a matrix to fewer cells and keeps its extremes. Pure. */
#ifndef HEADLIGHT_MATH_POOL_H
#define HEADLIGHT_MATH_POOL_H

#include "math/mat.h"

/* Set each entry of out to the one of largest magnitude in its block of that many rows and columns
 * of in; blocks at the lower and right edges may be smaller. NaN and +∞ win over all, −∞, which
 * marks a closed pair, over none. Among equal magnitudes an entry that is highest in its column
 * wins. out is (⌈in rows / rows⌉, ⌈in cols / cols⌉). */
void pool_blocks(Mat *out, const Mat *in, int rows, int cols);

/* Reduce in to out by square blocks of `side` rows and columns. */
void pool_extremes(Mat *out, const Mat *in, int side);

#endif
