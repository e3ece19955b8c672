#include "session/run_layer.h"

#include <string.h>

#include "model/cost.h"
#include "model/params.h"
#include "model/update.h"
#include "session/run_gradient.h"

/* The most it spends on comparing a form that is not shown. */
#define RUN_CHECK_BYTES_MAX (256ull << 20)

static bool same_weights(const AttnShape *a, const AttnShape *b) {
    return a->D == b->D && a->H == b->H && a->K == b->K && a->V == b->V && a->bias == b->bias;
}

/* Whether two shapes have the same parameters: all forms do but free and nested. */
static bool same_params(const AttnShape *a, const AttnShape *b) {
    bool same = same_weights(a, b);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        same = same && PARAMS[p].used(a) == PARAMS[p].used(b);
    return same;
}

/* Whether a trace of one shape serves the other: all but T and the score's factor agrees. */
static bool same_trace(const AttnShape *a, const AttnShape *b) {
    return a->form == b->form && a->rank == b->rank && a->block == b->block && a->rope == b->rope &&
           same_params(a, b);
}

/* Whether two plans draw the same weights. The depth counts as it stands: a scheme that does not
 * ask for it draws the same again. */
static bool same_plan(const SchemePlan *a, const SchemePlan *b) {
    bool same = a->seed == b->seed && a->depth == b->depth;
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        same = same && a->scheme[p] == b->scheme[p];
    return same;
}

/* Those of the weights, and the others drawn. */
static bool fill_params(RunLayer *layer, const AttnShape *shape, const Weights *weights,
                        const JobWatch *watch, Err *err) {
    bool given[ATTN_PARAM_COUNT];
    SchemePlan plan = layer->plan;
    plan.watch = watch;
    layer->has_given = false;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        given[p] = layer->params.p[p].rows > 0 && weights_give(weights, p);
        layer->has_given = layer->has_given || given[p];
        if (given[p])
            weights_copy(&layer->params.p[p], weights, p);
    }
    return scheme_draw_rest(&layer->params, shape, &plan, given, err);
}

/* Whether parameters in place are those of a plan and a shape. */
static bool has_drawn(const LayerCache *cache, const SchemePlan *plan, const AttnShape *shape) {
    return cache->has_params && same_plan(&cache->plan, plan) && same_params(&cache->drawn, shape);
}

/* Draw the layer's parameters unless they are those in place; *drawn says whether it did. */
static bool update_params(Run *run, int index, const Session *session, bool *drawn) {
    LayerCache *cache = &run->cache->layers[index];
    RunLayer *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[run->form];
    layer->plan = options_plan(&session->options, layer->scheme);
    *drawn = !has_drawn(cache, &layer->plan, shape);
    if (!*drawn)
        return true;
    cache->has_params = false;
    size_t bytes = attn_params_bytes(shape);
    if (bytes > RUN_BYTES_MAX)
        return err_fail(&run->err, "weights",
                        "would take %.1f GB; use a smaller d_model, d_k or "
                        "fewer heads",
                        (double)bytes / 1e9);
    if (!arena_reserve(&cache->params_arena, bytes, &run->err))
        return false;
    layer->params = attn_params_push(&cache->params_arena, shape);
    layer->weights_version++; /* even where filling stops */
    JobWatch *watch = run->cache->watch;
    if (!fill_params(layer, shape, session->weights, watch, &run->err))
        return job_goes_on(watch) ? false : run_stopped(run);
    cache->drawn = *shape;
    cache->plan = layer->plan;
    cache->has_params = true;
    if (!job_step(watch, scheme_steps(shape, &layer->plan)))
        return run_stopped(run);
    for (int h = 0; h < OPTION_HEADS_MAX; h++)
        cache->rank[h] = RUN_RANK_UNKNOWN;
    return true;
}

int run_form_to_check(const AttnShape *shape) {
    bool as_separate = shape->form == FORM_SEPARATE || shape->form == FORM_MERGED;
    if (shape->form == FORM_FREE || (shape->rope && as_separate))
        return RUN_UNCHECKED;
    return shape->form == FORM_SEPARATE ? FORM_MERGED : FORM_SEPARATE;
}

