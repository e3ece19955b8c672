/* mask.h: which query may attend to which key: the neighbourhood N(i) of every token. Pure. To add
 * a mask, add a row to MASK_ROWS in mask.c. */
#ifndef HEADLIGHT_MODEL_ATTENTION_MASK_H
#define HEADLIGHT_MODEL_ATTENTION_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/registry.h"

typedef enum MaskKind { MASK_NONE, MASK_CAUSAL, MASK_WINDOW, MASK_KIND_COUNT } MaskKind;
extern const Registry MASKS;

/* open[i * T + j] is 1 if query i may attend to key j, else 0. */
typedef struct Mask {
    uint8_t *open;
    int T;
} Mask;

uint64_t mask_bytes(int T);

/* Push a mask of this kind. number: W >= 0 for MASK_WINDOW, otherwise unused. Whether a pair is
 * open does not depend on T. */
Mask mask_push(Arena *arena, int T, MaskKind kind, int number);

static inline const uint8_t *mask_row(const Mask *mask, int query) {
    return mask->open + (size_t)query * (size_t)mask->T;
}

/* Open or close keys first..last, both included, for a query. Return how many entries changed. */
int mask_set(Mask *mask, int query, int first, int last, bool open);

/* Close the keys that are `window` or more tokens before their query, as in Mistral's sliding
 * window; 0 closes none. */
void mask_limit(Mask *mask, int window);

/* Return |N(i)|, the number of open keys of query i. */
int mask_open_keys(const Mask *mask, int query);

#endif
