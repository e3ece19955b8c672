#include "model/attention/optimiser.h"

#include <assert.h>
#include <math.h>

/* Momentum of SGD, and the constants of Adam's paper. */
#define MOMENTUM 0.9f
#define BETA_1   0.9
#define BETA_2   0.999
#define EPSILON  1e-8f

static void sgd(float *w, float *const m[OPTIMISER_MOMENTS_MAX], const float *g, int count,
                const OptimiserStep *step) {
    (void)m;
    for (int i = 0; i < count; i++)
        w[i] -= step->rate * g[i];
}

/* PyTorch sets the first velocity to the gradient; starting at 0 gives the same. */
static void momentum(float *restrict w, float *const m[OPTIMISER_MOMENTS_MAX],
                     const float *restrict g, int count, const OptimiserStep *step) {
    float *restrict velocity = m[0], rate = step->rate;
    for (int i = 0; i < count; i++) {
        velocity[i] = MOMENTUM * velocity[i] + g[i];
        w[i] -= rate * velocity[i];
    }
}

static void adam(float *restrict w, float *const m[OPTIMISER_MOMENTS_MAX], const float *restrict g,
                 int count, const OptimiserStep *step) {
    float *restrict first = m[0], *restrict second = m[1];
    float rate = step->rate, root = step->second_root;
    for (int i = 0; i < count; i++) {
        first[i] = (float)BETA_1 * first[i] + (float)(1 - BETA_1) * g[i];
        second[i] = (float)BETA_2 * second[i] + (float)(1 - BETA_2) * g[i] * g[i];
        w[i] -= rate * first[i] / (sqrtf(second[i]) * root + EPSILON);
    }
}

const Optimiser OPTIMISERS[OPTIMISER_KIND_COUNT] = {
    [OPTIMISER_SGD] =
        {{"sgd", "Gradient descent", "W ← W − η·g",
          "Every weight takes a step of η times its gradient. The default η is small enough "
          "for initial weights with σ = 1."},
         "Cauchy 1847, Méthode générale pour la résolution des systèmes d'équations simultanées",
         0,
         0.005f,
         sgd},
    [OPTIMISER_MOMENTUM] = {{"momentum", "Momentum", "v ← 0.9·v + g,  W ← W − η·v",
                             "Every weight takes a step of η times its velocity, a running sum of "
                             "gradients that loses a tenth in each step."},
                            "Polyak 1964, Some methods of speeding up the convergence of iteration "
                            "methods",
                            1,
                            0.002f,
                            momentum},
    [OPTIMISER_ADAM] =
        {{"adam", "Adam", "W ← W − η·m̂/(√v̂ + ε)",
          "Every weight takes a step of about η, whatever the size of its gradient."},
         "Kingma and Ba 2015, Adam: a method for stochastic optimization",
         2,
         0.005f,
         adam},
};

const Registry OPTIMISER_REGISTRY = REGISTRY("optimisers", "optimiser", OPTIMISERS);

OptimiserStep optimiser_step(OptimiserKind kind, float rate, int number) {
    assert(kind < OPTIMISER_KIND_COUNT && number >= 1);
    OptimiserStep step = {rate, 1, number};
    if (kind == OPTIMISER_ADAM) {
        step.rate = (float)((double)rate / (1 - pow(BETA_1, number)));
        step.second_root = (float)(1 / sqrt(1 - pow(BETA_2, number)));
    }
    return step;
}

void optimiser_take(Mat *w, Mat m[OPTIMISER_MOMENTS_MAX], const Mat *gradient, OptimiserKind kind,
                    const OptimiserStep *step) {
    const Optimiser *optimiser = &OPTIMISERS[kind];
    assert(gradient->rows == w->rows && gradient->cols == w->cols);
    for (int i = 0; i < w->rows; i++) {
        float *moments[OPTIMISER_MOMENTS_MAX] = {0};
        for (int k = 0; k < optimiser->moments; k++)
            moments[k] = mat_row(&m[k], i);
        optimiser->step(mat_row(w, i), moments, mat_row(gradient, i), w->cols, step);
    }
}
