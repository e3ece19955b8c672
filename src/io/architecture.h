/* architecture.h: how checkpoints of known architectures name and lay out an attention layer: a row
 * each. To add an architecture, add a row. Pure.
 * D model width, H query heads, G key heads, K and V widths of a head. */
#ifndef HEADLIGHT_IO_ARCHITECTURE_H
#define HEADLIGHT_IO_ARCHITECTURE_H

#include "base/registry.h"

/* How a projection is stored. A bias has the order of its weight's outputs. */
typedef enum ArchLayout {
    ARCH_LINEAR, /* (outputs, inputs), as nn.Linear has it */
    ARCH_CONV1D, /* (inputs, outputs) */
    ARCH_HEADS,  /* (heads, inputs, outputs of one head) */
} ArchLayout;

/* The order of the outputs of one tensor for queries, keys and values, which has the name of the
 * queries' tensor. */
typedef enum ArchFused {
    ARCH_APART,       /* three tensors */
    ARCH_BLOCKS,      /* all queries, then all keys, then all values */
    ARCH_INTERLEAVED, /* head by head: its query, its key, its value */
} ArchFused;

typedef enum ArchTensor {
    ARCH_W_Q,
    ARCH_W_K,
    ARCH_W_V,
    ARCH_W_O,
    ARCH_B_Q,
    ARCH_B_K,
    ARCH_B_V,
    ARCH_B_O,
    ARCH_GAIN, /* of the LayerNorm before the layer */
    ARCH_SHIFT,
    ARCH_Q_NORM, /* of queries, which is left out */
    ARCH_WORDS,  /* a row for each token of the vocabulary */
    ARCH_PLACES, /* a row for each position */
    ARCH_TENSOR_COUNT
} ArchTensor;

typedef struct Architecture {
    Entry entry;
    ArchLayout layout;
    ArchFused fused;
    bool has_rope;                        /* pairs of columns i and i + K/2 are rotated */
    const char *options;                  /* of the layer, as a state string */
    const char *names[ARCH_TENSOR_COUNT]; /* {} is the layer, from 0; NULL for none */
} Architecture;

extern const Architecture ARCHITECTURES[];
extern const Registry ARCHITECTURE_REGISTRY;

#endif
