/* A head's product and its analysis, compared with the forms of the Results. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "base/util.h"
#include "model/init/scheme.h"
#include "results/fresh.h"
#include "results/product_analysis.h"
#include "support/test.h"

#define AGREE 1e-5

/* States: the extremes of the view's requests. */
static const char *const CASES[] = {
    "heads=4",
    "heads=64",
    "heads=1",
    "heads=4&d-k=1",
    "heads=2&d-model=8&d-k=24&d-v=3",
    "init=zeros",
    "init=identity&heads=1",
    "init=orthogonal&heads=1",
    "bias=all&init=normal_002",
    "mask=causal&temperature=0.3",
    "positions=rope",
    "positions=rope&bias=all&form=merged",
    "form=merged&block=pre-norm",
    "form=rank:3",
    "form=free",
    "form=free&bias=all",
    "form=nested&block=post-norm",
    "bias=all&mask=window:1&block=residual",
};

static void open_case(Bench *b, size_t i) {
    *b = bench_of("%s", CASES[i]);
    assert_true(update(b));
}

static ProductRequest request(ProductKind kind, int head, int rank) {
    return (ProductRequest){.follows = true,
                            .choice = {kind, head, 0},
                            .rank = rank,
                            .transform = {true, 0.5f, 3},
                            .rate = 0.1f,
                            .step = true,
                            .parts = true,
                            .cut = true};
}

static const ProductAnalysis *made(Bench *b, const ProductRequest *w) {
    must(results_product(&b->run, w, NULL, &told));
    return b->run.analysis;
}

static double largest(const Mat *m) {
    double most = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            most = fmax(most, fabs((double)mat_row(m, i)[j]));
    return most;
}

static double size_of(const ProductAnalysis *m) {
    return fmax(1, largest(head_result_shown(m->full)));
}

/* Both kinds, first and last head, in every case. */
static void for_every_head(void (*check)(Bench *b, ProductKind kind, int head, size_t i)) {
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        BENCH(b, open_case, i);
        int heads = b.session.options.heads;
        for (ProductKind kind = 0; kind < PRODUCT_COUNT; kind++)
            for (int head = 0; head<heads; head += heads> 1 ? heads - 1 : 1)
                check(&b, kind, head, i);
    }
}

/* In forms with factors, A from the factors equals that of the Results; and the product gives the
 * same A, one product for all pairs of tokens or, with RoPE, one for each distance. */
static void check_forms(Bench *b, ProductKind kind, int head, size_t i) {
    ProductRequest w = request(kind, head, 1);
    const ProductAnalysis *m = made(b, &w);
    if (kind == PRODUCT_QK && b->run.form != FORM_RANK) {
        Mat A = results_weights(&b->run, 0, head);
        if (!((double)mat_max_difference(&m->full->A, &A) <= AGREE))
            fail_msg("case %zu, head %d: A is not the layer's", i, head);
    }
    bool both = m->product.has_factors;
    if (both && !((double)m->form_A <= AGREE * size_of(m)))
        fail_msg("case %zu, head %d: forms differ by %g", i, head, (double)m->form_A);
    if (!both)
        assert_true(isnan(m->form_A));
}

TEST(both_forms_agree) {
    for_every_head(check_forms);
}

/* Over all heads the forms differ by the most that they do over one. */
TEST(all_heads_are_told) {
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        BENCH(b, open_case, i);
        int heads = b.session.options.heads;
        for (ProductKind kind = 0; kind < PRODUCT_COUNT; kind++) {
            float S = 0, A = 0;
            ProductRequest w = request(kind, 0, 1);
            for (w.choice.head = 0; w.choice.head < heads; w.choice.head++) {
                const ProductAnalysis *m = made(&b, &w);
                bool is_more_S = isnan(m->form_S) || m->form_S > S;
                bool is_more_A = isnan(m->form_A) || m->form_A > A;
                S = is_more_S ? m->form_S : S;
                A = is_more_A ? m->form_A : A;
                assert_true(isnan(m->all_S) && isnan(m->all_A)); /* not requested */
            }
            w.all = true;
            w.choice.head = heads - 1;
            const ProductAnalysis *m = made(&b, &w);
            assert_true(isnan(A) ? isnan(m->all_A) && isnan(m->all_S)
                                 : m->all_A == A && m->all_S == S);
        }
    }
}

