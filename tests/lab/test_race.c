/* Schemes trained side by side: every task, form, block and optimiser, and the stored steps. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "lab/raced.h"
#include "support/test.h"
#include "support/wide.h"

static const char *const FOUR[] = {"xavier_uniform", "he_uniform", "normal", "xavier_fused"};

static const AttnForm TRAINED[] = {FORM_SEPARATE, FORM_MERGED, FORM_FREE, FORM_NESTED};

/* The loss in double of the weights that were looked at, with every one moved so far along the
 * gradient in the bench. */
static double loss_along(const Raced *r, Layer *layer, double way) {
    const Race *race = r->race;
    layer->shape = race->shape;
    layer->params = r->bench.look.params.layer;
    layer->trace = r->bench.trace;
    WideLayer exact = wide_layer(layer, true);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        bool folded = race->shape.form == FORM_NESTED && p <= ATTN_W_V;
        const Mat *g = &r->bench.gradient.layer.p[p];
        for (int e = 0; !folded && e < g->rows * g->cols; e++)
            exact.p[p].at[e] += way * (double)mat_row(g, e / g->cols)[e % g->cols];
    }
    WideTrace trace = wide_forward(&exact);
    double sum = 0;
    for (int i = 0; i < trace.Y.rows; i++)
        for (int j = 0; j < trace.Y.cols; j++) {
            double away = *wide_entry(&trace.Y, i, j) - (double)mat_row(&r->bench.target, i)[j];
            sum += away * away;
        }
    sum /= (double)trace.Y.rows * trace.Y.cols;
    wide_trace_release(&trace);
    wide_layer_release(&exact);
    return sum;
}

/* Σ g² over all that is trained, by the norms of the record. */
static double squares(const Race *race, const RaceRecord *record) {
    double sum = 0;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (!(race->shape.form == FORM_NESTED && p <= ATTN_W_V) && !isnan(record->norm[p]))
            sum += (double)record->norm[p] * (double)record->norm[p];
    return sum;
}

static void check_slope(const RacePlan *plan, const Layer *layer) {
    Layer copy = *layer;
    RACED(r, plan);
    must(race_advance(r.race, &r.bench, 0, 1, &told));
    must(race_look(&r.bench, r.race, 0, 0, &told));
    const RaceRecord *record = race_record(r.race, 0, 0);
    double loss = loss_along(&r, &copy, 0), slope = squares(r.race, record);
    double way = 1e-5 / (1 + sqrt(slope));
    double found = (loss_along(&r, &copy, way) - loss_along(&r, &copy, -way)) / (2 * way);
    if (!(fabs((double)record->loss - loss) <= 1e-5 * loss) ||
        !(fabs(found - slope) <= 1e-5 + 1e-3 * slope))
        fail_msg("%s, form %d block %d bias %d: loss %.9g, in double %.9g; slope %.9g, found %.9g",
                 TASKS[plan->rules.task].entry.id, (int)plan->shape.form, (int)plan->shape.block,
                 (int)plan->shape.bias, (double)record->loss, loss, slope, found);
}

typedef void CaseFn(const RacePlan *plan, const Layer *layer);

/* Of every form, block, bias and task. */
static void for_all(CaseFn *check) {
    for (size_t f = 0; f < ARRAY_COUNT(TRAINED); f++)
        for (AttnBlock block = 0; block < BLOCK_COUNT; block++)
            for (AttnBias bias = 0; bias < BIAS_COUNT; bias++)
                for (TaskKind task = 0; task < TASK_KIND_COUNT; task++) {
                    MaskKind mask = task % 2 == 0 ? MASK_NONE : MASK_CAUSAL;
                    LAYER(layer, raced_shape(TRAINED[f], block, bias), mask, 3);
                    RacePlan plan = raced_plan(&layer, FOUR, 1);
                    plan.rules.task = task;
                    check(&plan, &layer);
                }
}

TEST(gradients_of_the_loss_are_its_slope_in_double) {
    for_all(check_slope);
}

