/* Computes what the part on screen needs. For a moment after a change the previous results stay on
 * screen, so that quick changes do not flicker. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "document/options.h"
#include "results/study_plan.h"
#include "views/compare/compare.h"

#define BEFORE_S 0.15 /* seconds for which the previous results stay on screen */
/* In a lecture hall at least this number of seeds is computed for the gauges. */
#define GAUGE_SEEDS 100

/* Return the request for the chosen columns, even if the part on screen needs another one. */
static ComparisonRequest columns_of(const CompareSettings *chosen) {
    ComparisonRequest request;
    memset(&request, 0, sizeof request);
    request.kind = COMPARISON_COLUMNS;
    request.schemes = chosen->schemes;
    memcpy(request.own, chosen->own, sizeof request.own);
    request.spread = (ComparisonSpread)chosen->spread;
    return request;
}

void compare_request(ResultsRequest *request, const Session *session, const Settings *settings) {
    (void)session;
    const CompareSettings *chosen = &settings->compare;
    ComparisonRequest *comparison = &request->comparison;
    ComparisonKind kind = compare_kind(settings);
    if (kind == COMPARISON_COLUMNS)
        *comparison = columns_of(chosen);
    else if (kind == COMPARISON_CASES)
        compare_fused_schemes(&comparison->schemes);
    else if (kind == COMPARISON_BROKEN)
        comparison->bug = compare_quiz_bug(chosen);
    if (kind != COMPARISON_NONE)
        comparison->spread = (ComparisonSpread)chosen->spread;
    comparison->kind = kind;
}

ViewContext compare_shown(const ViewContext *c, Settings *settings) {
    ViewContext out = *c;
    ComparisonKind kind = compare_kind(c->settings);
    *settings = *c->settings;
    out.settings = settings;
    if (kind == COMPARISON_NONE || !results_comparison_is_current(c->run))
        return out;
    const ComparisonRequest *has = &c->run->comparison->request;
    settings->compare.spread = (int)has->spread;
    if (has->kind == COMPARISON_COLUMNS && kind == COMPARISON_COLUMNS) {
        settings->compare.schemes = has->schemes;
        memcpy(settings->compare.own, has->own, sizeof has->own);
    }
    return out;
}

StudyPlan compare_plan(const ViewContext *c, unsigned parts, int layers, int seeds) {
    ComparisonRequest request = columns_of(&c->settings->compare);
    StudyPlan plan = results_comparison_plan(c->run, &request, parts);
    plan.layers = layers;
    plan.seeds = seeds;
    return plan;
}

void compare_stds(const ViewContext *c, int column, double *query, double *key) {
    StudyPlan plan = compare_plan(c, STUDY_FORWARD, 1, 1);
    double *const out[] = {query, key};
    for (AttnParam p = ATTN_W_Q; p <= ATTN_W_K; p++)
        *out[p] = plan.given[p].rows > 0
                      ? (double)NAN
                      : expect_weights(&plan.shape, &plan.schemes[column].plan, p);
}

bool compare_memory_is_computing(CompareMemory *memory, const JobPool *pool) {
    for (int i = 0; i < COMPARE_JOB_COUNT; i++)
        if (job_is_working(pool, memory->jobs[i].now))
            return true;
    return false;
}

void compare_memory_stop(CompareMemory *memory) {
    for (int i = 0; i < COMPARE_JOB_COUNT; i++)
        job_stop(memory->jobs[i].now);
}

void compare_jobs_stop_others(const ViewContext *c) {
    for (int i = 0; i < COMPARE_JOB_COUNT; i++) {
        CompareJob *job = &c->memory->compare->jobs[i];
        if (job->asked_frame != c->ui->frame && job_is_working(c->pool, job->now))
            job_stop(job->now);
    }
}

/* Replace the job by another one, which may be NULL. If keeps is true, the newest results become
 * the previous ones; otherwise they are freed. */
static void replace(const ViewContext *c, CompareJob *job, Job *next, bool keeps) {
    job_drop(c->pool, keeps ? job->before : job->now);
    if (keeps)
        job->before = job->now;
    job->now = next;
    job->begun_s = c->ui->time_s;
    job->failed = next == NULL;
}

static void run_job(const ViewContext *c, CompareJob *job, bool is_over) {
    job->asked_frame = c->ui->frame;
    if (job->failed || is_over || view_job_is_working(c, job->now))
        return;
    view_memory_stop_others(c->memory, c->memory->compare);
    view_job_start(c, job->now);
    view_job_is_working(c, job->now);
}