/* From d_k up a cut loses nothing. The curve starts at a loss of everything, ends at d_k, and that
 * of W never rises. */
static void check_rank(Bench *b, ProductKind kind, int head, size_t i) {
    const AttnShape *shape = &b->run.layers[0].shape[b->run.form];
    ProductRequest w = request(kind, head, head_product_width(shape, kind));
    const ProductAnalysis *m = made(b, &w);
    const RankCurve *curve = &m->curve;
    int last = curve->count - 1;
    assert_true(m->cut_loss == 0 && curve->W[last] == 0);
    assert_int_equal((int)curve->rank[0], 0);
    assert_int_equal((int)curve->rank[last], m->product.count);
    for (int r = 1; r <= last; r++)
        assert_true(curve->W[r] <= curve->W[r - 1] && curve->rank[r] > curve->rank[r - 1]);
    if (!((double)m->cut_A <= AGREE * size_of(m)))
        fail_msg("case %zu: cut to d_k differs by %g", i, (double)m->cut_A);
    assert_true((double)curve->S[last] <= AGREE);
    if (kind == PRODUCT_QK)
        assert_true((double)curve->A[last] <= AGREE && (double)curve->KL[last] <= AGREE);
}

TEST(rank_d_k_loses_nothing) {
    for_every_head(check_rank);
}

/* The curve's value at a rank equals the loss of a cut to it; both ignore closed pairs. */
static void check_curve(Bench *b, ProductKind kind, int head, size_t i) {
    for (int rank = 1; rank < 8; rank += 3) {
        ProductRequest w = request(kind, head, rank);
        const ProductAnalysis *m = made(b, &w);
        const RankCurve *curve = &m->curve;
        for (int r = 0; r < curve->count; r++) {
            if ((int)curve->rank[r] != rank)
                continue;
            double S = (double)(m->cut_S / curve->S_most), A = (double)m->cut_A;
            bool scores = kind == PRODUCT_QK;
            if (!(fabs((double)curve->S[r] - S) <= AGREE) ||
                (scores && !(fabs((double)curve->A[r] - A) <= AGREE)) ||
                !(fabs((double)curve->W[r] - m->cut_loss) <= AGREE))
                fail_msg("case %zu, head %d, rank %d: the curve is not the cut's", i, head, rank);
        }
    }
}

TEST(the_curve_is_of_the_cuts) {
    for_every_head(check_curve);
}

/* R cancels for every head; with RoPE it does not, and that is measured, too. */
static void check_transform(Bench *b, ProductKind kind, int head, size_t i) {
    const AttnShape *shape = &b->run.layers[0].shape[b->run.form];
    ProductRequest w = request(kind, head, 1);
    const ProductAnalysis *m = made(b, &w);
    if (!m->product.has_factors)
        return;
    bool moves = kind == PRODUCT_QK && shape->rope && shape->K > 1;
    if (moves)
        assert_true(m->transformed_A > 1e-3f);
    else if (!((double)m->transformed_A <= 2 * AGREE * size_of(m)))
        fail_msg("case %zu: R moved the result by %g", i, (double)m->transformed_A);
    if (shape->K > 1 && largest(&m->product.left) > 0 && kind == PRODUCT_QK)
        assert_true(m->moved_left > 0.05);
}

TEST(an_r_between_the_factors_cancels) {
    for_every_head(check_transform);
}

/* The parts add up to the product, to the last bits. */
static void check_parts(Bench *b, ProductKind kind, int head, size_t i) {
    (void)i;
    ProductRequest w = request(kind, head, 1);
    const ProductAnalysis *m = made(b, &w);
    double size = largest(&m->product.product);
    for (int r = 0; r < m->symmetric.rows; r++)
        for (int c = 0; c < m->symmetric.cols; c++) {
            float even = mat_row(&m->symmetric, r)[c], odd = mat_row(&m->antisymmetric, r)[c];
            assert_true(even == mat_row(&m->symmetric, c)[r]);
            assert_true(odd == -mat_row(&m->antisymmetric, c)[r]);
            assert_true(fabs((double)(even + odd) - (double)mat_row(&m->product.product, r)[c]) <=
                        1e-6 * size);
        }
    assert_true(size == 0 ? isnan(m->symmetric_share)
                          : m->symmetric_share >= 0 && m->symmetric_share <= 1 + 1e-12);
}

