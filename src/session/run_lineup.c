#include "session/run_lineup.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bugs.h"
#include "session/run_layer.h"
#include "session/study_plan.h"

#define PARTS (STUDY_FILES | STUDY_SIGNAL)

static void drop(RunLineup *lineup) {
    if (lineup == NULL || atomic_fetch_sub(&lineup->owners, 1) > 1)
        return;
    lineup_release(&lineup->lineup);
    free(lineup);
}

void run_lineup_release(Run *run) {
    drop(run->lineup);
    run->lineup = NULL;
}

void run_lineup_share(Run *run) {
    if (run->lineup != NULL)
        atomic_fetch_add(&run->lineup->owners, 1);
}

bool lineup_wish_same(const LineupWish *a, const LineupWish *b) {
    return memcmp(a, b, sizeof *a) == 0;
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

/* One that this Run alone has: what it has drawn before may be used again. */
static RunLineup *own_lineup(Run *run, Err *err) {
    if (run->lineup != NULL && atomic_load(&run->lineup->owners) == 1)
        return run->lineup;
    run_lineup_release(run);
    run->lineup = calloc(1, sizeof *run->lineup);
    if (run->lineup == NULL)
        err_fail(err, "memory", "too little for the columns; close other programs");
    else
        atomic_init(&run->lineup->owners, 1);
    return run->lineup;
}

bool run_lineup(Run *run, const LineupWish *wish, JobWatch *watch, Err *err) {
    assert(run->valid && run->T > 0 && wish->kind != LINEUP_NONE);
    if (is_answered(run, wish))
        return true;
    RunLineup *lineup = own_lineup(run, err);
    if (lineup == NULL)
        return false;
    lineup->wish = (LineupWish){.kind = LINEUP_NONE};
    if (!make(&lineup->lineup, run, wish, watch, err))
        return false;
    lineup->wish = *wish;
    lineup->pass = run->cache->pass;
    return true;
}
