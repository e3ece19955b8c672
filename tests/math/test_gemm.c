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
#include "math/framed.h"
#include "math/gemm.h"

/* What a step of a sum is on this machine: the kernels' own vectors have the same instruction. */
#if defined __FMA__ || defined __aarch64__
#define STEP(a, b, sum) fmaf(a, b, sum)
#else
#define STEP(a, b, sum) ((sum) + (a) * (b))
#endif

static float entry(const Mat *m, int i, int j, bool turned) {
    return turned ? mat_row(m, j)[i] : mat_row(m, i)[j];
}

/* Entry (i, j) as the header promises it for a product that overwrites. */
static float promised(const Mat *a, const Mat *b, const GemmPlan *plan, int i, int j) {
    int depth = plan->transpose_a ? a->rows : a->cols;
    volatile float sum = 0; /* so that the compiler fuses nothing itself */
    for (int p = 0; p < depth; p++)
        sum = STEP(entry(a, i, p, plan->transpose_a), entry(b, p, j, plan->transpose_b), sum);
    return sum * plan->factor;
}

static bool same_bits(float a, float b) {
    return (a == b && signbit(a) == signbit(b)) || (isnan(a) && isnan(b));
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

static void multiply(Product *p) {
    gemm(&p->out.m, &p->a.m, &p->b.m, &p->plan);
}

static void assert_as_promised(int rows, int cols, int depth, int turns) {
    Product p = product(rows, cols, depth, turns);
    multiply(&p);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float is = mat_row(&p.out.m, i)[j], be = promised(&p.a.m, &p.b.m, &p.plan, i, j);
            if (!same_bits(is, be) && (is != 0 || be != 0))
                fail_msg("(%d, %d)·(%d, %d), turned %d: entry (%d, %d) is %.9g, not %.9g", rows,
                         depth, depth, cols, turns, i, j, (double)is, (double)be);
        }
    assert_frame_untouched(&p.out);
    product_release(&p);
}

/* Around the sizes of vectors, tiles, panels and blocks, of every width of vector. */
static void entries_have_the_promised_bits(void **state) {
    (void)state;
    static const int sizes[][3] = {{0, 5, 3},   {5, 0, 3},    {3, 5, 0},    {1, 1, 1},
                                   {1, 17, 9},  {8, 192, 64}, {13, 13, 13}, {33, 47, 31},
                                   {40, 64, 4}, {7, 9, 257},  {3, 80, 500}, {34, 49, 1030}};
    for (int turns = 0; turns < 4; turns++)
        for (size_t s = 0; s < ARRAY_COUNT(sizes); s++)
            assert_as_promised(sizes[s][0], sizes[s][1], sizes[s][2], turns);
    Rng rng = rng_stream(3, 0);
    for (uint64_t n = 0; n < 600; n++) {
        int rows = (int)(rng_bits(rng, 3 * n) % 40), cols = (int)(rng_bits(rng, 3 * n + 1) % 70);
        int depth = (int)(rng_bits(rng, 3 * n + 2) % 40);
        assert_as_promised(rows, cols, depth, (int)(n % 4));
    }
}

static void added_products_are_added(void **state) {
    (void)state;
    static const int sizes[][3] = {{1, 1, 1}, {9, 50, 3}, {33, 20, 300}, {16, 48, 900}, {5, 5, 0}};
    for (int turns = 0; turns < 4; turns++)
        for (size_t s = 0; s < ARRAY_COUNT(sizes); s++) {
            Product p = product(sizes[s][0], sizes[s][1], sizes[s][2], turns);
            Framed before = framed(sizes[s][0], sizes[s][1], 3);
            p.plan.add = true;
            multiply(&p);
            for (int i = 0; i < p.out.m.rows; i++)
                for (int j = 0; j < p.out.m.cols; j++) {
                    double be = (double)mat_row(&before.m, i)[j] +
                                (double)promised(&p.a.m, &p.b.m, &p.plan, i, j);
                    assert_true(fabs((double)mat_row(&p.out.m, i)[j] - be) < 1e-4);
                }
            assert_frame_untouched(&p.out);
            free(before.block);
            product_release(&p);
        }
}

/* What is not finite in a row of one side or a column of the other is in that row or column only,
 * and 0 times infinity is not a number. */
static void what_is_not_finite_stays_in_its_row_and_column(void **state) {
    (void)state;
    for (int turns = 0; turns < 4; turns++) {
        Product p = product(13, 21, 9, turns);
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
        product_release(&p);
    }
}

static void what_out_held_does_not_matter(void **state) {
    (void)state;
    Product p = product(40, 37, 600, 0);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 37; j++)
            mat_row(&p.out.m, i)[j] = NAN;
    multiply(&p);
    assert_true(mat_is_finite(&p.out.m));
    product_release(&p);
}