TEST(parts_add_up) {
    for_every_head(check_parts);
}

/* A cut's scores of the tokens equal those of the cut product. */
static void check_cut(Bench *b, ProductKind kind, int head, size_t i) {
    ProductRequest w = request(kind, head, 2);
    const ProductAnalysis *m = made(b, &w);
    if (m->cut_result.S.rows == 0 || (m->inputs.rotations != NULL && kind == PRODUCT_QK))
        return;
    int T = b->run.T, E = m->cut.rows;
    size_t bytes = head_result_bytes(T, E) + head_scratch_bytes(T, E, m->product.left.cols);
    ARENA(arena, bytes);
    HeadResult through = head_result_push(&arena, &m->inputs);
    head_through_product(&through, &m->inputs, &m->cut, &arena);
    double apart = (double)mat_max_difference(&through.S, &m->cut_result.S);
    if (!(apart <= AGREE * fmax(1, largest(&through.S))))
        fail_msg("case %zu, head %d: the cut makes another result by %g", i, head, apart);
}

TEST(a_cut_is_of_the_cut_product) {
    for_every_head(check_cut);
}

/* The cut equals the matrix that the form rank:R uses. */
TEST(a_cut_is_the_rank_form) {
    for (int rank = 1; rank <= 12; rank += 11) {
        LOCAL(bench_close) Bench b = bench_of("");
        char form[16];
        assert_true(update(&b));
        ProductRequest w = request(PRODUCT_QK, 2, rank);
        made(&b, &w);
        float A[TOKENS * TOKENS];
        const Mat *cut = &b.run.analysis->cut_result.A;
        Mat kept = {A, cut->rows, cut->cols, cut->cols};
        mat_copy(&kept, cut);
        snprintf(form, sizeof form, "rank:%d", rank);
        set(&b, "form", form);
        assert_true(update(&b));
        Mat used = results_weights(&b.run, 0, 2);
        assert_true((double)mat_max_difference(&kept, &used) <= AGREE);
    }
}

/* A step on the product is −η times the gradient that a backward pass of the merged form gives, and
 * one on the factors follows their own gradients. */
TEST(a_step_follows_the_gradients) {
    LOCAL(bench_close) Bench b = bench_of("form=merged");
    assert_true(update(&b));
    ProductRequest w = request(PRODUCT_QK, 1, 1);
    const ProductAnalysis *m = made(&b, &w);
    const LayerResults *layer = &b.run.layers[0];
    const AttnShape *shape = &layer->shape[FORM_MERGED];
    must(results_gradient(&b.run, 0, &told));
    Mat G = attn_head_product(&layer->gradient.params.p[ATTN_W_QK], shape, 1);
    double size = largest(&G);
    for (int i = 0; i < G.rows; i++)
        for (int j = 0; j < G.cols; j++)
            assert_true(fabs((double)mat_row(&m->step.by_product, i)[j] +
                             0.1 * (double)mat_row(&G, i)[j]) <= 1e-5 * size);
    for (int i = 0; i < G.rows; i += 7)
        for (int j = 0; j < G.cols; j += 5) {
            double after = 0, before = 0;
            for (int k = 0; k < shape->K; k++) {
                double l = (double)mat_row(&m->product.left, i)[k], dl = 0;
                double r = (double)mat_row(&m->product.right, j)[k], dr = 0;
                for (int e = 0; e < G.rows; e++) {
                    dl += (double)mat_row(&G, i)[e] * (double)mat_row(&m->product.right, e)[k];
                    dr += (double)mat_row(&G, e)[j] * (double)mat_row(&m->product.left, e)[k];
                }
                after += (l - 0.1 * dl) * (r - 0.1 * dr);
                before += l * r;
            }
            assert_true(fabs((double)mat_row(&m->step.by_factors, i)[j] - (after - before)) <=
                        1e-4 * largest(&m->step.by_factors));
        }
    assert_true(m->step.rank_after_factors <= shape->K);
    assert_true(m->step.rank_factors <= 2 * shape->K && m->step.rank_product <= b.run.T);
}

