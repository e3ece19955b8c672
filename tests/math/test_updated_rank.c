/* The rank of an updated matrix, held against its singular values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/util.h"
#include "math/product_svd.h"
#include "math/svd.h"
#include "math/updated_rank.h"

#define N 40

static void fill(Mat *m, uint64_t seed, float size) {
    Rng rng = rng_stream(seed, 0);
    for (int i = 0; i < m->rows * m->cols; i++)
        m->at[i] = size * (float)rng_normal(rng, (uint64_t)i);
}

/* W = left·rightᵀ of m columns, and F·Hᵀ of k, whose last column is its first again. */
static void check(int m, int k, float size, double share) {
    float at[6][N * N];
    double sigma[N], after[N];
    Err err;
    int c = m < N ? m : N, rank, expected = 0;
    Mat left = {at[0], N, m, m}, right = {at[1], N, m, m}, u = {at[2], N, c, c};
    Mat v = {at[3], N, c, c}, f = {at[4], N, k, k}, h = {at[5], N, k, k};
    float sum_at[N * N];
    Mat sum = {sum_at, N, N, N};
    fill(&left, 1, 1), fill(&right, 2, 1), fill(&f, 3, size), fill(&h, 4, 1);
    for (int i = 0; i < N && k > 2; i++)
        mat_row(&f, i)[k - 1] = mat_row(&f, i)[0];
    assert_true(product_svd_vectors(&u, sigma, &v, &left, &right, NULL, &err));
    mat_mul_bt(&sum, &left, &right, 1);
    mat_add_mul_bt(&sum, &f, &h, 1);
    assert_true(svd_values(after, &sum, NULL, &err));
    const UpdatedRank update = {&u, &v, sigma, &f, &h};
    double least = share * after[0];
    for (int i = 0; i < N; i++)
        expected += after[i] > least;
    assert_true(updated_rank(&rank, &update, least, &err));
    if (rank != expected)
        fail_msg("m %d, k %d, %g from %g up: %d, not %d", m, k, (double)size, share, rank,
                 expected);
}

static void counts_as_singular_values_do(void **state) {
    (void)state;
    static const int widths[] = {1, 7, 39, 40}, columns[] = {1, 3, 12};
    static const float sizes[] = {0, 1e-4f, 0.3f, 30};
    static const double shares[] = {0.5, 0.05, 1e-5};
    for (size_t w = 0; w < ARRAY_COUNT(widths); w++)
        for (size_t k = 0; k < ARRAY_COUNT(columns); k++)
            for (size_t s = 0; s < ARRAY_COUNT(sizes); s++)
                for (size_t l = 0; l < ARRAY_COUNT(shares); l++)
                    check(widths[w], columns[k], sizes[s], shares[l]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_as_singular_values_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
