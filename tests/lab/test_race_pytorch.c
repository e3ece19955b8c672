/* Every optimiser against torch.optim in float64, on one sentence for 50 steps, and on batches of
 * orders with trained words for 10: tests/reference/training.json. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/raced.h"
#include "model/attention/form.h"
#include "support/reference.h"
#include "support/test.h"

#define TOLERANCE 1e-4 /* of the largest value */

static void check_losses(const Race *race, const json_t *trained, const char *what) {
    const json_t *losses = json_object_get(trained, "loss");
    double first = json_number_value(json_array_get(losses, 0));
    assert_int_equal(json_array_size(losses), race->plan.rules.steps + 1);
    for (int n = 0; n <= race->plan.rules.steps; n++) {
        double wanted = json_number_value(json_array_get(losses, (size_t)n));
        double got = (double)race_record(race, 0, n)->loss;
        if (!(fabs(got - wanted) <= TOLERANCE * first))
            fail_msg("%s: the loss of step %d is %.9g, expected %.9g", what, n, got, wanted);
    }
}

static void check_tensor(const Mat *m, const json_t *trained, const char *key, const char *what) {
    LOCAL(free_at) double *wanted = reference_values(trained, key, 1, m);
    double largest = 0;
    for (int e = 0; e < m->rows * m->cols; e++)
        largest = fmax(largest, fabs(wanted[e]));
    for (int e = 0; e < m->rows * m->cols; e++) {
        double got = (double)mat_row(m, e / m->cols)[e % m->cols];
        if (!(fabs(got - wanted[e]) <= TOLERANCE * largest))
            fail_msg("%s: %s[%d] is %.9g, expected %.9g", what, key, e, got, wanted[e]);
    }
}

/* Orders of words that are half of X, and that are trained too. */
static void set_batch(RacePlan *plan, Arena *words, const json_t *trained) {
    raced_on_orders(plan);
    plan->rules.seeds = 1;
    plan->rules.batch = (int)json_integer_value(json_object_get(trained, "batch"));
    plan->schemes[0].seed = (uint64_t)json_integer_value(json_object_get(trained, "seed"));
    must(arena_reserve(words, mat_bytes(plan->x.rows, plan->x.cols), &told));
    plan->words = mat_push(words, plan->x.rows, plan->x.cols);
    for (int e = 0; e < plan->x.rows * plan->x.cols; e++)
        mat_row(&plan->words, e / plan->x.cols)[e % plan->x.cols] =
            mat_row(&plan->x, e / plan->x.cols)[e % plan->x.cols] / 2;
}

/* From the weights of the file, which are given to a column in place of drawn ones. */
static void check_trained(const json_t *trained) {
    static const char *const none[] = {"zeros"};
    char name[64], what[96];
    const char *of = json_string_value(json_object_get(trained, "case"));
    snprintf(name, sizeof name, "attention_%s", of);
    json_t *file = reference_file(name);
    AttnForm form = (AttnForm)reference_choice(trained, "form", &ATTN_FORMS);
    LOCAL(layer_release) Layer layer;
    reference_layer(&layer, file, form);
    RacePlan plan = raced_plan(&layer, none, 1);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        plan.given[p] = layer.params.p[p];
    plan.rules.optimiser =
        (OptimiserKind)reference_choice(trained, "optimiser", &OPTIMISER_REGISTRY);
    plan.rules.rate = (float)json_number_value(json_object_get(trained, "rate"));
    plan.rules.steps = (int)json_array_size(json_object_get(trained, "loss")) - 1;
    LOCAL(arena_release) Arena words = {0};
    bool is_batch = json_object_get(trained, "batch") != NULL;
    if (is_batch)
        set_batch(&plan, &words, trained);
    snprintf(what, sizeof what, "%s, %s, %s", of, FORMS[form].entry.id,
             OPTIMISERS[plan.rules.optimiser].entry.id);
    RACED(r, &plan);
    raced_run(&r, plan.rules.steps + 1);
    check_losses(r.race, trained, what);
    must(race_look(&r.bench, r.race, 0, plan.rules.steps, &told));
    if (is_batch)
        check_tensor(&r.bench.look.params.words, trained, "E", what);
    else {
        check_tensor(&r.bench.trace.A, trained, "A", what);
        check_tensor(&r.bench.trace.Y, trained, "Y", what);
    }
    json_decref(file);
}

TEST(training_is_that_of_pytorch) {
    json_t *all = reference_file("training");
    size_t i;
    const json_t *trained;
    assert_true(json_array_size(all) >= 2 * OPTIMISER_KIND_COUNT);
    json_array_foreach(all, i, trained) check_trained(trained);
    json_decref(all);
}
