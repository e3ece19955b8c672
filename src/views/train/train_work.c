/* Computes the race: with threads all of it, without threads up to the step on screen. */
#include <string.h>

#include "base/rng.h"
#include "views/train/train.h"

#define BETWEEN_S   (1.0 / 60) /* seconds between two frames before the first step is computed */
#define RESTARTED_S 2.0

RaceRequest train_request(const Session *session, const Settings *settings, bool *is_given) {
    const TrainSettings *chosen = &settings->train;
    RaceRequest request;
    memset(&request, 0, sizeof request);
    request.schemes = settings->compare.schemes;
    memcpy(request.own, settings->compare.own, sizeof request.own);
    *is_given = weights_give_all(session->weights);
    if (*is_given) {
        memset(&request, 0, sizeof request);
        request.schemes = (OptionList){.count = 1, .rows = {session->options.init}};
    }
    request.rules =
        (RaceRules){.task = (TaskKind)chosen->task,
                    .optimiser = (OptimiserKind)chosen->optimiser,
                    .data = (RaceData)chosen->data,
                    .words = (RaceWords)chosen->words,
                    .batch = chosen->data == RACE_SENTENCE ? 1 : chosen->batch,
                    .steps = chosen->steps,
                    .seeds = chosen->seeds > 0 ? RACE_SEEDS : 1,
                    .rate = chosen->rate > 0 ? chosen->rate : OPTIMISERS[chosen->optimiser].rate};
    return request;
}

static uint64_t hash_plan(const RacePlan *plan, const RaceRequest *request) {
    size_t T = (size_t)plan->shape.T;
    uint64_t hash[] = {rng_hash(request, sizeof *request), attn_shape_hash(&plan->shape),
                       rng_hash(plan->mask.open, T * T), 0};
    for (int i = 0; i < plan->scheme_count; i++) {
        const SchemePlan *draw = &plan->schemes[i];
        const uint64_t one[] = {hash[3], draw->seed, (uint64_t)draw->depth,
                                rng_hash(draw->scheme, sizeof draw->scheme)};
        hash[3] = rng_hash(one, sizeof one);
    }
    uint64_t all = mat_hash(mat_hash(rng_hash(hash, sizeof hash), &plan->x), &plan->words);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        all = mat_hash(all, &plan->given[p]);
    return all;
}

static void release_race(TrainRace *race, const JobPool *pool) {
    if (race->race != NULL)
        job_drop(pool, &race->race->job);
    *race = (TrainRace){.race = NULL};
}

static bool has_step(const TrainRace *race) {
    return race->race != NULL && train_frontier(race->race) >= 0;
}

/* Start another race. The current one stays on screen until the new one has its first step. */
static void start_race(const ViewContext *c, TrainMemory *m, const RacePlan *plan,
                       const TrainKey *key) {
    if (has_step(&m->races[m->newest])) {
        job_stop(&m->races[m->newest].race->job);
        m->newest = 1 - m->newest;
    }
    TrainRace *race = &m->races[m->newest];
    release_race(race, c->pool);
    race->race = race_create(plan, &m->err);
    race->key = *key;
    race->begun_s = c->ui->time_s;
    m->is_stopped = false;
    m->failed = race->race == NULL;
}

/* Compute the race up to this step; with threads, all of it. At step 0, unless the view plays,
 * compute only this step, so that the user can predict the result. */
static void go_on(const ViewContext *c, TrainMemory *m, int step) {
    TrainRace *newest = &m->races[m->newest];
    Race *race = newest->race;
    train_use_go_on(c);
    if (m->failed || m->is_stopped)
        return;
    int last = c->pool->start == NULL ? step : race->plan.rules.steps;
    int goal = step > 0 || m->play.is_on ? last : 0;
    if (!view_job_is_working(c, &race->job) && !race_has(race, goal)) {
        view_memory_stop_others(c->memory, m);
        race->goal = goal;
        view_job_start(c, &race->job);
        newest->begun_s = c->ui->time_s;
    }
    if (!view_job_is_working(c, &race->job) && atomic_load(&race->failed)) {
        m->failed = true;
        m->err = race->err;
    }
}

static void follow(const ViewContext *c, TrainMemory *m, const TrainKey *wanted) {
    TrainRace *race = &m->races[m->newest];
    RacePlan plan;
    TrainKey key = *wanted;
    m->failed = !race_plan(&plan, &m->words, c->run, &key.request, &m->err);
    if (m->failed) {
        race->key = key;
        return;
    }
    key.hash = hash_plan(&plan, &key.request);
    if (key.hash == race->key.hash && race->race != NULL && !atomic_load(&race->race->failed)) {
        race->key = key;
        return;
    }
    bool restarts = has_step(race) && m->drawn_frame + 1 >= c->ui->frame;
    start_race(c, m, &plan, &key);
    if (restarts)
        m->restarted_until_s = c->ui->time_s + RESTARTED_S;
}

bool train_run(const ViewContext *c, int step) {
    TrainMemory *m = c->memory->train;
    TrainKey key;
    memset(&key, 0, sizeof key);
    key.revision = c->run->revision;
    key.request = train_request(c->session, c->settings, &key.is_given);
    TrainRace *race = &m->races[m->newest];
    bool same =
        race->key.revision == key.revision && race_request_equal(&race->key.request, &key.request);
    if (!same)
        follow(c, m, &key);
    go_on(c, m, step);
    if (has_step(&m->races[m->newest]))
        release_race(&m->races[1 - m->newest], c->pool);
    if (!m->failed && !has_step(&m->races[m->newest]))
        ui_wake(c->ui, c->ui->time_s + BETWEEN_S);
    return !m->failed;
}

const TrainRace *train_shown(const TrainMemory *m) {
    const TrainRace *now = &m->races[m->newest], *before = &m->races[1 - m->newest];
    return has_step(now) || !has_step(before) ? now : before;
}

int train_frontier(const Race *race) {
    int frontier = race->plan.rules.steps;
    for (int i = 0; i < race_columns(race); i++) {
        int last = race_done(race, i) - 1;
        if (last < frontier && race_overflow(race, i) < 0)
            frontier = last;
    }
    return frontier;
}

int train_last(const Race *race, int column, int step) {
    int last = race_done(race, column) - 1;
    return step < last ? step : last;
}

bool train_memory_is_computing(TrainMemory *m, const JobPool *pool) {
    for (int i = 0; i < 2; i++)
        if (m->races[i].race != NULL && job_is_working(pool, &m->races[i].race->job))
            return true;
    return m->use.look != NULL;
}

void train_memory_stop(TrainMemory *m) {
    for (int i = 0; i < 2; i++)
        if (m->races[i].race != NULL)
            job_stop(&m->races[i].race->job);
}

void train_clear(TrainMemory *m, const JobPool *pool) {
    if (m->use.look != NULL)
        job_drop(pool, &m->use.look->job);
    for (int i = 0; i < 2; i++)
        release_race(&m->races[i], pool);
    arena_release(&m->words);
    arena_release(&m->pooled);
}
