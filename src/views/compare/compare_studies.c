/* The studies of the columns: short ones in the frame that asks for them, others shared out to the
 * hands beside the frames. There is one set of hands, which the studies have in their order. */
#include <math.h>
#include <string.h>

#include "results/study_plan.h"
#include "views/compare/compare.h"
#include "views/train/train.h"

#define FRAME_STEPS (3 * JOB_STEPS_PER_MS) /* done in the frame */
#define BEFORE_S    0.15                   /* that old results stand in for new ones */
#define BETWEEN_S   (1.0 / 60)             /* of frames, while results come in */

/* What is made beside the studies. */
#define WORKS 2
static CompareWork *work_of(CompareMemory *memory, int i) {
    return i == 0 ? &memory->plane.work : &memory->scale.work;
}

void compare_study_release(CompareStudy *study) {
    study_crew_release(&study->crew);
    study_release(&study->before);
    *study = (CompareStudy){0};
}

bool compare_memory_is_computing(const CompareMemory *memory) {
    if (memory == NULL)
        return false;
    const CompareWork *plane = &memory->plane.work, *scale = &memory->scale.work;
    bool computing = plane->runner != NULL || plane->waits || scale->runner != NULL || scale->waits;
    for (int i = 0; i < COMPARE_STUDY_COUNT; i++)
        computing = computing || memory->studies[i].is_behind ||
                    study_crew_is_working(&memory->studies[i].crew);
    return computing;
}

/* Whether nothing works but one study; others from the first on, and what is made beside them, are
 * told to stop. */
static bool gives_hands(CompareMemory *m, int first, int but) {
    bool free = train_memory_gives_hands(m->train);
    for (int i = 0; i < COMPARE_STUDY_COUNT; i++) {
        bool busy = i != but && study_crew_is_working(&m->studies[i].crew);
        free = free && !busy;
        if (busy && i >= first)
            study_crew_stop(&m->studies[i].crew);
    }
    for (int i = 0; i < WORKS; i++)
        if (compare_work_is_busy(work_of(m, i))) {
            free = false;
            compare_work_stop(work_of(m, i));
        }
    return free;
}

bool compare_memory_gives_hands(CompareMemory *m) {
    return m == NULL || gives_hands(m, 0, -1);
}

bool compare_memory_end(CompareMemory *memory) {
    bool ended = true;
    if (memory == NULL)
        return true;
    for (int i = 0; i < COMPARE_STUDY_COUNT; i++) /* all at once, that they end together */
        study_crew_stop(&memory->studies[i].crew);
    for (int i = 0; i < WORKS; i++)
        compare_work_stop(work_of(memory, i));
    for (int i = 0; i < COMPARE_STUDY_COUNT; i++)
        ended = study_crew_end(&memory->studies[i].crew) && ended;
    for (int i = 0; i < WORKS; i++)
        ended = compare_work_end(work_of(memory, i)) && ended;
    return ended;
}

void compare_studies_update(CompareMemory *memory) {
    for (int i = 0; i < COMPARE_STUDY_COUNT; i++)
        study_crew_update(&memory->studies[i].crew);
    for (int i = 0; i < WORKS; i++)
        compare_work_is_busy(work_of(memory, i));
    /* What waits is what this frame asks for. */
    for (int i = 0; i < COMPARE_STUDY_COUNT; i++)
        memory->studies[i].is_behind = false;
    for (int i = 0; i < WORKS; i++)
        work_of(memory, i)->waits = false;
}

/* The results so far stay in sight until there are others. */
static void keep_before(CompareStudy *study) {
    if (study->crew.study.in < study->crew.study.units)
        return;
    study_release(&study->before);
    study->before = study->crew.study;
    study->crew.study = (Study){0};
}

static void begin(const ViewContext *c, CompareStudy *study, const CompareKey *key,
                  const StudyPlan *plan) {
    Err err;
    JobHands none = {0};
    bool brief = study_steps(plan) < FRAME_STEPS;
    keep_before(study);
    study->key = *key;
    study->begun_s = c->ui->time_s;
    study_crew_begin(&study->crew, plan, brief ? none : c->hands, &err);
}

/* Whether fewer seeds are asked for than are in, of the same columns: then those stay, as they do
 * when a person stops. True also while the hands are yet to end. */
static bool cut(CompareStudy *study, const CompareKey *key) {
    CompareKey same = study->key;
    StudyCrew *crew = &study->crew;
    same.seeds = key->seeds;
    bool is_less = crew->study.units > 0 && !crew->failed && compare_key_same(&same, key) &&
                   key->seeds < study->key.seeds && key->seeds <= study_seeds_in(&crew->study);
    if (!is_less)
        return false;
    study_crew_stop(crew);
    if (!study_crew_is_working(crew)) {
        study_crew_cut(crew, key->seeds);
        study->key = *key;
    }
    return true;
}

