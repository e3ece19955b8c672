#include "results/comparison.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "lab/broken_inits.h"
#include "results/layer.h"
#include "results/study_plan.h"

#define PARTS (STUDY_FILES | STUDY_SIGNAL)

static void drop(ComparisonResults *comparison) {
    if (comparison == NULL || atomic_fetch_sub(&comparison->owners, 1) > 1)
        return;
    comparison_release(&comparison->comparison);
    free(comparison);
}

void results_comparison_release(Results *run) {
    drop(run->comparison);
    run->comparison = NULL;
}

void results_comparison_share(Results *run) {
    if (run->comparison != NULL)
        atomic_fetch_add(&run->comparison->owners, 1);
}

bool comparison_request_same(const ComparisonRequest *a, const ComparisonRequest *b) {
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        if (!option_list_equal(&a->own[p], &b->own[p]))
            return false;
    return a->kind == b->kind && option_list_equal(&a->schemes, &b->schemes) && a->bug == b->bug &&
           a->spread == b->spread;
}

static int columns_of(const ComparisonRequest *request) {
    return request->kind == COMPARISON_BROKEN ? 2 : request->schemes.count;
}

static SchemePlan plan_of(const ComparisonRequest *request, const Options *options, int column) {
    if (request->kind == COMPARISON_BROKEN)
        return broken_init_plan(&BROKEN_INITS[request->bug], options->seed);
    if (request->kind == COMPARISON_CASES)
        return scheme_plan(request->schemes.rows[column], 1, options->seed);
    return study_column_plan(options, &request->schemes, request->own, column);
}

static void plan_columns(StudyPlan *plan, const ComparisonRequest *request,
                         const Options *options) {
    plan->scheme_count = columns_of(request);
    plan->layers = plan->seeds = 1;
    for (int i = 0; i < plan->scheme_count; i++) {
        SchemePlan draw = plan_of(request, options, i);
        bool own = request->kind != COMPARISON_BROKEN;
        plan->schemes[i] =
            (StudyScheme){.scheme = own ? request->schemes.rows[i] : draw.scheme[0], .plan = draw};
    }
    if (request->kind == COMPARISON_BROKEN)
        plan->shape = broken_init_shape(plan->shape.T, plan->shape.D);
}

StudyPlan results_comparison_plan(const Results *run, const ComparisonRequest *request,
                                  unsigned parts) {
    static const int any[COMPARISON_MAX];
    const Session *session = results_source(run);
    StudyPlan plan = study_plan(run, session, any, columns_of(request), 1, parts);
    plan_columns(&plan, request, &session->options);
    study_plan_sample_all(&plan, session);
    if (request->kind == COMPARISON_BROKEN)
        memset(plan.given, 0, sizeof plan.given);
    return plan;
}

/* Compute the two columns of a broken initialisation, on the X of broken_init_input. */
static bool make_bug(Comparison *comparison, StudyPlan *study, const ComparisonRequest *request,
                     const Job *job, Err *err) {
    Arena arena = {0};
    const AttnShape *shape = &study->shape;
    if (!arena_reserve(&arena, attn_params_bytes(shape) + mat_bytes(shape->T, shape->D), err))
        return false;
    AttnParams params = attn_params_push(&arena, shape);
    Mat x = mat_push(&arena, shape->T, shape->D);
    uint64_t seed = study->schemes[0].plan.seed;
    broken_init_input(&x, seed);
    study->x = &x;
    study->draws_x = false;
    study->schemes[1].given = &params;
    bool made = broken_init_sample(&params, shape, &BROKEN_INITS[request->bug], seed, err) &&
                comparison_make(comparison, study, request->spread, job, err);
    comparison->plan.x = NULL; /* x and `given` point into the arena, which is released */
    comparison->plan.schemes[1].given = NULL;
    arena_release(&arena);
    return made;
}

static bool make(Comparison *comparison, const Results *run, const ComparisonRequest *request,
                 const Job *job, Err *err) {
    StudyPlan study = results_comparison_plan(run, request, PARTS);
    return request->kind == COMPARISON_BROKEN
               ? make_bug(comparison, &study, request, job, err)
               : comparison_make(comparison, &study, request->spread, job, err);
}

bool results_comparison_is_current(const Results *run) {
    return run->comparison != NULL && run->valid && run->T > 0 &&
           run->comparison->request.kind != COMPARISON_NONE &&
           run->comparison->pass == run->cache->pass;
}

bool results_compare(Results *run, const ComparisonRequest *request, const Job *job, Err *err) {
    assert(run->valid && run->T > 0 && request->kind != COMPARISON_NONE);
    if (results_comparison_is_current(run) &&
        comparison_request_same(&run->comparison->request, request))
        return true;
    results_comparison_release(run);
    ComparisonResults *comparison = run->comparison = heap_get_zero(1, sizeof *comparison);
    if (comparison == NULL)
        return err_fail(err, "memory", "too little for the columns; close other programs");
    atomic_init(&comparison->owners, 1);
    if (!make(&comparison->comparison, run, request, job, err))
        return false;
    comparison->request = *request;
    comparison->pass = run->cache->pass;
    return true;
}
