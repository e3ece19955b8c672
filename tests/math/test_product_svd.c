/* The decomposition of a product of two factors, against LAPACK on the product itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#ifdef __APPLE__
#include <Accelerate/Accelerate.h>
#define LAPACK_dgesvd dgesvd_
#else
#include <lapacke.h>
#endif

#include "base/rng.h"
#include "base/util.h"
#include "math/mat.h"

#define SIDE_MAX 48
#define WORK     (64 * SIDE_MAX)

typedef struct Case {
    int D, K;
    float scale; /* 0 for factors of zeros */
    bool equal;  /* a·bᵀ is a multiple of a projection: all its singular values are the same */
} Case;

static const Case CASES[] = {{48, 12, 1, false}, {48, 1, 1, false},      {16, 16, 1, false},
                             {8, 24, 1, false},  {1, 1, 1, false},       {1, 9, 1, false},
                             {48, 12, 0, false}, {48, 12, 1e-4f, false}, {24, 8, 1, true},
                             {12, 12, 1, true}};

static Mat draw(float *at, const Case *c, uint64_t stream) {
    Mat m = {at, c->D, c->K, c->K};
    for (int e = 0; e < c->D * c->K; e++)
        at[e] = c->scale * (float)rng_normal(rng_stream(5, stream), (uint64_t)e);
    Err err;
    if (c->equal)
        assert_true(mat_orthogonalise(&m, &err));
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
        assert_true(mat_product_svd(&u, sigma, &v, &a, &b, &err));
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

static void refuses_what_is_not_finite(void **state) {
    (void)state;
    float a[] = {1, INFINITY}, b[] = {1, 2}, u[2], v[2];
    double sigma;
    Err err;
    assert_false(mat_product_svd(&(Mat){u, 2, 1, 1}, &sigma, &(Mat){v, 2, 1, 1}, &(Mat){a, 2, 1, 1},
                                 &(Mat){b, 2, 1, 1}, &err));
    assert_true(err.why[0] != '\0');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decomposes_every_shape),
        cmocka_unit_test(refuses_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
