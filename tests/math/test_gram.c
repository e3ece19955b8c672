#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "math/bidiagonal.h"
#include "math/gram.h"

#define N 140 /* more than what is reduced in one go */

typedef struct Found {
    double m[N * N], u[N * N], sigma[N], vt[N * N];
} Found;

/* Normal draws whose columns fall from 1 to `least`: so do the singular values, about. */
static Found *drawn(double least) {
    Found *f = malloc(sizeof *f);
    Rng rng = rng_stream(3, 1);
    assert_non_null(f);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            f->m[j * N + i] = rng_normal(rng, (uint64_t)(j * N + i)) * pow(least, j / (N - 1.0));
    return f;
}

/* |u·Σ·vt − m| at most. */
static double apart(const Found *f) {
    double most = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = -f->m[j * N + i];
            for (int r = 0; r < N; r++)
                sum += f->u[r * N + i] * f->sigma[r] * f->vt[j * N + r];
            most = fmax(most, fabs(sum));
        }
    return most;
}

/* How far u's columns or v's are from orthonormal. */
static double askew(const double *m, int across, int deep) {
    double most = 0;
    for (int a = 0; a < N; a++)
        for (int b = 0; b <= a; b++) {
            double sum = a == b ? -1 : 0;
            for (int p = 0; p < N; p++)
                sum += m[a * across + p * deep] * m[b * across + p * deep];
            most = fmax(most, fabs(sum));
        }
    return most;
}

/* As an iteration on the matrix itself finds them, be they alike or far apart. */
static void values_and_vectors_are_exact(void **state) {
    (void)state;
    static const double least[] = {1, 1e-2, 1e-4};
    for (size_t k = 0; k < sizeof least / sizeof least[0]; k++) {
        Found *f = drawn(least[k]);
        double copy[N * N], sigma[N];
        Err err;
        memcpy(copy, f->m, sizeof copy);
        assert_true(bidiagonal_values(sigma, copy, N, N, NULL, &err));
        assert_int_equal(gram_vectors(f->u, f->sigma, f->vt, f->m, N, NULL, &err), GRAM_FOUND);
        for (int r = 0; r < N; r++) {
            assert_true(fabs(f->sigma[r] - sigma[r]) < 1e-8 * sigma[r]);
            assert_true(r == 0 || f->sigma[r] <= f->sigma[r - 1]);
        }
        assert_true(apart(f) < 1e-12 * sigma[0]);
        assert_true(askew(f->u, N, 1) < 1e-12 && askew(f->vt, 1, N) < 1e-5);
        free(f);
    }
}

/* Columns of a matrix of draws, made orthonormal. */
static void draw_orthonormal(double *q, uint64_t stream) {
    Rng rng = rng_stream(4, stream);
    for (int j = 0; j < N; j++) {
        double *own = q + j * N, length = 0;
        for (int i = 0; i < N; i++)
            own[i] = rng_normal(rng, (uint64_t)(j * N + i));
        for (int k = 0; k < 2 * j; k++) { /* twice is enough */
            double along = 0;
            const double *other = q + k % j * N;
            for (int i = 0; i < N; i++)
                along += own[i] * other[i];
            for (int i = 0; i < N; i++)
                own[i] -= along * other[i];
        }
        for (int i = 0; i < N; i++)
            length += own[i] * own[i];
        for (int i = 0; i < N; i++)
            own[i] /= sqrt(length);
    }
}

/* Where some lie together at the small end, whose squares the Gram matrix hardly tells apart. */
static void small_values_are_as_exact(void **state) {
    (void)state;
    static const double least[] = {1e-3, 1e-5, 1.01e-7};
    static double left[N * N], right[N * N];
    draw_orthonormal(left, 1);
    draw_orthonormal(right, 2);
    for (size_t k = 0; k < sizeof least / sizeof least[0]; k++) {
        Found *f = drawn(1);
        double sigma[N];
        Err err;
        for (int r = 0; r < N; r++)
            sigma[r] = r < N - 30 ? 1 : least[k] * (1 + (N - 1 - r) / 30.0);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                f->m[j * N + i] = 0;
                for (int r = 0; r < N; r++)
                    f->m[j * N + i] += left[r * N + i] * sigma[r] * right[r * N + j];
            }
        assert_int_equal(gram_vectors(f->u, f->sigma, f->vt, f->m, N, NULL, &err), GRAM_FOUND);
        for (int r = 0; r < N; r++)
            assert_true(fabs(f->sigma[r] - sigma[r]) < 1e-8 * sigma[r]);
        assert_true(apart(f) < 1e-12);
        assert_true(askew(f->u, N, 1) < 1e-12 && askew(f->vt, 1, N) < 1e-5);
        free(f);
    }
}

