/* gradient.h: what run*.c needs of the gradients of a Results; for everyone else results.h has
 * them. */
#ifndef HEADLIGHT_RESULTS_GRADIENT_H
#define HEADLIGHT_RESULTS_GRADIENT_H

#include "base/part.h"
#include "results/results.h"

/* The most that one part of a Results may hold. */
#define RESULTS_BYTES_MAX ARENA_BYTES_MAX

/* Of which of a layer's two traces: that of the form in use, or of the one that is checked. */
typedef enum GradientOf { GRADIENT_USED, GRADIENT_CHECKED, GRADIENT_COUNT } GradientOf;

/* A layer's transposed weights, kept while the weights stay. */
typedef struct TransposedWeights {
    Part *part;
    AttnTurned of; /* absent at first */
    uint64_t weights_version;
    AttnForm form;
} TransposedWeights;

/* Make a layer's gradient of either form if it is missing. A layer that checks no form has no
 * gradient of it, and making that succeeds. Fails if it takes too much memory. */
bool results_gradient_make(Results *run, int layer, GradientOf of, Err *err);

#endif
