/* gradient.h: the gradients of a Results, for this folder. Other folders use results.h. */
#ifndef HEADLIGHT_RESULTS_GRADIENT_H
#define HEADLIGHT_RESULTS_GRADIENT_H

#include "base/part.h"
#include "results/results.h"

/* The most bytes of one part of a Results. */
#define RESULTS_BYTES_MAX ARENA_BYTES_MAX

/* Selects one of a layer's two traces: the form in use, or the form it is checked against. */
typedef enum GradientOf { GRADIENT_USED, GRADIENT_CHECKED, GRADIENT_COUNT } GradientOf;

/* Compute a layer's gradient of either form unless it exists. A layer without a checked form has no
 * gradient of it; then this succeeds. Fails if memory runs out or the part is too large. */
bool results_gradient_make(Results *run, int layer, GradientOf of, Err *err);

#endif
