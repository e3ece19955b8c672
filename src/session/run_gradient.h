/* run_gradient.h: what run.c needs of the gradients of a Run; for everyone else run.h has them. */
#ifndef HEADLIGHT_SESSION_RUN_GRADIENT_H
#define HEADLIGHT_SESSION_RUN_GRADIENT_H

#include "session/run.h"

/* The most that one part of a Run may hold. */
#define RUN_BYTES_MAX ARENA_BYTES_MAX

/* Of which of a layer's two traces: that of the form in use, or of the one that is checked. */
typedef enum GradientOf { GRADIENT_USED, GRADIENT_CHECKED, GRADIENT_COUNT } GradientOf;

/* run_gradient in three parts, of which the second alone may be a job: see run_merge.h. What was
 * made becomes the layer's in run_gradient_end; until then run_gradient_made has it. A layer that
 * checks no form has no gradient of it, and making that succeeds. */
bool run_gradient_begin(Run *run, Err *err);
bool run_gradient_make(const Run *run, int layer, GradientOf of, JobWatch *watch, Err *err);
void run_gradient_end(Run *run);
const RunGradient *run_gradient_made(const Run *run, int layer);

/* Give back what run_gradient took. */
void run_gradient_release(Run *run);

#endif
