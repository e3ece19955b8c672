#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/util.h"
#include "math/framed.h"
#include "math/gemm.h"
#include "support/test.h"

static float entry(const Mat *m, int i, int j, bool turned) {
    return turned ? mat_row(m, j)[i] : mat_row(m, i)[j];
}

/* Entry (i, j) in double precision. *bound is how far a float32 sum may be from it: each of its
 * depth + 1 roundings errs by at most 2⁻²⁴ of the sum of magnitudes (Higham 2002, section 3.1). */
static double exact(const Mat *a, const Mat *b, const GemmPlan *plan, int i, int j, double *bound) {
    int depth = plan->transpose_a ? a->rows : a->cols;
    double sum = 0, magnitude = 0;
    for (int p = 0; p < depth; p++) {
        double term =
            (double)entry(a, i, p, plan->transpose_a) * (double)entry(b, p, j, plan->transpose_b);
        sum += term;
        magnitude += fabs(term);
    }
    *bound = (depth + 1) * ldexp(magnitude, -24) * fabs((double)plan->factor);
    return sum * (double)plan->factor;
}

typedef struct Product {
    Framed a, b, out;
    GemmPlan plan;
} Product;

static Product product(int rows, int cols, int depth, int turns) {
    bool transpose_a = turns & 1, transpose_b = turns & 2;
    return (Product){
        .a = transpose_a ? framed(depth, rows, 1) : framed(rows, depth, 1),
        .b = transpose_b ? framed(cols, depth, 2) : framed(depth, cols, 2),
        .out = framed(rows, cols, 3),
        .plan = {.factor = -0.75F, .transpose_a = transpose_a, .transpose_b = transpose_b},
    };
}

static void product_release(Product *p) {
    free(p->a.block), free(p->b.block), free(p->out.block);
}

/* By the function of mat.h that does it, if there is one. */
static void multiply(Product *p) {
    static void (*const products[4])(Mat *, const Mat *, const Mat *, float) = {mat_mul, mat_mul_at,
                                                                                mat_mul_bt};
    int turns = p->plan.transpose_a + 2 * p->plan.transpose_b;
    if (products[turns] != NULL && !p->plan.add)
        products[turns](&p->out.m, &p->a.m, &p->b.m, p->plan.factor);
    else
        gemm(&p->out.m, &p->a.m, &p->b.m, &p->plan);
}

static void assert_exact(int rows, int cols, int depth, int turns) {
    LOCAL(product_release) Product p = product(rows, cols, depth, turns);
    multiply(&p);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            double bound, is = (double)mat_row(&p.out.m, i)[j];
            double be = exact(&p.a.m, &p.b.m, &p.plan, i, j, &bound);
            if (!(fabs(is - be) <= bound))
                fail_msg("(%d, %d)·(%d, %d), transposed %d: entry (%d, %d) is %.9g, not %.9g", rows,
                         depth, depth, cols, turns, i, j, is, be);
        }
    assert_frame_untouched(&p.out);
}

/* Around the sizes of vectors, tiles, panels and blocks, of every width of vector. */
TEST(entries_are_exact_but_for_rounding) {
    static const int sizes[][3] = {{0, 5, 3},   {5, 0, 3},    {3, 5, 0},    {1, 1, 1},
                                   {1, 17, 9},  {8, 192, 64}, {13, 13, 13}, {33, 47, 31},
                                   {40, 64, 4}, {7, 9, 257},  {3, 80, 500}, {34, 49, 1030}};
    for (int turns = 0; turns < 4; turns++)
        for (size_t s = 0; s < ARRAY_COUNT(sizes); s++)
            assert_exact(sizes[s][0], sizes[s][1], sizes[s][2], turns);
    Rng rng = rng_stream(3, 0);
    for (uint64_t n = 0; n < 600; n++) {
        int rows = (int)(rng_bits(rng, 3 * n) % 40), cols = (int)(rng_bits(rng, 3 * n + 1) % 70);
        int depth = (int)(rng_bits(rng, 3 * n + 2) % 40);
        assert_exact(rows, cols, depth, (int)(n % 4));
    }
}

TEST(added_products_are_added) {
    static const int sizes[][3] = {{1, 1, 1}, {9, 50, 3}, {33, 20, 300}, {16, 48, 900}, {5, 5, 0}};
    for (int turns = 0; turns < 4; turns++)
        for (size_t s = 0; s < ARRAY_COUNT(sizes); s++) {
            Product p = product(sizes[s][0], sizes[s][1], sizes[s][2], turns);
            Framed before = framed(sizes[s][0], sizes[s][1], 3);
            p.plan.add = true;
            multiply(&p);
            for (int i = 0; i < p.out.m.rows; i++)
                for (int j = 0; j < p.out.m.cols; j++) {
                    double bound, be = (double)mat_row(&before.m, i)[j] +
                                       exact(&p.a.m, &p.b.m, &p.plan, i, j, &bound);
                    assert_true(fabs((double)mat_row(&p.out.m, i)[j] - be) < 1e-4);
                }
            assert_frame_untouched(&p.out);
            free(before.block);
            product_release(&p);
        }
}

/* A value that is not finite only affects its row or column of the product, and 0 times infinity is
 * NaN. */
TEST(what_is_not_finite_stays_in_its_row_and_column) {
    for (int turns = 0; turns < 4; turns++) {
        LOCAL(product_release) Product p = product(13, 21, 9, turns);
        p.plan.factor = 1;
        (turns & 1 ? mat_row(&p.a.m, 4) + 2 : mat_row(&p.a.m, 2) + 4)[0] = NAN;
        (turns & 2 ? mat_row(&p.b.m, 20) + 1 : mat_row(&p.b.m, 1) + 20)[0] = INFINITY;
        (turns & 1 ? mat_row(&p.a.m, 1) + 7 : mat_row(&p.a.m, 7) + 1)[0] = 0;
        multiply(&p);
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 21; j++) {
                float value = mat_row(&p.out.m, i)[j];
                assert_int_equal(isnan(value) != 0, i == 2 || (i == 7 && j == 20));
                assert_int_equal(isinf(value) != 0, i != 2 && i != 7 && j == 20);
            }
    }
}

TEST(what_out_held_does_not_matter) {
    LOCAL(product_release) Product p = product(40, 37, 600, 0);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 37; j++)
            mat_row(&p.out.m, i)[j] = NAN;
    multiply(&p);
    assert_true(mat_is_finite(&p.out.m));
}
