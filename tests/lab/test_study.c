#include <math.h>
#include <string.h>

#include "base/util.h"
#include "lab/study.h"
#include "lab/study_text.h"
#include "model/analysis/stats.h"
#include "model/layer.h"
#include "support/test.h"

static const AttnShape SHAPE = {
    .T = 8, .D = 24, .H = 2, .K = 4, .V = 20, .form = FORM_SEPARATE, .score_factor = 0.5F};

static int scheme_named(const char *id) {
    int index = registry_find(&SCHEME_REGISTRY, id, strlen(id));
    assert_in_range(index, 0, SCHEME_REGISTRY.count - 1);
    return index;
}

/* An X of standard deviation 1 and a mask, valid as long as the fixture. */
typedef struct Fixture {
    Layer layer;
    StudyPlan plan;
} Fixture;

static void begin(Fixture *f, AttnShape shape, MaskKind mask, const char *const *ids, int count) {
    layer_init(&f->layer, shape, mask, 3);
    f->plan = (StudyPlan){.shape = shape,
                          .x = &f->layer.x,
                          .mask = f->layer.mask,
                          .scheme_count = count,
                          .layers = 1,
                          .seeds = 5,
                          .parts = STUDY_FILES | STUDY_SIGNAL | STUDY_SPECTRA};
    for (int i = 0; i < count; i++) {
        int scheme = scheme_named(ids[i]);
        f->plan.schemes[i] = (StudyScheme){scheme, scheme_plan(scheme, 1, 7)};
    }
}

static void stack(StudyPlan *plan, int layers) {
    plan->layers = layers;
    for (int i = 0; i < plan->scheme_count; i++)
        plan->schemes[i].plan.depth = layers;
}

static void end(Fixture *f) {
    layer_release(&f->layer);
}

static Study run(const StudyPlan *plan) {
    Err err = {0};
    Study study;
    StudyBench bench;
    if (!study_init(&study, plan, &err) || !study_bench_init(&bench, plan, &err) ||
        !study_step(&study, &bench, INT32_MAX, &err))
        fail_msg("%s: %s", err.what, err.why);
    study_bench_release(&bench);
    assert_int_equal(study.in, study.units);
    assert_int_equal(study_seeds_in(&study), plan->seeds);
    return study;
}

/* The layer of the same plan, computed by itself. */
TEST(a_unit_is_the_layer_that_the_session_shows) {
    static const char *const ids[] = {"xavier_uniform", "gpt2"};
    LOCAL(end) Fixture f;
    begin(&f, SHAPE, MASK_CAUSAL, ids, 2);
    LOCAL(study_release) Study study = run(&f.plan);
    for (int s = 0; s < 2; s++)
        for (int seed = 0; seed < 5; seed++) {
            Layer *l = &f.layer;
            SchemePlan plan = f.plan.schemes[s].plan;
            Err err;
            plan.seed += (uint64_t)seed;
            assert_true(scheme_draw(&l->params, &SHAPE, &plan, &err));
            layer_forward(l);
            double entropy = 0;
            for (int h = 0; h < SHAPE.H; h++) {
                HeadStats stats;
                Mat S = attn_head_scores(&l->trace.S, &SHAPE, h);
                Mat A = attn_head_scores(&l->trace.A, &SHAPE, h);
                stats_head(&stats, &S, &A, &l->mask);
                entropy += stats.entropy / SHAPE.H;
            }
            const struct {
                StudyStat stat;
                double wanted;
            } rows[] = {{STUDY_STD_W_Q, stats_std(&l->params.p[ATTN_W_Q])},
                        {STUDY_STD_W_O, stats_std(&l->params.p[ATTN_W_O])},
                        {STUDY_STD_K, stats_std(&l->trace.K)},
                        {STUDY_STD_V, stats_std(&l->trace.V)},
                        {STUDY_STD_S, stats_score_std(&l->trace.S, &l->mask)},
                        {STUDY_STD_Z, stats_std(&l->trace.Z)},
                        {STUDY_STD_Y, stats_std(&l->trace.Y)},
                        {STUDY_STD_X, stats_std(&l->x)},
                        {STUDY_RESIDUAL_Y, stats_row_residual(&l->trace.Y)},
                        {STUDY_ENTROPY_A, entropy}};
            for (size_t r = 0; r < ARRAY_COUNT(rows); r++) {
                double got = (double)study_value(&study, s, seed, 0, rows[r].stat);
                if (!(fabs(got - rows[r].wanted) <= 1e-6 * rows[r].wanted))
                    fail_msg("%s is %.9g, expected %.9g", STUDY_STATS[rows[r].stat].entry.id, got,
                             rows[r].wanted);
            }
        }
}