static void view_traces(Run *run, int index) {
    RunLayer *layer = &run->layers[index];
    for (int f = 0; f < FORM_COUNT; f++)
        if (layer->has_trace[f])
            layer->trace[f] = trace_room_view(&run->cache->layers[index].room, &layer->shape[f]);
}

/* Which forms are to have a trace: the one in use always, the other one where comparing costs
 * little. */
static void want_traces(bool has[FORM_COUNT], const Run *run, int index) {
    const RunLayer *layer = &run->layers[index];
    int checked = run_form_to_check(&layer->shape[run->form]);
    for (int f = 0; f < FORM_COUNT; f++) {
        bool wanted = f == (int)run->form || f == checked;
        size_t most = f == (int)run->form ? RUN_BYTES_MAX : RUN_CHECK_BYTES_MAX;
        has[f] = wanted && attn_trace_bytes(&layer->shape[f]) <= most;
    }
}

static bool push_traces(Run *run, int index) {
    RunLayer *layer = &run->layers[index];
    TraceRoom *room = &run->cache->layers[index].room;
    want_traces(layer->has_trace, run, index);
    if (!layer->has_trace[run->form])
        return err_fail(&run->err, "attention",
                        "would take %.1f GB for %d tokens and %d heads; "
                        "use fewer of either, or a smaller d_model",
                        (double)attn_trace_bytes(&layer->shape[run->form]) / 1e9, run->T,
                        layer->shape[0].H);
    if (!trace_room_push(room, layer->shape, layer->has_trace, run->form, &run->err))
        return false;
    view_traces(run, index);
    layer->checked = run_form_to_check(&layer->shape[run->form]);
    if (layer->checked != RUN_UNCHECKED && !layer->has_trace[layer->checked])
        layer->checked = RUN_UNCHECKED;
    return true;
}

/* Whether the traces that a pass of the same kind left can be those of this one: what was folded
 * for them holds. */
static bool keeps_traces(const Run *run, int index) {
    bool wanted[FORM_COUNT];
    const TraceRoom *room = &run->cache->layers[index].room;
    want_traces(wanted, run, index);
    return memcmp(wanted, room->has, sizeof wanted) == 0 &&
           trace_room_keeps(room, run->layers[index].shape);
}

/* Figures are made when they are asked for; until then it is known over how many keys they stand.
 */
static void mark_stale(Run *run, int index, const uint8_t *rows, int from) {
    RunLayer *layer = &run->layers[index];
    LayerCache *cache = &run->cache->layers[index];
    layer->must_agree = run->form != FORM_RANK || layer->shape[run->form].rank >= layer->shape[0].K;
    cache->has_figures = false;
    for (int i = 0; i < run->T; i++) {
        int *right = &cache->room.right[i], keys = rows[i] == WEIGH_ON ? from : 0;
        *right = rows[i] == WEIGH_SAME || *right < keys ? *right : keys;
    }
}

/* Only where that takes no longer than a frame: the work of the SVD grows with D·K². */
static int rank_of(const RunLayer *layer, int head) {
    const AttnShape *shape = &layer->shape[FORM_SEPARATE];
    double work = (double)shape->D * shape->K * (shape->K < shape->D ? shape->K : shape->D);
    if (layer->params.p[ATTN_W_Q].rows == 0 || work > 2e7)
        return RUN_RANK_UNKNOWN;
    Mat w_q = attn_head_query(&layer->params.p[ATTN_W_Q], shape, head);
    Mat w_k = attn_head_query(&layer->params.p[ATTN_W_K], shape, head);
    return stats_product_rank(&w_q, &w_k);
}

/* Call for the form in use, and then for the one it is compared with. */
static int forms_of(const Run *run, const RunLayer *layer, AttnForm forms[2]) {
    forms[0] = run->form;
    forms[1] = (AttnForm)layer->checked;
    return layer->checked != RUN_UNCHECKED ? 2 : 1;
}

