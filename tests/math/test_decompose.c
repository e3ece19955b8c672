/* Decompositions compared with NumPy, with a Jacobi iteration that shares no code with LAPACK, and
 * with their definitions. Vectors are rounded to float32, hence 1e-6. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "math/decompose.h"
#include "math/framed.h"
#include "support/jacobi.h"
#include "support/test.h"

#define SIDE 160

/* NumPy 1.24.2: numpy.linalg.svd of ((7i + 3j + ij) mod 11 − 5)/4, which float32 holds exactly. */
enum { ROWS = 6, COLS = 4 };
static const double NUMPY_SIGMA[COLS] = {2.5119817506088808, 2.1742346988461598, 1.7291138831967343,
                                         0.40039522709144537};
static const double NUMPY_U[ROWS][COLS] = {{0.208122952, 0.532085129, 0.649982511, 0.033060357},
                                           {-0.51523468, 0.343031723, 0.257346544, 0.225022706},
                                           {0.175522572, -0.308917666, 0.570074912, 0.220853564},
                                           {-0.54783506, -0.497971073, 0.177438945, 0.412815912},
                                           {-0.098686667, 0.473097662, -0.386501089, 0.60585184},
                                           {0.592070584, -0.178851727, -0.073772721, 0.601682698}};
static const double NUMPY_V[COLS][COLS] = {{-0.700264142, -0.326175619, -0.455921024, 0.442013141},
                                           {0.591456141, -0.692155439, -0.012410019, 0.413456736},
                                           {0.370759035, 0.591052678, -0.563631658, 0.442169452},
                                           {-0.149490809, 0.255317539, 0.688695408, 0.66193964}};
/* numpy.linalg.qr, with the signs that make the diagonal of R positive. */
static const double NUMPY_Q[ROWS][COLS] = {{-0.606339063, -0.472327939, -0.337349542, 0.213200716},
                                           {0.242535625, -0.538749055, -0.220574701, 0.319801075},
                                           {-0.242535625, 0.287824838, -0.506024314, 0.319801075},
                                           {0.606339063, 0.221403721, -0.389249472, 0.426401433},
                                           {0.121267813, -0.332105582, 0.583874208, 0.533001791},
                                           {-0.363803438, 0.494468311, 0.298424595, 0.533001791}};
/* numpy.linalg.svd of its product with the transpose of ((5i + 2j + 3ij) mod 13 − 6)/4. */
static const double NUMPY_PRODUCT[COLS] = {6.4966995920362676, 5.4642340066966746,
                                           2.6114400623012712, 0.74620920786555434};

static Mat formula(float *at, int a, int b, int both, int modulus) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            at[i * COLS + j] = (float)((a * i + b * j + both * i * j) % modulus - modulus / 2) / 4;
    return (Mat){at, ROWS, COLS, COLS};
}

static void assert_entries(const Mat *m, const double expected[][COLS], double most) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            if (!(fabs((double)mat_row(m, i)[j] - expected[i][j]) < most))
                fail_msg("(%d, %d) is %g, not %g", i, j, (double)mat_row(m, i)[j], expected[i][j]);
}

TEST(agrees_with_numpy) {
    float at[4][ROWS * COLS];
    double sigma[COLS], of_product[COLS], alone[COLS];
    Mat m = formula(at[0], 7, 3, 1, 11), other = formula(at[1], 5, 2, 3, 13);
    Mat u = {at[2], ROWS, COLS, COLS}, v = {at[3], COLS, COLS, COLS};
    must(decompose_matrix(&u, sigma, &v, &m, &told));
    assert_entries(&u, NUMPY_U, 1e-7);
    assert_entries(&v, NUMPY_V, 1e-7);
    must(decompose_matrix(NULL, alone, NULL, &m, &told));
    must(decompose_product(NULL, of_product, NULL, &m, &other, &told));
    for (int r = 0; r < COLS; r++) {
        assert_true(fabs(sigma[r] - NUMPY_SIGMA[r]) < 1e-14);
        assert_true(fabs(alone[r] - NUMPY_SIGMA[r]) < 1e-14);
        assert_true(fabs(of_product[r] - NUMPY_PRODUCT[r]) < 1e-13);
    }
    must(decompose_orthogonal(&m, &told));
    assert_entries(&m, NUMPY_Q, 1e-7);
}