static void run(const ViewContext *c, CompareStudies which, const CompareKey *key,
                const StudyPlan *plan) {
    CompareMemory *m = c->memory->compare;
    CompareStudy *study = &m->studies[which];
    StudyCrew *crew = &study->crew;
    if (cut(study, key)) {
        ui_wake(c->ui, c->ui->time_s + BETWEEN_S);
        return;
    }
    bool fresh = !compare_key_same(&study->key, key), working = study_crew_is_working(crew);
    if (!fresh && study_crew_is_over(crew))
        return;
    if (working && (fresh || study->is_paused))
        study_crew_stop(crew);
    bool free = gives_hands(m, (int)which, (int)which);
    study->is_behind = fresh && (working || !free);
    if (!working && free && fresh)
        begin(c, study, key, plan);
    else if (!working && free && !study->is_paused)
        study_crew_go_on(crew);
    if (!study->is_paused || study_crew_is_working(crew))
        ui_wake(c->ui, c->ui->time_s + BETWEEN_S);
}

static int scheme_named(const char *id) {
    return registry_find(&SCHEME_REGISTRY, id, strlen(id));
}

void compare_stack_run(const ViewContext *c) {
    const CompareSettings *chosen = &c->settings->compare;
    CompareKey key = compare_key(c, STUDY_FILES | STUDY_SIGNAL);
    key.layers = chosen->layers;
    key.rule = chosen->rule;
    StudyPlan plan = compare_plan(c, key.parts, chosen->layers, 1);
    int aware = scheme_named("gpt2"), plain = scheme_named("normal_002");
    for (int i = 0; i < plan.scheme_count; i++) {
        SchemePlan *draw = &plan.schemes[i].plan;
        draw->depth = chosen->layers;
        if (chosen->rule == RULE_OFF && draw->scheme[ATTN_W_O] == aware)
            draw->scheme[ATTN_W_O] = plain; /* the same without the rule */
    }
    run(c, COMPARE_STACK, &key, &plan);
}

void compare_seeds_run(const ViewContext *c) {
    bool all = c->settings->compare.measures == MEASURES_ALL;
    CompareKey key = compare_key(c, STUDY_FILES | STUDY_SIGNAL | (all ? STUDY_SPECTRA : 0u));
    key.seeds = c->settings->compare.seeds;
    StudyPlan plan = compare_plan(c, key.parts, 1, key.seeds);
    if (key.seeds > 1)
        run(c, COMPARE_SEEDS, &key, &plan);
    else
        study_crew_stop(&c->memory->compare->studies[COMPARE_SEEDS].crew);
}

void compare_ranks_run(const ViewContext *c) {
    CompareKey key = compare_key(c, STUDY_SPECTRA);
    StudyPlan plan = compare_plan(c, key.parts, 1, 1);
    if (c->settings->compare.measures == MEASURES_ALL)
        run(c, COMPARE_RANKS, &key, &plan);
    else
        study_crew_stop(&c->memory->compare->studies[COMPARE_RANKS].crew);
}

float compare_rank(const ViewContext *c, int column, StudyStat stat) {
    const CompareStudy *ranks = &c->memory->compare->studies[COMPARE_RANKS];
    const Study *study = compare_study_shown(c, ranks);
    bool in = study->plan.scheme_count == c->settings->compare.schemes.count && column < study->in;
    return in ? study_value(study, column, 0, 0, stat) : NAN;
}

const Study *compare_study_shown(const ViewContext *c, const CompareStudy *study) {
    static const Study none;
    const Study *now = &study->crew.study, *before = &study->before;
    if (study->is_behind)
        return &none;
    bool alike = before->units > 0 && before->plan.scheme_count == now->plan.scheme_count;
    bool early = now->in < now->units && c->ui->time_s < study->begun_s + BEFORE_S;
    return alike && early ? before : now;
}

const Study *compare_seeds_shown(const ViewContext *c) {
    const CompareMemory *m = c->memory->compare;
    const StudyCrew *crew = &m->studies[COMPARE_SEEDS].crew;
    const Study *study = compare_study_shown(c, &m->studies[COMPARE_SEEDS]);
    if (crew->failed)
        ui_fail(c->ui, crew->err.what, crew->err.why);
    bool many = c->settings->compare.seeds > 1 && !crew->failed &&
                study->plan.scheme_count == c->settings->compare.schemes.count;
    return many && study_seeds_in(study) > 1 ? study : NULL;
}