static void check(const ViewContext *c, CompareJob *job, const atomic_bool *failed,
                  const Err *err) {
    job->failed = !job_is_working(c->pool, job->now) && atomic_load(failed);
    if (job->failed)
        job->err = *err;
}

static bool is_early(const ViewContext *c, const CompareJob *job) {
    return c->ui->time_s < job->begun_s + BEFORE_S;
}

bool compare_job_fail_draw(const ViewContext *c, Rect area, CompareJobs which) {
    const CompareJob *job = &c->memory->compare->jobs[which];
    if (job->failed)
        view_fail(c, area, job->err.what, job->err.why);
    return job->failed;
}

/* Compute a study. input identifies the data that the plan borrows: a hash of them, or the revision
 * of the Results. */
static void run(const ViewContext *c, CompareJobs which, const StudyPlan *plan, uint64_t input) {
    CompareJob *job = &c->memory->compare->jobs[which];
    Study *study = (Study *)job->now;
    const uint64_t key[] = {study_plan_hash(plan), input};
    uint64_t hash = rng_hash(key, sizeof key);
    bool is_same = study != NULL && !job->failed && job->key == hash;
    if (is_same && plan->seeds < job->seeds && plan->seeds <= study_seeds_in(study)) {
        job_stop(&study->job);
        if (view_job_is_working(c, &study->job))
            return;
        study_cut(study, plan->seeds);
        job->seeds = plan->seeds;
    }
    if (job->key != hash || job->seeds != plan->seeds) {
        bool is_whole = study != NULL && study->in == study->units;
        study = study_create(plan, &job->err);
        replace(c, job, study != NULL ? &study->job : NULL, is_whole);
        job->key = hash;
        job->seeds = plan->seeds;
    }
    if (study == NULL)
        return;
    study_update(study);
    if (job->is_paused && plan->seeds > 1)
        job_stop(job->now);
    else
        run_job(c, job, study_is_over(study));
    study_update(study);
    check(c, job, &study->failed, &study->err);
}

void compare_stack_run(const ViewContext *c) {
    const CompareSettings *chosen = &c->settings->compare;
    StudyPlan plan = compare_plan(c, STUDY_FILES | STUDY_SIGNAL, chosen->layers, 1);
    int aware = compare_scheme("gpt2"), plain = compare_scheme("normal_002");
    for (int i = 0; i < plan.scheme_count; i++) {
        SchemePlan *draw = &plan.schemes[i].plan;
        draw->depth = chosen->layers;
        if (chosen->rule == RULE_OFF && draw->scheme[ATTN_W_O] == aware)
            draw->scheme[ATTN_W_O] = plain; /* GPT-2 without its depth rule for W_O */
    }
    run(c, COMPARE_STACK, &plan, c->run->revision);
}

void compare_seeds_run(const ViewContext *c) {
    bool all = c->settings->compare.measures == MEASURES_ALL;
    int seeds = c->settings->compare.seeds;
    if (c->is_hall && seeds < GAUGE_SEEDS)
        seeds = GAUGE_SEEDS;
    unsigned parts = STUDY_FILES | STUDY_SIGNAL | (all ? STUDY_SPECTRA : 0u);
    StudyPlan plan = compare_plan(c, parts, 1, seeds);
    if (seeds > 1 || all)
        run(c, COMPARE_SEEDS, &plan, c->run->revision);
}

/* Compute the sweep over widths. The schemes of the study are the columns at the first width, then
 * at the second, and so on. The study does not depend on the layer's own d_k, so that a drag of d_k
 * does not restart it. */
void compare_sweep_run(const ViewContext *c) {
    StudyPlan plan = compare_plan(c, STUDY_FORWARD | STUDY_SIGNAL | STUDY_THEORY, 1, 1);
    Options options = c->session->options;
    options.bias = BIAS_NONE;
    for (int i = COMPARE_WIDTHS - 1; i >= 0; i--) {
        options.d_k = compare_width(i);
        plan.shape = options_shape(&options, c->run->T, FORM_SEPARATE);
        for (int s = 0; s < plan.scheme_count; s++) {
            StudyScheme *at = &plan.schemes[i * plan.scheme_count + s];
            *at = plan.schemes[s];
            at->K = plan.shape.K;
            at->factor = plan.shape.score_factor;
        }
    }
    plan.scheme_count *= COMPARE_WIDTHS;
    plan.draws_x = false;
    memset(plan.given, 0, sizeof plan.given);
    size_t pairs = (size_t)c->run->T * (size_t)c->run->T;
    run(c, COMPARE_SWEEP, &plan, mat_hash(rng_hash(plan.mask.open, pairs), plan.x));
}

