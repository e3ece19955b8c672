/* The race of the columns: what it is of, and how it goes on. With hands it is computed beside the
 * frames, all of it; without, as far as the picture shows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "views/compare/compare.h"
#include "views/train/train_use.h"

#define FRAME_STEPS (3 * JOB_STEPS_PER_MS) /* done in the frame */
#define BEFORE_S    0.15                   /* that an old race stands in for a new one */
#define BETWEEN_S   (1.0 / 60)             /* of frames, while steps come in */
#define RESTARTED_S 2.0                    /* that it is said */

/* Whether the session gives every matrix that a layer of its form is drawn with. */
static bool gives_all(const Session *session) {
    const Weights *weights = session->weights;
    bool scores = weights_give(weights, ATTN_W_QK) ||
                  (weights_give(weights, ATTN_W_Q) && weights_give(weights, ATTN_W_K));
    return weights != NULL && scores && weights_give(weights, ATTN_W_V) &&
           weights_give(weights, ATTN_W_O);
}

RaceRequest train_request(const Session *session, const Settings *settings, bool *is_given) {
    const TrainSettings *chosen = &settings->train;
    RaceRequest request;
    memset(&request, 0, sizeof request);
    request.schemes = settings->compare.schemes;
    memcpy(request.own, settings->compare.own, sizeof request.own);
    *is_given = gives_all(session);
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

static uint64_t hash_mat(uint64_t hash, const Mat *m) {
    const uint64_t shape[] = {hash, (uint64_t)m->rows, (uint64_t)m->cols};
    hash = rng_hash(shape, sizeof shape);
    for (int i = 0; i < m->rows; i++) {
        uint64_t row[] = {hash, rng_hash(mat_row(m, i), (size_t)m->cols * sizeof *m->at)};
        hash = rng_hash(row, sizeof row);
    }
    return hash;
}

/* Of all that the numbers of a race depend on. */
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
    uint64_t all = hash_mat(hash_mat(rng_hash(hash, sizeof hash), &plan->x), &plan->words);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        all = hash_mat(all, &plan->given[p]);
    return all;
}

static void release_race(TrainRace *race) {
    race_crew_release(&race->crew);
    memset(race, 0, sizeof *race);
}

static bool has_step(const TrainRace *race) {
    return race->crew.is_begun && !race->crew.failed && race->crew.race.plan.scheme_count > 0 &&
           train_frontier(&race->crew.race) >= 0;
}

/* Begin in the place that is not shown; what is shown stays until there is a first step. */
static void begin(const ViewContext *c, TrainMemory *m, const RacePlan *plan, const TrainKey *key) {
    if (has_step(&m->races[m->newest]))
        m->newest = 1 - m->newest;
    TrainRace *race = &m->races[m->newest];
    release_race(race);
    race->key = *key;
    race->begun_s = c->ui->time_s;
    m->is_stopped = false;
    m->failed = !race_crew_prepare(&race->crew, plan, c->hands, &m->err);
}

/* Steps of every column that fit into a frame, or all without hands. */
static int steps_in_frame(const ViewContext *c, const Race *race) {
    double all = race_steps(race) * race_columns(race);
    return c->hands.count == 0 ? race->plan.rules.steps + 1 : (int)fmin(FRAME_STEPS / all, 1e6);
}

/* As far as that step, or beside the frames as far as there is. */
static void go_on(const ViewContext *c, TrainMemory *m, int step) {
    TrainRace *race = &m->races[m->newest];
    RaceCrew *crew = &race->crew;
    if (train_use_go_on(c)) {
        ui_wake(c->ui, c->ui->time_s + BETWEEN_S);
        return;
    }
    if (m->failed || race_crew_is_over(crew))
        return;
    if (c->hands.count == 0) {
        race_crew_reach(crew, step, steps_in_frame(c, &crew->race));
    } else if (!race_crew_is_working(crew) && !m->is_stopped) {
        int now = steps_in_frame(c, &crew->race);
        if (c->memory->compare != NULL) /* nobody else looks whether its hands have ended */
            compare_studies_update(c->memory->compare);
        m->waits = !compare_memory_gives_hands(c->memory->compare);
        if (!m->waits && train_frontier(&crew->race) < 0 && now > 0)
            race_crew_reach(crew, step, now);
        bool is_begun = step > 0 || m->play.is_on; /* at step 0 there is something to predict */
        if (!m->waits)
            race_crew_go_on(crew, is_begun ? crew->race.plan.rules.steps : 0);
        race->begun_s = c->ui->time_s;
    }
    if (m->waits || race_crew_is_working(crew))
        ui_wake(c->ui, c->ui->time_s + BETWEEN_S);
}