/* Heads as a layer has them: a's and out's side by side, b's one below the other. */
typedef struct Heads {
    Product all;
    Mat a, b, out; /* of the first */
    GemmEach each;
} Heads;

static Heads heads(const int size[3], int turns, int count) {
    int room = count > 0 ? count : 1;
    int rows = size[0], cols = size[1], depth = size[2];
    bool transpose_a = turns & 1, transpose_b = turns & 2;
    int a_cols = transpose_a ? rows : depth, b_rows = transpose_b ? cols : depth;
    Product all = {
        .a = framed(transpose_a ? depth : rows, room * a_cols, 1),
        .b = framed(room * b_rows, transpose_b ? depth : cols, 2),
        .out = framed(rows, room * cols, 3),
        .plan = {.factor = -0.75F, .transpose_a = transpose_a, .transpose_b = transpose_b}};
    return (Heads){.all = all,
                   .a = mat_cols(&all.a.m, 0, a_cols),
                   .b = mat_rows(&all.b.m, 0, b_rows),
                   .out = mat_cols(&all.out.m, 0, cols),
                   .each = {count, cols, a_cols, (ptrdiff_t)b_rows * all.b.m.stride}};
}

static void assert_each_as_alone(const int size[3], int turns, int count, GemmPlan plan) {
    Heads at_once = heads(size, turns, count), alone = heads(size, turns, count);
    plan.transpose_a = at_once.all.plan.transpose_a,
    plan.transpose_b = at_once.all.plan.transpose_b;
    gemm_each(&at_once.out, &at_once.a, &at_once.b, &plan, &at_once.each);
    for (int i = 0; i < count; i++) {
        Mat a = alone.a, b = alone.b, out = alone.out;
        a.at += i * alone.each.a, b.at += i * alone.each.b, out.at += i * alone.each.out;
        gemm(&out, &a, &b, &plan);
    }
    for (int r = 0; r < size[0]; r++)
        assert_memory_equal(mat_row(&at_once.all.out.m, r), mat_row(&alone.all.out.m, r),
                            (size_t)alone.all.out.m.cols * sizeof(float));
    assert_frame_untouched(&at_once.all.out);
    product_release(&at_once.all), product_release(&alone.all);
}

/* Small ones, and those that do not fit into a panel or a block of the depth. */
static void several_products_are_each_as_alone(void **state) {
    (void)state;
    static const int sizes[][3] = {{16, 16, 16}, {5, 17, 9},    {32, 32, 32}, {33, 48, 192},
                                   {3, 80, 20},  {20, 5, 1000}, {1, 7, 12},   {40, 20, 400},
                                   {0, 5, 3},    {5, 0, 3},     {3, 4, 0}};
    static const GemmPlan plans[] = {{.factor = 0.3F}, {.factor = 2, .add = true}};
    for (int turns = 0; turns < 4; turns++)
        for (size_t s = 0; s < ARRAY_COUNT(sizes); s++)
            for (size_t p = 0; p < ARRAY_COUNT(plans); p++)
                for (int count = 0; count < 4; count++)
                    assert_each_as_alone(sizes[s], turns, count, plans[p]);
}

/* So large that it is made in parts, and so that those do not come out even. */
static void a_watched_product_has_the_same_bits(void **state) {
    (void)state;
    enum { ROWS = 700, COLS = 900, DEPTH = 600 };
    JobWatch watch;
    for (int turns = 0; turns < 4; turns++) {
        Product whole = product(ROWS, COLS, DEPTH, turns),
                parts = product(ROWS, COLS, DEPTH, turns);
        multiply(&whole);
        job_watch_begin(&watch);
        assert_true(gemm_watched(&parts.out.m, &parts.a.m, &parts.b.m, &parts.plan, &watch));
        for (int i = 0; i < ROWS; i++)
            assert_memory_equal(mat_row(&whole.out.m, i), mat_row(&parts.out.m, i),
                                COLS * sizeof(float));
        assert_frame_untouched(&parts.out);
        atomic_store(&watch.stop, true);
        assert_false(gemm_watched(&parts.out.m, &parts.a.m, &parts.b.m, &parts.plan, &watch));
        product_release(&whole);
        product_release(&parts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_have_the_promised_bits),
        cmocka_unit_test(added_products_are_added),
        cmocka_unit_test(several_products_are_each_as_alone),
        cmocka_unit_test(a_watched_product_has_the_same_bits),
        cmocka_unit_test(what_is_not_finite_stays_in_its_row_and_column),
        cmocka_unit_test(what_out_held_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
