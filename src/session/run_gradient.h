/* run_gradient.h: what run*.c needs of the gradients of a Run; for everyone else run.h has them. */
#ifndef HEADLIGHT_SESSION_RUN_GRADIENT_H
#define HEADLIGHT_SESSION_RUN_GRADIENT_H

#include "base/part.h"
#include "session/run.h"

/* The most that one part of a Run may hold. */
#define RUN_BYTES_MAX ARENA_BYTES_MAX

/* Of which of a layer's two traces: that of the form in use, or of the one that is checked. */
typedef enum GradientOf { GRADIENT_USED, GRADIENT_CHECKED, GRADIENT_COUNT } GradientOf;

/* A layer's transposed weights, kept while the weights stay. */
typedef struct RunTransposed {
    Part *part;
    AttnTurned of; /* absent at first */
    uint64_t weights_version;
    AttnForm form;
} RunTransposed;

/* Make a layer's gradient of either form if it is missing. A layer that checks no form has no
 * gradient of it, and making that succeeds. Fails if it takes too much memory, or if the watch,
 * which may be NULL, says to stop. */
bool run_gradient_make(Run *run, int layer, GradientOf of, JobWatch *watch, Err *err);

#endif
