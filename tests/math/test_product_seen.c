/* What the singular vectors of a product make of tokens, against the vectors themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "math/framed.h"
#include "math/product_svd.h"

typedef enum Kind { DRAWN, TWICE, ZEROS, UNEVEN } Kind;

typedef struct Case {
    int D, K, T, L; /* rows of x, and of y or 0 for none */
    Kind kind;
} Case;

static const Case CASES[] = {
    {160, 136, 5, 5, DRAWN},  {140, 200, 9, 4, DRAWN}, {150, 150, 20, 20, DRAWN},
    {150, 150, 90, 9, DRAWN}, {40, 8, 3, 3, DRAWN},    {300, 140, 1, 1, DRAWN},
    {150, 150, 7, 0, DRAWN},  {160, 136, 5, 5, TWICE}, {150, 150, 5, 5, TWICE},
    {160, 136, 5, 5, ZEROS},  {150, 150, 5, 5, ZEROS}, {160, 136, 5, 5, UNEVEN},
    {150, 150, 5, 5, UNEVEN},
};

/* The columns of an uneven one fall to a millionth of the first. */
static Framed factor(const Case *c, uint64_t stream) {
    Framed f = framed(c->D, c->K, stream);
    for (int i = 0; i < c->D; i++)
        for (int j = 0; j < c->K; j++) {
            float *entry = &mat_row(&f.m, i)[j];
            *entry = c->kind == ZEROS             ? 0
                     : c->kind == TWICE && j == 1 ? mat_row(&f.m, i)[0]
                     : c->kind == UNEVEN          ? *entry * powf(1e-6f, (float)j / (float)c->K)
                                                  : *entry;
        }
    return f;
}

/* What both have of each rank; of the sizes of the whole. */
static void check_ranks(const Mat *left, const Mat *right, const Mat *left_by, const Mat *right_by,
                        size_t at, Arena *arena) {
    int count = left->cols;
    Mat sum = mat_push(arena, left->rows, right->rows);
    Mat by = mat_push(arena, left->rows, right->rows);
    double size = 0;
    for (int rank = count; rank > 0; rank -= 1 + count / 7) {
        Mat l = mat_cols(left, 0, rank), r = mat_cols(right, 0, rank);
        Mat l_by = mat_cols(left_by, 0, rank), r_by = mat_cols(right_by, 0, rank);
        mat_mul_bt(&sum, &l, &r, 1);
        mat_mul_bt(&by, &l_by, &r_by, 1);
        size = rank == count ? (double)mat_largest(&by) : size;
        double apart = (double)mat_max_difference(&sum, &by);
        if (!(apart <= 1e-5 * size))
            fail_msg("case %zu, rank %d: %g apart of %g", at, rank, apart, size);
    }
}

static void check_case(size_t at) {
    const Case *c = &CASES[at];
    int count = c->D < c->K ? c->D : c->K, l_rows = c->L > 0 ? c->L : c->D;
    Framed a = factor(c, 3), b = factor(c, 4), x = framed(c->T, c->D, 5),
           y = framed(l_rows, c->D, 6);
    double sigma[160], exact[160];
    Arena arena = {0};
    Err err;
    assert_true(arena_reserve(&arena, 2 << 20, &err));
    Mat left = mat_push(&arena, c->T, count), right = mat_push(&arena, l_rows, count);
    Mat left_by = mat_push(&arena, c->T, count), right_by = mat_push(&arena, l_rows, count);
    Mat u = mat_push(&arena, c->D, count), v = mat_push(&arena, c->D, count);
    const ProductSeen of = {&a.m, &b.m, &x.m, c->L > 0 ? &y.m : NULL};
    assert_true(product_svd_seen(&left, sigma, &right, &of, NULL, &err));
    assert_true(product_svd_vectors(&u, exact, &v, &a.m, &b.m, NULL, &err));
    product_svd_see(&left_by, &right_by, &u, exact, &v, of.x, of.y);
    check_ranks(&left, &right, &left_by, &right_by, at, &arena);
    for (int r = 0; r < count; r++)
        if (!(fabs(sigma[r] - exact[r]) <= 1e-6 * exact[r] + 1e-12 * exact[0]))
            fail_msg("case %zu: σ%d is %g, not %g", at, r + 1, sigma[r], exact[r]);
    arena_release(&arena);
    free(a.block), free(b.block), free(x.block), free(y.block);
}

static void what_vectors_make_needs_no_vectors(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++)
        check_case(i);
}

/* Once it is told to stop it ends, and it counts about as many steps as were announced. */
static void ends_when_told_to(void **state) {
    (void)state;
    Framed a = framed(150, 150, 3), b = framed(150, 150, 4), x = framed(8, 150, 5);
    static float at[2][8 * 150];
    Mat left = {at[0], 8, 150, 150}, right = {at[1], 8, 150, 150};
    const ProductSeen of = {&a.m, &b.m, &x.m, &x.m};
    double sigma[150], whole = product_svd_seen_steps(150, 150, 16);
    JobWatch watch;
    Err err;
    job_watch_begin(&watch);
    assert_true(product_svd_seen(&left, sigma, &right, &of, &watch, &err));
    double counted = (double)atomic_load(&watch.done);
    assert_true(counted > 0.5 * whole && counted <= whole);
    atomic_store(&watch.stop, true);
    assert_false(product_svd_seen(&left, sigma, &right, &of, &watch, &err));
    assert_true(strstr(err.why, "stopped") != NULL);
    free(a.block), free(b.block), free(x.block);
}

static void refuses_what_is_not_finite(void **state) {
    (void)state;
    Framed a = framed(150, 150, 3), x = framed(8, 150, 5);
    static float at[2][8 * 150];
    Mat left = {at[0], 8, 150, 150}, right = {at[1], 8, 150, 150};
    const ProductSeen of = {&a.m, &a.m, &x.m, &x.m};
    double sigma[150];
    Err err;
    mat_row(&a.m, 7)[9] = INFINITY;
    assert_false(product_svd_seen(&left, sigma, &right, &of, NULL, &err));
    assert_true(err.why[0] != '\0');
    free(a.block), free(x.block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_vectors_make_needs_no_vectors),
        cmocka_unit_test(ends_when_told_to),
        cmocka_unit_test(refuses_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
