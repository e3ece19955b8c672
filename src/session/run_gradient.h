/* run_gradient.h: what run.c needs of the gradients of a Run; for everyone else run.h has them. */
#ifndef HEADLIGHT_SESSION_RUN_GRADIENT_H
#define HEADLIGHT_SESSION_RUN_GRADIENT_H

#include "session/run.h"

/* The most that one part of a Run may hold. */
#define RUN_BYTES_MAX (4ull << 30)

/* Give back what run_gradient took. */
void run_gradient_release(Run *run);

#endif
