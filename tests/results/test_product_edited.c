/* The analysis of a W_QK whose entries are set by hand after the product or its cut, compared with
 * the layer's own W_QK, decomposed here without LAPACK. */
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "results/fresh.h"
#include "results/layer.h"
#include "results/product_analysis.h"
#include "support/jacobi.h"
#include "support/test.h"

#define HEAD  1 /* the edited head, from 0 */
#define D_K   4
#define SIDE  17
#define AGREE 1e-5

typedef struct Case {
    const char *layer, *numbers;
    int rank;
} Case;

/* The rank of the product, d_k, or of the cut grows by 1 for each new row and column. */
static const Case CASES[] = {
    {"form=merged", "W_QK2(3,5)=4", D_K + 1},
    {"form=merged&bias=all", "W_QK2(3,5)=4;W_QK2(8,1)=-3", D_K + 2},
    {"form=merged", "W_QK2(3,5)=4;W_QK2(3,6)=2;W_QK2(3,7)=1", D_K + 1},
    {"form=merged", "W_QK1(3,5)=4", D_K},
    {"form=rank:2", "W_QK2(3,5)=4", 3},
    {"form=rank:2&bias=all", "W_QK2(3,5)=4;W_QK2(17,17)=-3", 4},
};

static void edit(Bench *b, const char *numbers) {
    must(hand_set_read(&b->session.hand, numbers, strlen(numbers), &told) &&
         session_check(&b->session, &told));
}

static void open_case(Bench *b, const Case *c) {
    *b = bench_of("text=the cat sat on a mat&embedding=random&d-model=16&heads=4&%s", c->layer);
    edit(b, c->numbers);
    assert_true(update(b));
}

static const ProductAnalysis *analysis_of(Bench *b, int head, int rank) {
    ProductRequest request = {.choice = {PRODUCT_QK, head, 0},
                              .rank = rank,
                              .transform = {true, 0.5f, 3},
                              .parts = true,
                              .cut = true,
                              .all = true,
                              .follows = true};
    must(results_product(&b->run, &request, NULL, &told));
    return b->run.analysis;
}

static Mat used_of(const Bench *b, int head) {
    return attn_head_product(&results_trace(&b->run, 0)->W_QK, shape_of(b), head);
}

/* ‖a − b‖ in the Frobenius norm; b may be NULL. */
static double distance(const Mat *a, const Mat *b) {
    double sum = 0;
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++) {
            double apart = (double)mat_row(a, i)[j] - (b != NULL ? (double)mat_row(b, i)[j] : 0.0);
            sum += apart * apart;
        }
    return sqrt(sum);
}

/* The values are those of W_QK; all others are 0. */
static void check_values(const ProductAnalysis *m, const Mat *used, const Case *c, size_t i) {
    double w[SIDE][SIDE], sigma[SIDE];
    for (int r = 0; r < used->rows; r++)
        for (int s = 0; s < used->cols; s++)
            w[r][s] = (double)mat_row(used, r)[s];
    jacobi(sigma, w[0], used->rows, SIDE);
    assert_int_equal(m->product.count, c->rank);
    for (int r = 0; r < used->rows; r++) {
        double found = r < m->product.count ? m->product.sigma[r] : 0;
        if (!(fabs(found - sigma[r]) <= 2e-6 * sigma[0]))
            fail_msg("case %zu: value %d is %g, not %g", i, r + 1, found, sigma[r]);
    }
}

/* A cut is the nearest matrix of its rank: it loses the values that it leaves out, and its scores
 * are its own. */
static void check_cuts(Bench *b, const Mat *used, size_t i) {
    for (int rank = 1; rank < b->run.analysis->product.count; rank++) {
        const ProductAnalysis *m = analysis_of(b, HEAD, rank);
        double lost = 0, apart = distance(used, &m->cut);
        for (int r = rank; r < m->product.count; r++)
            lost += m->product.sigma[r] * m->product.sigma[r];
        if (!(fabs(apart - sqrt(lost)) <= AGREE * distance(used, NULL)))
            fail_msg("case %zu, rank %d: loses %g, not %g", i, rank, apart, sqrt(lost));
        assert_true(fabs(m->cut_loss * distance(used, NULL) - apart) <=
                    AGREE * distance(used, NULL));
        assert_true(fabs((double)m->curve.W[rank] - m->cut_loss) <= AGREE);
        assert_true(fabsf(m->curve.A[rank] - m->cut_A) <= (float)AGREE);
    }
}

TEST(the_spectrum_is_that_of_the_edited_matrix) {
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        const Case *c = &CASES[i];
        BENCH(b, open_case, c);
        Mat used = used_of(&b, HEAD), A = results_weights(&b.run, 0, HEAD);
        const ProductAnalysis *m = analysis_of(&b, HEAD, 1);
        assert_true(distance(&m->product.product, &used) <= AGREE * distance(&used, NULL));
        assert_true((double)mat_max_difference(&m->full->A, &A) <= AGREE);
        check_values(m, &used, c, i);
        check_cuts(&b, &used, i);
        must(results_check(&b.run, 0, &told));
        assert_int_equal(results_rank(&b.run, 0, HEAD), c->rank);
    }
}

/* Only the edited head differs between the forms, but an R between the factors still cancels. */
TEST(the_factors_know_nothing_of_the_edit) {
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        BENCH(b, open_case, &CASES[i]);
        bool is_merged = strstr(CASES[i].layer, "merged") != NULL;
        bool is_here = strstr(CASES[i].numbers, "W_QK2") != NULL;
        const ProductAnalysis *m = analysis_of(&b, HEAD, 1);
        assert_int_equal(m->product.is_edited, is_here);
        assert_true(is_here ? m->form_A > 1e-2f : (double)m->form_A <= AGREE);
        assert_true((double)m->transformed_A <= AGREE && m->all_A >= m->form_A);
        assert_true(m->all_A > 1e-2f);
        m = analysis_of(&b, HEAD + 1, 1);
        assert_true(!m->product.is_edited && m->product.count == D_K);
        assert_true(!is_merged || (double)m->form_A <= AGREE);
    }
}

/* The analysis follows the form and the edit, and an edit that is undone leaves no trace. */
TEST(forms_and_edits_come_and_go) {
    BENCH(b, open_case, &CASES[0]);
    assert_int_equal(analysis_of(&b, HEAD, 1)->product.count, D_K + 1);
    set(&b, "form", "rank:1");
    assert_true(update(&b));
    assert_int_equal(analysis_of(&b, HEAD, 1)->product.count, 2);
    must(results_check(&b.run, 0, &told));
    assert_int_equal(results_rank(&b.run, 0, HEAD), 2);
    edit(&b, "none");
    assert_true(update(&b));
    const ProductAnalysis *m = analysis_of(&b, HEAD, 1);
    assert_true(!m->product.is_edited && m->product.count == D_K);
    must(results_check(&b.run, 0, &told));
    assert_int_equal(results_rank(&b.run, 0, HEAD), 1);
}