TEST(summaries_are_those_of_the_values) {
    static const char *const ids[] = {"normal", "t5", "mimetic"};
    LOCAL(end) Fixture f;
    begin(&f, SHAPE, MASK_NONE, ids, 3);
    LOCAL(study_release) Study study = run(&f.plan);
    for (int s = 0; s < 3; s++)
        for (StudyStat stat = 0; stat < STUDY_STAT_COUNT; stat++) {
            double mean = 0, squares = 0, least = INFINITY, most = -INFINITY;
            for (int seed = 0; seed < 5; seed++)
                mean += (double)study_value(&study, s, seed, 0, stat) / 5;
            for (int seed = 0; seed < 5; seed++) {
                double value = (double)study_value(&study, s, seed, 0, stat);
                squares += (value - mean) * (value - mean);
                least = fmin(least, value), most = fmax(most, value);
            }
            StudySummary summary = study_summary(&study, s, 0, stat);
            if (stat == STUDY_STD_W_QK || stat == STUDY_STD_GRAD_W_QK) {
                assert_true(isnan(summary.mean) && isnan(summary.std));
                continue;
            }
            assert_true(fabs(summary.mean - mean) <= 1e-12 * fabs(mean));
            assert_true(fabs(summary.std - sqrt(squares / 4)) <= 1e-9 * mean);
            assert_true(summary.least == least && summary.most == most && summary.seeds == 5);
        }
}

/* Computed from the last unit to the first, and one after the other. */
TEST(the_order_of_computing_changes_nothing) {
    static const char *const ids[] = {"he_normal", "orthogonal", "lecun_uniform"};
    LOCAL(end) Fixture f;
    begin(&f, SHAPE, MASK_NONE, ids, 3);
    stack(&f.plan, 2);
    Study forth = run(&f.plan), back;
    StudyBench bench;
    Err err;
    assert_true(study_init(&back, &f.plan, &err) && study_bench_init(&bench, &f.plan, &err));
    for (long long u = back.units - 1; u >= 0; u--) {
        assert_int_equal(back.in, 0);
        assert_true(isnan(study_summary(&back, 0, 0, STUDY_STD_Q).mean));
        assert_true(study_compute(study_values_at(&back, u), &bench, &f.plan, u, &err));
        study_finish(&back, u);
    }
    assert_int_equal(back.in, back.units);
    size_t stats = (size_t)(2 * STUDY_STAT_COUNT);
    assert_memory_equal(forth.values, back.values, (size_t)back.units * stats * sizeof(float));
    assert_memory_equal(forth.moments, back.moments, 3 * stats * sizeof(StudyMoments));
    study_bench_release(&bench);
    study_release(&forth), study_release(&back);
}

TEST(results_stream_in) {
    static const char *const ids[] = {"xavier_normal", "small"};
    LOCAL(end) Fixture f;
    begin(&f, SHAPE, MASK_NONE, ids, 2);
    LOCAL(study_release) Study study;
    LOCAL(study_bench_release) StudyBench bench;
    Err err;
    assert_true(study_init(&study, &f.plan, &err) && study_bench_init(&bench, &f.plan, &err));
    assert_true(study_step(&study, &bench, 3, &err));
    assert_int_equal(study_seeds_in(&study), 1);
    assert_int_equal(study_summary(&study, 0, 0, STUDY_STD_S).seeds, 2);
    StudySummary one = study_summary(&study, 1, 0, STUDY_STD_S);
    assert_true(one.seeds == 1 && one.std == 0 && one.mean > 0 && one.least == one.most);
    assert_true(study_step(&study, &bench, 100, &err));
    assert_int_equal(study_seeds_in(&study), 5);
}