static void multiply(double product[][SIDE], const Mat *a, const Mat *b) {
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->rows; j++) {
            product[i][j] = 0;
            for (int p = 0; p < a->cols; p++)
                product[i][j] += (double)mat_row(a, i)[p] * (double)mat_row(b, j)[p];
        }
}

/* Columns of unit length at right angles, the largest entry of each positive if `signs`. */
static void assert_orthonormal(const Mat *u, bool signs) {
    for (int r = 0; r < u->cols; r++) {
        float largest = 0;
        for (int i = 0; i < u->rows; i++)
            largest = fabsf(mat_row(u, i)[r]) > fabsf(largest) ? mat_row(u, i)[r] : largest;
        assert_true(!signs || largest > 0);
        for (int s = 0; s <= r; s++) {
            double dot = 0;
            for (int i = 0; i < u->rows; i++)
                dot += (double)mat_row(u, i)[r] * (double)mat_row(u, i)[s];
            assert_true(fabs(dot - (r == s)) < 1e-6);
        }
    }
}

/* u·Σ·vᵀ is the product. */
static void assert_factors(double product[][SIDE], const Mat *u, const double *sigma,
                           const Mat *v) {
    for (int i = 0; i < u->rows; i++)
        for (int j = 0; j < v->rows; j++) {
            double sum = 0;
            for (int r = 0; r < u->cols; r++)
                sum += sigma[r] * (double)mat_row(u, i)[r] * (double)mat_row(v, j)[r];
            assert_true(fabs(sum - product[i][j]) <= 1e-6 * sigma[0]);
        }
}

typedef struct Case {
    int D, K;
    float scale; /* 0 for factors of zeros */
    bool equal;  /* a·bᵀ is a projection: all its singular values are the same */
    bool twice;  /* the last column is the first */
} Case;

static const Case CASES[] = {
    {48, 12, 1, false, false}, {48, 1, 1, false, false},      {16, 16, 1, false, false},
    {8, 24, 1, false, false},  {1, 1, 1, false, false},       {1, 9, 1, false, false},
    {48, 12, 0, false, false}, {48, 12, 1e-4f, false, false}, {24, 8, 1, true, false},
    {12, 12, 1, true, false},  {160, 136, 1, false, false},   {150, 150, 1, false, false},
    {48, 36, 1, false, true},  {48, 30, 1e-20f, false, false}};

static Mat draw(float *at, const Case *c, uint64_t stream) {
    Mat m = {at, c->D, c->K, c->K};
    for (int e = 0; e < c->D * c->K; e++)
        at[e] = c->scale * (float)rng_normal(rng_stream(5, stream), (uint64_t)e);
    for (int i = 0; i < c->D && c->twice; i++)
        mat_row(&m, i)[c->K - 1] = mat_row(&m, i)[0];
    if (c->equal)
        must(decompose_orthogonal(&m, &told));
    return m;
}

TEST(products_of_every_shape) {
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        static float at[4][SIDE * SIDE];
        static double product[SIDE][SIDE], used[SIDE][SIDE];
        const Case *c = &CASES[i];
        int count = c->D < c->K ? c->D : c->K;
        double sigma[SIDE], alone[SIDE], expected[SIDE];
        Mat a = draw(at[0], c, 1), b = c->equal ? a : draw(at[1], c, 2);
        Mat u = {at[2], c->D, count, count}, v = {at[3], c->D, count, count};
        must(decompose_product(&u, sigma, &v, &a, &b, &told));
        must(decompose_product(NULL, alone, NULL, &a, &b, &told));
        multiply(product, &a, &b);
        memcpy(used, product, sizeof used);
        jacobi(expected, used[0], c->D, SIDE);
        for (int r = 0; r < count; r++) {
            assert_true(fabs(sigma[r] - expected[r]) <= 1e-13 * expected[0]);
            assert_true(fabs(alone[r] - expected[r]) <= 1e-13 * expected[0]);
            assert_true(r == 0 || sigma[r] <= sigma[r - 1]);
        }
        assert_orthonormal(&u, true);
        assert_orthonormal(&v, false);
        assert_factors(product, &u, sigma, &v);
    }
}

