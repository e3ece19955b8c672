/* mask.h: which query may read which key: the neighbourhood N(i) of every token. Pure. */
#ifndef HEADLIGHT_MODEL_MASK_H
#define HEADLIGHT_MODEL_MASK_H

#include <stdint.h>

#include "base/arena.h"
#include "base/registry.h"

typedef enum MaskKind { MASK_NONE, MASK_CAUSAL, MASK_KIND_COUNT } MaskKind;
extern const Registry MASKS;

/* open[i * T + j] is 1 where query i may read key j, else 0. */
typedef struct Mask {
    uint8_t *open;
    int T;
} Mask;

size_t mask_bytes(int T);
Mask mask_push(Arena *arena, int T, MaskKind kind, int number);

static inline const uint8_t *mask_row(const Mask *mask, int query) {
    return mask->open + (size_t)query * (size_t)mask->T;
}

#endif
