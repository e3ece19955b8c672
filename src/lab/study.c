#include "lab/study.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/rng.h"
#include "model/attention/params.h"

AttnShape study_shape(const StudyPlan *plan, int scheme) {
    AttnShape shape = plan->shape;
    if (plan->schemes[scheme].K > 0) {
        shape.K = plan->schemes[scheme].K;
        shape.score_factor = plan->schemes[scheme].factor;
    }
    return shape;
}

uint64_t study_plan_hash(const StudyPlan *plan) {
    uint64_t hash = attn_shape_hash(&plan->shape);
    for (int i = 0; i < plan->scheme_count; i++) {
        const StudyScheme *of = &plan->schemes[i];
        const AttnShape shape = study_shape(plan, i);
        const uint64_t one[] = {hash, attn_shape_hash(&shape), of->plan.seed,
                                (uint64_t)of->plan.depth,
                                rng_hash(of->plan.scheme, sizeof of->plan.scheme)};
        hash = rng_hash(one, sizeof one);
    }
    const uint64_t all[] = {hash, (uint64_t)plan->layers, plan->parts, plan->draws_x};
    return rng_hash(all, sizeof all);
}

uint64_t study_plan_bytes(const StudyPlan *plan) {
    const EmbedInput *input = &plan->input.embed;
    uint64_t T = (size_t)plan->shape.T, bytes = arena_padded(T * T);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        bytes += mat_bytes(plan->given[p].rows, plan->given[p].cols);
    if (plan->draws_x)
        return bytes + arena_padded(input->text_bytes) + arena_padded(T * sizeof *input->tokens);
    return bytes + arena_padded(sizeof(Mat)) + mat_bytes(plan->x->rows, plan->x->cols);
}

static void *keep_bytes(Arena *arena, const void *from, size_t bytes) {
    return memcpy(arena_push(arena, bytes), from, bytes);
}

void study_plan_keep(StudyPlan *plan, Arena *arena) {
    EmbedInput *input = &plan->input.embed;
    size_t T = (size_t)plan->shape.T;
    plan->mask.open = keep_bytes(arena, plan->mask.open, T * T);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0)
            plan->given[p] = mat_push_copy(arena, &plan->given[p]);
    if (plan->draws_x) {
        input->text = keep_bytes(arena, input->text, input->text_bytes);
        input->tokens = keep_bytes(arena, input->tokens, T * sizeof *input->tokens);
        plan->x = NULL;
    } else {
        Mat *x = keep_bytes(arena, plan->x, sizeof *x);
        *x = mat_push_copy(arena, x);
        plan->x = x;
    }
}

/* Mark a free unit as taken and return its index; -1 if there is none. */
static long long take_unit(Study *s) {
    for (;;) {
        unsigned char is_free = UNIT_FREE;
        long long unit = atomic_fetch_add(&s->next, 1);
        if (unit >= s->units)
            return -1;
        if (atomic_compare_exchange_strong(&s->state[unit], &is_free, UNIT_TAKEN))
            return unit;
    }
}

static void leave_unit(Study *s, long long unit) {
    long long next = atomic_load(&s->next);
    atomic_store(&s->state[unit], UNIT_FREE);
    while (unit < next && !atomic_compare_exchange_weak(&s->next, &next, unit))
        ;
}

static float *values_at(const Study *study, long long unit) {
    return study->values + (size_t)unit * (size_t)study->plan.layers * STUDY_STAT_COUNT;
}

static size_t stat_index(const Study *study, int scheme, int layer, StudyStat stat) {
    assert(scheme >= 0 && scheme < study->plan.scheme_count);
    assert(layer >= 0 && layer < study->plan.layers && stat < STUDY_STAT_COUNT);
    return ((size_t)scheme * (size_t)study->plan.layers + (size_t)layer) * STUDY_STAT_COUNT +
           (size_t)stat;
}

static void work(Job *job) {
    Study *s = (Study *)job;
    StudyBench bench = {.job = job};
    Err err = {0};
    bool goes_on = true;
    for (long long unit; goes_on && job_goes_on(job) && (unit = take_unit(s)) >= 0;) {
        goes_on = study_compute(values_at(s, unit), &bench, &s->plan, unit, &err);
        for (int l = 0; s->expected != NULL && unit < s->plan.scheme_count && l < s->plan.layers;
             l++)
            study_expect(s->expected + stat_index(s, (int)unit, l, 0), &s->plan, (int)unit, l);
        if (goes_on)
            atomic_store(&s->state[unit], UNIT_DONE);
        else
            leave_unit(s, unit);
    }
    study_bench_release(&bench);
    if (goes_on || !job_goes_on(job) || atomic_exchange(&s->failed, true))
        return;
    s->err = err; /* keep only the first error */
    job_stop(job);
}

static void free_study(Job *job) {
    arena_release(&((Study *)job)->arena);
    free(job);
}

static bool check_seeds(const StudyPlan *plan, Err *err) {
    char what[64];
    snprintf(what, sizeof what, "--seeds %d", plan->seeds);
    uint64_t more = (uint64_t)plan->seeds - 1, first = plan->schemes[0].plan.seed;
    if (first > UINT64_MAX - more)
        return err_usage(err, what,
                         "runs past the last seed, 2⁶⁴ − 1; start from a smaller --seed");
    size_t unit_bytes = (size_t)plan->layers * STUDY_STAT_COUNT * sizeof(float) + 1;
    size_t most = STUDY_BYTES_MAX / (unit_bytes * (size_t)plan->scheme_count);
    return (size_t)plan->seeds <= most ||
           err_usage(err, what,
                     "%d schemes of depth %d allow from 1 to %zu seeds; reduce one of these",
                     plan->scheme_count, plan->layers, most);
}