/* The form in use comes first: the nested one folds the weights that separate then takes. */
static bool compute_form(Run *run, RunLayer *layer, AttnForm form, bool fold) {
    AttnTrace *trace = &layer->trace[form];
    const AttnShape *shape = &layer->shape[form];
    JobWatch *watch = run->cache->watch;
    double before = job_done(watch);
    if (fold && !attn_fold_watched(trace, shape, &layer->params, watch, &run->err))
        return job_goes_on(watch) ? false : run_stopped(run);
    if (fold && !job_step_rest(watch, before, cost_fold_steps(shape)))
        return run_stopped(run);
    return attn_forward_watched(trace, shape, &layer->params, &run->X, &run->mask, watch) ||
           run_stopped(run);
}

int run_rank(const Run *run, int layer, int head) {
    const AttnShape *shape = &run->layers[layer].shape[run->form];
    int *rank = &run->cache->layers[layer].rank[head];
    if (*rank == RUN_RANK_UNKNOWN)
        *rank = rank_of(&run->layers[layer], head);
    return run->form == FORM_RANK && *rank > shape->rank ? shape->rank : *rank;
}

/* The values V of the rows whose marks are set. */
static bool are_finite(const Run *run, const RunLayer *layer, const uint8_t *marks) {
    AttnForm forms[2];
    int count = forms_of(run, layer, forms);
    for (int f = 0; f < count; f++)
        for (int t = 0; t < run->T; t++) {
            Mat row = mat_rows(&layer->trace[forms[f]].V, t, 1);
            if (marks[t] && !mat_is_finite(&row))
                return false;
        }
    return true;
}

/* Make room for a text of another length, with what was there for its first `kept` tokens; false
 * where the whole is to be computed instead, in a room of its own. */
static bool fit_room(Run *run, int index, int kept) {
    RunLayer *layer = &run->layers[index];
    LayerCache *cache = &run->cache->layers[index];
    AttnForm forms[2];
    int count = forms_of(run, layer, forms);
    bool fits = trace_room_fits(&cache->room, run->T);
    if (cache->traced.T == run->T && fits)
        return true;
    if (!keeps_traces(run, index) ||
        (!fits && !trace_room_move(&cache->room, layer->shape, kept, &run->err)))
        return false;
    view_traces(run, index);
    for (int f = 0; f < count; f++) {
        AttnTrace *trace = &layer->trace[forms[f]];
        const AttnShape *shape = &layer->shape[forms[f]];
        attn_fold_tokens(trace, shape, kept);
        if (forms[f] == FORM_FREE && !attn_fold(trace, shape, &layer->params, &run->err))
            return false;
    }
    return true;
}

static bool compute_whole(Run *run, int index, const RunChange *change, bool drawn, bool kept) {
    RunLayer *layer = &run->layers[index];
    AttnForm forms[2];
    bool fits = kept && fit_room(run, index, 0);
    if (!fits && !push_traces(run, index))
        return false;
    int count = forms_of(run, layer, forms);
    for (int f = 0; f < count; f++)
        if (!compute_form(run, layer, forms[f], drawn || !fits))
            return false;
    run->cache->layers[index].finite = are_finite(run, layer, change->every);
    return true;
}

/* Another temperature or scale: no product is made again, where the dot products are kept. */
static bool rescale(RunLayer *layer, const AttnForm *forms, int count) {
    for (int f = 0; f < count; f++)
        if (layer->trace[forms[f]].keep == NULL)
            return false;
    for (int f = 0; f < count; f++)
        attn_rescale(&layer->trace[forms[f]], &layer->shape[forms[f]]);
    return true;
}

/* What the change reaches alone; false where the whole is to be computed instead. *rows gets
 * those of A that it reached. */
static bool compute_part(Run *run, int index, const RunChange *change, const uint8_t **rows) {
    RunLayer *layer = &run->layers[index];
    LayerCache *cache = &run->cache->layers[index];
    AttnForm forms[2];
    bool scaled = cache->traced.score_factor != layer->shape[run->form].score_factor;
    bool moved = cache->traced.T != run->T || change->inputs_count > 0;
    if (change->all || !cache->finite || cache->pass + 1 != run->cache->pass || (scaled && moved) ||
        !fit_room(run, index, cache->traced.T < run->T ? cache->traced.T : run->T))
        return false;
    int count = forms_of(run, layer, forms);
    if (scaled && !rescale(layer, forms, count))
        return false;
    *rows = scaled ? change->every : change->rows;
    const AttnChange part = {change->inputs, *rows, change->from};
    for (int f = 0; f < count; f++)
        attn_update(&layer->trace[forms[f]], &layer->shape[forms[f]], &layer->params, &run->X,
                    &run->mask, &part);
    return cache->finite = are_finite(run, layer, change->inputs);
}

