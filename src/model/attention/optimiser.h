/* optimiser.h: how a gradient changes what it is the gradient of. The same numbers as torch.optim
 * to rounding, entry by entry. Pure. To add one, add a row to OPTIMISERS. */
#ifndef HEADLIGHT_MODEL_ATTENTION_OPTIMISER_H
#define HEADLIGHT_MODEL_ATTENTION_OPTIMISER_H

#include "base/registry.h"
#include "math/mat.h"

#define OPTIMISER_MOMENTS_MAX 2

typedef enum OptimiserKind {
    OPTIMISER_SGD,
    OPTIMISER_MOMENTUM,
    OPTIMISER_ADAM,
    OPTIMISER_KIND_COUNT
} OptimiserKind;

/* What a step has the same for all entries. */
typedef struct OptimiserStep {
    float rate;        /* η, for Adam over the first moment's bias correction */
    float second_root; /* 1 / √(1 − β₂ᵗ), Adam alone */
    int number;        /* t, from 1 */
} OptimiserStep;

typedef struct Optimiser {
    Entry entry;
    const char *source;
    int moments; /* running values that it keeps for each entry, which start at 0 */
    float rate;  /* a step size at which no default start overflows on the default layer */
    /* Change count entries of w by their gradients g; m has the moments. */
    void (*step)(float *w, float *const m[OPTIMISER_MOMENTS_MAX], const float *g, int count,
                 const OptimiserStep *step);
} Optimiser;

extern const Optimiser OPTIMISERS[OPTIMISER_KIND_COUNT];
extern const Registry OPTIMISER_REGISTRY;

/* Step number, from 1, of that size. */
OptimiserStep optimiser_step(OptimiserKind kind, float rate, int number);

/* Take it: w, its gradient and as many moments as the optimiser has are of one shape. */
void optimiser_take(Mat *w, Mat m[OPTIMISER_MOMENTS_MAX], const Mat *gradient, OptimiserKind kind,
                    const OptimiserStep *step);

#endif
