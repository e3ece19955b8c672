#include "lab/raced.h"

#include <string.h>

#include "support/test.h"

AttnShape raced_shape(AttnForm form, AttnBlock block, AttnBias bias) {
    return (AttnShape){.T = 7,
                       .D = 12,
                       .H = 3,
                       .K = 4,
                       .V = 5,
                       .form = form,
                       .score_factor = 0.5f,
                       .bias = bias,
                       .block = block};
}

RacePlan raced_plan(const Layer *layer, const char *const *schemes, int count) {
    RacePlan plan = {.shape = layer->shape,
                     .x = layer->x,
                     .words = layer->x,
                     .mask = layer->mask,
                     .scheme_count = count,
                     .rules = {.task = TASK_PREVIOUS,
                               .optimiser = OPTIMISER_ADAM,
                               .data = RACE_SENTENCE,
                               .rate = 0.01f,
                               .batch = 1,
                               .seeds = 1,
                               .steps = 40}};
    for (int i = 0; i < count; i++) {
        int scheme = registry_find(&SCHEME_REGISTRY, schemes[i], strlen(schemes[i]));
        assert_true(scheme >= 0);
        plan.schemes[i] = scheme_plan(scheme, 1, 11);
    }
    return plan;
}

void raced_on_orders(RacePlan *plan) {
    plan->rules.data = RACE_ORDERS;
    plan->rules.words = RACE_WORDS_TRAINED;
    plan->rules.batch = 3;
    plan->rules.seeds = 2;
}

void raced_begin(Raced *raced, const RacePlan *plan) {
    raced->race = race_create(plan, &told);
    must(raced->race != NULL && race_bench_init(&raced->bench, raced->race, &told));
}

void raced_end(Raced *raced) {
    job_drop(NULL, &raced->race->job);
    race_bench_release(&raced->bench);
}

void raced_run(Raced *raced, int steps) {
    for (int i = 0; i < race_columns(raced->race); i++)
        while (!race_is_over(raced->race, i))
            must(race_advance(raced->race, &raced->bench, i, steps, &told));
}

static void same_mat(const Mat *a, const Mat *b) {
    assert_int_equal(a->rows, b->rows);
    for (int i = 0; i < a->rows; i++)
        assert_memory_equal(mat_row(a, i), mat_row(b, i), (size_t)a->cols * sizeof(float));
}

static void same_column(const Race *a, const Race *b, int column) {
    int done = race_done(a, column);
    assert_int_equal(done, race_done(b, column));
    assert_int_equal(race_overflow(a, column), race_overflow(b, column));
    for (int n = 0; n < done; n++) {
        assert_memory_equal(race_record(a, column, n), race_record(b, column, n),
                            sizeof(RaceRecord));
        bool is_kept = column < a->plan.scheme_count && race_kept_step(a, n) == n;
        for (int h = 0; is_kept && h < a->shape.H; h++) {
            Mat of_a = race_weights(a, column, n, h), of_b = race_weights(b, column, n, h);
            same_mat(&of_a, &of_b);
        }
    }
    const RaceParams *of_a = &a->columns[column].now.params, *of_b = &b->columns[column].now.params;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        same_mat(&of_a->layer.p[p], &of_b->layer.p[p]);
    same_mat(&of_a->words, &of_b->words);
}

void raced_assert_same(const Race *a, const Race *b) {
    assert_int_equal(race_columns(a), race_columns(b));
    for (int i = 0; i < race_columns(a); i++)
        same_column(a, b, i);
}
