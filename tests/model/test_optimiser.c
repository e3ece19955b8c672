/* Every optimiser's steps against its formula in double, entry by entry. */
#include <math.h>
#include <string.h>

#include "model/attention/optimiser.h"
#include "model/layer.h"
#include "support/test.h"

#define ROWS  6
#define COLS  21
#define STEPS 60
#define RATE  0.01

typedef struct Descent {
    float w[ROWS * COLS], g[ROWS * COLS], m[OPTIMISER_MOMENTS_MAX][ROWS * COLS];
    Mat W, G, M[OPTIMISER_MOMENTS_MAX];
} Descent;

static Mat within(float *at) {
    return (Mat){at, ROWS, COLS, COLS};
}

static void begin(Descent *d) {
    memset(d, 0, sizeof *d);
    d->W = within(d->w);
    d->G = within(d->g);
    for (int i = 0; i < OPTIMISER_MOMENTS_MAX; i++)
        d->M[i] = within(d->m[i]);
    layer_draw(&d->W, 1, 5, 0);
}

/* Gradients of all sizes; one row is 0. */
static void draw_gradient(Descent *d, int number) {
    layer_draw(&d->G, 1, 6, (uint64_t)number);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            mat_row(&d->G, i)[j] *= i == 0 ? 0 : (float)pow(10, 1 - i);
}

/* As their sources have them, one entry's state at a time. */
typedef struct Exact {
    double w, first, second;
} Exact;

static void exact_step(Exact *e, OptimiserKind kind, double g, int number) {
    switch (kind) {
    case OPTIMISER_SGD:
        e->w -= RATE * g;
        return;
    case OPTIMISER_MOMENTUM:
        e->first = 0.9 * e->first + g;
        e->w -= RATE * e->first;
        return;
    case OPTIMISER_ADAM:
        e->first = 0.9 * e->first + 0.1 * g;
        e->second = 0.999 * e->second + 0.001 * g * g;
        double mean = e->first / (1 - pow(0.9, number));
        double square = e->second / (1 - pow(0.999, number));
        e->w -= RATE * mean / (sqrt(square) + 1e-8);
        return;
    case OPTIMISER_KIND_COUNT:
        break;
    }
    fail();
}

TEST(steps_are_the_formulas) {
    for (OptimiserKind kind = 0; kind < OPTIMISER_KIND_COUNT; kind++) {
        Descent d;
        Exact exact[ROWS * COLS] = {{0}};
        begin(&d);
        for (int e = 0; e < ROWS * COLS; e++)
            exact[e].w = (double)d.w[e];
        for (int number = 1; number <= STEPS; number++) {
            const OptimiserStep step = optimiser_step(kind, (float)RATE, number);
            draw_gradient(&d, number);
            optimiser_take(&d.W, d.M, &d.G, kind, &step);
            for (int e = 0; e < ROWS * COLS; e++) {
                exact_step(&exact[e], kind, (double)d.g[e], number);
                if (!(fabs((double)d.w[e] - exact[e].w) < 1e-5))
                    fail_msg("%s, step %d, entry %d: %.9g, expected %.9g",
                             OPTIMISERS[kind].entry.id, number, e, (double)d.w[e], exact[e].w);
            }
        }
    }
}

TEST(without_gradient_nothing_moves) {
    for (OptimiserKind kind = 0; kind < OPTIMISER_KIND_COUNT; kind++) {
        Descent d, before;
        begin(&d);
        before = d;
        for (int number = 1; number <= 3; number++) {
            const OptimiserStep step = optimiser_step(kind, 1, number);
            optimiser_take(&d.W, d.M, &d.G, kind, &step);
        }
        assert_memory_equal(d.w, before.w, sizeof d.w);
        assert_true(OPTIMISERS[kind].moments <= OPTIMISER_MOMENTS_MAX);
        assert_true(OPTIMISERS[kind].rate > 0);
    }
}

/* A matrix with gaps between its rows has the bits of one without. */
TEST(gaps_change_nothing) {
    for (OptimiserKind kind = 0; kind < OPTIMISER_KIND_COUNT; kind++) {
        Descent d, other;
        const OptimiserStep step = optimiser_step(kind, (float)RATE, 1);
        begin(&d);
        begin(&other);
        draw_gradient(&d, 1);
        draw_gradient(&other, 1);
        other.W = mat_gapless(&other.W);
        other.G = mat_gapless(&other.G);
        for (int i = 0; i < OPTIMISER_MOMENTS_MAX; i++)
            other.M[i] = mat_gapless(&other.M[i]);
        optimiser_take(&d.W, d.M, &d.G, kind, &step);
        optimiser_take(&other.W, other.M, &other.G, kind, &step);
        assert_memory_equal(d.w, other.w, sizeof d.w);
    }
}
