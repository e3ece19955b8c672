#include <math.h>
#include <string.h>

#include "base/util.h"
#include "lab/studied.h"
#include "lab/study_text.h"
#include "model/analysis/stats.h"
#include "support/test.h"

#define SEEDS 5

static const AttnShape SHAPE = {
    .T = 8, .D = 24, .H = 2, .K = 4, .V = 20, .form = FORM_SEPARATE, .score_factor = 0.5F};

/* An X of standard deviation 1, a mask, and a plan over five seeds, valid as long as the fixture.
 */
typedef struct Fixture {
    Layer layer;
    StudyPlan plan;
} Fixture;

static void begin(Fixture *f, AttnShape shape, MaskKind mask, const char *const *ids, int count) {
    layer_init(&f->layer, shape, mask, 3);
    f->plan = studied_plan(&f->layer, ids, count);
    f->plan.seeds = SEEDS;
    f->plan.parts |= STUDY_SPECTRA;
}

static void end(Fixture *f) {
    layer_release(&f->layer);
}

#define FIXTURE(name, ...)                                                                         \
    LOCAL(end) Fixture name;                                                                       \
    begin(&(name), __VA_ARGS__)

/* The layer of the same plan, computed by itself. */
TEST(a_unit_is_the_layer_that_the_session_shows) {
    static const char *const ids[] = {"xavier_uniform", "gpt2"};
    FIXTURE(f, SHAPE, MASK_CAUSAL, ids, 2);
    LOCAL(studied_drop) Study *study = studied(&f.plan);
    for (int unit = 0; unit < 2 * SEEDS; unit++) {
        Layer *l = &f.layer;
        SchemePlan plan = f.plan.schemes[unit % 2].plan;
        plan.seed += (uint64_t)unit / 2;
        must(scheme_draw(&l->params, &SHAPE, &plan, &told));
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
            double got = (double)study_value(study, unit % 2, unit / 2, 0, rows[r].stat);
            if (!(fabs(got - rows[r].wanted) <= 1e-6 * rows[r].wanted))
                fail_msg("%s is %.9g, expected %.9g", STUDY_STATS[rows[r].stat].entry.id, got,
                         rows[r].wanted);
        }
    }
}

TEST(summaries_are_those_of_the_values) {
    static const char *const ids[] = {"normal", "t5", "mimetic"};
    FIXTURE(f, SHAPE, MASK_NONE, ids, 3);
    LOCAL(studied_drop) Study *study = studied(&f.plan);
    for (int s = 0; s < 3; s++)
        for (StudyStat stat = 0; stat < STUDY_STAT_COUNT; stat++) {
            double mean = 0, squares = 0, least = INFINITY, most = -INFINITY;
            for (int seed = 0; seed < SEEDS; seed++)
                mean += (double)study_value(study, s, seed, 0, stat) / SEEDS;
            for (int seed = 0; seed < SEEDS; seed++) {
                double value = (double)study_value(study, s, seed, 0, stat);
                squares += (value - mean) * (value - mean);
                least = fmin(least, value), most = fmax(most, value);
            }
            StudySummary summary = study_summary(study, s, 0, stat);
            if (stat == STUDY_STD_W_QK || stat == STUDY_STD_GRAD_W_QK) {
                assert_true(isnan(summary.mean) && isnan(summary.std));
                continue;
            }
            assert_true(fabs(summary.mean - mean) <= 1e-12 * fabs(mean));
            assert_true(fabs(summary.std - sqrt(squares / (SEEDS - 1))) <= 1e-9 * mean);
            assert_true(summary.least == least && summary.most == most && summary.seeds == SEEDS);
        }
}

