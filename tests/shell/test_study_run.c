#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "model/layer.h"
#include "shell/compare_write.h"
#include "shell/study_run.h"

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

static bool always(void *context, const Study *study) {
    (void)context, (void)study;
    return true;
}

static Study run(const StudyPlan *plan, int threads) {
    Err err = {0};
    Study study;
    assert_true(study_init(&study, plan, &err));
    if (!study_run(&study, threads, (StudyWatch){always, NULL}, &err))
        fail_msg("%s: %s", err.what, err.why);
    assert_int_equal(study.in, study.units);
    return study;
}

static void the_number_of_threads_changes_nothing(void **state) {
    (void)state;
    Layer layer;
    StudyPlan plan = plan_all(&layer, 2, 7);
    size_t stats = (size_t)(plan.layers * STUDY_STAT_COUNT);
    Study one = run(&plan, 1);
    static const int counts[] = {2, 5, STUDY_THREADS_MAX};
    for (size_t i = 0; i < ARRAY_COUNT(counts); i++) {
        Study more = run(&plan, counts[i]);
        assert_memory_equal(one.values, more.values, (size_t)one.units * stats * sizeof(float));
        assert_memory_equal(one.moments, more.moments,
                            (size_t)plan.scheme_count * stats * sizeof(StudyMoments));
        study_release(&more);
    }
    study_release(&one);
    layer_release(&layer);
}

static bool until_a_few(void *context, const Study *study) {
    (void)context;
    return study->in < 5;
}

static bool never(void *context, const Study *study) {
    (void)study;
    ++*(int *)context;
    return false;
}

static void it_stops_when_told_and_goes_on_later(void **state) {
    (void)state;
    Layer layer;
    Err err = {0};
    int asked = 0;
    StudyPlan plan = plan_all(&layer, 1, 4000);
    Study study, whole;
    assert_true(study_init(&study, &plan, &err));
    assert_true(study_run(&study, 2, (StudyWatch){never, &asked}, &err));
    assert_int_equal(asked, 1);
    assert_true(study.in < study.units);
    study_release(&study);
    plan.seeds = 100;
    assert_true(study_init(&study, &plan, &err));
    do /* the threads hand in units in any order, so that what is left has holes */
        assert_true(study_run(&study, 5, (StudyWatch){until_a_few, NULL}, &err));
    while (study.in < study.units);
    whole = run(&plan, 1);
    assert_memory_equal(study.moments, whole.moments,
                        (size_t)(plan.scheme_count * STUDY_STAT_COUNT) * sizeof(StudyMoments));
    study_release(&study), study_release(&whole);
    plan.seeds = 3;
    whole = run(&plan, 2);
    assert_true(study_init(&study, &plan, &err));
    StudyBench bench;
    assert_true(study_bench_init(&bench, &plan, &err));
    assert_true(study_step(&study, &bench, 20, &err));
    assert_true(study_run(&study, 3, (StudyWatch){always, NULL}, &err));
    assert_int_equal(study.in, study.units);
    assert_memory_equal(study.moments, whole.moments,
                        (size_t)(plan.scheme_count * STUDY_STAT_COUNT) * sizeof(StudyMoments));
    study_bench_release(&bench);
    study_release(&study), study_release(&whole);
    layer_release(&layer);
}

static void a_failing_unit_ends_it(void **state) {
    (void)state;
    static const AttnShape wide = {.T = 2, .D = 1025, .H = 1, .K = 1, .V = 1, .score_factor = 1};
    Layer layer;
    Err err = {0};
    Study study;
    StudyPlan plan = plan_all(&layer, 1, 3);
    layer_release(&layer);
    layer_init(&layer, wide, MASK_NONE, 1);
    plan.shape = wide;
    plan.mask = layer.mask;
    assert_true(study_init(&study, &plan, &err));
    assert_false(study_run(&study, 2, (StudyWatch){always, NULL}, &err));
    assert_true(err.kind == ERR_USAGE && strstr(err.what, "1025") != NULL);
    study_release(&study);
    layer_release(&layer);
}

static json_t *written_json(const Study *study) {
    Session session;
    Err err;
    TextOut text = {0};
    assert_true(session_init(&session, &err));
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
        if (!STUDY_STATS[s].in_files)
            continue;
        const json_t *object = json_object_get(stats, STUDY_STATS[s].entry.id);
        StudySummary summary = study_summary(study, scheme, layer, s);
        assert_int_equal(json_object_size(object), 4);
        check_number(object, "mean", summary.mean);
        check_number(object, "sd", summary.deviation);
        check_number(object, "expected", expected[s]);
        check_number(object, "expected_x", NAN);
        count++;
    }
    assert_int_equal(json_object_size(stats), count);
}

static void json_holds_every_statistic(void **state) {
    (void)state;
    for (int layers = 1; layers <= 3; layers += 2) {
        Layer layer;
        StudyPlan plan = plan_all(&layer, layers, 2);
        Study study = run(&plan, 2);
        json_t *root = written_json(&study);
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
                check_layer(layers > 1 ? json_array_get(stats, (size_t)l) : stats, &study, s, l);
        }
        json_decref(root);
        study_release(&study);
        layer_release(&layer);
    }
}

static void csv_has_a_line_for_each(void **state) {
    (void)state;
    Layer layer;
    StudyPlan plan = plan_all(&layer, 2, 2);
    Study study = run(&plan, 2);
    TextOut text = {0};
    char *rest;
    compare_write_csv(&text, &study, NULL, NULL);
    assert_false(text.failed);
    char *line = strtok_r(text.at, "\n", &rest);
    assert_string_equal(line, "scheme,layer,stat,mean,sd,expected,expected_x");
    for (int s = 0; s < plan.scheme_count; s++)
        for (int l = 0; l < 2; l++)
            for (StudyStat stat = 0; stat < STUDY_STAT_COUNT; stat++) {
                if (!STUDY_STATS[stat].in_files)
                    continue;
                char start[80], *number;
                line = strtok_r(NULL, "\n", &rest);
                assert_non_null(line);
                int length = snprintf(start, sizeof start, "%s,%d,%s,",
                                      registry_entry(&SCHEME_REGISTRY, s)->id, l + 1,
                                      STUDY_STATS[stat].entry.id);
                assert_memory_equal(line, start, (size_t)length);
                double mean = strtod(line + length, &number);
                double wanted = study_summary(&study, s, l, stat).mean;
                assert_int_equal(*number, ',');
                assert_true(number == line + length ? isnan(wanted)
                                                    : fabs(mean - wanted) <= 1e-8 * fabs(wanted));
            }
    assert_null(strtok_r(NULL, "\n", &rest));
    text_out_release(&text);
    study_release(&study);
    layer_release(&layer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_changes_nothing),
        cmocka_unit_test(it_stops_when_told_and_goes_on_later),
        cmocka_unit_test(a_failing_unit_ends_it),
        cmocka_unit_test(json_holds_every_statistic),
        cmocka_unit_test(csv_has_a_line_for_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