/* From step 0 at a rate so small that the loss is straight over it. */
static void check_descent(const RacePlan *plan, const Layer *layer) {
    (void)layer;
    if (TASKS[plan->rules.task].repeats && TASKS[plan->rules.task].key != NULL)
        return; /* no word of x occurs twice, and of post-norm an output of 0 is no target */
    for (OptimiserKind kind = 0; kind < OPTIMISER_KIND_COUNT; kind++) {
        RacePlan slow = *plan;
        slow.rules.optimiser = kind;
        slow.rules.rate = kind == OPTIMISER_ADAM ? 1e-4f : 1e-2f;
        slow.rules.steps = 4;
        RACED(r, &slow);
        raced_run(&r, slow.rules.steps + 1);
        float first = race_record(r.race, 0, 0)->loss, last = race_record(r.race, 0, 4)->loss;
        if (!(last < first))
            fail_msg("%s by %s, form %d block %d: loss from %.9g to %.9g",
                     TASKS[plan->rules.task].entry.id, OPTIMISERS[kind].entry.id,
                     (int)plan->shape.form, (int)plan->shape.block, (double)first, (double)last);
    }
}

TEST(every_small_step_goes_down) {
    for_all(check_descent);
}

/* The target equals the output of a layer of zeros with a residual. */
TEST(a_target_that_is_met_stays_met) {
    static const char *const zeros[] = {"zeros"};
    AttnShape shape = raced_shape(FORM_SEPARATE, BLOCK_RESIDUAL, BIAS_ALL);
    shape.T = 1; /* the word before the only one is its own */
    LAYER(layer, shape, MASK_NONE, 3);
    RacePlan plan = raced_plan(&layer, zeros, 1);
    RACED(r, &plan);
    raced_run(&r, 7);
    for (int n = 0; n <= plan.rules.steps; n++)
        assert_true(race_record(r.race, 0, n)->loss == 0);
}

/* Seven words of twelve numbers are few enough for the word before each to be told exactly. */
TEST(a_target_within_reach_is_reached) {
    LAYER(layer, raced_shape(FORM_SEPARATE, BLOCK_ATTENTION, BIAS_NONE), MASK_NONE, 3);
    RacePlan plan = raced_plan(&layer, FOUR, 1);
    plan.rules.steps = 2000;
    RACED(r, &plan);
    raced_run(&r, plan.rules.steps + 1);
    float first = race_record(r.race, 0, 0)->loss, last = race_record(r.race, 0, 2000)->loss;
    if (!(last < 1e-4f * first))
        fail_msg("loss from %g to %g", (double)first, (double)last);
}

TEST(any_portions_give_the_same_bits) {
    static const int portions[] = {1, 3, 7, 100};
    for (size_t f = 0; f < ARRAY_COUNT(TRAINED); f++)
        for (OptimiserKind kind = 0; kind < OPTIMISER_KIND_COUNT; kind++) {
            LAYER(layer, raced_shape(TRAINED[f], BLOCK_ATTENTION, BIAS_ALL), MASK_NONE, 3);
            RacePlan plan = raced_plan(&layer, FOUR, 4);
            plan.rules.optimiser = kind;
            raced_on_orders(&plan);
            RACED(whole, &plan);
            raced_run(&whole, plan.rules.steps + 1);
            for (size_t i = 0; i < ARRAY_COUNT(portions); i++) {
                RACED(parts, &plan);
                raced_run(&parts, portions[i]);
                raced_assert_same(whole.race, parts.race);
            }
        }
}

static void check_look(Raced *r, RaceBench *bench, int step) {
    const Race *race = r->race;
    must(race_look(bench, race, 0, step, &told));
    for (int h = 0; race_kept_step(race, step) == step && h < race->shape.H; h++) {
        Mat A = race_weights(race, 0, step, h);
        Mat again = attn_head_scores(&bench->trace.A, &race->shape, h);
        for (int i = 0; i < A.rows; i++)
            for (int j = 0; j < A.cols; j++) {
                bool is_open = mask_row(&race->plan.mask, i)[j];
                assert_true(mat_row(&A, i)[j] == (is_open ? mat_row(&again, i)[j] : -INFINITY));
            }
    }
    Raced anew; /* the same number of steps gives the inspected weights */
    RacePlan plan = race->plan;
    plan.rules.steps = step > 0 ? step : 1;
    raced_begin(&anew, &plan);
    raced_run(&anew, 5);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT && step > 0; p++) {
        const Mat *a = &bench->look.params.layer.p[p],
                  *b = &anew.race->columns[0].now.params.layer.p[p];
        assert_true(a->rows == b->rows && (a->rows == 0 || mat_max_difference(a, b) == 0));
    }
    raced_end(&anew);
}