/* Computed again, it has the values of a unit that was not stopped. */
TEST(a_unit_can_be_stopped) {
    enum { LAYERS = 2 };
    static const char *const ids[] = {"xavier_uniform", "orthogonal", "mimetic"};
    LOCAL(study_bench_release) StudyBench alone = {0}, bench = {0};
    Job job = {.work = NULL};
    Err err = {0};
    FIXTURE(f, SHAPE, MASK_CAUSAL, ids, 3);
    studied_stack(&f.plan, LAYERS);
    bench.job = &job;
    for (int unit = 0; unit < 3; unit++) {
        float expected[LAYERS * STUDY_STAT_COUNT], values[LAYERS * STUDY_STAT_COUNT];
        assert_true(study_compute(expected, &alone, &f.plan, unit, &err));
        atomic_store(&job.stop, true);
        err = (Err){0};
        assert_false(study_compute(values, &bench, &f.plan, unit, &err));
        assert_int_not_equal(err.kind, ERR_NONE);
        atomic_store(&job.stop, false);
        assert_true(study_compute(values, &bench, &f.plan, unit, &err));
        assert_memory_equal(values, expected, sizeof values);
    }
}

/* The result then equals a study of that number of seeds, to the bit. */
TEST(a_study_is_cut_to_its_first_seeds) {
    static const char *const ids[] = {"xavier_uniform", "normal"};
    FIXTURE(f, SHAPE, MASK_NONE, ids, 2);
    LOCAL(studied_drop) Study *cut = studied(&f.plan);
    for (int seeds = SEEDS - 1; seeds >= 1; seeds--) {
        StudyPlan fewer = f.plan;
        fewer.seeds = seeds;
        LOCAL(studied_drop) Study *wanted = studied(&fewer);
        study_cut(cut, seeds);
        assert_int_equal(study_seeds_in(cut), seeds);
        assert_memory_equal(cut->moments, wanted->moments,
                            2 * STUDY_STAT_COUNT * sizeof *cut->moments);
    }
}

