#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "lab/studied.h"
#include "lab/study_text.h"
#include "support/opened.h"
#include "support/test.h"
#include "support/threads.h"

static const AttnShape SHAPE = {
    .T = 6, .D = 16, .H = 2, .K = 8, .V = 8, .form = FORM_SEPARATE, .score_factor = 0.35F};

static StudyPlan plan_all(Layer *layer, int layers, int seeds) {
    const char *ids[STUDY_SCHEMES_MAX];
    layer_init(layer, SHAPE, MASK_NONE, 3);
    for (int i = 0; i < SCHEME_REGISTRY.count; i++)
        ids[i] = registry_entry(&SCHEME_REGISTRY, i)->id;
    StudyPlan plan = studied_plan(layer, ids, SCHEME_REGISTRY.count);
    studied_stack(&plan, layers);
    plan.seeds = seeds;
    plan.parts = STUDY_FILES;
    return plan;
}

static void wait_for(Study *study, const JobPool *pool) {
    while (!job_wait(pool, &study->job, 1000))
        ;
    study_update(study);
}

/* Compute a study in that number of threads. The plan's inputs may be freed as soon as it exists.
 */
static Study *run(const StudyPlan *plan, int threads) {
    JobPool pool = threads_pool(threads);
    Study *study = study_create(plan, &told);
    must(study != NULL);
    job_start(&pool, &study->job);
    wait_for(study, &pool);
    assert_true(study_is_over(study) && !study->failed);
    assert_int_equal(study->in, study->units);
    return study;
}

static void check_same(const Study *a, const Study *b) {
    size_t stats = (size_t)(a->plan.layers * STUDY_STAT_COUNT);
    assert_int_equal(a->units, b->units);
    assert_memory_equal(a->values, b->values, (size_t)a->units * stats * sizeof(float));
    assert_memory_equal(a->moments, b->moments,
                        (size_t)a->plan.scheme_count * stats * sizeof(StudyMoments));
}

TEST(the_number_of_threads_changes_nothing) {
    LOCAL(layer_release) Layer layer;
    StudyPlan plan = plan_all(&layer, 2, 7);
    LOCAL(studied_drop) Study *one = studied(&plan);
    static const int counts[] = {1, 2, 5, POOL_THREADS_MAX};
    for (size_t i = 0; i < ARRAY_COUNT(counts); i++) {
        LOCAL(studied_drop) Study *more = run(&plan, counts[i]);
        check_same(one, more);
    }
}

/* The threads finish units in any order, so the missing units have gaps. At each pause the
 * summaries are those of the seeds so far. */
TEST(a_pause_changes_nothing) {
    LOCAL(layer_release) Layer layer;
    StudyPlan plan = plan_all(&layer, 1, 100);
    LOCAL(studied_drop) Study *whole = studied(&plan), *study = study_create(&plan, &told);
    assert_non_null(study);
    assert_true(isnan(study_summary(study, 0, 0, STUDY_STD_Q).mean));
    JobPool pool = threads_pool(5);
    for (int pauses = 0; !study_is_over(study); pauses++) {
        job_start(&pool, &study->job);
        SDL_Delay(pauses % 3 == 0 ? 2 : 0);
        job_stop(&study->job);
        wait_for(study, &pool);
        long long in = study->in;
        study_update(study);
        assert_int_equal(study->in, in);
        assert_int_equal(study_seeds_in(study), in / plan.scheme_count);
        for (int s = 0; s < plan.scheme_count; s++) {
            StudySummary summary = study_summary(study, s, 0, STUDY_STD_W_Q);
            assert_int_equal(summary.seeds, (in - s + plan.scheme_count - 1) / plan.scheme_count);
            assert_true(summary.seeds != 1 || summary.std == 0);
        }
    }
    check_same(study, whole);
}

TEST(a_failing_unit_ends_it) {
    static const AttnShape wide = {.T = 2, .D = 1025, .H = 1, .K = 1, .V = 1, .score_factor = 1};
    Layer layer;
    Err err = {0};
    StudyPlan plan = plan_all(&layer, 1, 3);
    layer_release(&layer);
    layer_init(&layer, wide, MASK_NONE, 1);
    plan.shape = wide;
    plan.mask = layer.mask;
    for (int threads = 0; threads <= 2; threads += 2) {
        static const JobPool none;
        JobPool pool = threads > 0 ? threads_pool(threads) : none;
        LOCAL(studied_drop) Study *study = study_create(&plan, &err);
        assert_non_null(study);
        job_start(&pool, &study->job);
        wait_for(study, &pool);
        assert_true(study->failed && study_is_over(study));
        assert_true(study->err.kind == ERR_USAGE && strstr(study->err.what, "1025") != NULL);
    }
    layer_release(&layer);
}

