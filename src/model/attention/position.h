/* position.h: position vectors added to the tokens, and rotary positions: each pair of columns 2i,
 * 2i+1 of a query or key is rotated by an angle proportional to the token's position, so that a
 * score depends on the distance between tokens. Pure. Source: Su et al. 2021, "RoFormer: enhanced
 * transformer with rotary position embedding", equation 34. */
#ifndef HEADLIGHT_MODEL_ATTENTION_POSITION_H
#define HEADLIGHT_MODEL_ATTENTION_POSITION_H

#include <stdint.h>

#include "base/registry.h"
#include "math/mat.h"

typedef enum PositionKind {
    POSITION_NONE,
    POSITION_SINUSOIDAL,
    POSITION_LEARNED,
    POSITION_ROPE,
    POSITION_KIND_COUNT
} PositionKind;
extern const Registry POSITIONS;

/* Add its position vector to each row of x (T, D); the first row is token `first`. Sinusoidal:
 * column 2i is sin(t / 10000^(2i/D)) and column 2i+1 the cosine, t from 0 (Vaswani et al. 2017,
 * section 3.5). Learned, before training: N(0, 1/2) sampled by the seed, entry (t, c) independent
 * of T; 1/2 is the mean square of a sinusoidal entry, so both kinds have the same weight relative
 * to the word. RoPE adds nothing. */
void position_add(Mat *x, int first, PositionKind kind, uint64_t seed);

/* Which columns rotate, and how fast. All zero: all columns, with the base 10000. */
typedef struct Rope {
    float base;   /* 0: 10000 */
    int width;    /* only the first `width` columns of a head rotate; even; 0: all */
    float factor; /* angles are divided by this; 0 stands for 1 */
    /* If old > 0, as in Llama 3.1: `factor` applies fully to columns that turn at most `low` times
     * in `old` positions, partly to those that turn less than `high` times, and not to others. */
    float low, high, old;
} Rope;

/* Return the angle by which columns i (even) and i + 1 of `count` columns rotate from one position
 * to the next; 0 if they do not rotate. */
double rope_speed(int i, int count, Rope rope);

/* Fill one row of rotations with count (even) entries: for each even i the cosine at i and the sine
 * at i + 1 of position·rope_speed(i, count, rope). The position may be negative. */
void rope_angles(float *rotations, int count, int position, Rope rope);

/* Rotate every block of rotations->cols columns of m, each row by the row of rotations with its
 * index, or by the only row. */
void rope_rotate(Mat *m, const Mat *rotations);

void rope_rotate_back(Mat *m, const Mat *rotations);

#endif
