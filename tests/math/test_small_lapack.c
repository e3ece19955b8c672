/* The page's own decompositions, compared with LAPACK's and with their definitions. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "math/decompose.h"
#include "math/small_lapack.h"
#include "support/test.h"

#define SIDE 48

typedef struct Case {
    int rows, cols, rank;
} Case;

static const Case CASES[] = {{1, 1, 1},   {SIDE, SIDE, SIDE}, {SIDE, 16, 16}, {16, SIDE, 16},
                             {24, 24, 7}, {SIDE, 20, 5},      {9, 31, 2},     {6, 4, 0}};
#define CASE_COUNT (sizeof CASES / sizeof *CASES)

/* A product of random matrices (rows, rank) and (rank, cols), in floats, row by row. */
static Mat sample(float *at, const Case *c, uint64_t seed) {
    static double left[SIDE * SIDE], right[SIDE * SIDE];
    rng_normals(left, rng_stream(seed, 0), 0, (size_t)c->rows * (size_t)c->rank);
    rng_normals(right, rng_stream(seed, 1), 0, (size_t)c->cols * (size_t)c->rank);
    Mat m = {at, c->rows, c->cols, c->cols};
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->cols; j++) {
            double sum = 0;
            for (int r = 0; r < c->rank; r++)
                sum += left[i * c->rank + r] * right[j * c->rank + r];
            at[i * c->cols + j] = (float)sum;
        }
    return m;
}

static void read_columns(double *out, const Mat *m) {
    for (int j = 0; j < m->cols; j++)
        for (int i = 0; i < m->rows; i++)
            *out++ = (double)mat_row(m, i)[j];
}

/* Check the columns of q (rows, cols), which are stride apart. */
static void assert_orthonormal(const double *q, int rows, int cols, int across, int along) {
    for (int a = 0; a < cols; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (int i = 0; i < rows; i++)
                sum += q[i * across + a * along] * q[i * across + b * along];
            assert_true(fabs(sum - (a == b)) < 1e-12);
        }
}

static void assert_values(const double *sigma, const Mat *m, int count) {
    double reference[SIDE];
    must(decompose_matrix(NULL, reference, NULL, m, &told));
    for (int r = 0; r < count; r++)
        assert_true(fabs(sigma[r] - reference[r]) <= 1e-12 * (1 + reference[0]));
}

TEST(has_the_singular_values_and_vectors) {
    static float at[SIDE * SIDE];
    static double a[SIDE * SIDE], before[SIDE * SIDE], u[SIDE * SIDE], vt[SIDE * SIDE],
        work[SIDE * SIDE + 3 * SIDE];
    for (size_t k = 0; k < CASE_COUNT; k++) {
        int m = CASES[k].rows, n = CASES[k].cols, c = m < n ? m : n;
        double sigma[SIDE], alone[SIDE];
        Mat mat = sample(at, &CASES[k], k + 1);
        read_columns(a, &mat);
        memcpy(before, a, sizeof a);
        assert_int_equal(small_gesdd(LAPACK_COL_MAJOR, 'S', m, n, a, m, sigma, u, m, vt, c, work,
                                     SIDE * SIDE + 3 * SIDE, NULL),
                         0);
        assert_values(sigma, &mat, c);
        assert_orthonormal(u, m, c, 1, m);
        assert_orthonormal(vt, n, c, c, 1);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int r = 0; r < c; r++)
                    sum += u[r * m + i] * sigma[r] * vt[j * c + r];
                assert_true(fabs(sum - before[j * m + i]) <= 1e-12 * (1 + sigma[0]));
            }
        memcpy(a, before, sizeof a);
        assert_int_equal(small_gesdd(LAPACK_COL_MAJOR, 'N', m, n, a, m, alone, NULL, m, NULL, c,
                                     work, SIDE * SIDE + 3 * SIDE, NULL),
                         0);
        for (int r = 0; r < c; r++)
            assert_true(fabs(alone[r] - sigma[r]) <= 1e-12 * (1 + sigma[0]));
    }
}

/* Q·R is the matrix; geqrf, orgqr and ormqr agree; with R's signs, Q is decompose_orthogonal's. */
TEST(has_the_factors_of_a_tall_matrix) {
    static float at[SIDE * SIDE];
    static double a[SIDE * SIDE], q[SIDE * SIDE], before[SIDE * SIDE], r[SIDE * SIDE];
    for (size_t k = 0; k < CASE_COUNT; k++) {
        int m = CASES[k].rows, n = CASES[k].cols;
        double tau[SIDE];
        if (m < n)
            continue;
        Mat mat = sample(at, &CASES[k], k + 100);
        read_columns(a, &mat);
        memcpy(before, a, sizeof a);
        small_geqrf(LAPACK_COL_MAJOR, m, n, a, m, tau, NULL, 0);
        memset(r, 0, sizeof r);
        for (int j = 0; j < n; j++)
            memcpy(r + j * m, a + j * m, (size_t)(j + 1) * sizeof *r);
        memcpy(q, a, sizeof a);
        small_orgqr(LAPACK_COL_MAJOR, m, n, n, q, m, tau, NULL, 0);
        assert_orthonormal(q, m, n, 1, m);
        small_ormqr(LAPACK_COL_MAJOR, 'L', 'N', m, n, n, a, m, tau, r, m, NULL, 0);
        for (int i = 0; i < m * n; i++)
            assert_true(fabs(r[i] - before[i]) < 1e-11);
        if (CASES[k].rank < n)
            continue; /* Q is not determined */
        must(decompose_orthogonal(&mat, &told));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                double sign = a[j * m + j] < 0 ? -1 : 1;
                assert_true(fabs(sign * q[j * m + i] - (double)mat_row(&mat, i)[j]) < 1e-6);
            }
    }
}
