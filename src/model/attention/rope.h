/* rope.h: rotary positions. Each pair of columns 2i, 2i+1 of a query or key is rotated by an angle
 * proportional to the token's position, so that a score depends on the distance between tokens.
 * Pure. Source: Su et al. 2021, "RoFormer: enhanced transformer with rotary position embedding",
 * equation 34. */
#ifndef HEADLIGHT_MODEL_ATTENTION_ROPE_H
#define HEADLIGHT_MODEL_ATTENTION_ROPE_H

#include "math/mat.h"

/* Which columns rotate, and how fast. All zero: all of them, with the base 10000. */
typedef struct Rope {
    float base;           /* 0: 10000 */
    int width;            /* the first columns of a head rotate, an even number; 0: all */
    float factor;         /* angles are divided by it; 0: 1 */
    float low, high, old; /* old > 0: `factor` acts only on columns that turn less than low times in
                             old positions, in part if less than high times, as in Llama 3.1 */
} Rope;

/* Return the angle by which columns i and i + 1, i even, of count rotate from one position to the
 * next; 0 if they do not. */
double rope_speed(int i, int count, Rope rope);

/* Fill one row of rotations, count (even) entries: cosine at 2i and sine at 2i+1 of position /
 * base^(2i/width). The position may be negative. */
void rope_angles(float *rotations, int count, int position, Rope rope);

/* Rotate every block of rotations->cols columns of m: row t by row t of rotations, or every row by
 * its only row. */
void rope_rotate(Mat *m, const Mat *rotations);

void rope_rotate_back(Mat *m, const Mat *rotations);

#endif