static void equal_values_are_found(void **state) {
    (void)state;
    Found *f = drawn(1);
    Err err;
    for (int e = 0; e < N * N; e++)
        f->m[e] = e % (N + 1) == 0 ? -3 : 0;
    assert_int_equal(gram_vectors(f->u, f->sigma, f->vt, f->m, N, NULL, &err), GRAM_FOUND);
    for (int r = 0; r < N; r++)
        assert_true(fabs(f->sigma[r] - 3) < 1e-13);
    assert_true(apart(f) < 1e-13 && askew(f->u, N, 1) < 1e-12);
    free(f);
}

/* Of a lower rank, of 0, and where the smallest is too small, it says so. */
static void what_does_not_fit_is_told(void **state) {
    (void)state;
    Found *f = drawn(1e-11);
    Err err;
    assert_int_equal(gram_vectors(f->u, f->sigma, f->vt, f->m, N, NULL, &err), GRAM_UNFIT);
    free(f);
    f = drawn(1);
    memcpy(f->m + 5 * N, f->m + 3 * N, N * sizeof *f->m); /* two columns alike */
    assert_int_equal(gram_vectors(f->u, f->sigma, f->vt, f->m, N, NULL, &err), GRAM_UNFIT);
    memset(f->m, 0, sizeof f->m);
    assert_int_equal(gram_vectors(f->u, f->sigma, f->vt, f->m, N, NULL, &err), GRAM_UNFIT);
    free(f);
}

/* Values alone are found however low some of them lie, of a lower rank too, as long as they are
 * few. */
static void low_values_are_exact(void **state) {
    (void)state;
    static const double least[] = {1, 1e-4, 1e-6};
    for (size_t k = 0; k < ARRAY_COUNT(least) * 2; k++) {
        Found *f = drawn(least[k / 2]);
        double copy[N * N], sigma[N];
        Err err;
        if (k % 2 == 1)
            memcpy(f->m + 5 * N, f->m + 3 * N, N * sizeof *f->m); /* two columns alike */
        memcpy(copy, f->m, sizeof copy);
        assert_true(bidiagonal_values(sigma, copy, N, N, NULL, &err));
        assert_int_equal(gram_values(f->sigma, f->m, N, NULL, &err), GRAM_FOUND);
        for (int r = 0; r < N; r++) {
            if (!(fabs(f->sigma[r] - sigma[r]) < 1e-6 * sigma[r] + 1e-12 * sigma[0]))
                fail_msg("case %zu, σ%d of %g is %g, not %g", k, r + 1, sigma[0], f->sigma[r],
                         sigma[r]);
            assert_true(r == 0 || f->sigma[r] <= f->sigma[r - 1]);
        }
        free(f);
    }
}

static void too_many_low_values_are_told(void **state) {
    (void)state;
    Found *f = drawn(1e-11);
    Err err;
    assert_int_equal(gram_values(f->sigma, f->m, N, NULL, &err), GRAM_UNFIT);
    memset(f->m, 0, sizeof f->m);
    assert_int_equal(gram_values(f->sigma, f->m, N, NULL, &err), GRAM_UNFIT);
    free(f);
}

static void it_counts_its_steps_and_ends_when_told_to(void **state) {
    (void)state;
    Found *f = drawn(1);
    JobWatch watch;
    Err err;
    job_watch_begin(&watch);
    assert_int_equal(gram_vectors(f->u, f->sigma, f->vt, f->m, N, &watch, &err), GRAM_FOUND);
    double share = (double)atomic_load(&watch.done) / gram_vectors_steps(N);
    assert_true(share > 0.99 && share < 1.01);
    atomic_store(&watch.stop, true);
    assert_int_equal(gram_vectors(f->u, f->sigma, f->vt, f->m, N, &watch, &err), GRAM_FAILED);
    job_watch_begin(&watch);
    assert_int_equal(gram_values(f->sigma, f->m, N, &watch, &err), GRAM_FOUND);
    share = (double)atomic_load(&watch.done) / gram_values_steps(N);
    assert_true(share > 0.99 && share < 1.01);
    atomic_store(&watch.stop, true);
    assert_int_equal(gram_values(f->sigma, f->m, N, &watch, &err), GRAM_FAILED);
    free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_and_vectors_are_exact),
                                       cmocka_unit_test(small_values_are_as_exact),
                                       cmocka_unit_test(equal_values_are_found),
                                       cmocka_unit_test(what_does_not_fit_is_told),
                                       cmocka_unit_test(low_values_are_exact),
                                       cmocka_unit_test(too_many_low_values_are_told),
                                       cmocka_unit_test(it_counts_its_steps_and_ends_when_told_to)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
