/* Computes the units of a study (lab/study.h). */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "lab/study.h"
#include "model/attention/params.h"

/* Fail if a StudyBench would be too large. once: bytes in addition to those of the layers. */
static bool check_size(uint64_t layer_bytes, uint64_t once, int layers, Err *err) {
    char what[64];
    uint64_t one = layer_bytes + once;
    if (one <= STUDY_BYTES_MAX && layer_bytes <= (STUDY_BYTES_MAX - once) / (uint64_t)layers)
        return true;
    snprintf(what, sizeof what, "--depth %d", layers);
    if (one > STUDY_BYTES_MAX)
        return err_fail(err, what,
                        "one layer of this shape would take %.1f GB; use fewer tokens or heads, or "
                        "a smaller d_model",
                        (double)one / 1e9);
    return err_usage(err, what, "a stack of such layers can have a depth from 1 to %d",
                     (int)((STUDY_BYTES_MAX - once) / layer_bytes));
}

bool study_bench_fit(StudyBench *bench, const StudyPlan *plan, int scheme, Err *err) {
    const AttnShape of = study_shape(plan, scheme), *shape = &of;
    bool has_backward = (plan->parts & STUDY_BACKWARD) != 0;
    if (attn_shape_equal(&bench->shape, shape) && bench->layers == plan->layers &&
        bench->has_backward == has_backward && bench->draws_x == plan->draws_x)
        return true;
    size_t count = (size_t)plan->layers, params = count * sizeof *bench->params;
    size_t traces = count * sizeof *bench->trace, notes = (size_t)shape->T * sizeof *bench->notes;
    uint64_t layer_bytes = attn_params_bytes(shape) + attn_trace_bytes(shape);
    uint64_t back = attn_back_bytes(shape), row = mat_bytes(shape->T, shape->D), once = 0;
    if (has_backward)
        once = back + back + attn_grads_bytes(shape) + row;
    if (plan->draws_x)
        once += row + arena_padded(notes);
    Arena *arena = &bench->arena;
    *bench = (StudyBench){.job = bench->job, .arena = bench->arena};
    if (!check_size(layer_bytes, once, plan->layers, err) ||
        !arena_reserve(
            arena, arena_padded(params) + arena_padded(traces) + count * layer_bytes + once, err))
        return false;
    bench->params = arena_push(arena, params);
    bench->trace = arena_push(arena, traces);
    for (int l = 0; l < plan->layers; l++) {
        bench->params[l] = attn_params_push(arena, shape);
        bench->trace[l] = attn_trace_push(arena, shape);
    }
    if (has_backward) {
        bench->grads = attn_grads_push(arena, shape);
        bench->back[0] = attn_back_push(arena, shape);
        bench->back[1] = attn_back_push(arena, shape);
        bench->G = mat_push(arena, shape->T, shape->D);
    }
    if (plan->draws_x) {
        bench->x = mat_push(arena, shape->T, shape->D);
        bench->notes = arena_push(arena, notes);
    }
    bench->shape = *shape;
    bench->layers = plan->layers;
    bench->has_backward = has_backward;
    bench->draws_x = plan->draws_x;
    return true;
}

void study_bench_release(StudyBench *bench) {
    arena_release(&bench->arena);
    *bench = (StudyBench){0};
}

static bool stopped(Err *err) {
    return err_fail(err, "study", "was stopped");
}

StudyLayer study_bench_layer(const StudyBench *bench, const StudyPlan *plan, int layer) {
    const Mat *lowest = plan->draws_x ? &bench->x : plan->x;
    return (StudyLayer){.shape = &bench->shape,
                        .params = &bench->params[layer],
                        .trace = &bench->trace[layer],
                        .x = layer > 0 ? &bench->trace[layer - 1].Y : lowest,
                        .mask = &plan->mask,
                        .job = bench->job};
}

static bool forward(StudyBench *bench, const StudyPlan *plan, const SchemePlan *draw, int layer,
                    Err *err) {
    AttnParams *params = &bench->params[layer];
    AttnTrace *trace = &bench->trace[layer];
    bool given[ATTN_PARAM_COUNT];
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        given[p] = params->p[p].rows > 0 && plan->given[p].rows > 0;
        if (given[p])
            mat_copy(&params->p[p], &plan->given[p]);
    }
    if (!scheme_draw_rest(params, &bench->shape, draw, given, err) ||
        !attn_fold(trace, &bench->shape, params, err))
        return false;
    attn_forward(trace, &bench->shape, params, study_bench_layer(bench, plan, layer).x,
                 &plan->mask);
    return job_goes_on(bench->job) || stopped(err);
}

static uint64_t seed_of(const StudyPlan *plan, long long unit) {
    return plan->schemes[unit % plan->scheme_count].plan.seed +
           (uint64_t)(unit / plan->scheme_count);
}

bool study_forward(StudyBench *bench, const StudyPlan *plan, long long unit, Err *err) {
    int scheme = (int)(unit % plan->scheme_count);
    SchemePlan draw = plan->schemes[scheme].plan;
    uint64_t seed = seed_of(plan, unit);
    bool made = study_bench_fit(bench, plan, scheme, err);
    if (made && plan->draws_x) {
        EmbedInput in = plan->input.embed;
        in.seed = seed;
        made = embed(&bench->x, bench->notes, &in, err);
        position_add(&bench->x, 0, plan->input.positions, seed);
    }
    for (int l = 0; made && l < plan->layers; l++) {
        draw.seed = study_layer_seed(seed, l);
        made = forward(bench, plan, &draw, l, err);
    }
    return made;
}

static bool backward(float *values, StudyBench *bench, const StudyPlan *plan, uint64_t seed, int l,
                     Err *err) {
    StudyLayer layer = study_bench_layer(bench, plan, l);
    if (bench->has_backward) {
        bool is_highest = l == plan->layers - 1;
        const Mat *dout = is_highest ? &bench->G : &bench->back[(l + 1) % 2].X;
        if (is_highest)
            attn_output_gradient_draw(&bench->G, seed);
        attn_backward(&bench->grads, &bench->back[l % 2], &bench->shape, layer.params, layer.trace,
                      layer.x, dout);
        if (!job_goes_on(bench->job))
            return stopped(err);
        layer.grads = &bench->grads;
        layer.dx = &bench->back[l % 2].X;
    }
    *err = (Err){0};
    layer.err = err;
    return study_measure(values + (size_t)l * STUDY_STAT_COUNT, &layer, plan->parts) ||
           (err->kind == ERR_NONE && stopped(err));
}

bool study_compute(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                   Err *err) {
    bool made = study_forward(bench, plan, unit, err);
    for (int l = plan->layers - 1; made && l >= 0; l--)
        made = backward(values, bench, plan, seed_of(plan, unit), l, err);
    return made;
}
