#include "lab/study.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "model/attention/params.h"

static bool check_seeds(const StudyPlan *plan, Err *err) {
    char what[64];
    snprintf(what, sizeof what, "--seeds %d", plan->seeds);
    uint64_t more = (uint64_t)plan->seeds - 1, first = plan->schemes[0].plan.seed;
    if (first > UINT64_MAX - more)
        return err_usage(err, what,
                         "runs past the last seed, 2⁶⁴ − 1; start from a smaller --seed");
    size_t unit_bytes = (size_t)plan->layers * STUDY_STAT_COUNT * sizeof(float) + 1;
    size_t seed_bytes = unit_bytes * (size_t)plan->scheme_count;
    size_t most = STUDY_BYTES_MAX / seed_bytes;
    if ((size_t)plan->seeds > most)
        return err_usage(err, what,
                         "%d schemes of depth %d take seeds from 1 to %zu; use fewer of any",
                         plan->scheme_count, plan->layers, most);
    return true;
}

bool study_init(Study *study, const StudyPlan *plan, Err *err) {
    assert(plan->seeds >= 1 && plan->layers >= 1);
    assert(plan->scheme_count >= 1 && plan->scheme_count <= STUDY_SCHEMES_MAX);
    *study = (Study){.plan = *plan, .units = (long long)plan->scheme_count * plan->seeds};
    if (!check_seeds(plan, err))
        return false;
    size_t stats = (size_t)plan->layers * STUDY_STAT_COUNT;
    size_t values = stats * (size_t)study->units * sizeof *study->values;
    size_t moments = stats * (size_t)plan->scheme_count * sizeof *study->moments;
    size_t done = (size_t)study->units * sizeof *study->done;
    if (!arena_reserve(&study->arena,
                       arena_padded(values) + arena_padded(moments) + arena_padded(done), err))
        return false;
    study->values = arena_push(&study->arena, values);
    study->moments = arena_push_zero(&study->arena, moments);
    study->done = arena_push_zero(&study->arena, done);
    return true;
}

void study_release(Study *study) {
    arena_release(&study->arena);
    *study = (Study){0};
}

/* Fail if the bench would be too large. once: bytes needed in addition to the layers. */
static bool check_bench(size_t layer_bytes, size_t once, int layers, Err *err) {
    char what[64];
    size_t one = mat_bytes_add(layer_bytes, once);
    if (one <= STUDY_BYTES_MAX && layer_bytes <= (STUDY_BYTES_MAX - once) / (size_t)layers)
        return true;
    snprintf(what, sizeof what, "--depth %d", layers);
    if (one > STUDY_BYTES_MAX)
        return err_fail(err, what,
                        "one layer of this shape would take %.1f GB; use fewer tokens or heads, or "
                        "a smaller d_model",
                        (double)one / 1e9);
    return err_usage(err, what, "layers of this shape stack from 1 to %d deep",
                     (int)((STUDY_BYTES_MAX - once) / layer_bytes));
}

static size_t backward_bytes(const StudyPlan *plan) {
    const AttnShape *shape = &plan->shape;
    if ((plan->parts & STUDY_BACKWARD) == 0)
        return 0;
    size_t back = attn_back_bytes(shape), bytes = mat_bytes_add(back, back);
    bytes = mat_bytes_add(bytes, attn_grads_bytes(shape));
    return mat_bytes_add(bytes, mat_bytes(shape->T, shape->D));
}

static size_t input_bytes(const StudyPlan *plan) {
    size_t notes = arena_padded((size_t)plan->shape.T * sizeof(EmbedNote));
    return plan->draws_x ? mat_bytes_add(mat_bytes(plan->shape.T, plan->shape.D), notes) : 0;
}