TEST(matrices_of_every_shape) {
    static const int shapes[][2] = {{1, 1}, {1, 7}, {7, 1}, {5, 24}, {24, 5}, {40, 40}, {90, 130}};
    for (size_t s = 0; s < ARRAY_COUNT(shapes); s++) {
        static float at[3][SIDE * SIDE];
        static double whole[SIDE][SIDE];
        int rows = shapes[s][0], cols = shapes[s][1], count = rows < cols ? rows : cols;
        Framed m = framed(rows, cols, s);
        Mat u = {at[0], rows, count, count}, v = {at[1], cols, count, count};
        double sigma[SIDE], squares = 0, length = 0;
        must(decompose_matrix(&u, sigma, &v, &m.m, &told));
        for (int r = 0; r < count; r++)
            squares += sigma[r] * sigma[r];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                whole[i][j] = (double)mat_row(&m.m, i)[j];
                length += whole[i][j] * whole[i][j];
            }
        assert_true(fabs(squares / length - 1) < 1e-13);
        assert_orthonormal(&u, true);
        assert_orthonormal(&v, false);
        assert_factors(whole, &u, sigma, &v);
        assert_frame_untouched(&m);
        free(m.block);
    }
}

/* a = H·diag(s) and b = H for a Hadamard matrix H of 16 rows: the singular values are 16·s and the
 * vectors are H/4, all exact in float32. Values from 1 down to 2⁻³⁰, two of them within 2⁻²⁸ of
 * each other, must still have the right vectors. */
TEST(small_and_close_values_have_their_vectors) {
    enum { D = 16 };
    static const double s[D] = {1,       0.75,    0x1p-4,     0x1p-8,     0x1.8p-9, 0x1p-9,
                                0x1p-12, 0x1p-15, 0x1.02p-20, 0x1.01p-20, 0x1p-20,  0x1p-22,
                                0x1p-24, 0x1p-26, 0x1p-28,    0x1p-30};
    static const int widths[] = {D, 11};
    for (size_t w = 0; w < ARRAY_COUNT(widths); w++) {
        int K = widths[w];
        float at[4][D * D];
        double sigma[D];
        Mat a = {at[0], D, K, K}, b = {at[1], D, K, K}, u = {at[2], D, K, K}, v = {at[3], D, K, K};
        for (int i = 0; i < D; i++)
            for (int r = 0; r < K; r++) {
                mat_row(&b, i)[r] = __builtin_popcount((unsigned)(i & r)) % 2 == 0 ? 1 : -1;
                mat_row(&a, i)[r] = mat_row(&b, i)[r] * (float)s[r];
            }
        must(decompose_product(&u, sigma, &v, &a, &b, &told));
        for (int r = 0; r < K; r++) {
            double across_u = 0, across_v = 0;
            assert_true(fabs(sigma[r] - D * s[r]) < 1e-14 * D);
            for (int i = 0; i < D; i++) {
                across_u += (double)mat_row(&u, i)[r] * (double)mat_row(&b, i)[r] / 4;
                across_v += (double)mat_row(&v, i)[r] * (double)mat_row(&b, i)[r] / 4;
            }
            assert_true(fabs(fabs(across_u) - 1) < 1e-6 && fabs(fabs(across_v) - 1) < 1e-6);
            assert_true(across_u * across_v > 0);
        }
    }
}

/* The kept part is the product of the vectors; a full or larger rank does not change the product.
 */
TEST(truncates_to_every_rank) {
    static const int shapes[][2] = {{24, 8}, {8, 24}, {12, 12}};
    for (size_t s = 0; s < ARRAY_COUNT(shapes); s++) {
        int D = shapes[s][0], K = shapes[s][1], count = D < K ? D : K;
        Framed a = framed(D, K, 3), b = framed(D, K, 4), out = framed(D, D, 5),
               was = framed(D, D, 5);
        float at[3][SIDE * 2];
        double sigma[SIDE];
        Mat u = {at[0], D, count, count}, v = {at[1], D, count, count}, row = {at[2], 1, D, D};
        must(decompose_product(&u, sigma, &v, &a.m, &b.m, &told));
        mat_mul_bt(&was.m, &a.m, &b.m, 1);
        for (int rank = 1; rank <= count + 1; rank++) {
            mat_copy(&out.m, &was.m);
            must(decompose_truncate(&out.m, &row, &a.m, &b.m, rank, &told));
            assert_true(rank < count || mat_max_difference(&out.m, &was.m) == 0);
            for (int r = 0; r < D; r++)
                assert_true(fabs((double)at[2][r] - (r < count ? sigma[r] : 0)) < 1e-5);
            for (int i = 0; i < D * D; i++) {
                double sum = 0;
                for (int r = 0; r < rank && r < count; r++)
                    sum += sigma[r] * (double)mat_row(&u, i / D)[r] * (double)mat_row(&v, i % D)[r];
                assert_true(fabs(sum - (double)mat_row(&out.m, i / D)[i % D]) < 1e-6 * sigma[0]);
            }
            assert_frame_untouched(&out);
        }
        free(a.block), free(b.block), free(out.block), free(was.block);
    }
}

