/* optimiser.h: updates of weights from their gradients, equal to torch.optim up to rounding. Pure.
 * To add one, add a row to OPTIMISERS. */
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

/* Constants of one step, the same for all entries. */
typedef struct OptimiserStep {
    float rate;        /* η; for Adam divided by the bias correction of the first moment */
    float second_root; /* 1 / √(1 − β₂ᵗ), for Adam */
    int number;        /* t, from 1 */
} OptimiserStep;

typedef struct Optimiser {
    Entry entry;
    const char *source;
    int moments; /* running averages per entry, which start at 0 */
    /* Default rate: small enough that training the default layer overflows with none of the default
     * schemes. */
    float rate;
    /* Update `count` entries of w by their gradients g; m holds the moments. */
    void (*step)(float *w, float *const m[OPTIMISER_MOMENTS_MAX], const float *g, int count,
                 const OptimiserStep *step);
} Optimiser;

extern const Optimiser OPTIMISERS[OPTIMISER_KIND_COUNT];
extern const Registry OPTIMISER_REGISTRY;

OptimiserStep optimiser_step(OptimiserKind kind, float rate, int number);

/* w, its gradient and the optimiser's moments have the same shape. */
void optimiser_take(Mat *w, Mat m[OPTIMISER_MOMENTS_MAX], const Mat *gradient, OptimiserKind kind,
                    const OptimiserStep *step);

#endif