bool study_bench_init(StudyBench *bench, const StudyPlan *plan, Err *err) {
    *bench = (StudyBench){0};
    size_t count = (size_t)plan->layers, backward = backward_bytes(plan);
    size_t once = mat_bytes_add(backward, input_bytes(plan));
    size_t params = count * sizeof *bench->params, trace = count * sizeof *bench->trace;
    size_t layer_bytes =
        mat_bytes_add(attn_params_bytes(&plan->shape), attn_trace_bytes(&plan->shape));
    if (!check_bench(layer_bytes, once, plan->layers, err) ||
        !arena_reserve(&bench->arena,
                       arena_padded(params) + arena_padded(trace) + count * layer_bytes + once,
                       err))
        return false;
    bench->params = arena_push(&bench->arena, params);
    bench->trace = arena_push(&bench->arena, trace);
    for (int l = 0; l < plan->layers; l++) {
        bench->params[l] = attn_params_push(&bench->arena, &plan->shape);
        bench->trace[l] = attn_trace_push(&bench->arena, &plan->shape);
    }
    if (backward > 0) {
        bench->grads = attn_grads_push(&bench->arena, &plan->shape);
        bench->back[0] = attn_back_push(&bench->arena, &plan->shape);
        bench->back[1] = attn_back_push(&bench->arena, &plan->shape);
        bench->G = mat_push(&bench->arena, plan->shape.T, plan->shape.D);
    }
    if (plan->draws_x) {
        bench->x = mat_push(&bench->arena, plan->shape.T, plan->shape.D);
        bench->notes = arena_push(&bench->arena, (size_t)plan->shape.T * sizeof *bench->notes);
    }
    return true;
}

void study_bench_release(StudyBench *bench) {
    arena_release(&bench->arena);
    *bench = (StudyBench){0};
}

uint64_t study_layer_seed(uint64_t seed, int layer) {
    static const char name[] = "layers of a stack";
    assert(layer >= 0);
    Rng rng = rng_stream(seed, rng_hash(name, sizeof name - 1));
    return layer == 0 ? seed : rng_bits(rng, (uint64_t)layer);
}

static bool stopped(Err *err) {
    return err_fail(err, "study", "was stopped");
}

static bool forward(StudyBench *bench, const StudyPlan *plan, SchemePlan draw, int layer,
                    const Mat *x, Err *err) {
    AttnParams *params = &bench->params[layer];
    AttnTrace *trace = &bench->trace[layer];
    bool given[ATTN_PARAM_COUNT];
    draw.seed = study_layer_seed(draw.seed, layer);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        given[p] = params->p[p].rows > 0 && plan->given[p].rows > 0;
        if (given[p])
            mat_copy(&params->p[p], &plan->given[p]);
    }
    if (!scheme_draw_rest(params, &plan->shape, &draw, given, err) ||
        !attn_fold(trace, &plan->shape, params, err))
        return false;
    attn_forward(trace, &plan->shape, params, x, &plan->mask);
    return job_goes_on(bench->job) || stopped(err);
}

/* Return the input of a layer. If the lowest layer's is sampled, that must have been done. */
static const Mat *input_of(const StudyBench *bench, const StudyPlan *plan, int layer) {
    if (layer > 0)
        return &bench->trace[layer - 1].Y;
    return plan->draws_x ? &bench->x : plan->x;
}

static bool draw_input(StudyBench *bench, const StudyInput *input, uint64_t seed, Err *err) {
    EmbedInput in = input->embed;
    in.seed = seed;
    if (!embed(&bench->x, bench->notes, &in, err))
        return false;
    position_add(&bench->x, input->positions, seed);
    return true;
}

/* Compute the gradients of one layer from those of the layer above. */
static bool backward(StudyBench *bench, const StudyPlan *plan, int layer) {
    bool highest = layer == plan->layers - 1;
    const Mat *dout = highest ? &bench->G : &bench->back[(layer + 1) % 2].X;
    attn_backward(&bench->grads, &bench->back[layer % 2], &plan->shape, &bench->params[layer],
                  &bench->trace[layer], input_of(bench, plan, layer), dout);
    return job_goes_on(bench->job);
}

/* Compute the gradients that the plan requests, and then all statistics of the layer. */
static bool look_back(float *values, StudyBench *bench, const StudyPlan *plan, int l, Err *err) {
    StudyLayer layer = {.shape = &plan->shape,
                        .params = &bench->params[l],
                        .trace = &bench->trace[l],
                        .x = input_of(bench, plan, l),
                        .mask = &plan->mask,
                        .job = bench->job};
    if ((plan->parts & STUDY_BACKWARD) != 0) {
        if (!backward(bench, plan, l))
            return stopped(err);
        layer.grads = &bench->grads;
        layer.dx = &bench->back[l % 2].X;
    }
    return study_measure(values + (size_t)l * STUDY_STAT_COUNT, &layer, plan->parts) ||
           stopped(err);
}

