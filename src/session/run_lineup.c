#include "session/run_lineup.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bugs.h"
#include "session/run_layer.h"
#include "session/study_plan.h"

#define PARTS (STUDY_FILES | STUDY_SIGNAL)

void run_lineup_release(Run *run) {
    if (run->lineup == NULL)
        return;
    lineup_release(&run->lineup->lineup);
    lineup_release(&run->lineup->next);
    free(run->lineup);
    run->lineup = NULL;
}

bool lineup_wish_same(const LineupWish *a, const LineupWish *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static bool start(Run *run, Err *err) {
    if (run->lineup == NULL)
        run->lineup = calloc(1, sizeof *run->lineup);
    return run->lineup != NULL || err_fail(err, "memory",
                                           "too little for the columns; close other "
                                           "programs");
}

/* How many columns there are. */
static int columns_of(const LineupWish *wish) {
    return wish->kind == LINEUP_BUG ? 2 : wish->schemes.count;
}

static SchemePlan plan_of(const LineupWish *wish, const Options *options, int column) {
    int scheme = wish->schemes.rows[column];
    if (wish->kind == LINEUP_BUG)
        return bug_plan(&BUGS[wish->bug], options->seed);
    if (wish->kind == LINEUP_CASES)
        return scheme_plan(scheme, 1, options->seed);
    SchemePlan plan = options_plan(options, scheme);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        if (column < wish->own[p].count && wish->own[p].rows[column] >= 0)
            plan.scheme[p] = wish->own[p].rows[column];
    return plan;
}

/* Put in what does not depend on the Run. */
static void plan_columns(StudyPlan *plan, const LineupWish *wish, const Options *options) {
    plan->scheme_count = columns_of(wish);
    plan->layers = plan->seeds = 1;
    for (int i = 0; i < plan->scheme_count; i++) {
        SchemePlan draw = plan_of(wish, options, i);
        bool own = wish->kind != LINEUP_BUG;
        plan->schemes[i] = (StudyScheme){own ? wish->schemes.rows[i] : draw.scheme[0], draw};
    }
    if (wish->kind == LINEUP_BUG)
        plan->shape = bug_shape(plan->shape.T, plan->shape.D);
}

StudyPlan run_lineup_plan(const Run *run, const LineupWish *wish, unsigned parts) {
    static const int any[LINEUP_MAX];
    const Session *session = run_source(run);
    StudyPlan plan = study_plan(run, session, any, columns_of(wish), 1, parts);
    plan_columns(&plan, wish, &session->options);
    if (wish->kind == LINEUP_BUG)
        memset(plan.given, 0, sizeof plan.given);
    return plan;
}

static bool make_bug(Lineup *lineup, const LineupPlan *plan, const LineupWish *wish,
                     JobWatch *watch, Err *err) {
    Arena arena = {0};
    const AttnShape *shape = &plan->study->shape;
    if (!arena_reserve(&arena, attn_params_bytes(shape) + mat_bytes(shape->T, shape->D), err))
        return false;
    AttnParams params = attn_params_push(&arena, shape);
    const AttnParams *given[] = {NULL, &params};
    Mat x = mat_push(&arena, shape->T, shape->D);
    StudyPlan study = *plan->study;
    LineupPlan broken = {&study, plan->spread, given};
    uint64_t seed = study.schemes[0].plan.seed;
    bug_input(&x, seed);
    study.x = &x;
    study.draws_x = false;
    bool made = bug_draw(&params, shape, &BUGS[wish->bug], seed, err) &&
                lineup_make(lineup, &broken, watch, err);
    lineup->plan.x = NULL; /* it goes with the arena */
    arena_release(&arena);
    return made;
}

static bool make(Lineup *lineup, const Run *run, const LineupWish *wish, JobWatch *watch,
                 Err *err) {
    StudyPlan study = run_lineup_plan(run, wish, PARTS);
    LineupPlan plan = {&study, wish->spread, NULL};
    return wish->kind == LINEUP_BUG ? make_bug(lineup, &plan, wish, watch, err)
                                    : lineup_make(lineup, &plan, watch, err);
}

bool run_lineup_is_current(const Run *run) {
    return run->lineup != NULL && run->valid && run->T > 0 &&
           run->lineup->wish.kind != LINEUP_NONE && run->lineup->pass == run->cache->pass;
}

static bool is_answered(const Run *run, const LineupWish *wish) {
    return run_lineup_is_current(run) && lineup_wish_same(&run->lineup->wish, wish);
}

bool run_lineup(Run *run, const LineupWish *wish, JobWatch *watch, Err *err) {
    assert(run->valid && run->T > 0 && wish->kind != LINEUP_NONE);
    if (is_answered(run, wish))
        return true;
    if (!start(run, err))
        return false;
    run->lineup->wish = (LineupWish){.kind = LINEUP_NONE};
    if (!make(&run->lineup->lineup, run, wish, watch, err))
        return false;
    run->lineup->wish = *wish;
    run->lineup->pass = run->cache->pass;
    return true;
}

bool run_lineup_begin(Run *run, const LineupWish *wish, Err *err) {
    if (!start(run, err))
        return false;
    run->lineup->next_wish = *wish;
    return true;
}

bool run_lineup_make(Run *run, JobWatch *watch, Err *err) {
    RunLineup *lineup = run->lineup;
    return is_answered(run, &lineup->next_wish) ||
           make(&lineup->next, run, &lineup->next_wish, watch, err);
}

void run_lineup_end(Run *run) {
    RunLineup *lineup = run->lineup;
    if (is_answered(run, &lineup->next_wish))
        return;
    lineup_release(&lineup->lineup);
    lineup->lineup = lineup->next;
    lineup->next = (Lineup){0};
    lineup->wish = lineup->next_wish;
    lineup->pass = run->cache->pass;
}