bool run_layer_update(Run *run, int index, const Session *session, const RunChange *change) {
    const Options *o = &session->options;
    RunLayer *layer = &run->layers[index];
    LayerCache *cache = &run->cache->layers[index];
    layer->scheme = index == 0 ? o->init : o->beside;
    for (int f = 0; f < FORM_COUNT; f++)
        layer->shape[f] = options_shape(o, run->T, (AttnForm)f);
    bool drawn = false;
    if (!update_params(run, index, session, &drawn))
        return false;
    const AttnShape *shape = &layer->shape[run->form];
    bool kept = cache->has_trace && same_trace(&cache->traced, shape);
    const uint8_t *rows = change->every;
    cache->has_trace = false;
    layer->W_QK_offset = (Mat){0};
    layer->gradient = layer->checked_gradient = (RunGradient){0};
    if (!kept || drawn || !compute_part(run, index, change, &rows)) {
        rows = change->every;
        if (!compute_whole(run, index, change, drawn, kept))
            return false;
    }
    cache->has_trace = true;
    cache->traced = *shape;
    cache->pass = run->cache->pass;
    mark_stale(run, index, rows, change->from);
    return true;
}

AttnTrace run_whole_trace(const Run *run, int index) {
    const RunLayer *layer = &run->layers[index];
    return attn_trace_whole(run_trace(run, index), &layer->shape[run->form], &layer->params,
                            &run->X);
}

bool run_layer_keeps(const Run *run, int index, const Session *session) {
    const Options *o = &session->options;
    AttnShape shape = options_shape(o, 1, (AttnForm)o->form.row);
    SchemePlan plan = options_plan(o, index == 0 ? o->init : o->beside);
    return has_drawn(&run->cache->layers[index], &plan, &shape) &&
           session->weights == run->cache->session.weights;
}

double run_layer_steps(const Run *run, int index, const Session *session, int T) {
    const Options *o = &session->options;
    const LayerCache *cache = &run->cache->layers[index];
    AttnShape shape = options_shape(o, T, (AttnForm)o->form.row);
    SchemePlan plan = options_plan(o, index == 0 ? o->init : o->beside);
    bool drawn = !run_layer_keeps(run, index, session);
    bool moves = cache->traced.T != T && (shape.rope || shape.form == FORM_FREE);
    bool folds = drawn || !cache->has_trace || moves || !same_trace(&cache->traced, &shape);
    double steps = cost_steps(&shape) + (drawn ? scheme_steps(&shape, &plan) : 0) +
                   (folds ? cost_fold_steps(&shape) : 0);
    int checked = run_form_to_check(&shape);
    AttnShape other =
        options_shape(o, T, checked != RUN_UNCHECKED ? (AttnForm)checked : shape.form);
    if (checked != RUN_UNCHECKED && attn_trace_bytes(&other) <= RUN_CHECK_BYTES_MAX)
        steps += cost_steps(&other) + (folds ? cost_fold_steps(&other) : 0);
    return steps;
}

bool run_offset_family(Run *run, int index, Err *err) {
    RunLayer *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[run->form];
    Arena *arena = &run->cache->layers[index].offset_arena;
    size_t bytes = attn_offset_bytes(shape);
    if (run->form != FORM_MERGED || !shape->rope)
        return true;
    if (bytes > RUN_BYTES_MAX)
        return err_fail(err, "W_QK_offset",
                        "one matrix for each of %d distances and %d heads would take %.1f GB; use "
                        "fewer tokens or a smaller d_model",
                        2 * shape->T - 1, shape->H, (double)bytes / 1e9);
    if (!arena_reserve(arena, bytes, err))
        return false;
    layer->W_QK_offset = attn_offset_push(arena, shape, &layer->params);
    return true;
}
