/* rope.h: rotary positions: each pair of columns 2i, 2i+1 of a query or key is turned by an angle
 * that grows with the token's position, so that a score depends on the distance of its tokens.
 * Pure. Source: Su et al. 2021, "RoFormer: enhanced transformer with rotary position embedding",
 * equation 34. */
#ifndef HEADLIGHT_MODEL_ATTENTION_ROPE_H
#define HEADLIGHT_MODEL_ATTENTION_ROPE_H

#include "math/mat.h"

/* One row of a turn, count (even) entries: at 2i the cosine and at 2i+1 the sine of
 * position / 10000^(2i/count). The position may be negative. */
void rope_angles(float *turn, int count, int position);

/* Turn every block of turn->cols columns of m: row t by row t of turn, or every row by the only
 * one. */
void rope_turn(Mat *m, const Mat *turn);

/* The same the other way about. */
void rope_turn_back(Mat *m, const Mat *turn);

#endif
