#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "lab/study_job.h"
#include "lab/study_text.h"
#include "model/layer.h"
#include "shell/compare_write.h"
#include "support/opened.h"
#include "support/test.h"
#include "support/threads.h"

static const AttnShape SHAPE = {
    .T = 6, .D = 16, .H = 2, .K = 8, .V = 8, .form = FORM_SEPARATE, .score_factor = 0.35F};

static StudyPlan plan_all(Layer *layer, int layers, int seeds) {
    layer_init(layer, SHAPE, MASK_NONE, 3);
    StudyPlan plan = {.shape = SHAPE,
                      .x = &layer->x,
                      .mask = layer->mask,
                      .scheme_count = SCHEME_REGISTRY.count,
                      .layers = layers,
                      .seeds = seeds,
                      .parts = STUDY_FILES};
    for (int i = 0; i < plan.scheme_count; i++)
        plan.schemes[i] = (StudyScheme){i, scheme_plan(i, layers, 1)};
    return plan;
}

static void wait_for(StudyJob *job, const JobPool *pool) {
    while (!job_wait(pool, &job->job, 1000))
        ;
    study_job_update(job);
}

/* Compute a study in that number of threads; 0 is the caller's thread. The plan's inputs may be
 * freed as soon as the study exists. */
static StudyJob *run(const StudyPlan *plan, int threads) {
    static const JobPool none;
    Err err = {0};
    JobPool pool = threads > 0 ? threads_pool(threads) : none;
    StudyJob *job = study_job_create(plan, &err);
    if (job == NULL)
        fail_msg("%s: %s", err.what, err.why);
    job_start(&pool, &job->job);
    wait_for(job, &pool);
    assert_true(study_job_is_over(job) && !job->failed);
    assert_int_equal(job->study.in, job->study.units);
    return job;
}

static void release(StudyJob *job) {
    job_drop(NULL, &job->job);
}

static void check_same(const StudyJob *a, const StudyJob *b) {
    size_t stats = (size_t)(a->study.plan.layers * STUDY_STAT_COUNT);
    assert_int_equal(a->study.units, b->study.units);
    assert_memory_equal(a->study.values, b->study.values,
                        (size_t)a->study.units * stats * sizeof(float));
    assert_memory_equal(a->study.moments, b->study.moments,
                        (size_t)a->study.plan.scheme_count * stats * sizeof(StudyMoments));
}

TEST(the_number_of_threads_changes_nothing) {
    LOCAL(layer_release) Layer layer;
    StudyPlan plan = plan_all(&layer, 2, 7);
    StudyJob *one = run(&plan, 0);
    static const int counts[] = {1, 2, 5, POOL_THREADS_MAX};
    for (size_t i = 0; i < ARRAY_COUNT(counts); i++) {
        StudyJob *more = run(&plan, counts[i]);
        check_same(one, more);
        release(more);
    }
    release(one);
}

/* The threads finish units in any order, so the missing units have gaps. */
TEST(a_pause_changes_nothing) {
    LOCAL(layer_release) Layer layer;
    Err err;
    StudyPlan plan = plan_all(&layer, 1, 100);
    StudyJob *whole = run(&plan, 0), *job = study_job_create(&plan, &err);
    assert_non_null(job);
    JobPool pool = threads_pool(5);
    for (int pauses = 0; !study_job_is_over(job); pauses++) {
        job_start(&pool, &job->job);
        SDL_Delay(pauses % 3 == 0 ? 2 : 0);
        job_stop(&job->job);
        wait_for(job, &pool);
        long long in = job->study.in;
        study_job_update(job);
        assert_int_equal(job->study.in, in);
    }
    check_same(job, whole);
    release(job), release(whole);
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
        StudyJob *job = study_job_create(&plan, &err);
        assert_non_null(job);
        job_start(&pool, &job->job);
        wait_for(job, &pool);
        assert_true(job->failed && study_job_is_over(job));
        assert_true(job->err.kind == ERR_USAGE && strstr(job->err.what, "1025") != NULL);
        release(job);
    }
    layer_release(&layer);
}

static json_t *written_json(const Study *study) {
    Session session = session_opened("");
    TextOut text = {0};
    compare_write_json(&text, study, NULL, &session);
    assert_false(text.failed);
    json_error_t error;
    json_t *root = json_loadb(text.at, text.used, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("line %d: %s", error.line, error.text);
    text_out_release(&text);
    session_release(&session);
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
        StudyJob *job = run(&plan, 2);
        const Study *study = &job->study;
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
        release(job);
    }
}

TEST(csv_has_a_line_for_each) {
    LOCAL(layer_release) Layer layer;
    StudyPlan plan = plan_all(&layer, 2, 2);
    StudyJob *job = run(&plan, 2);
    const Study *study = &job->study;
    TextOut text = {0};
    char *rest;
    compare_write_csv(&text, study, NULL, NULL);
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
    release(job);
}

TEST_ALL(NULL, threads_end)
