/* The studies of the columns. */
#include <math.h>
#include <string.h>

#include "views/compare/compare.h"

static StudyJob *newest(const CompareStudy *study) {
    return (StudyJob *)study->job.now;
}

/* If fewer seeds are requested than are computed, keep the first of them. Return true also while
 * the study is about to end. */
static bool cut(const ViewContext *c, CompareStudy *study, const CompareKey *key) {
    CompareKey same = study->key;
    StudyJob *job = newest(study);
    same.seeds = key->seeds;
    bool is_less = job != NULL && !study->job.failed && compare_key_same(&same, key) &&
                   key->seeds < study->key.seeds && key->seeds <= study_seeds_in(&job->study);
    if (!is_less)
        return false;
    job_stop(&job->job);
    if (view_job_is_working(c, &job->job))
        return true;
    study_cut(&job->study, key->seeds);
    study->key = *key;
    return true;
}

/* Add the units that the study's job has finished so far. */
static void update(const ViewContext *c, CompareStudy *study) {
    StudyJob *job = newest(study);
    if (job == NULL)
        return;
    study_job_update(job);
    study->job.failed = !job_is_working(c->pool, &job->job) && atomic_load(&job->failed);
    if (study->job.failed)
        study->job.err = job->err;
}

static void run(const ViewContext *c, CompareStudies which, const CompareKey *key,
                const StudyPlan *plan) {
    CompareStudy *study = &c->memory->compare->studies[which];
    if (cut(c, study, key))
        return;
    if (!compare_key_same(&study->key, key)) {
        StudyJob *before = newest(study);
        StudyJob *next = study_job_create(plan, &study->job.err);
        bool is_whole = before != NULL && before->study.in == before->study.units;
        compare_job_replace(c, &study->job, next != NULL ? &next->job : NULL, is_whole);
        study->key = *key;
    }
    update(c, study);
    if (study->is_paused) {
        job_stop(study->job.now);
        return;
    }
    compare_job_run(c, &study->job, newest(study) == NULL || study_job_is_over(newest(study)));
    update(c, study);
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
            draw->scheme[ATTN_W_O] = plain; /* GPT-2 without its depth rule */
    }
    run(c, COMPARE_STACK, &key, &plan);
}

/* For a room, each number stands on a gauge of at least this many seeds. */
#define GAUGE_SEEDS 100

void compare_seeds_run(const ViewContext *c) {
    bool all = c->settings->compare.measures == MEASURES_ALL;
    CompareKey key = compare_key(c, STUDY_FILES | STUDY_SIGNAL | (all ? STUDY_SPECTRA : 0u));
    key.seeds = c->settings->compare.seeds;
    if (c->is_hall && key.seeds < GAUGE_SEEDS)
        key.seeds = GAUGE_SEEDS;
    StudyPlan plan = compare_plan(c, key.parts, 1, key.seeds);
    if (key.seeds > 1)
        run(c, COMPARE_SEEDS, &key, &plan);
}

void compare_ranks_run(const ViewContext *c) {
    CompareKey key = compare_key(c, STUDY_SPECTRA);
    StudyPlan plan = compare_plan(c, key.parts, 1, 1);
    if (c->settings->compare.measures == MEASURES_ALL)
        run(c, COMPARE_RANKS, &key, &plan);
}

float compare_rank(const ViewContext *c, int column, StudyStat stat) {
    const CompareStudy *ranks = &c->memory->compare->studies[COMPARE_RANKS];
    const Study *study = compare_study_shown(c, ranks);
    bool in = study->plan.scheme_count == c->settings->compare.schemes.count && column < study->in;
    return in ? study_value(study, column, 0, 0, stat) : NAN;
}

const Study *compare_study_shown(const ViewContext *c, const CompareStudy *study) {
    static const Study none;
    const StudyJob *now = newest(study), *before = (const StudyJob *)study->job.before;
    if (now == NULL)
        return &none;
    bool alike = before != NULL && before->study.plan.scheme_count == now->study.plan.scheme_count;
    bool early = !study_job_is_over(now) && compare_job_is_early(c, &study->job);
    return alike && early ? &before->study : &now->study;
}

/* Return the study over the seeds if it has at least this many; else NULL. */
static const Study *seeds_study(const ViewContext *c, int least) {
    const CompareStudy *seeds = &c->memory->compare->studies[COMPARE_SEEDS];
    const Study *study = compare_study_shown(c, seeds);
    if (seeds->job.failed)
        ui_fail(c->ui, seeds->job.err.what, seeds->job.err.why);
    bool same =
        !seeds->job.failed && study->plan.scheme_count == c->settings->compare.schemes.count;
    return same && study_seeds_in(study) >= least ? study : NULL;
}

const Study *compare_seeds_shown(const ViewContext *c) {
    return c->settings->compare.seeds > 1 ? seeds_study(c, 2) : NULL;
}

const Study *compare_seeds_gauge(const ViewContext *c) {
    return compare_is_of(c, COMPARISON_COLUMNS) ? seeds_study(c, GAUGE_SEEDS) : NULL;
}
