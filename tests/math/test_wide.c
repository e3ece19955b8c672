#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "math/wide.h"

#define ROWS_MAX  300
#define DEPTH_MAX 400

/* Both sides hold the same draws, as floats and as doubles. */
typedef struct Draws {
    float *floats;
    double *doubles;
} Draws;

static Draws drawn(size_t count, uint64_t stream) {
    Draws draws = {malloc(count * sizeof *draws.floats), malloc(count * sizeof *draws.doubles)};
    Rng rng = rng_stream(7, stream);
    assert_true(draws.floats != NULL && draws.doubles != NULL);
    for (size_t i = 0; i < count; i++) {
        draws.floats[i] = (float)rng_normal(rng, i);
        draws.doubles[i] = (double)draws.floats[i];
    }
    return draws;
}

static void draws_release(Draws *draws) {
    free(draws->floats);
    free(draws->doubles);
}

static double entry(const WideSide *side, int i, int p) {
    ptrdiff_t at = i * side->across + p * side->deep;
    return side->floats != NULL ? (double)side->floats[at] : side->doubles[at];
}

/* out starts from 1 everywhere, and its columns lie three doubles more apart than they are long:
 * those stay. */
static void check(const WideSide *left, const WideSide *right, const WidePlan *plan) {
    ptrdiff_t stride = plan->rows + 3;
    size_t count = (size_t)stride * (size_t)plan->cols;
    double *out = malloc(count * sizeof *out);
    double *scratch = malloc((wide_scratch(plan) + 1) * sizeof *scratch);
    assert_true(out != NULL && scratch != NULL);
    for (size_t i = 0; i < count; i++)
        out[i] = 1;
    scratch[wide_scratch(plan)] = -5;
    wide_add(out, stride, left, right, plan, scratch);
    assert_true(scratch[wide_scratch(plan)] == -5);
    for (int j = 0; j < plan->cols; j++)
        for (int i = 0; i < stride; i++) {
            double sum = 0;
            for (int p = 0; i < plan->rows && p < plan->depth; p++)
                sum += entry(left, i, p) * entry(right, j, p);
            double off = fabs(out[j * stride + i] - 1 - plan->factor * sum);
            assert_true((plan->lower && i < j) || off < 1e-10);
        }
    free(scratch);
    free(out);
}

/* Around the sizes of tiles and blocks, of floats and doubles, lying either way. */
static void it_adds_the_product(void **state) {
    (void)state;
    static const int sizes[][3] = {{1, 1, 1},    {8, 24, 5},           {24, 8, 64}, {25, 9, 193},
                                   {23, 31, 64}, {256, 30, DEPTH_MAX}, {96, 96, 0}};
    Draws a = drawn(ROWS_MAX * DEPTH_MAX, 1), b = drawn(ROWS_MAX * DEPTH_MAX, 2);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        WidePlan plan = {sizes[s][0], sizes[s][1], sizes[s][2], s % 2 == 0 ? 1 : -0.5, false};
        check(&(WideSide){a.floats, NULL, 1, ROWS_MAX}, &(WideSide){b.floats, NULL, DEPTH_MAX, 1},
              &plan);
        check(&(WideSide){NULL, a.doubles, DEPTH_MAX, 1}, &(WideSide){NULL, b.doubles, 1, ROWS_MAX},
              &plan);
    }
    draws_release(&a);
    draws_release(&b);
}

static void a_lower_triangle_is_enough(void **state) {
    (void)state;
    static const int sizes[] = {1, 7, 8, 24, 25, 49, 241, 265};
    Draws a = drawn(ROWS_MAX * DEPTH_MAX, 3), b = drawn(ROWS_MAX * DEPTH_MAX, 4);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        check(&(WideSide){a.floats, NULL, 1, ROWS_MAX}, &(WideSide){NULL, b.doubles, 1, ROWS_MAX},
              &(WidePlan){sizes[s], sizes[s], 70, 1, true});
    draws_release(&a);
    draws_release(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_adds_the_product),
                                       cmocka_unit_test(a_lower_triangle_is_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
