/* The decomposition of a product of two factors, against LAPACK on the product itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dgesvd dgesvd_
#else
#include <lapacke.h>
#endif

#include "base/rng.h"
#include "base/util.h"
#include "math/framed.h"
#include "math/orthogonal.h"
#include "math/product_svd.h"

#define SIDE_MAX 160 /* more than is taken apart at once */
#define WORK     (64 * SIDE_MAX)

typedef struct Case {
    int D, K;
    float scale; /* 0 for factors of zeros */
    bool equal;  /* a·bᵀ is a multiple of a projection: all its singular values are the same */
    bool twice;  /* the last column is the first: the Gram matrix of a factor has no inverse */
} Case;

static const Case CASES[] = {
    {48, 12, 1, false, false},  {48, 1, 1, false, false},      {16, 16, 1, false, false},
    {8, 24, 1, false, false},   {1, 1, 1, false, false},       {1, 9, 1, false, false},
    {48, 12, 0, false, false},  {48, 12, 1e-4f, false, false}, {24, 8, 1, true, false},
    {12, 12, 1, true, false},   {160, 136, 1, false, false},   {150, 150, 1, false, false},
    {160, 136, 1, false, true}, {160, 136, 0, false, false},   {160, 130, 1e-20f, false, false}};

static Mat draw(float *at, const Case *c, uint64_t stream) {
    Mat m = {at, c->D, c->K, c->K};
    for (int e = 0; e < c->D * c->K; e++)
        at[e] = c->scale * (float)rng_normal(rng_stream(5, stream), (uint64_t)e);
    Err err;
    for (int i = 0; i < c->D && c->twice; i++)
        mat_row(&m, i)[c->K - 1] = mat_row(&m, i)[0];
    if (c->equal)
        assert_true(orthogonal_factor(&m, NULL, &err));
    return m;
}

/* The singular values of the product, which is made in double. */
static void reference(double *sigma, const Mat *a, const Mat *b) {
    static double product[SIDE_MAX * SIDE_MAX], work[WORK];
    int n = a->rows, room = WORK, one = 1, info;
    double unused;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int m = 0; m < a->cols; m++)
                sum += (double)mat_row(a, i)[m] * (double)mat_row(b, j)[m];
            product[i * n + j] = sum;
        }
    LAPACK_dgesvd("N", "N", &n, &n, product, &n, sigma, &unused, &one, &unused, &one, work, &room,
                  &info);
    assert_int_equal(info, 0);
}

static void check_orthonormal(const Mat *u) {
    for (int r = 0; r < u->cols; r++)
        for (int s = 0; s <= r; s++) {
            double dot = 0;
            for (int i = 0; i < u->rows; i++)
                dot += (double)mat_row(u, i)[r] * (double)mat_row(u, i)[s];
            assert_true(fabs(dot - (r == s)) < 1e-5);
        }
}

static void check_product(const Mat *a, const Mat *b, const Mat *u, const double *sigma,
                          const Mat *v) {
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->rows; j++) {
            double exact = 0, sum = 0;
            for (int m = 0; m < a->cols; m++)
                exact += (double)mat_row(a, i)[m] * (double)mat_row(b, j)[m];
            for (int r = 0; r < u->cols; r++)
                sum += sigma[r] * (double)mat_row(u, i)[r] * (double)mat_row(v, j)[r];
            assert_true(fabs(sum - exact) <= 1e-6 * sigma[0]);
        }
}

static void decomposes_every_shape(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        static float at[4][SIDE_MAX * SIDE_MAX];
        const Case *c = &CASES[i];
        int count = c->D < c->K ? c->D : c->K;
        double sigma[SIDE_MAX], expected[SIDE_MAX];
        Mat a = draw(at[0], c, 1), b = c->equal ? a : draw(at[1], c, 2);
        Mat u = {at[2], c->D, count, count}, v = {at[3], c->D, count, count};
        Err err;
        assert_true(product_svd_vectors(&u, sigma, &v, &a, &b, NULL, &err));
        reference(expected, &a, &b);
        for (int r = 0; r < count; r++)
            if (fabs(sigma[r] - expected[r]) > 1e-4 * expected[r] + 1e-14 * expected[0])
                fail_msg("%d × %d: σ%d is %g, not %g", c->D, c->K, r + 1, sigma[r], expected[r]);
        check_orthonormal(&u);
        check_orthonormal(&v);
        check_product(&a, &b, &u, sigma, &v);
        if (c->equal)
            assert_true(fabs(sigma[0] - sigma[count - 1]) < 1e-6);
    }
}

/* What is kept is what the vectors give, and a rank of all or more leaves the product as it is. */
static void truncates_to_every_rank(void **state) {
    (void)state;
    static const int shapes[][2] = {{24, 8}, {8, 24}, {12, 12}};
    for (size_t s = 0; s < ARRAY_COUNT(shapes); s++) {
        int D = shapes[s][0], K = shapes[s][1], count = D < K ? D : K;
        Framed a = framed(D, K, 3), b = framed(D, K, 4), out = framed(D, D, 5);
        float at[3][SIDE_MAX * 2];
        double sigma[SIDE_MAX];
        Mat u = {at[0], D, count, count}, v = {at[1], D, count, count}, row = {at[2], 1, D, D};
        Err err;
        assert_true(product_svd_vectors(&u, sigma, &v, &a.m, &b.m, NULL, &err));
        for (int rank = 1; rank <= count + 1; rank++) {
            mat_mul_bt(&out.m, &a.m, &b.m, 1);
            assert_true(product_svd_truncate(&out.m, &row, &a.m, &b.m, rank, NULL, &err));
            for (int r = 0; r < D; r++)
                assert_true(fabs((double)at[2][r] - (r < count ? sigma[r] : 0)) < 1e-5);
            for (int i = 0; i < D * D; i++) {
                double sum = 0;
                for (int r = 0; r < rank && r < count; r++)
                    sum += sigma[r] * (double)mat_row(&u, i / D)[r] * (double)mat_row(&v, i % D)[r];
                assert_true(fabs(sum - (double)mat_row(&out.m, i / D)[i % D]) < 1e-5 * sigma[0]);
            }
            assert_frame_untouched(&out);
        }
        free(a.block), free(b.block), free(out.block);
    }
}