TEST(the_lowest_layer_is_the_layer_alone) {
    static const char *const ids[] = {"xavier_uniform", "gpt2", "orthogonal"};
    FIXTURE(f, SHAPE, MASK_NONE, ids, 3);
    LOCAL(studied_drop) Study *alone = studied(&f.plan);
    studied_stack(&f.plan, 3);
    LOCAL(studied_drop) Study *deep = studied(&f.plan);
    for (int unit = 0; unit < 3 * SEEDS; unit++)
        for (StudyStat stat = 0; stat < STUDY_STAT_COUNT; stat++) {
            int s = unit % 3;
            float a = study_value(alone, s, unit / 3, 0, stat);
            float b = study_value(deep, s, unit / 3, 0, stat);
            bool backward = (STUDY_STATS[stat].parts & STUDY_BACKWARD) != 0; /* from above */
            bool depth_aware = s == 1 && (stat == STUDY_STD_W_O || stat == STUDY_STD_Y);
            if (backward)
                assert_true(isnan(a) == isnan(b));
            else if (depth_aware)
                assert_true(fabs((double)b * sqrt(3) / (double)a - 1) < 1e-5);
            else if (s != 1 || stat != STUDY_RESIDUAL_Y)
                assert_memory_equal(&a, &b, sizeof a);
        }
    for (int l = 1; l < 3; l++) {
        assert_true(study_value(deep, 0, 0, l, STUDY_STD_X) ==
                    study_value(deep, 0, 0, l - 1, STUDY_STD_Y));
        assert_true(study_value(deep, 0, 0, l, STUDY_STD_W_Q) !=
                    study_value(deep, 0, 0, 0, STUDY_STD_W_Q));
        assert_true(study_layer_seed(7, l) != study_layer_seed(8, l));
    }
    assert_true(study_layer_seed(7, 0) == 7 && study_layer_seed(7, 1) != study_layer_seed(7, 2));
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
    FIXTURE(f, shape, MASK_CAUSAL, ids, 1);
    studied_stack(&f.plan, 2);
    LOCAL(studied_drop) Study *study = studied(&f.plan);
    Layer layers[2];
    float entries[24];
    Mat g = {entries, 4, 6, 6};
    uint64_t seed = f.plan.schemes[0].plan.seed;
    attn_output_gradient_draw(&g, seed);
    for (int l = 0; l < 2; l++) {
        SchemePlan plan = f.plan.schemes[0].plan;
        plan.seed = study_layer_seed(seed, l);
        layer_init(&layers[l], shape, MASK_CAUSAL, 3);
        must(scheme_draw(&layers[l].params, &shape, &plan, &told));
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
        double got = (double)study_value(study, 0, 0, 0, rows[r].stat);
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
    FIXTURE(f, SHAPE, MASK_NONE, ids, 2);
    LOCAL(studied_drop) Study *study = studied(&f.plan);
    for (int seed = 0; seed < SEEDS; seed++) {
        double he = (double)study_value(study, 0, seed, 0, STUDY_STD_S);
        double lecun = (double)study_value(study, 1, seed, 0, STUDY_STD_S);
        assert_true(fabs(he / lecun - 2) < 1e-5);
    }
}

/* A scheme with a width of its own equals a study of layers that are as wide. Of normal weights the
 * scores grow with the root of the width, unless they are divided by it. */
TEST(a_scheme_may_have_its_own_width) {
    enum { WIDTHS = 8 };
    static const char *const ids[] = {"normal", "normal", "normal", "normal",
                                      "normal", "normal", "normal", "identity"};
    for (int divided = 0; divided < 2; divided++) {
        AttnShape shape = {.T = 24, .D = 32, .H = 4, .K = 8, .V = 8};
        FIXTURE(f, shape, MASK_CAUSAL, ids, WIDTHS);
        f.plan.seeds = 1;
        f.plan.parts = STUDY_FORWARD | STUDY_SIGNAL | STUDY_THEORY;
        for (int i = 0; i < WIDTHS; i++) {
            f.plan.schemes[i].K = 2 << i;
            f.plan.schemes[i].factor = divided ? 1 / sqrtf((float)(2 << i)) : 1;
        }
        LOCAL(studied_drop) Study *study = studied(&f.plan);
        for (int i = 0; i < WIDTHS; i++) {
            StudyPlan own = f.plan;
            own.scheme_count = 1;
            own.schemes[0] = f.plan.schemes[i];
            own.schemes[0].K = 0;
            own.shape = study_shape(&f.plan, i);
            LOCAL(studied_drop) Study *wanted = studied(&own);
            assert_memory_equal(study->values + i * STUDY_STAT_COUNT, wanted->values,
                                STUDY_STAT_COUNT * sizeof *wanted->values);
            const double *expected = study->expected + i * STUDY_STAT_COUNT;
            assert_memory_equal(expected, wanted->expected, STUDY_STAT_COUNT * sizeof *expected);
            double law = (double)shape.D * (divided ? 1 : sqrt(2 << i));
            bool is_normal = i < WIDTHS - 1;
            double std = (double)study_value(study, i, 0, 0, STUDY_STD_S);
            assert_true(!is_normal || fabs(expected[STUDY_STD_S] / law - 1) < 1e-3);
            assert_true(!is_normal || fabs(std / law - 1) < 0.3);
        }
    }
}

/* The hash of a plan depends on all that the plan does not borrow but the number of seeds. */
TEST(a_plan_is_known_by_its_hash) {
    static const char *const ids[] = {"normal", "t5"};
    FIXTURE(f, SHAPE, MASK_NONE, ids, 2);
    uint64_t hash = study_plan_hash(&f.plan);
    enum { OTHERS = 8 };
    StudyPlan others[OTHERS];
    for (int i = 0; i < OTHERS; i++)
        others[i] = f.plan;
    others[0].shape.score_factor *= 2;
    others[1].schemes[1].plan.scheme[ATTN_W_K] = 0;
    others[2].schemes[1].plan.seed++;
    others[3].schemes[0].K = 2;
    others[4].layers = 2;
    others[5].parts = STUDY_FORWARD;
    others[6].scheme_count = 1;
    others[7].draws_x = true;
    for (int i = 0; i < OTHERS; i++)
        assert_true(study_plan_hash(&others[i]) != hash);
    f.plan.seeds = 1;
    assert_true(study_plan_hash(&f.plan) == hash);
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
        FIXTURE(f, shape, MASK_NONE, ids, 1);
        LOCAL(studied_drop) Study *study = studied(&f.plan);
        const struct {
            StudyStat stat;
            bool has;
        } rows[] = {{STUDY_STD_W_Q, forms[i].w_q},
                    {STUDY_STD_K, forms[i].q},
                    {STUDY_STD_W_QK, forms[i].w_qk},
                    {STUDY_STD_GRAD_W_Q, forms[i].q},
                    {STUDY_STD_GRAD_W_QK, forms[i].w_qk}};
        for (size_t r = 0; r < ARRAY_COUNT(rows); r++)
            assert_true(isnan(study_summary(study, 0, 0, rows[r].stat).mean) != rows[r].has);
        assert_true(study_summary(study, 0, 0, STUDY_NORM_GRAD).mean > 0);
        assert_true(study_summary(study, 0, 0, STUDY_STD_S).mean > 0);
        assert_true(study_summary(study, 0, 0, STUDY_RANK_W_QK).mean > 1);
    }
}