Study *study_create(const StudyPlan *plan, Err *err) {
    assert(plan->seeds >= 1 && plan->layers >= 1);
    assert(plan->scheme_count >= 1 && plan->scheme_count <= STUDY_SCHEMES_MAX);
    if (!check_seeds(plan, err))
        return NULL;
    Study *study = heap_get_zero(1, sizeof *study);
    if (study == NULL)
        return err_null(err, "memory", "too little for a study; close other programs");
    size_t units = (size_t)plan->scheme_count * (size_t)plan->seeds;
    size_t stats = (size_t)plan->layers * STUDY_STAT_COUNT;
    size_t values = stats * units * sizeof *study->values;
    size_t moments = stats * (size_t)plan->scheme_count * sizeof *study->moments;
    size_t expected = stats * (size_t)plan->scheme_count * sizeof *study->expected;
    if (!arena_reserve(&study->arena,
                       arena_padded(values) + arena_padded(moments) + arena_padded(expected) +
                           arena_padded(units) + study_plan_bytes(plan),
                       err)) {
        free(study);
        return NULL;
    }
    study->job = (Job){.work = work, .free = free_study, .priority = JOB_FOLLOWS, .is_long = true};
    study->plan = *plan;
    study_plan_keep(&study->plan, &study->arena);
    study->values = arena_push(&study->arena, values);
    study->moments = arena_push_zero(&study->arena, moments);
    if ((plan->parts & STUDY_THEORY) != 0)
        study->expected = arena_push(&study->arena, expected);
    study->state = arena_push_zero(&study->arena, units * sizeof *study->state);
    study->units = (long long)units;
    return study;
}

/* Welford's update, exact if all values are equal. Source: Welford 1962, "Note on a method for
 * calculating corrected sums of squares and products". */
static void add_value(StudyMoments *m, double value, int count) {
    double away = value - m->mean;
    m->mean += away / count;
    m->squares += away * (value - m->mean);
    m->least = count == 1 || !(value >= m->least) ? value : m->least;
    m->most = count == 1 || !(value <= m->most) ? value : m->most;
}

void study_update(Study *study) {
    size_t stats = (size_t)study->plan.layers * STUDY_STAT_COUNT;
    int schemes = study->plan.scheme_count;
    for (; study->in < study->units && study->state[study->in] == UNIT_DONE; study->in++) {
        StudyMoments *moments = study->moments + (size_t)(study->in % schemes) * stats;
        for (size_t s = 0; s < stats; s++)
            add_value(&moments[s], (double)values_at(study, study->in)[s],
                      (int)(study->in / schemes) + 1);
    }
}

bool study_is_over(const Study *study) {
    return study->in >= study->units || atomic_load(&study->failed);
}

void study_cut(Study *study, int seeds) {
    const StudyPlan *plan = &study->plan;
    size_t stats = (size_t)plan->layers * STUDY_STAT_COUNT;
    assert(seeds >= 1 && seeds <= study_seeds_in(study));
    memset(study->moments, 0, stats * (size_t)plan->scheme_count * sizeof *study->moments);
    study->plan.seeds = seeds;
    study->units = (long long)plan->scheme_count * seeds;
    study->in = 0;
    study_update(study);
}

int study_seeds_in(const Study *study) {
    return (int)(study->in / study->plan.scheme_count);
}

StudySummary study_summary(const Study *study, int scheme, int layer, StudyStat stat) {
    const StudyMoments *m = &study->moments[stat_index(study, scheme, layer, stat)];
    int schemes = study->plan.scheme_count, in = study_seeds_in(study);
    int count = in + (study->in % schemes > scheme);
    if (count == 0 || !isfinite(m->mean) || !isfinite(m->squares))
        return (StudySummary){NAN, NAN, NAN, NAN, count};
    double std = count > 1 ? sqrt(m->squares / (count - 1)) : 0;
    return (StudySummary){m->mean, std, m->least, m->most, count};
}

float study_value(const Study *study, int scheme, int seed, int layer, StudyStat stat) {
    long long unit = (long long)seed * study->plan.scheme_count + scheme;
    assert(unit >= 0 && unit < study->units && study->state[unit] == UNIT_DONE);
    size_t at = stat_index(study, scheme, layer, stat) - stat_index(study, scheme, 0, 0);
    return values_at(study, unit)[at];
}

static bool depends_on_given(const StudyPlan *plan, StudyStat stat) {
    const StudyStatRow *row = &STUDY_STATS[stat];
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0 && (!row->of_weight || row->which == (size_t)PARAMS[p].like))
            return true;
    return false;
}

void study_expect(double out[STUDY_STAT_COUNT], const StudyPlan *plan, int scheme, int layer) {
    StackPlace place = {.layer = layer, .layers = plan->layers};
    const AttnShape shape = study_shape(plan, scheme);
    Expected e = expect_in_stack(&shape, &plan->schemes[scheme].plan, &plan->mask, place);
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
        size_t at = STUDY_STATS[s].expected;
        out[s] = NAN;
        if (at != SIZE_MAX && study_stat_exists(s, &shape, &plan->mask) &&
            !depends_on_given(plan, s))
            memcpy(&out[s], (const char *)&e + at, sizeof out[s]);
    }
}

uint64_t study_layer_seed(uint64_t seed, int layer) {
    static const char name[] = "layers of a stack";
    assert(layer >= 0);
    Rng rng = rng_stream(seed, rng_hash(name, sizeof name - 1));
    return layer == 0 ? seed : rng_bits(rng, (uint64_t)layer);
}
