/* position.h: what tells the layer where a token stands. Pure. */
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

/* Add to each row of x (T, D) its position vector: column 2i holds sin(t / 10000^(2i/D)) and
 * column 2i+1 the cosine, t counted from 0. Source: Vaswani et al. 2017, section 3.5.
 * Learned positions are those of a layer before training: N(0, 1/2) drawn from the seed, entry
 * (t, c) whatever T is; 1/2 is the mean square of a sinusoidal entry, so that either weighs alike
 * beside the word. Rotary ones add nothing: they turn queries and keys (rope.h). */
void position_add(Mat *x, PositionKind kind, uint64_t seed);

/* The same where the first row of x is that of token `first`. */
void position_add_from(Mat *x, int first, PositionKind kind, uint64_t seed);

#endif
