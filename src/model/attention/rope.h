/* rope.h: rotary positions. Each pair of columns 2i, 2i+1 of a query or key is rotated by an angle
 * proportional to the token's position, so that a score depends on the distance between tokens.
 * Pure. Source: Su et al. 2021, "RoFormer: enhanced transformer with rotary position embedding",
 * equation 34. */
#ifndef HEADLIGHT_MODEL_ATTENTION_ROPE_H
#define HEADLIGHT_MODEL_ATTENTION_ROPE_H

#include "math/mat.h"

/* Fill one row of rotations, count (even) entries: cosine at 2i and sine at 2i+1 of position /
 * 10000^(2i/count). The position may be negative. */
void rope_angles(float *turn, int count, int position);

/* Rotate every block of turn->cols columns of m: row t by row t of turn, or every row by its only
 * row. */
void rope_turn(Mat *m, const Mat *turn);

/* Rotate backwards. */
void rope_turn_back(Mat *m, const Mat *turn);

#endif
