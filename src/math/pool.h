/* pool.h: a matrix made smaller, so that its extremes stay. Pure. */
#ifndef HEADLIGHT_MATH_POOL_H
#define HEADLIGHT_MATH_POOL_H

#include "math/mat.h"

/* Each entry of out is the one of largest magnitude in its block of that many rows and columns of
 * in, fewer at the lower and right edges. One that is no number, or +∞, wins over all, and −∞,
 * which stands for a closed pair, over none. Of some of one magnitude it is one of the highest in
 * their columns. out is (⌈in rows / rows⌉, ⌈in cols / cols⌉). */
void pool_blocks(Mat *out, const Mat *in, int rows, int cols);

/* The same of square blocks. */
void pool_extremes(Mat *out, const Mat *in, int side);

#endif
