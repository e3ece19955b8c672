/* gradient.h: the gradients of a Results, for this folder. Other folders use results.h. */
#ifndef HEADLIGHT_RESULTS_GRADIENT_H
#define HEADLIGHT_RESULTS_GRADIENT_H

#include "base/part.h"
#include "results/results.h"

/* The most bytes that one part of a Results may have. */
#define RESULTS_BYTES_MAX ARENA_BYTES_MAX

/* Which of a layer's two traces: that of the form in use, or of the checked form. */
typedef enum GradientOf { GRADIENT_USED, GRADIENT_CHECKED, GRADIENT_COUNT } GradientOf;

/* Compute a layer's gradient of either form unless it exists. A layer without a checked form has no
 * gradient of it; then this succeeds. Fails if it takes too much memory. */
bool results_gradient_make(Results *run, int layer, GradientOf of, Err *err);

#endif
