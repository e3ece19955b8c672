/* pool.h: reduces a matrix to fewer cells and keeps its extremes. Pure. */
#ifndef HEADLIGHT_MATH_POOL_H
#define HEADLIGHT_MATH_POOL_H

#include "math/mat.h"

/* Set each entry of out to the entry of largest magnitude in its block of `rows` × `cols` entries
 * of in; blocks at the lower and right edges may be smaller. NaN and +∞ count as larger than all
 * other values, and −∞, which marks a closed pair, as smaller. Of equal magnitudes in a column the
 * upper one is taken, of equal ones in a row the left one. out is (⌈in rows / rows⌉, ⌈in cols /
 * cols⌉). */
void pool_blocks(Mat *out, const Mat *in, int rows, int cols);

#endif