TEST(any_step_comes_back_to_the_bit) {
    for (size_t f = 0; f < ARRAY_COUNT(TRAINED); f++) {
        LOCAL(race_bench_release) RaceBench bench;
        LAYER(layer, raced_shape(TRAINED[f], BLOCK_PRE_NORM, BIAS_ALL), MASK_CAUSAL, 3);
        RacePlan plan = raced_plan(&layer, FOUR, 1);
        raced_on_orders(&plan);
        RACED(r, &plan);
        must(race_bench_init(&bench, r.race, &told));
        raced_run(&r, plan.rules.steps + 1);
        for (int step = 0; step <= plan.rules.steps; step += 8)
            check_look(&r, &bench, step);
        check_look(&r, &bench, 17);
    }
}

TEST(step_0_is_the_layer_as_it_was_drawn) {
    for (size_t f = 0; f < ARRAY_COUNT(TRAINED); f++) {
        LAYER(layer, raced_shape(TRAINED[f], BLOCK_ATTENTION, BIAS_NONE), MASK_NONE, 3);
        RacePlan plan = raced_plan(&layer, FOUR, 2);
        RACED(r, &plan);
        for (int i = 0; i < 2; i++) {
            must(race_advance(r.race, &r.bench, i, 1, &told));
            must(scheme_draw(&layer.params, &layer.shape, &plan.schemes[i], &told));
            layer_forward(&layer);
            for (int h = 0; h < layer.shape.H; h++) {
                Mat A = race_weights(r.race, i, 0, h);
                Mat drawn = attn_head_scores(&layer.trace.A, &layer.shape, h);
                assert_true(mat_max_difference(&A, &drawn) == 0);
            }
        }
    }
}

TEST(what_is_given_is_where_all_start) {
    LAYER(layer, raced_shape(FORM_SEPARATE, BLOCK_ATTENTION, BIAS_NONE), MASK_NONE, 3);
    RacePlan plan = raced_plan(&layer, FOUR, 3);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        plan.given[p] = layer.params.p[p];
    RACED(r, &plan);
    for (int i = 0; i < 3; i++) {
        must(race_advance(r.race, &r.bench, i, 9, &told));
        assert_memory_equal(race_record(r.race, 0, 8), race_record(r.race, i, 8),
                            sizeof(RaceRecord));
    }
}

/* The second column's weights are those that its last step had. */
static void check_stands(Raced *r, int at) {
    RacePlan plan = r->race->plan;
    plan.scheme_count = 1;
    plan.schemes[0] = plan.schemes[1];
    plan.rules.steps = at;
    RACED(anew, &plan);
    raced_run(&anew, at + 1);
    must(race_look(&r->bench, r->race, 1, at, &told));
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        assert_true(mat_max_difference(&r->bench.look.params.layer.p[p],
                                       &anew.race->columns[0].now.params.layer.p[p]) == 0);
}

TEST(a_column_that_overflows_stops_alone) {
    Raced r, alone;
    LAYER(layer, raced_shape(FORM_SEPARATE, BLOCK_ATTENTION, BIAS_NONE), MASK_NONE, 3);
    RacePlan plan = raced_plan(&layer, FOUR, 4);
    plan.rules.optimiser = OPTIMISER_SGD;
    plan.rules.rate = 0.6f;
    for (int i = 0; i < ATTN_WEIGHT_COUNT; i++) /* of deviation 1 */
        plan.schemes[1].scheme[i] = plan.schemes[2].scheme[ATTN_W_Q];
    raced_begin(&r, &plan);
    raced_run(&r, 3);
    int at = race_overflow(r.race, 1);
    assert_true(at > 0 && at < plan.rules.steps && race_done(r.race, 1) == at + 1);
    assert_true(!(fabsf(race_record(r.race, 1, at)->loss) <= FLT_MAX));
    assert_true(fabsf(race_record(r.race, 1, at - 1)->loss) <= FLT_MAX);
    assert_int_equal(race_overflow(r.race, 0), -1);
    assert_int_equal(race_done(r.race, 0), plan.rules.steps + 1);
    check_stands(&r, at);
    plan.scheme_count = 1;
    raced_begin(&alone, &plan);
    raced_run(&alone, 100);
    assert_memory_equal(race_record(r.race, 0, plan.rules.steps),
                        race_record(alone.race, 0, plan.rules.steps), sizeof(RaceRecord));
    raced_end(&alone);
    raced_end(&r);
}