/* Whether it failed in the frame or beside it. */
static void know_failure(TrainMemory *m) {
    const RaceCrew *crew = &m->races[m->newest].crew;
    if (crew->failed && !m->waits) {
        m->failed = true;
        m->err = crew->err;
    }
}

/* Another race, or the same of another Results: whatever does not reach its numbers leaves it
 * alone. */
static void follow(const ViewContext *c, TrainMemory *m, const TrainKey *wanted) {
    TrainRace *race = &m->races[m->newest];
    RacePlan plan;
    TrainKey key = *wanted;
    if (race_crew_is_working(&race->crew)) {
        race_crew_stop(&race->crew);
        m->waits = true;
        ui_wake(c->ui, c->ui->time_s + BETWEEN_S);
        return;
    }
    m->failed = !race_plan(&plan, &m->words, c->run, &key.request, &m->err);
    if (m->failed) {
        race->key = key;
        return;
    }
    key.hash = hash_plan(&plan, &key.request);
    if (key.hash == race->key.hash && !race->crew.failed) {
        race->key = key;
        return;
    }
    bool restarts = has_step(race) && m->drawn_frame + 1 >= c->ui->frame;
    begin(c, m, &plan, &key);
    if (restarts)
        m->restarted_until_s = c->ui->time_s + RESTARTED_S;
}

/* An old race is kept no longer than it is shown. */
static void forget_old(TrainMemory *m) {
    TrainRace *old = &m->races[1 - m->newest];
    if (old->crew.is_begun && has_step(&m->races[m->newest]) && !race_crew_is_working(&old->crew))
        release_race(old);
}

bool train_run(const ViewContext *c, int step) {
    TrainMemory *m = c->memory->train;
    TrainKey key;
    memset(&key, 0, sizeof key);
    key.revision = c->run->revision;
    key.request = train_request(c->session, c->settings, &key.is_given);
    for (int i = 0; i < 2; i++)
        race_crew_update(&m->races[i].crew);
    TrainRace *race = &m->races[m->newest];
    bool same =
        race->key.revision == key.revision && race_request_equal(&race->key.request, &key.request);
    m->waits = false;
    if (!same)
        follow(c, m, &key);
    if (!m->waits)
        go_on(c, m, step);
    know_failure(m);
    forget_old(m);
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

bool train_memory_is_computing(const TrainMemory *m) {
    return m != NULL && (m->waits || race_crew_is_working(&m->races[0].crew) ||
                         race_crew_is_working(&m->races[1].crew));
}

bool train_memory_gives_hands(TrainMemory *m) {
    bool free = true;
    for (int i = 0; m != NULL && i < 2; i++) {
        race_crew_update(&m->races[i].crew);
        if (race_crew_is_working(&m->races[i].crew)) {
            race_crew_stop(&m->races[i].crew);
            free = false;
        }
    }
    return free;
}

bool train_memory_end(TrainMemory *m) {
    bool ended = true;
    for (int i = 0; m != NULL && i < 2; i++)
        ended = race_crew_end(&m->races[i].crew) && ended;
    return ended;
}

void train_memory_release(TrainMemory *m) {
    if (m == NULL)
        return;
    for (int i = 0; i < 2; i++)
        release_race(&m->races[i]);
    arena_release(&m->words);
    arena_release(&m->maps.arena);
    text_out_release(&m->copy);
    free(m);
}
