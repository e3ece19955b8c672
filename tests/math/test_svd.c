#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "math/svd.h"

#define SIDE_MAX 24

static Mat drawn(float *at, int rows, int cols, uint64_t stream) {
    Mat m = {at, rows, cols, cols};
    Rng rng = rng_stream(11, stream);
    for (int e = 0; e < rows * cols; e++)
        at[e] = (float)rng_normal(rng, (uint64_t)e);
    return m;
}

static void values_of_known_matrices(void **state) {
    (void)state;
    Err err;
    float diagonal[] = {0, -3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0};
    Mat m = {diagonal, 3, 4, 4};
    double sigma[3];
    assert_true(svd_values(sigma, &m, NULL, &err));
    assert_true(fabs(sigma[0] - 3) < 1e-14 && fabs(sigma[1] - 2) < 1e-14 && sigma[2] < 1e-14);
    float one = -5;
    assert_true(svd_values(sigma, &(Mat){&one, 1, 1, 1}, NULL, &err));
    assert_true(fabs(sigma[0] - 5) < 1e-14);
}

/* Σσ² is the sum of squares, and a matrix and its transpose agree. */
static void values_keep_the_norm(void **state) {
    (void)state;
    static const int sizes[][2] = {{1, 7}, {7, 1}, {5, 24}, {24, 5}, {24, 24}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        float at[SIDE_MAX * SIDE_MAX], turned[SIDE_MAX * SIDE_MAX];
        int rows = sizes[s][0], cols = sizes[s][1], count = rows < cols ? rows : cols;
        Mat m = drawn(at, rows, cols, s), t = {turned, cols, rows, rows};
        double norm = 0, squares = 0, sigma[SIDE_MAX], other[SIDE_MAX];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                mat_row(&t, j)[i] = mat_row(&m, i)[j];
                norm += (double)mat_row(&m, i)[j] * (double)mat_row(&m, i)[j];
            }
        Err err;
        assert_true(svd_values(sigma, &m, NULL, &err) && svd_values(other, &t, NULL, &err));
        for (int i = 0; i < count; i++) {
            squares += sigma[i] * sigma[i];
            assert_true(fabs(sigma[i] - other[i]) < 1e-12 * sigma[0]);
            assert_true(i == 0 || sigma[i] <= sigma[i - 1]);
        }
        assert_true(fabs(squares - norm) < 1e-12 * norm);
    }
}

/* The largest |left·rightᵀ − m|. */
static double split_error(const Mat *left, const Mat *right, const double *m, int n) {
    double largest = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = -m[i * n + j];
            for (int p = 0; p < left->cols; p++)
                sum += (double)mat_row(left, i)[p] * (double)mat_row(right, j)[p];
            largest = fmax(largest, fabs(sum));
        }
    return largest;
}

/* left·rightᵀ is m where there is room for all of it; the error of a lower rank is, in the
 * Frobenius norm, that of the singular values left out (Eckart and Young). */
static void splits_are_the_best_of_their_rank(void **state) {
    (void)state;
    enum { N = 20 };
    float entries[N * N], left_at[SIDE_MAX * N], right_at[SIDE_MAX * N];
    double m[N * N], sigma[N];
    Mat drawing = drawn(entries, N, N, 3);
    for (int e = 0; e < N * N; e++)
        m[e] = (double)entries[e];
    Err err;
    assert_true(svd_values(sigma, &drawing, NULL, &err));
    for (int r = 1; r <= SIDE_MAX; r++) {
        Mat left = {left_at, N, r, r}, right = {right_at, N, r, r};
        assert_true(svd_split(&left, &right, m, N, &err));
        double squares = 0, wanted = 0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double off = -m[i * N + j];
                for (int p = 0; p < r; p++)
                    off += (double)mat_row(&left, i)[p] * (double)mat_row(&right, j)[p];
                squares += off * off;
            }
        for (int p = r; p < N; p++)
            wanted += sigma[p] * sigma[p];
        assert_true(fabs(sqrt(squares) - sqrt(wanted)) < 1e-5 * sigma[0]);
        assert_true(r < N || split_error(&left, &right, m, N) < 1e-5);
        for (int p = 0; p < r; p++) {
            double length = 0, size = p < N ? sigma[p] : 0;
            for (int i = 0; i < N; i++)
                length += (double)mat_row(&left, i)[p] * (double)mat_row(&left, i)[p];
            assert_true(fabs(length - size) < 1e-5 * sigma[0]);
        }
    }
}

static void one_side_is_the_same_alone(void **state) {
    (void)state;
    enum { N = 9, R = 4 };
    float entries[N * N], at[4][N * R];
    double m[N * N];
    drawn(entries, N, N, 5);
    for (int e = 0; e < N * N; e++)
        m[e] = (double)entries[e];
    Mat left = {at[0], N, R, R}, right = {at[1], N, R, R};
    Mat left_alone = {at[2], N, R, R}, right_alone = {at[3], N, R, R};
    Err err;
    assert_true(svd_split(&left, &right, m, N, &err));
    assert_true(svd_split(&left_alone, NULL, m, N, &err));
    assert_true(svd_split(NULL, &right_alone, m, N, &err));
    assert_memory_equal(at[0], at[2], sizeof at[0]);
    assert_memory_equal(at[1], at[3], sizeof at[1]);
}

static void nothing_splits_into_zeros(void **state) {
    (void)state;
    double zero[9] = {0};
    float at[2][6] = {{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}};
    Mat left = {at[0], 3, 2, 2}, right = {at[1], 3, 2, 2};
    Err err;
    assert_true(svd_split(&left, &right, zero, 3, &err));
    for (int e = 0; e < 6; e++)
        assert_true(at[0][e] == 0 && at[1][e] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_known_matrices),
        cmocka_unit_test(values_keep_the_norm),
        cmocka_unit_test(splits_are_the_best_of_their_rank),
        cmocka_unit_test(one_side_is_the_same_alone),
        cmocka_unit_test(nothing_splits_into_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