/* Once it is told to stop it ends, and it counts about as many steps as were announced. */
static void ends_when_told_to(void **state) {
    (void)state;
    Framed a = framed(160, 136, 3), b = framed(160, 136, 4);
    static float at[2][SIDE_MAX * SIDE_MAX];
    Mat u = {at[0], 160, 136, 136}, v = {at[1], 160, 136, 136};
    double sigma[SIDE_MAX];
    JobWatch watch;
    Err err;
    job_watch_begin(&watch);
    assert_true(product_svd_vectors(&u, sigma, &v, &a.m, &b.m, &watch, &err));
    double counted = (double)atomic_load(&watch.done);
    assert_true(counted > 0.5 * product_svd_vectors_steps(160, 136) &&
                counted <= product_svd_vectors_steps(160, 136));
    job_watch_begin(&watch);
    assert_true(product_svd_values(sigma, &a.m, &b.m, &watch, &err));
    counted = (double)atomic_load(&watch.done);
    assert_true(counted > 0.5 * product_svd_values_steps(160, 136) &&
                counted <= product_svd_values_steps(160, 136));
    atomic_store(&watch.stop, true);
    assert_false(product_svd_values(sigma, &a.m, &b.m, &watch, &err));
    assert_false(product_svd_vectors(&u, sigma, &v, &a.m, &b.m, &watch, &err));
    assert_true(strstr(err.why, "stopped") != NULL);
    free(a.block), free(b.block);
}

/* a and b are diagonal, so the singular values of a·bᵀ are known. */
static void known_singular_values(void **state) {
    (void)state;
    static const int shapes[][2] = {{6, 3}, {3, 6}, {4, 4}};
    for (size_t s = 0; s < ARRAY_COUNT(shapes); s++) {
        int D = shapes[s][0], K = shapes[s][1], count = D < K ? D : K;
        Framed a = framed(D, K, 1), b = framed(D, K, 2);
        for (int i = 0; i < D; i++)
            for (int j = 0; j < K; j++) {
                mat_row(&a.m, i)[j] = i == j ? (float)(i + 1) : 0;
                mat_row(&b.m, i)[j] = i == j ? (float)(i % 2 == 0 ? -2 : 3) : 0;
            }
        double sigma[4];
        Err err;
        assert_true(product_svd_values(sigma, &a.m, &b.m, NULL, &err));
        static const double three[] = {6, 6, 2}, four[] = {12, 6, 6, 2};
        for (int i = 0; i < count; i++)
            assert_true(fabs(sigma[i] - (count == 3 ? three : four)[i]) < 1e-12);
        free(a.block), free(b.block);
    }
}

/* Σσ² is the squared length of the product, whatever the shape. */
static void singular_values_keep_the_length(void **state) {
    (void)state;
    static const int shapes[][2] = {{64, 16}, {16, 64}, {100, 100}, {5, 1}, {1, 5}, {140, 130}};
    for (size_t s = 0; s < ARRAY_COUNT(shapes); s++) {
        int D = shapes[s][0], K = shapes[s][1], count = D < K ? D : K;
        Framed a = framed(D, K, 3), b = framed(D, K, 4);
        double sigma[140], squares = 0, length = 0;
        Err err;
        assert_true(product_svd_values(sigma, &a.m, &b.m, NULL, &err));
        for (int i = 0; i < count; i++) {
            assert_true(sigma[i] >= 0 && (i == 0 || sigma[i] <= sigma[i - 1]));
            squares += sigma[i] * sigma[i];
        }
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++) {
                double sum = 0;
                for (int k = 0; k < K; k++)
                    sum += (double)mat_row(&a.m, i)[k] * (double)mat_row(&b.m, j)[k];
                length += sum * sum;
            }
        if (!(fabs(squares / length - 1) < 1e-12))
            fail_msg("(%d, %d): %.9g, expected %.9g", D, K, squares, length);
        free(a.block), free(b.block);
    }
}

static void refuses_what_is_not_finite(void **state) {
    (void)state;
    float a[] = {1, INFINITY}, b[] = {1, 2}, u[2], v[2];
    double sigma;
    Err err;
    assert_false(product_svd_vectors(&(Mat){u, 2, 1, 1}, &sigma, &(Mat){v, 2, 1, 1},
                                     &(Mat){a, 2, 1, 1}, &(Mat){b, 2, 1, 1}, NULL, &err));
    assert_true(err.why[0] != '\0');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decomposes_every_shape),
        cmocka_unit_test(known_singular_values),
        cmocka_unit_test(singular_values_keep_the_length),
        cmocka_unit_test(truncates_to_every_rank),
        cmocka_unit_test(ends_when_told_to),
        cmocka_unit_test(refuses_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