static void open_rope(Bench *b, const char *form) {
    *b = bench_of("positions=rope&form=%s&bias=all", form);
    assert_true(update(b));
}

/* x_i·W·x_jᵀ, scaled as scores are. */
static double score(const ProductAnalysis *m, const Mat *W, int query, int key) {
    double sum = 0;
    for (int r = 0; r < W->rows; r++)
        for (int c = 0; c < W->cols; c++)
            sum += (double)mat_row(m->inputs.input, query)[r] * (double)mat_row(W, r)[c] *
                   (double)mat_row(m->inputs.input, key)[c];
    return sum * (double)m->inputs.score_factor;
}

/* With RoPE the score of a pair of tokens comes from the matrix of its distance, whole or cut. */
TEST(a_family_scores_by_distance) {
    LOCAL(bench_close) Bench b;
    open_rope(&b, "separate");
    for (int offset = -3; offset <= 5; offset += 4) {
        ProductRequest w = request(PRODUCT_QK, 1, 5);
        w.choice.offset = offset;
        const ProductAnalysis *m = made(&b, &w);
        double size = largest(&m->separate.S);
        for (int query = 0; query < b.run.T; query++) {
            int key = query - offset;
            if (key < 0 || key >= b.run.T)
                continue;
            double whole = score(m, &m->product.product, query, key);
            double cut = score(m, &m->cut, query, key);
            assert_true(fabs(whole - (double)mat_row(&m->merged.S, query)[key]) <= AGREE * size);
            assert_true(fabs(cut - (double)mat_row(&m->cut_result.S, query)[key]) <= AGREE * size);
        }
        assert_true(m->cut_A > 1e-3f && m->cut_A <= 1);
    }
}

/* One step of the factors moves the matrices of all distances; one of a matrix that alone. */
TEST(a_step_with_rope_is_of_one_distance) {
    LOCAL(bench_close) Bench b;
    open_rope(&b, "merged");
    ProductRequest w = request(PRODUCT_QK, 1, 1);
    w.choice.offset = 2;
    const ProductAnalysis *m = made(&b, &w);
    const LayerResults *layer = &b.run.layers[0];
    const AttnShape *shape = &layer->shape[FORM_MERGED];
    must(results_offset_family(&b.run, 0, &told) && results_gradient(&b.run, 0, &told));
    int E = m->product.product.rows, first = ((2 + b.run.T - 1) * shape->H + 1) * E;
    Mat W = mat_rows(&layer->W_QK_offset, first, E);
    Mat G = mat_rows(&layer->gradient.W_QK_offset, first, E);
    assert_true((double)mat_max_difference(&m->product.product, &W) <= AGREE * largest(&W));
    for (int i = 0; i < E; i++)
        for (int j = 0; j < E; j++)
            assert_true(fabs((double)mat_row(&m->step.by_product, i)[j] +
                             0.1 * (double)mat_row(&G, i)[j]) <= 1e-5 * largest(&G));
    /* After the step on the factors, the layer has the matrices that the step predicts. */
    const AttnParam moved[] = {ATTN_W_Q, ATTN_W_K, ATTN_B_Q, ATTN_B_K};
    for (size_t p = 0; p < ARRAY_COUNT(moved); p++) {
        Mat at = layer->params.p[moved[p]], dat = layer->gradient.params.p[moved[p]];
        for (int i = 0; i < at.rows; i++)
            for (int j = 0; j < at.cols; j++)
                mat_row(&at, i)[j] -= 0.1f * mat_row(&dat, i)[j];
    }
    must(results_offset_family(&b.run, 0, &told));
    Mat after = mat_rows(&layer->W_QK_offset, first, E);
    double size = largest(&m->step.by_factors) + largest(&m->product.product);
    for (int i = 0; i < E; i++)
        for (int j = 0; j < E; j++) {
            double step =
                (double)mat_row(&after, i)[j] - (double)mat_row(&m->product.product, i)[j];
            assert_true(fabs((double)mat_row(&m->step.by_factors, i)[j] - step) <= AGREE * size);
        }
    assert_true(m->step.rank_after_factors <= shape->K && m->step.rank_product <= b.run.T - 2);
}

