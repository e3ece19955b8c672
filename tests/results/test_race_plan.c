/* A race of the session's layer: its start and its task. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "results/fresh.h"
#include "results/study_plan.h"
#include "support/test.h"

static RaceRequest request_of(const char *scheme, const char *other) {
    RaceRequest request = {
        .rules = {.task = TASK_NEXT, .optimiser = OPTIMISER_SGD, .rate = 0.25f, .steps = 7}};
    request.schemes.count = 2;
    request.schemes.rows[0] = registry_find(&SCHEME_REGISTRY, scheme, strlen(scheme));
    request.schemes.rows[1] = registry_find(&SCHEME_REGISTRY, other, strlen(other));
    return request;
}

static RacePlan plan_of(Bench *b, Arena *arena, const RaceRequest *request) {
    RacePlan plan;
    must(race_plan(&plan, arena, &b->run, request, &told));
    return plan;
}

/* For every kind of positions that is added to the words. */
TEST(words_are_without_positions) {
    static const char *const embeddings[] = {"random", "glove", "onehot"};
    static const char *const positions[] = {"sinusoidal", "learned", "rope"};
    const RaceRequest request = request_of("normal", "zeros");
    for (size_t e = 0; e < ARRAY_COUNT(embeddings); e++)
        for (size_t p = 0; p < ARRAY_COUNT(positions); p++) {
            Bench b, plain;
            Arena arena = {0};
            b = bench_of("embedding=%s&positions=%s", embeddings[e], positions[p]);
            plain = bench_of("embedding=%s&positions=none", embeddings[e]);
            assert_true(update(&b));
            assert_true(update(&plain));
            RacePlan plan = plan_of(&b, &arena, &request);
            assert_true(same_bytes(&plan.x, &b.run.X));
            assert_true(same_bytes(&plan.words, &plain.run.X));
            arena_release(&arena);
            bench_close(&plain);
            bench_close(&b);
        }
}

TEST(the_wish_is_in_the_plan) {
    LOCAL(bench_close) Bench b;
    LOCAL(arena_release) Arena arena = {0};
    RaceRequest request = request_of("normal", "orthogonal");
    const int own = registry_find(&SCHEME_REGISTRY, "zeros", 5);
    request.own[ATTN_W_O] = (OptionList){2, {-1, own}};
    b = bench_of("mask=causal");
    set(&b, "seed", "77");
    assert_true(update(&b));
    RacePlan plan = plan_of(&b, &arena, &request);
    assert_int_equal(plan.scheme_count, 2);
    assert_int_equal(plan.schemes[0].scheme[ATTN_W_O], request.schemes.rows[0]);
    assert_int_equal(plan.schemes[1].scheme[ATTN_W_Q], request.schemes.rows[1]);
    assert_int_equal(plan.schemes[1].scheme[ATTN_W_O], own);
    assert_true(plan.schemes[0].seed == 77 && plan.schemes[1].seed == 77);
    assert_true(race_rules_equal(&plan.rules, &request.rules));
    assert_int_equal(mask_open_keys(&plan.mask, 0), 1);
    assert_int_equal(plan.shape.T, b.run.T);
}

/* W_V from a file, which all schemes share, and X from a file, which replaces the words. */
TEST(weights_that_are_given_are_in_the_plan) {
    enum { T = 3, D = 8, H = 2, V = 4 };
    static const size_t sizes[][3] = {{T, D}, {H, D, V}};
    static const WeightsPart parts[] = {WEIGHTS_X, WEIGHTS_W_V};
    LOCAL(bench_close) Bench b;
    LOCAL(arena_release) Arena arena = {0};
    Weights *w = weights_new("some.npz", &told);
    assert_non_null(w);
    for (int i = 0; i < 2; i++) {
        WeightsTensor *tensor = &w->tensors[parts[i]];
        tensor->rank = i + 2;
        memcpy(tensor->shape, sizes[i], sizeof tensor->shape);
        tensor->at = calloc(H * D * V, sizeof *tensor->at);
        assert_non_null(tensor->at);
        for (int e = 0; e < (i == 0 ? T * D : H * D * V); e++)
            tensor->at[e] = (float)(e % 7);
    }
    must(weights_agree(w, &told) && weights_name_rows(w, NULL, T, &told));
    b = bench_of("");
    must(session_set_weights(&b.session, w, 0, &told));
    assert_true(update(&b));
    const RaceRequest request = request_of("normal", "zeros");
    RacePlan plan = plan_of(&b, &arena, &request);
    assert_int_equal(plan.given[ATTN_W_Q].rows, 0);
    assert_true(same_bytes(&plan.given[ATTN_W_V], &b.run.layers[0].params.p[ATTN_W_V]));
    assert_true(same_bytes(&plan.words, &b.run.X));
}