static double entry(const Mat *m, int i, int j, bool transposed) {
    return (double)(transposed ? mat_row(m, j)[i] : mat_row(m, i)[j]);
}

/* Qᵀ·m, of the tall one of m and mᵀ, is an upper triangle with a positive diagonal. */
static void assert_triangle(const Mat *q, const Mat *m) {
    bool wide = m->rows < m->cols;
    int length = wide ? m->cols : m->rows, count = wide ? m->rows : m->cols;
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++) {
            double r = 0, unit = 0;
            for (int p = 0; p < length; p++) {
                r += entry(q, p, a, wide) * entry(m, p, b, wide);
                unit += entry(q, p, a, wide) * entry(q, p, b, wide);
            }
            assert_true(a == b ? r > 0 : fabs(r) < 1e-6 * length);
            assert_true(fabs(unit - (a == b)) < 1e-6);
        }
}

TEST(the_orthogonal_factor_is_the_q_of_qr) {
    static const int shapes[][2] = {{1, 1}, {5, 5}, {40, 7},    {7, 40},    {130, 100},
                                    {1, 9}, {9, 1}, {129, 129}, {161, 170}, {230, 200}};
    for (size_t s = 0; s < ARRAY_COUNT(shapes); s++) {
        Framed m = framed(shapes[s][0], shapes[s][1], 8), q = framed(shapes[s][0], shapes[s][1], 8);
        must(decompose_orthogonal(&q.m, &told));
        assert_frame_untouched(&q);
        assert_triangle(&q.m, &m.m);
        free(m.block), free(q.block);
    }
}

TEST(zeros_are_decomposed) {
    float at[12] = {0};
    double sigma[3] = {1, 1, 1};
    Mat m = {at, 4, 3, 3};
    must(decompose_matrix(NULL, sigma, NULL, &m, &told));
    assert_true(sigma[0] == 0 && sigma[1] == 0 && sigma[2] == 0);
    must(decompose_orthogonal(&m, &told));
    assert_true(mat_is_finite(&m));
}

TEST(refuses_what_is_not_finite) {
    float a[] = {1, INFINITY}, b[] = {1, NAN}, u[2], v[2];
    double sigma;
    Mat left = {a, 2, 1, 1}, right = {b, 2, 1, 1}, U = {u, 2, 1, 1}, V = {v, 2, 1, 1};
    Err err = {0};
    assert_false(decompose_product(&U, &sigma, &V, &left, &right, &err));
    assert_true(err.why[0] != '\0');
    assert_false(decompose_matrix(NULL, &sigma, NULL, &left, &err));
    assert_false(decompose_orthogonal(&right, &err));
}

typedef struct Job {
    Framed a, b;
    float u[100 * 60], v[100 * 60];
    double sigma[60];
} Job;

static void *decompose_often(void *data) {
    Job *job = data;
    Err err;
    Mat u = {job->u, 100, 60, 60}, v = {job->v, 100, 60, 60};
    for (int i = 0; i < 20; i++)
        if (!decompose_product(&u, job->sigma, &v, &job->a.m, &job->b.m, &err))
            return NULL;
    return job;
}

/* Two threads at the same time get the same bits as one thread. */
TEST(threads_do_not_disturb_each_other) {
    static Job jobs[3];
    pthread_t threads[2];
    void *done[3];
    for (int i = 0; i < 3; i++) {
        jobs[i].a = framed(100, 60, 1);
        jobs[i].b = framed(100, 60, 2);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, decompose_often, &jobs[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &done[i]);
    done[2] = decompose_often(&jobs[2]);
    for (int i = 0; i < 3; i++) {
        assert_non_null(done[i]);
        assert_memory_equal(jobs[i].u, jobs[2].u, sizeof jobs[i].u);
        assert_memory_equal(jobs[i].v, jobs[2].v, sizeof jobs[i].v);
        assert_memory_equal(jobs[i].sigma, jobs[2].sigma, sizeof jobs[i].sigma);
        free(jobs[i].a.block), free(jobs[i].b.block);
    }
}
