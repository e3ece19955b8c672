/* pool.h: reduces a matrix to fewer cells and keeps its extremes. Pure. */
#ifndef HEADLIGHT_MATH_POOL_H
#define HEADLIGHT_MATH_POOL_H

#include "math/mat.h"

/* Set each entry of out to the entry of largest magnitude in its block of rows × cols entries of
 * in; blocks at the lower and right edges may be smaller. NaN and +∞ count as largest; −∞, which
 * marks a closed pair, as smallest. Of equal magnitudes the upper one in a column and the left one
 * in a row is taken. out is (⌈in->rows / rows⌉, ⌈in->cols / cols⌉). */
void pool_blocks(Mat *out, const Mat *in, int rows, int cols);

#endif
