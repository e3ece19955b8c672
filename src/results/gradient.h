/* gradient.h: the gradients of a Results. Only for this folder; other folders use results.h. */
#ifndef HEADLIGHT_RESULTS_GRADIENT_H
#define HEADLIGHT_RESULTS_GRADIENT_H

#include "base/part.h"
#include "results/results.h"

/* The most bytes of one part of a Results. */
#define RESULTS_BYTES_MAX ARENA_BYTES_MAX

/* Selects one of a layer's two traces: the form in use, or the form it is checked against. */
typedef enum GradientOf { GRADIENT_USED, GRADIENT_CHECKED, GRADIENT_COUNT } GradientOf;

/* Compute the gradient of one of a layer's two forms, unless it exists. Succeeds without a gradient
 * if the layer has no checked form. Fails if memory runs out or the part is too large. */
bool results_gradient_make(Results *run, int layer, GradientOf of, Err *err);

#endif