/* The result then equals a study of that number of seeds, to the bit. */
TEST(a_study_is_cut_to_its_first_seeds) {
    static const char *const ids[] = {"xavier_uniform", "normal"};
    LOCAL(end) Fixture f;
    begin(&f, SHAPE, MASK_NONE, ids, 2);
    LOCAL(study_release) Study cut = run(&f.plan);
    for (int seeds = f.plan.seeds - 1; seeds >= 1; seeds--) {
        StudyPlan fewer = f.plan;
        fewer.seeds = seeds;
        LOCAL(study_release) Study wanted = run(&fewer);
        study_cut(&cut, seeds);
        assert_int_equal(study_seeds_in(&cut), seeds);
        for (int i = 0; i < 2; i++)
            for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
                StudySummary got = study_summary(&cut, i, 0, s);
                StudySummary whole = study_summary(&wanted, i, 0, s);
                const size_t bytes = offsetof(StudySummary, seeds); /* no padding before it */
                assert_memory_equal(&got, &whole, bytes);
                assert_int_equal(got.seeds, whole.seeds);
            }
    }
}

TEST(the_lowest_layer_is_the_layer_alone) {
    static const char *const ids[] = {"xavier_uniform", "gpt2", "orthogonal"};
    LOCAL(end) Fixture f;
    begin(&f, SHAPE, MASK_NONE, ids, 3);
    Study alone = run(&f.plan);
    stack(&f.plan, 3);
    Study deep = run(&f.plan);
    for (int seed = 0; seed < 5; seed++)
        for (int s = 0; s < 3; s++)
            for (StudyStat stat = 0; stat < STUDY_STAT_COUNT; stat++) {
                float a = study_value(&alone, s, seed, 0, stat);
                float b = study_value(&deep, s, seed, 0, stat);
                bool backward = (STUDY_STATS[stat].parts & STUDY_BACKWARD) !=
                                0; /* comes from the layer above */
                bool depth_aware = s == 1 && (stat == STUDY_STD_W_O || stat == STUDY_STD_Y);
                if (backward)
                    assert_true(isnan(a) == isnan(b));
                else if (depth_aware)
                    assert_true(fabs((double)b * sqrt(3) / (double)a - 1) < 1e-5);
                else if (s != 1 || stat != STUDY_RESIDUAL_Y)
                    assert_memory_equal(&a, &b, sizeof a);
            }
    for (int l = 1; l < 3; l++) {
        assert_true(study_value(&deep, 0, 0, l, STUDY_STD_X) ==
                    study_value(&deep, 0, 0, l - 1, STUDY_STD_Y));
        assert_true(study_value(&deep, 0, 0, l, STUDY_STD_W_Q) !=
                    study_value(&deep, 0, 0, 0, STUDY_STD_W_Q));
        assert_true(study_layer_seed(7, l) != study_layer_seed(8, l));
    }
    assert_true(study_layer_seed(7, 0) == 7 && study_layer_seed(7, 1) != study_layer_seed(7, 2));
    study_release(&alone), study_release(&deep);
}

/* L = Σ G∘Y at the top of a stack of two, and how it changes with X and with a weight of the lowest
 * layer, by differences. */
static double loss_of_two(Layer layers[2], const Mat *g) {
    layer_forward(&layers[0]);
    mat_copy(&layers[1].x, &layers[0].trace.Y);
    layer_forward(&layers[1]);
    double loss = 0;
    for (int t = 0; t < g->rows; t++)
        for (int c = 0; c < g->cols; c++)
            loss += (double)mat_row(g, t)[c] * (double)mat_row(&layers[1].trace.Y, t)[c];
    return loss;
}

static double slopes_std(Layer layers[2], const Mat *g, Mat *of) {
    double sum = 0, squares = 0, count = (double)of->rows * of->cols;
    for (int i = 0; i < of->rows; i++)
        for (int j = 0; j < of->cols; j++) {
            float *entry = &mat_row(of, i)[j], kept = *entry, step = 1.0F / 64;
            *entry = kept + step;
            double above = loss_of_two(layers, g);
            *entry = kept - step;
            double slope = (above - loss_of_two(layers, g)) / (2 * (double)step);
            *entry = kept;
            sum += slope, squares += slope * slope;
        }
    return sqrt(squares / count - sum / count * (sum / count));
}