/* After any sequence of requests, the answer equals that of Results with this request only. */
TEST(asking_again_is_asking_first) {
    static const char *const edits[][2] = {{"seed", "9"},      {"temperature", "2"},
                                           {"mask", "causal"}, {"form", "merged"},
                                           {"d-k", "5"},       {"form", "separate"}};
    LOCAL(bench_close) Bench b = bench_of("");
    for (size_t i = 0; i < ARRAY_COUNT(edits); i++) {
        set(&b, edits[i][0], edits[i][1]);
        assert_true(update(&b));
        for (int rank = 1; rank < 5; rank += 2) {
            ProductRequest w = request(rank == 1 ? PRODUCT_QK : PRODUCT_OV, 1, rank);
            const ProductAnalysis *m = made(&b, &w);
            LOCAL(bench_close) Bench fresh = {.session = session_share(&b.session)};
            must(results_init(&fresh.run, &told));
            assert_true(update(&fresh));
            const ProductAnalysis *n = made(&fresh, &w);
            assert_true(same_bytes(&m->product.product, &n->product.product));
            assert_true(same_bytes(&m->cut, &n->cut));
            assert_true(
                same_bytes(head_result_shown(&m->cut_result), head_result_shown(&n->cut_result)));
            assert_true(same_bytes(&m->transformed_left, &n->transformed_left));
            assert_true(
                same_bytes(head_result_shown(&m->transformed), head_result_shown(&n->transformed)));
            assert_true(same_bytes(&m->step.by_factors, &n->step.by_factors));
            assert_true(same_bytes(&m->symmetric, &n->symmetric));
            assert_memory_equal(&m->curve.W, &n->curve.W, sizeof(float) * (size_t)n->curve.count);
        }
    }
}

/* Of the W_QK that the form free would draw with the same scheme and seed. */
TEST(the_free_spectrum_follows) {
    LOCAL(bench_close) Bench b = bench_of("");
    double sigma[64];
    assert_true(update(&b));
    ProductRequest w = request(PRODUCT_QK, 2, 1);
    w.free = true;
    const ProductAnalysis *m = made(&b, &w);
    AttnShape shape = options_shape(&b.session.options, 1, FORM_FREE);
    SchemePlan plan = options_plan(&b.session.options, b.session.options.init);
    must(scheme_free_spectrum(sigma, 2, &shape, &plan, &told));
    assert_int_equal(m->free_count, 64);
    assert_memory_equal(m->free_sigma, sigma, sizeof sigma);
    w.follows = false; /* existing parts stay */
    assert_int_equal(made(&b, &w)->free_count, 64);
    w.choice.head = 1;
    assert_int_equal(made(&b, &w)->free_count, 0);
}

static void *analyse_another_head(void *context) {
    Err err;
    ProductRequest wanted = request(PRODUCT_QK, 1, 2);
    return results_product(context, &wanted, NULL, &err) ? context : NULL;
}

/* Results are shared while a job computes another product from the same one. The thread sanitizer
 * finds a count of owners that the job reads. */
TEST(sharing_does_not_disturb_a_job) {
    LOCAL(bench_close) Bench b = bench_of("heads=4");
    LOCAL(results_release) Results job;
    Err err;
    void *done = NULL;
    pthread_t thread;
    ProductRequest wanted = request(PRODUCT_QK, 0, 2);
    assert_true(update(&b));
    made(&b, &wanted);
    assert_true(results_share(&job, &b.run, &err));
    assert_int_equal(pthread_create(&thread, NULL, analyse_another_head, &job), 0);
    for (int i = 0; i < 100; i++) {
        LOCAL(results_release) Results other;
        assert_true(results_share(&other, &b.run, &err));
    }
    pthread_join(thread, &done);
    assert_ptr_equal(done, &job);
    assert_int_equal(b.run.analysis->request.choice.head, 0);
    assert_int_equal(job.analysis->request.choice.head, 1);
}