/* A given W_K replaces the sampled one in every layer, and then theory expects nothing. */
TEST(given_matrices_are_not_drawn) {
    static const char *const ids[] = {"xavier_normal", "mimetic"};
    FIXTURE(f, SHAPE, MASK_NONE, ids, 2);
    studied_stack(&f.plan, 2);
    LOCAL(studied_drop) Study *drawn = studied(&f.plan);
    f.plan.given[ATTN_W_K] = f.layer.params.p[ATTN_W_K];
    LOCAL(studied_drop) Study *given = studied(&f.plan);
    double wanted = stats_std(&f.plan.given[ATTN_W_K]);
    for (int s = 0; s < 2; s++)
        for (int l = 0; l < 2; l++) {
            StudySummary w_k = study_summary(given, s, l, STUDY_STD_W_K);
            assert_true(fabs(w_k.mean / wanted - 1) < 1e-6 && w_k.std == 0);
            assert_true(study_value(given, s, 2, l, STUDY_STD_W_Q) ==
                        study_value(drawn, s, 2, l, STUDY_STD_W_Q));
        }
    double expected[STUDY_STAT_COUNT];
    study_expect(expected, &f.plan, 0, 0);
    assert_true(isnan(expected[STUDY_STD_W_K]) && isnan(expected[STUDY_STD_S]));
    assert_true(expected[STUDY_STD_W_Q] > 0);
}

TEST(limits_name_what_may_be_had) {
    static const char *const ids[] = {"zeros"};
    LOCAL(study_bench_release) StudyBench bench = {0};
    FIXTURE(f, SHAPE, MASK_NONE, ids, 1);
    f.plan.seeds = INT32_MAX;
    assert_null(study_create(&f.plan, &told));
    assert_int_equal(told.kind, ERR_USAGE);
    assert_non_null(strstr(told.why, "from 1 to "));
    f.plan.seeds = 4;
    f.plan.schemes[0].plan.seed = UINT64_MAX - 2;
    assert_null(study_create(&f.plan, &told));
    assert_non_null(strstr(told.why, "past the last seed"));
    f.plan.schemes[0].plan.seed = UINT64_MAX - 3;
    LOCAL(studied_drop) Study *study = studied(&f.plan);
    f.plan.shape.D = 1024;
    f.plan.shape.K = f.plan.shape.V = 512;
    f.plan.layers = 1024;
    assert_false(study_bench_fit(&bench, &f.plan, 0, &told));
    assert_true(told.kind == ERR_USAGE && strstr(told.what, "--depth 1024") != NULL);
    assert_non_null(strstr(told.why, "from 1 to "));
    f.plan.shape = (AttnShape){.T = 8, .D = 4096, .H = 64, .K = 4096, .V = 4096};
    assert_false(study_bench_fit(&bench, &f.plan, 0, &told));
    assert_non_null(strstr(told.why, "one layer of this shape"));
}

/* An overflow somewhere up the stack is no number, and does not stop the study. */
TEST(what_overflows_is_no_number) {
    static const char *const ids[] = {"normal"};
    FIXTURE(f, SHAPE, MASK_NONE, ids, 1);
    studied_stack(&f.plan, 60);
    LOCAL(studied_drop) Study *study = studied(&f.plan);
    assert_true(isfinite(study_summary(study, 0, 0, STUDY_STD_Y).mean));
    StudySummary top = study_summary(study, 0, 59, STUDY_STD_Y);
    assert_true(isnan(top.mean) && isnan(top.std) && top.seeds == SEEDS);
    assert_true(isfinite(study_summary(study, 0, 59, STUDY_STD_W_Q).mean));
}