TEST(gradients_go_down_the_stack) {
    static const char *const ids[] = {"lecun_normal"};
    AttnShape shape = {.T = 4, .D = 6, .H = 2, .K = 3, .V = 3, .score_factor = 0.5F};
    shape.block = BLOCK_RESIDUAL;
    LOCAL(end) Fixture f;
    begin(&f, shape, MASK_CAUSAL, ids, 1);
    stack(&f.plan, 2);
    LOCAL(study_release) Study study = run(&f.plan);
    Layer layers[2];
    float entries[24];
    Mat g = {entries, 4, 6, 6};
    Err err;
    attn_output_gradient_draw(&g, 7);
    for (int l = 0; l < 2; l++) {
        SchemePlan plan = f.plan.schemes[0].plan;
        plan.seed = study_layer_seed(7, l);
        layer_init(&layers[l], shape, MASK_CAUSAL, 3);
        assert_true(scheme_draw(&layers[l].params, &shape, &plan, &err));
    }
    const struct {
        StudyStat stat;
        Mat *of;
    } rows[] = {{STUDY_STD_GRAD_X, &layers[0].x},
                {STUDY_STD_GRAD_W_Q, &layers[0].params.p[ATTN_W_Q]},
                {STUDY_STD_GRAD_W_V, &layers[0].params.p[ATTN_W_V]},
                {STUDY_STD_GRAD_W_O, &layers[0].params.p[ATTN_W_O]}};
    for (size_t r = 0; r < ARRAY_COUNT(rows); r++) {
        double slopes = slopes_std(layers, &g, rows[r].of);
        double got = (double)study_value(&study, 0, 0, 0, rows[r].stat);
        if (!(fabs(got / slopes - 1) < 0.01))
            fail_msg("%s is %.6g, by differences %.6g", STUDY_STATS[rows[r].stat].entry.id, got,
                     slopes);
    }
    layer_release(&layers[0]), layer_release(&layers[1]);
}

TEST(files_have_all_that_they_ask_for) {
    int in_files = 0;
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
        const StudyStatRow *row = &STUDY_STATS[s];
        assert_int_equal(registry_find(&STUDY_STAT_REGISTRY, row->entry.id, strlen(row->entry.id)),
                         s);
        assert_true(row->entry.formula[0] != '\0' && row->entry.help[0] != '\0');
        in_files += (study_text_in_files() >> s & 1) != 0;
    }
    assert_int_equal(in_files, 17);
}

/* Both use the same samples, so every seed has the same ratio. */
TEST(schemes_share_their_draws) {
    static const char *const ids[] = {"he_uniform", "lecun_uniform"};
    LOCAL(end) Fixture f;
    begin(&f, SHAPE, MASK_NONE, ids, 2);
    LOCAL(study_release) Study study = run(&f.plan);
    for (int seed = 0; seed < 5; seed++) {
        double he = (double)study_value(&study, 0, seed, 0, STUDY_STD_S);
        double lecun = (double)study_value(&study, 1, seed, 0, STUDY_STD_S);
        assert_true(fabs(he / lecun - 2) < 1e-5);
    }
}

TEST(what_a_form_lacks_is_no_number) {
    static const char *const ids[] = {"xavier_normal"};
    static const struct {
        AttnForm form;
        bool w_q, q, w_qk; /* Q has a value if the gradient of W_Q has one */
    } forms[] = {{FORM_SEPARATE, true, true, false},
                 {FORM_MERGED, true, false, true},
                 {FORM_RANK, true, false, true},
                 {FORM_FREE, false, false, true},
                 {FORM_NESTED, true, true, false}};
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        AttnShape shape = SHAPE;
        shape.form = forms[i].form;
        shape.rank = 3;
        LOCAL(end) Fixture f;
        begin(&f, shape, MASK_NONE, ids, 1);
        LOCAL(study_release) Study study = run(&f.plan);
        assert_true(isnan(study_summary(&study, 0, 0, STUDY_STD_W_Q).mean) != forms[i].w_q);
        assert_true(isnan(study_summary(&study, 0, 0, STUDY_STD_K).mean) != forms[i].q);
        assert_true(isnan(study_summary(&study, 0, 0, STUDY_STD_W_QK).mean) != forms[i].w_qk);
        double grad_w_q = study_summary(&study, 0, 0, STUDY_STD_GRAD_W_Q).mean;
        double grad_w_qk = study_summary(&study, 0, 0, STUDY_STD_GRAD_W_QK).mean;
        assert_true(isnan(grad_w_q) != forms[i].q && isnan(grad_w_qk) != forms[i].w_qk);
        assert_true(study_summary(&study, 0, 0, STUDY_NORM_GRAD).mean > 0);
        assert_true(study_summary(&study, 0, 0, STUDY_STD_S).mean > 0);
        assert_true(study_summary(&study, 0, 0, STUDY_RANK_W_QK).mean > 1);
    }
}