bool study_compute_pass(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                        int pass, Err *err) {
    assert(pass >= 0 && pass < 2 * plan->layers);
    SchemePlan draw = plan->schemes[unit % plan->scheme_count].plan;
    draw.seed += (uint64_t)(unit / plan->scheme_count);
    if (pass == 0 && plan->draws_x && !draw_input(bench, &plan->input, draw.seed, err))
        return false;
    if (pass < plan->layers)
        return forward(bench, plan, draw, pass, input_of(bench, plan, pass), err);
    if (pass == plan->layers && (plan->parts & STUDY_BACKWARD) != 0)
        attn_output_gradient_draw(&bench->G, draw.seed);
    return look_back(values, bench, plan, 2 * plan->layers - 1 - pass, err);
}

bool study_compute(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                   Err *err) {
    for (int pass = 0; pass < 2 * plan->layers; pass++)
        if (!study_compute_pass(values, bench, plan, unit, pass, err))
            return false;
    return true;
}

float *study_values_at(const Study *study, long long unit) {
    assert(unit >= 0 && unit < study->units);
    return study->values + (size_t)unit * (size_t)study->plan.layers * STUDY_STAT_COUNT;
}

/* Welford's update, which is exact for equal values. Source: Welford 1962, "Note on a method for
 * calculating corrected sums of squares and products". */
static void add_value(StudyMoments *m, double value, int count) {
    double away = value - m->mean;
    m->mean += away / count;
    m->squares += away * (value - m->mean);
    m->least = count == 1 || !(value >= m->least) ? value : m->least;
    m->most = count == 1 || !(value <= m->most) ? value : m->most;
}

static void add_unit(Study *study, long long unit) {
    size_t stats = (size_t)study->plan.layers * STUDY_STAT_COUNT;
    const float *values = study_values_at(study, unit);
    int schemes = study->plan.scheme_count, count = (int)(unit / schemes) + 1;
    StudyMoments *moments = study->moments + (size_t)(unit % schemes) * stats;
    for (size_t s = 0; s < stats; s++)
        add_value(&moments[s], (double)values[s], count);
}

void study_finish(Study *study, long long unit) {
    assert(unit >= 0 && unit < study->units && !study->done[unit]);
    study->done[unit] = 1;
    for (; study->in < study->units && study->done[study->in]; study->in++)
        add_unit(study, study->in);
}

void study_cut(Study *study, int seeds) {
    const StudyPlan *plan = &study->plan;
    size_t stats = (size_t)plan->layers * STUDY_STAT_COUNT;
    assert(seeds >= 1 && seeds <= study_seeds_in(study));
    memset(study->moments, 0, stats * (size_t)plan->scheme_count * sizeof *study->moments);
    study->plan.seeds = seeds;
    study->units = (long long)plan->scheme_count * seeds;
    for (study->in = 0; study->in < study->units; study->in++)
        add_unit(study, study->in);
}

bool study_step(Study *study, StudyBench *bench, int units, Err *err) {
    for (; units > 0 && study->in < study->units; units--) {
        long long unit = study->in;
        if (!study_compute(study_values_at(study, unit), bench, &study->plan, unit, err))
            return false;
        study_finish(study, unit);
    }
    return true;
}

int study_seeds_in(const Study *study) {
    return (int)(study->in / study->plan.scheme_count);
}

static size_t stat_index(const Study *study, int scheme, int layer, StudyStat stat) {
    assert(scheme >= 0 && scheme < study->plan.scheme_count);
    assert(layer >= 0 && layer < study->plan.layers && stat < STUDY_STAT_COUNT);
    return ((size_t)scheme * (size_t)study->plan.layers + (size_t)layer) * STUDY_STAT_COUNT +
           (size_t)stat;
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
    assert(unit >= 0 && unit < study->units && study->done[unit]);
    size_t at = stat_index(study, scheme, layer, stat) - stat_index(study, scheme, 0, 0);
    return study_values_at(study, unit)[at];
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
    Expected e = expect_in_stack(&plan->shape, &plan->schemes[scheme].plan, &plan->mask, place);
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
        size_t at = STUDY_STATS[s].expected;
        out[s] = NAN;
        if (at != SIZE_MAX && study_stat_exists(s, &plan->shape, &plan->mask) &&
            !depends_on_given(plan, s))
            memcpy(&out[s], (const char *)&e + at, sizeof out[s]);
    }
}