/* A race that is stopped in many steps ends like one that is never stopped. */
TEST(a_job_stops_it_and_nothing_is_lost) {
    Raced r, whole;
    Job job = {.work = NULL};
    LAYER(layer, raced_shape(FORM_NESTED, BLOCK_RESIDUAL, BIAS_ALL), MASK_NONE, 3);
    RacePlan plan = raced_plan(&layer, FOUR, 1);
    raced_on_orders(&plan);
    plan.rules.seeds = 1;
    raced_begin(&r, &plan);
    raced_begin(&whole, &plan);
    raced_run(&whole, 100);
    r.bench.job = &job;
    while (!race_is_over(r.race, 0)) {
        int before = race_done(r.race, 0);
        atomic_store(&job.stop, true);
        assert_false(race_advance(r.race, &r.bench, 0, 100, &told));
        assert_int_equal(race_done(r.race, 0), before);
        atomic_store(&job.stop, false);
        must(race_advance(r.race, &r.bench, 0, 7, &told));
    }
    raced_assert_same(r.race, whole.race);
    atomic_store(&job.stop, true);
    assert_false(race_look(&r.bench, r.race, 0, 33, &told));
    raced_end(&r);
    raced_end(&whole);
}

/* Shapes from one token to 1,024. Their kept steps are counted but not computed. */
TEST(what_is_kept_is_bounded) {
    static const AttnShape shapes[] = {{.T = 1, .D = 4, .H = 1, .K = 4, .V = 4},
                                       {.T = 12, .D = 64, .H = 4, .K = 16, .V = 16},
                                       {.T = 128, .D = 64, .H = 8, .K = 8, .V = 8},
                                       {.T = 12, .D = 512, .H = 8, .K = 64, .V = 64},
                                       {.T = 512, .D = 64, .H = 8, .K = 8, .V = 8},
                                       {.T = 1024, .D = 64, .H = 8, .K = 8, .V = 8},
                                       {.T = 8, .D = 1024, .H = 8, .K = 128, .V = 128}};
    static const int steps[] = {1, 2, 7, 400, 1000, RACE_STEPS_MAX};
    for (size_t k = 0; k < ARRAY_COUNT(shapes); k++)
        for (size_t s = 0; s < ARRAY_COUNT(steps); s++) {
            LAYER(layer, shapes[k], MASK_NONE, 3);
            RacePlan plan = raced_plan(&layer, FOUR, 4);
            plan.rules.steps = steps[s];
            RACED(r, &plan);
            const Race *race = r.race;
            size_t one = 4 * mat_bytes(shapes[k].H * shapes[k].T, shapes[k].T);
            size_t kept = one * (size_t)race->kept_count;
            assert_true(kept <= RACE_KEEP_BYTES || race->kept_count <= 6);
            assert_true(race->kept_count >= 2 && race->kept_every <= steps[s]);
            int before = -1;
            for (int n = 0; n <= steps[s]; n++) {
                int at = race_kept_step(race, n), index = race_kept_index(race, at);
                assert_true(at <= n && n - at < race->kept_every);
                assert_true(race_kept_step(race, at) == at && index < race->kept_count);
                assert_true(at == n ? index == before + 1 : index == before);
                before = index;
            }
            assert_int_equal(before, race->kept_count - 1);
        }
}

TEST(what_is_too_large_is_refused) {
    float nothing = 0;
    uint8_t open = 0;
    Err err = {0};
    AttnShape shape = {.T = 4096, .D = 64, .H = 64, .K = 1, .V = 1};
    RacePlan plan = {.shape = shape,
                     .x = {&nothing, shape.T, shape.D, 0},
                     .words = {&nothing, shape.T, shape.D, 0},
                     .mask = {&open, shape.T},
                     .scheme_count = 1,
                     .rules = {.batch = 1, .seeds = 1, .data = RACE_SENTENCE, .steps = 400}};
    assert_null(race_create(&plan, &err));
    assert_non_null(strstr(err.why, "GB"));
    plan.shape = (AttnShape){.T = 1, .D = 4096, .H = 64, .K = 64, .V = 64, .form = FORM_MERGED};
    plan.x = plan.words = (Mat){&nothing, 1, 4096, 0};
    assert_null(race_create(&plan, &err));
}