static bool is_drawn(const StdGrid *grid) {
    return grid != NULL && grid->plan.x != NULL && atomic_load(&grid->done) >= 0;
}

void compare_grid_run(const ViewContext *c) {
    CompareJob *job = &c->memory->compare->jobs[COMPARE_GRID];
    StdGrid *grid = (StdGrid *)job->now;
    if (job->key != c->run->revision) {
        /* all matrices have the scheme in use; W_Q and W_K are then scaled */
        StudyPlan plan = study_plan(c->run, c->session, &c->session->options.init, 1, 1, 0);
        bool keeps = is_drawn(grid);
        grid = std_grid_create(&plan, &job->err);
        replace(c, job, grid != NULL ? &grid->job : NULL, keeps);
        job->key = c->run->revision;
    }
    if (grid == NULL)
        return;
    run_job(c, job, atomic_load(&grid->done) == STD_GRID_PRODUCTS);
    check(c, job, &grid->failed, &grid->err);
}

const StdGrid *compare_std_grid(const ViewContext *c) {
    static const StdGrid none;
    const CompareJob *job = &c->memory->compare->jobs[COMPARE_GRID];
    const StdGrid *newest = (const StdGrid *)job->now, *before = (const StdGrid *)job->before;
    bool early = !is_drawn(newest) || is_early(c, job);
    bool is_whole = newest != NULL && atomic_load(&newest->done) == STD_GRID_PRODUCTS;
    return is_drawn(before) && early && !is_whole ? before : newest != NULL ? newest : &none;
}

const Study *compare_study_shown(const ViewContext *c, CompareJobs which) {
    static const Study none;
    const CompareJob *job = &c->memory->compare->jobs[which];
    const Study *now = (const Study *)job->now, *before = (const Study *)job->before;
    if (now == NULL)
        return &none;
    bool alike = before != NULL && before->plan.scheme_count == now->plan.scheme_count;
    return alike && !study_is_over(now) && is_early(c, job) ? before : now;
}

bool compare_width_value(double *value, double *expected, const ViewContext *c, int column, int i,
                         StudyStat stat) {
    const Study *study = compare_study_shown(c, COMPARE_SWEEP);
    int at = i * (study->plan.scheme_count / COMPARE_WIDTHS) + column;
    if (at >= study->in)
        return false;
    *value = (double)study_value(study, at, 0, 0, stat);
    *expected = study->expected[at * STUDY_STAT_COUNT + (int)stat];
    return true;
}

static const Study *seeds_study(const ViewContext *c, int least) {
    const CompareJob *seeds = &c->memory->compare->jobs[COMPARE_SEEDS];
    const Study *study = compare_study_shown(c, COMPARE_SEEDS);
    if (seeds->failed)
        ui_fail(c->ui, seeds->err.what, seeds->err.why);
    bool same = !seeds->failed && study->plan.scheme_count == c->settings->compare.schemes.count;
    return same && study_seeds_in(study) >= least ? study : NULL;
}

const Study *compare_seeds_shown(const ViewContext *c) {
    return c->settings->compare.seeds > 1 ? seeds_study(c, 2) : NULL;
}

const Study *compare_seeds_gauge(const ViewContext *c) {
    return compare_is_of(c, COMPARISON_COLUMNS) ? seeds_study(c, GAUGE_SEEDS) : NULL;
}

double compare_value(const ViewContext *c, int column, StudyStat stat) {
    if (stat != STUDY_RANK_A && stat != STUDY_RANK_W_QK)
        return (double)compare_comparison(c)->values[column][stat];
    const Study *study = compare_study_shown(c, COMPARE_SEEDS);
    bool in = study->plan.scheme_count == c->settings->compare.schemes.count && column < study->in;
    return in ? (double)study_value(study, column, 0, 0, stat) : (double)NAN;
}

CompareMeasures compare_measures(const ViewContext *c) {
    if (!compare_is_of(c, COMPARISON_COLUMNS))
        return MEASURES_CASE;
    return (CompareMeasures)c->settings->compare.measures;
}