static json_t *written_json(const Study *study) {
    TextOut text = {0};
    StudyTable table = study_table(study, study_text_in_files());
    study_text_json(&text, &table, "heads=4");
    assert_false(text.failed);
    json_error_t error;
    json_t *root = json_loadb(text.at, text.used, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("line %d: %s", error.line, error.text);
    text_out_release(&text);
    return root;
}

static void check_number(const json_t *object, const char *key, double wanted) {
    json_t *value = json_object_get(object, key);
    assert_non_null(value);
    assert_true(isfinite(wanted) ? json_is_number(value) : json_is_null(value));
    if (isfinite(wanted))
        assert_true(fabs(json_number_value(value) - wanted) <= 1e-8 * fabs(wanted));
}

static void check_layer(const json_t *stats, const Study *study, int scheme, int layer) {
    size_t count = 0;
    double expected[STUDY_STAT_COUNT];
    study_expect(expected, &study->plan, scheme, layer);
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
        if ((study_text_in_files() >> s & 1) == 0)
            continue;
        const json_t *object = json_object_get(stats, STUDY_STATS[s].entry.id);
        StudySummary summary = study_summary(study, scheme, layer, s);
        assert_int_equal(json_object_size(object), 4);
        check_number(object, "mean", summary.mean);
        check_number(object, "sd", summary.std);
        check_number(object, "expected", expected[s]);
        check_number(object, "expected_x", NAN);
        count++;
    }
    assert_int_equal(json_object_size(stats), count);
}

TEST(json_holds_every_statistic) {
    for (int layers = 1; layers <= 3; layers += 2) {
        LOCAL(layer_release) Layer layer;
        StudyPlan plan = plan_all(&layer, layers, 2);
        LOCAL(studied_drop) Study *study = run(&plan, 2);
        json_t *root = written_json(study);
        assert_true(json_is_string(json_object_get(root, "state")));
        assert_int_equal(json_integer_value(json_object_get(root, "seeds")), 2);
        json_t *schemes = json_object_get(root, "schemes");
        assert_int_equal(json_array_size(schemes), plan.scheme_count);
        for (int s = 0; s < plan.scheme_count; s++) {
            json_t *scheme = json_array_get(schemes, (size_t)s);
            json_t *stats = json_object_get(scheme, "stats");
            assert_string_equal(json_string_value(json_object_get(scheme, "id")),
                                registry_entry(&SCHEME_REGISTRY, s)->id);
            assert_true(json_is_array(stats) == (layers > 1));
            if (layers > 1)
                assert_int_equal(json_array_size(stats), layers);
            for (int l = 0; l < layers; l++)
                check_layer(layers > 1 ? json_array_get(stats, (size_t)l) : stats, study, s, l);
        }
        json_decref(root);
    }
}

TEST(csv_has_a_line_for_each) {
    LOCAL(layer_release) Layer layer;
    StudyPlan plan = plan_all(&layer, 2, 2);
    LOCAL(studied_drop) Study *study = run(&plan, 2);
    TextOut text = {0};
    char *rest;
    StudyTable table = study_table(study, study_text_in_files());
    study_text_csv(&text, &table);
    assert_false(text.failed);
    char *line = strtok_r(text.at, "\n", &rest);
    assert_string_equal(line, "scheme,layer,stat,mean,sd,expected,expected_x");
    for (int s = 0; s < plan.scheme_count; s++)
        for (int l = 0; l < 2; l++)
            for (StudyStat stat = 0; stat < STUDY_STAT_COUNT; stat++) {
                if ((study_text_in_files() >> stat & 1) == 0)
                    continue;
                char start[80], *number;
                line = strtok_r(NULL, "\n", &rest);
                assert_non_null(line);
                int length = snprintf(start, sizeof start, "%s,%d,%s,",
                                      registry_entry(&SCHEME_REGISTRY, s)->id, l + 1,
                                      STUDY_STATS[stat].entry.id);
                assert_memory_equal(line, start, (size_t)length);
                double mean = strtod(line + length, &number);
                double wanted = study_summary(study, s, l, stat).mean;
                assert_int_equal(*number, ',');
                assert_true(number == line + length ? isnan(wanted)
                                                    : fabs(mean - wanted) <= 1e-8 * fabs(wanted));
            }
    assert_null(strtok_r(NULL, "\n", &rest));
    text_out_release(&text);
}

TEST_ALL(NULL, threads_end)
