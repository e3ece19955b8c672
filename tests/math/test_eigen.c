#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "math/eigen.h"

#define SIDE_MAX 40

/* A symmetric matrix of m·mᵀ, of a rank. */
static void make(double *m, int n, int rank, uint64_t stream) {
    Rng rng = rng_stream(5, stream);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < rank; p++)
                sum += rng_normal(rng, (uint64_t)(i * rank + p)) *
                       rng_normal(rng, (uint64_t)(j * rank + p));
            m[i * n + j] = sum;
        }
}

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* m·v is value·v, vectors are orthonormal, values rise and add up to the trace. */
static void check(const double *m, int n, int count) {
    double used[SIDE_MAX * SIDE_MAX], values[SIDE_MAX], vectors[SIDE_MAX * SIDE_MAX], trace = 0;
    Err err;
    memcpy(used, m, (size_t)(n * n) * sizeof *m);
    assert_true(eigen_largest(values, vectors, used, n, count, &err));
    double scale = fmax(fabs(values[0]), fabs(values[n - 1]));
    for (int i = 0; i < n; i++) {
        trace += m[i * n + i] - values[i];
        assert_true(i == 0 || values[i] >= values[i - 1]);
    }
    assert_true(fabs(trace) <= 1e-12 * scale * n);
    for (int k = 0; k < count; k++) {
        const double *v = vectors + k * n;
        for (int i = 0; i < n; i++)
            assert_true(fabs(dot(m + i * n, v, n) - values[n - count + k] * v[i]) <= 1e-12 * scale);
        for (int l = 0; l <= k; l++)
            assert_true(fabs(dot(v, vectors + l * n, n) - (l == k)) < 1e-9);
    }
}

static void vectors_of_any_number_of_values(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 3, 17, SIDE_MAX};
    double m[SIDE_MAX * SIDE_MAX];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int count = 1; count <= sizes[s]; count += count < 4 ? 1 : 12) {
            make(m, sizes[s], sizes[s], s);
            check(m, sizes[s], count);
        }
}

/* Values that are the same have no vectors of their own. */
static void values_that_coincide(void **state) {
    (void)state;
    enum { N = 24 };
    double m[N * N];
    for (int rank = 0; rank < N; rank += 7) {
        make(m, N, rank, 9);
        check(m, N, N);
        for (int i = 0; i < N; i++)
            m[i * N + i] += 3;
        check(m, N, N);
        check(m, N, rank + 2);
    }
}

/* Its neighbours are 0, and what stands beside the diagonal too. */
static void a_matrix_in_two_parts(void **state) {
    (void)state;
    enum { N = 12 };
    double m[N * N], part[N * N];
    memset(m, 0, sizeof m);
    make(part, N / 2, N / 2, 1);
    for (int i = 0; i < N / 2; i++)
        for (int j = 0; j < N / 2; j++) {
            m[i * N + j] = part[i * (N / 2) + j];
            m[(i + N / 2) * N + j + N / 2] = 2 * part[i * (N / 2) + j];
        }
    check(m, N, N);
    check(m, N, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_any_number_of_values),
        cmocka_unit_test(values_that_coincide),
        cmocka_unit_test(a_matrix_in_two_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
