/* position.h: position vectors added to the tokens. Pure. */
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

/* Add to each row of x (T, D), whose first row belongs to token `first`, its position vector.
 * Sinusoidal: column 2i is sin(t / 10000^(2i/D)) and column 2i+1 the cosine, t from 0 (Vaswani et
 * al. 2017, section 3.5). Learned, before training: N(0, 1/2) sampled by the seed, entry (t, c)
 * independent of T; 1/2 is the mean square of a sinusoidal entry, so both kinds have the same weight
 * relative to the word. Rotary positions add nothing: they rotate queries and keys (rope.h). */
void position_add(Mat *x, int first, PositionKind kind, uint64_t seed);

#endif