/* A given W_K replaces the sampled one in every layer, and then theory expects nothing. */
TEST(given_matrices_are_not_drawn) {
    static const char *const ids[] = {"xavier_normal", "mimetic"};
    LOCAL(end) Fixture f;
    begin(&f, SHAPE, MASK_NONE, ids, 2);
    stack(&f.plan, 2);
    Study drawn = run(&f.plan);
    f.plan.given[ATTN_W_K] = f.layer.params.p[ATTN_W_K];
    Study given = run(&f.plan);
    double wanted = stats_std(&f.plan.given[ATTN_W_K]);
    for (int s = 0; s < 2; s++)
        for (int l = 0; l < 2; l++) {
            StudySummary w_k = study_summary(&given, s, l, STUDY_STD_W_K);
            assert_true(fabs(w_k.mean / wanted - 1) < 1e-6 && w_k.std == 0);
            assert_true(study_value(&given, s, 2, l, STUDY_STD_W_Q) ==
                        study_value(&drawn, s, 2, l, STUDY_STD_W_Q));
        }
    double expected[STUDY_STAT_COUNT];
    study_expect(expected, &f.plan, 0, 0);
    assert_true(isnan(expected[STUDY_STD_W_K]) && isnan(expected[STUDY_STD_S]));
    assert_true(expected[STUDY_STD_W_Q] > 0);
    study_release(&drawn), study_release(&given);
}

TEST(limits_name_what_may_be_had) {
    static const char *const ids[] = {"zeros"};
    LOCAL(end) Fixture f;
    Study study;
    StudyBench bench;
    Err err;
    begin(&f, SHAPE, MASK_NONE, ids, 1);
    f.plan.seeds = INT32_MAX;
    assert_false(study_init(&study, &f.plan, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    const char *range = strstr(err.why, "from 1 to ");
    assert_non_null(range);
    f.plan.seeds = 4;
    f.plan.schemes[0].plan.seed = UINT64_MAX - 2;
    assert_false(study_init(&study, &f.plan, &err));
    assert_non_null(strstr(err.why, "past the last seed"));
    f.plan.schemes[0].plan.seed = UINT64_MAX - 3;
    assert_true(study_init(&study, &f.plan, &err));
    study_release(&study);
    f.plan.shape.D = 1024;
    f.plan.shape.K = f.plan.shape.V = 512;
    f.plan.layers = 1024;
    assert_false(study_bench_init(&bench, &f.plan, &err));
    assert_true(err.kind == ERR_USAGE && strstr(err.what, "--depth 1024") != NULL);
    assert_non_null(strstr(err.why, "from 1 to "));
    f.plan.shape = (AttnShape){.T = 8, .D = 4096, .H = 64, .K = 4096, .V = 4096};
    assert_false(study_bench_init(&bench, &f.plan, &err));
    assert_non_null(strstr(err.why, "one layer of this shape"));
}

TEST(a_failing_unit_says_why) {
    static const char *const ids[] = {"mimetic"};
    AttnShape wide = {.T = 2, .D = 1025, .H = 1, .K = 1, .V = 1, .score_factor = 1};
    LOCAL(end) Fixture f;
    LOCAL(study_release) Study study;
    LOCAL(study_bench_release) StudyBench bench;
    Err err = {0};
    begin(&f, wide, MASK_NONE, ids, 1);
    assert_true(study_init(&study, &f.plan, &err) && study_bench_init(&bench, &f.plan, &err));
    assert_false(study_step(&study, &bench, 1, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_int_equal(study.in, 0);
}

/* An overflow somewhere up the stack is no number, and does not stop the study. */
TEST(what_overflows_is_no_number) {
    static const char *const ids[] = {"normal"};
    AttnShape shape = SHAPE;
    LOCAL(end) Fixture f;
    begin(&f, shape, MASK_NONE, ids, 1);
    stack(&f.plan, 60);
    LOCAL(study_release) Study study = run(&f.plan);
    assert_true(isfinite(study_summary(&study, 0, 0, STUDY_STD_Y).mean));
    StudySummary top = study_summary(&study, 0, 59, STUDY_STD_Y);
    assert_true(isnan(top.mean) && isnan(top.std) && top.seeds == 5);
    assert_true(isfinite(study_summary(&study, 0, 59, STUDY_STD_W_Q).mean));
}
