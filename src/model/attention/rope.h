/* rope.h: rotary positions. Each pair of columns 2i, 2i+1 of a query or key is rotated by an angle
 * proportional to the token's position, so that a score depends on the distance between tokens.
 * Pure. Source: Su et al. 2021, "RoFormer: enhanced transformer with rotary position embedding",
 * equation 34. */
#ifndef HEADLIGHT_MODEL_ATTENTION_ROPE_H
#define HEADLIGHT_MODEL_ATTENTION_ROPE_H

#include "math/mat.h"

/* Which columns rotate, and how fast. All zero: all columns, with the base 10000. */
typedef struct Rope {
    float base;   /* 0: 10000 */
    int width;    /* number of first columns of a head that rotate, even; 0: all */
    float factor; /* number by which angles are divided; 0 stands for 1 */
    /* If old > 0, as in Llama 3.1: `factor` acts fully on columns that turn less than low times in
     * old positions, partly on those that turn less than high times, and not on others. */
    float low, high, old;
} Rope;

/* Return the angle by which columns i (even) and i + 1 of `count` columns rotate from one position
 * to the next; 0 if they do not rotate. */
double rope_speed(int i, int count, Rope rope);

/* Fill one row of rotations, count (even) entries: for each even i the cosine at i and the sine at
 * i + 1 of position · rope_speed(i, count, rope). The position may be negative. */
void rope_angles(float *rotations, int count, int position, Rope rope);

/* Rotate every block of rotations->cols columns of m. Row t is rotated by row t of rotations, or by
 * its only row. */
void rope_rotate(Mat *m, const Mat *rotations);

void rope_rotate_back(Mat *m, const Mat *rotations);

#endif
