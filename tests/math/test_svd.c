#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

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

/* With room of its own. */
static bool full_rank(double *sigma, const Mat *m, JobWatch *watch, Err *err) {
    Arena scratch = {0};
    bool found = arena_reserve(&scratch, svd_values_of_full_rank_bytes(m->rows, m->cols), err) &&
                 svd_values_of_full_rank(sigma, m, &scratch, watch, err);
    assert_true(scratch.used == 0);
    arena_release(&scratch);
    return found;
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

/* As an iteration on the matrix itself finds them, each by itself: of matrices drawn at random,
 * tall and wide, and larger than what is reduced in one go. */
static void full_rank_is_the_same(void **state) {
    (void)state;
    static const int sizes[][2] = {{1, 1},     {3, 9},     {64, 64},  {97, 96},
                                   {130, 180}, {180, 130}, {260, 260}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        int rows = sizes[s][0], cols = sizes[s][1], count = rows < cols ? rows : cols;
        float *at = malloc((size_t)rows * (size_t)cols * sizeof *at);
        double *sigma = malloc(2 * (size_t)count * sizeof *sigma), *other = sigma + count;
        assert_true(at != NULL && sigma != NULL);
        Mat m = drawn(at, rows, cols, 20 + s);
        Err err;
        assert_true(svd_values(sigma, &m, NULL, &err));
        assert_true(full_rank(other, &m, NULL, &err));
        for (int i = 0; i < count; i++)
            assert_true(fabs(sigma[i] - other[i]) < 1e-9 * sigma[i]);
        free(at);
        free(sigma);
    }
}

/* And of what has no full rank, where squares would lose the small ones: singular values that fall
 * by ten each, some that are all alike, two rows of one matrix that are the same, and zeros. */
static void full_rank_is_no_promise(void **state) {
    (void)state;
    enum { N = 12, CASES = 4 };
    for (int c = 0; c < CASES; c++) {
        float at[N * N];
        Mat m = drawn(at, N, N, 40);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                at[i * N + j] = c == 0   ? (i == j ? (float)pow(10, -i) : 0)
                                : c == 1 ? (i + j == N - 1 ? -2 : 0)
                                : c == 2 ? at[(i == 5 ? 3 : i) * N + j]
                                         : 0;
        double sigma[N], other[N];
        Err err;
        assert_true(svd_values(sigma, &m, NULL, &err));
        assert_true(full_rank(other, &m, NULL, &err));
        for (int i = 0; i < N; i++) {
            bool is_lost = sigma[i] <= 1e-14 * sigma[0];
            assert_true(is_lost ? other[i] <= 1e-14 * sigma[0]
                                : fabs(sigma[i] - other[i]) < 1e-4 * sigma[i]);
        }
    }
}

static void ends_when_told_to(void **state) {
    (void)state;
    enum { N = 150 };
    static float at[N * N];
    double sigma[N];
    Mat m = drawn(at, N, N, 50);
    JobWatch watch;
    Err err;
    job_watch_begin(&watch);
    assert_true(full_rank(sigma, &m, &watch, &err));
    double share = (double)atomic_load(&watch.done) / svd_values_of_full_rank_steps(N, N);
    assert_true(share > 0.99 && share < 1.01);
    atomic_store(&watch.stop, true);
    assert_false(full_rank(sigma, &m, &watch, &err));
    assert_false(svd_values(sigma, &m, &watch, &err));
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
        cmocka_unit_test(full_rank_is_the_same),
        cmocka_unit_test(full_rank_is_no_promise),
        cmocka_unit_test(ends_when_told_to),
        cmocka_unit_test(splits_are_the_best_of_their_rank),
        cmocka_unit_test(one_side_is_the_same_alone),
        cmocka_unit_test(nothing_splits_into_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
