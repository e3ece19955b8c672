/* position.h: what tells the layer where a token stands. Pure. */
#ifndef HEADLIGHT_MODEL_POSITION_H
#define HEADLIGHT_MODEL_POSITION_H

#include "base/registry.h"
#include "math/mat.h"

typedef enum PositionKind { POSITION_NONE, POSITION_SINUSOIDAL, POSITION_KIND_COUNT } PositionKind;
extern const Registry POSITIONS;

/* Add to each row of x (T, D) its position vector: column 2i holds sin(t / 10000^(2i/D)) and
 * column 2i+1 the cosine, t counted from 0. Source: Vaswani et al. 2017, section 3.5. */
void position_add(Mat *x, PositionKind kind);

#endif
