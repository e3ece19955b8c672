#include "results/layer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "model/analysis/spectrum.h"
#include "model/attention/hand_numbers.h"
#include "results/by_hand.h"

/* Limit of bytes for the trace of a checked form. */
#define RUN_CHECK_BYTES_MAX (256ull << 20)

/* Return only those members of the shape on which parameters depend. All forms except free and
 * nested have the same parameters. */
static AttnShape params_shape(const AttnShape *shape) {
    bool has_others = shape->form == FORM_FREE || shape->form == FORM_NESTED;
    return (AttnShape){.D = shape->D,
                       .H = shape->H,
                       .K = shape->K,
                       .V = shape->V,
                       .form = has_others ? shape->form : FORM_SEPARATE,
                       .bias = shape->bias,
                       .traits = shape->traits};
}

static bool same_params(const AttnShape *a, const AttnShape *b) {
    AttnShape left = params_shape(a), right = params_shape(b);
    return attn_shape_equal(&left, &right);
}

/* True if the matrices that attn_fold computed for one shape are valid for the other: only T and
 * score_factor may differ. */
static bool same_trace(const AttnShape *a, const AttnShape *b) {
    AttnShape other = *b;
    other.T = a->T;
    other.score_factor = a->score_factor;
    return attn_shape_equal(a, &other);
}

/* True if two plans sample the same weights. Plans of different depths always count as different.
 */
static bool same_plan(const SchemePlan *a, const SchemePlan *b) {
    bool same = a->seed == b->seed && a->depth == b->depth;
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        same = same && a->scheme[p] == b->scheme[p];
    return same;
}

/* Copy the parameters that the session's weights contain, sample the others, and apply numbers set
 * by hand. */
static bool fill_params(LayerResults *layer, const AttnShape *shape, const Session *session,
                        const Job *job, Err *err) {
    const Weights *weights = session->weights;
    bool given[ATTN_PARAM_COUNT];
    layer->has_given = false;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        given[p] = layer->params.p[p].rows > 0 && weights_give(weights, p);
        layer->has_given = layer->has_given || given[p];
        if (given[p])
            weights_copy(&layer->params.p[p], weights, p);
    }
    if (weights != NULL)
        weights_copy_gains(&layer->params, weights);
    if (!scheme_draw_rest(&layer->params, shape, &layer->plan, given, err))
        return false;
    return hand_params_apply(&layer->params, hand_set_numbers(session->hand), shape, job, err);
}

/* Sample the layer's parameters, unless they exist. If they are sampled, products that were
 * computed from the previous parameters are stale, even if this update fails. */
static bool update_params(Results *run, int index, const Session *session) {
    LayerCache *cache = &run->cache->layers[index];
    LayerResults *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[run->form];
    layer->plan = options_plan(&session->options, layer->scheme);
    if (cache->has_params && same_plan(&cache->plan, &layer->plan) &&
        same_params(&cache->drawn, shape))
        return true;
    cache->has_params = cache->has_trace = false;
    uint64_t bytes = attn_params_bytes(shape);
    if (bytes > RESULTS_BYTES_MAX)
        return err_fail(&run->err, "weights",
                        "would take %.1f GB; use a smaller d_model or d_k, or fewer heads",
                        (double)bytes / 1e9);
    Arena *arena = part_reserve(&cache->params, bytes, &run->err);
    if (arena == NULL)
        return false;
    layer->params = attn_params_push(arena, shape);
    layer->weights_version++; /* also if sampling fails below */
    bool is_filled = fill_params(layer, shape, session, run->cache->job, &run->err) &&
                     (shape->form != FORM_NESTED || /* its params include products of factors */
                      attn_fold(&layer->trace[FORM_NESTED], shape, &layer->params, &run->err));
    if (!is_filled)
        return false;
    if (!job_goes_on(run->cache->job)) /* hand_params_apply may have skipped some heads */
        return results_stopped(run);
    cache->drawn = *shape;
    cache->plan = layer->plan;
    cache->has_params = true;
    for (int h = 0; h < OPTION_HEADS_MAX; h++)
        cache->rank[h] = RANK_UNKNOWN;
    return true;
}

/* Return the form that a layer in this shape's form can be checked against, or FORM_UNCHECKED.
 * choose_forms adds two conditions: memory, and numbers of W_QK set by hand. */
static int results_form_to_check(const AttnShape *shape) {
    bool as_separate = shape->form == FORM_SEPARATE || shape->form == FORM_MERGED;
    if (shape->form == FORM_FREE || (shape->rope && as_separate))
        return FORM_UNCHECKED;
    return shape->form == FORM_SEPARATE ? FORM_MERGED : FORM_SEPARATE;
}

/* Set layer->checked and layer->must_agree. Fail if the attention would take too much memory. */
static bool choose_forms(Results *run, int index) {
    LayerResults *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[run->form];
    if (attn_trace_bytes(shape) > RESULTS_BYTES_MAX)
        return err_fail(&run->err, "attention",
                        "would take %.1f GB for %d tokens and %d heads; use fewer of either, or a "
                        "smaller d_model",
                        (double)attn_trace_bytes(shape) / 1e9, run->T, shape->H);
    layer->checked = results_form_to_check(shape);
    if (layer->checked != FORM_UNCHECKED &&
        attn_trace_bytes(&layer->shape[layer->checked]) > RUN_CHECK_BYTES_MAX)
        layer->checked = FORM_UNCHECKED;
    bool has_product_by_hand =
        !hand_set_same_names(results_source(run)->hand, NULL, ATTN_W_QK, ATTN_W_QK);
    if (has_product_by_hand) /* the other form does not have these numbers */
        layer->checked = FORM_UNCHECKED;
    layer->must_agree = run->form != FORM_RANK || shape->rank >= shape->K;
    memset(layer->has_trace, 0, sizeof layer->has_trace);
    return true;
}

/* Return the rank of W_QK (in the form rank, before the cut). RANK_UNKNOWN if the SVD would take
 * too long, or if W_QK has no factors. */
static int rank_of(const Results *run, int index, int head) {
    const LayerResults *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[FORM_SEPARATE];
    double work = (double)shape->D * shape->K * (shape->K < shape->D ? shape->K : shape->D);
    if (results_product_is_edited(run, index, head)) {
        Mat W_QK = attn_head_product(&results_trace(run, index)->W_QK, shape, head);
        double E = W_QK.rows;
        return E * E * E > 2e7 ? RANK_UNKNOWN : spectrum_rank(&W_QK, NULL);
    }
    if (layer->params.p[ATTN_W_Q].rows == 0 || work > 2e7)
        return RANK_UNKNOWN;
    Mat w_q = attn_head_query(&layer->params.p[ATTN_W_Q], shape, head);
    Mat w_k = attn_head_query(&layer->params.p[ATTN_W_K], shape, head);
    return spectrum_rank(&w_q, &w_k);
}

/* Compute one pass in a form; if `folds`, call attn_fold first. */
static bool compute_form(Results *run, int index, GradientOf of, bool folds, Err *err) {
    LayerResults *layer = &run->layers[index];
    LayerCache *cache = &run->cache->layers[index];
    AttnForm form = of == GRADIENT_USED ? run->form : (AttnForm)layer->checked;
    AttnTrace *trace = &layer->trace[form];
    const AttnShape *shape = &layer->shape[form];
    HandNumbers hand = hand_set_numbers(results_source(run)->hand);
    if (folds) {
        Arena *arena = part_reserve(&cache->fold[of], attn_fold_bytes(shape), err);
        if (arena == NULL)
            return false;
        *trace = (AttnTrace){0};
        attn_fold_push(trace, arena, shape);
        /* The nested form was already folded when its weights were sampled. */
        if (form != FORM_NESTED && !attn_fold(trace, shape, &layer->params, err))
            return false;
        if (form != FORM_FREE) /* in the free form fill_params has done this */
            hand_numbers_apply(&trace->W_QK, hand, ATTN_W_QK, shape->H);
    }
    Arena *arena = part_reserve(&cache->trace[of], attn_pass_bytes(shape), err);
    if (arena == NULL)
        return false;
    attn_pass_push(trace, arena, shape);
    trace->hand = hand;
    attn_forward(trace, shape, &layer->params, &run->X, &run->mask);
    layer->has_trace[form] = true;
    return true;
}

int results_rank(const Results *run, int layer, int head) {
    const AttnShape *shape = &run->layers[layer].shape[run->form];
    int rank = run->cache->layers[layer].rank[head];
    bool is_cut = run->form == FORM_RANK && !results_product_is_edited(run, layer, head);
    return is_cut && rank > shape->rank ? shape->rank : rank;
}

static void compute_figures(const Results *run, LayerResults *layer) {
    const AttnShape *shape = &layer->shape[run->form];
    const AttnTrace *trace = &layer->trace[run->form];
    LayerFigures *figures = &layer->figures;
    for (int h = 0; h < shape->H; h++) {
        Mat S = attn_head_scores(&trace->S, shape, h), A = attn_head_scores(&trace->A, shape, h);
        stats_head(&figures->stats[h], &S, &A, &run->mask);
    }
    const Options *o = &results_source(run)->options;
    bool is_plain = o->temperature == 1 && o->mask.row == MASK_NONE && run->edges_edited == 0;
    figures->sharpest = is_plain ? 0 : (float)stats_sharpest(&trace->S, (double)o->temperature);
    figures->form_difference_A = figures->form_difference_S = NAN;
}

bool results_check(Results *run, int index, Err *err) {
    LayerResults *layer = &run->layers[index];
    LayerCache *cache = &run->cache->layers[index];
    assert(run->valid && run->T > 0 && index < run->layer_count);
    for (int h = 0; h < layer->shape[run->form].H; h++)
        if (cache->rank[h] == RANK_UNKNOWN)
            cache->rank[h] = rank_of(run, index, h);
    if (layer->checked == FORM_UNCHECKED || layer->has_trace[layer->checked])
        return true;
    const AttnShape *shape = &layer->shape[layer->checked];
    bool folds =
        cache->checked_version != layer->weights_version || !same_trace(&cache->checked, shape);
    cache->checked_version = 0;
    if (!compute_form(run, index, GRADIENT_CHECKED, folds, err))
        return false;
    cache->checked_version = layer->weights_version;
    cache->checked = *shape;
    const AttnTrace *own = results_trace(run, index), *other = &layer->trace[layer->checked];
    layer->figures.form_difference_A = stats_difference(&own->A, &other->A, &run->mask);
    layer->figures.form_difference_S = stats_difference(&own->S, &other->S, &run->mask);
    return true;
}

bool results_layer_update(Results *run, int index, const Session *session) {
    const Options *o = &session->options;
    LayerResults *layer = &run->layers[index];
    LayerCache *cache = &run->cache->layers[index];
    layer->scheme = index == 0 ? o->init : o->beside;
    for (int f = 0; f < FORM_COUNT; f++)
        layer->shape[f] = options_shape(o, run->T, (AttnForm)f);
    if (!update_params(run, index, session))
        return false;
    const AttnShape *shape = &layer->shape[run->form];
    if (!choose_forms(run, index))
        return false;
    bool folds = !cache->has_trace || !same_trace(&cache->traced, shape);
    cache->has_trace = false;
    if (folds)
        cache->checked_version = 0;
    layer->W_QK_offset = (Mat){0};
    layer->gradient = layer->checked_gradient = (GradientResults){0};
    if (!compute_form(run, index, GRADIENT_USED, folds, &run->err))
        return false;
    for (int h = 0; h < shape->H && folds; h++)
        if (results_product_is_edited(run, index, h))
            cache->rank[h] = RANK_UNKNOWN;
    compute_figures(run, layer);
    cache->has_trace = true;
    cache->traced = *shape;
    return true;
}

bool results_offset_family(Results *run, int index, Err *err) {
    LayerResults *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[run->form];
    uint64_t bytes = attn_offset_bytes(shape);
    if (run->form != FORM_MERGED || !shape->rope)
        return true;
    if (bytes > RESULTS_BYTES_MAX)
        return err_fail(err, "W_QK_offset",
                        "one matrix for each of %d distances and %d heads would take %.1f GB; use "
                        "fewer tokens or a smaller d_model",
                        2 * shape->T - 1, shape->H, (double)bytes / 1e9);
    Arena *arena = part_reserve(&run->cache->layers[index].offset, bytes, err);
    if (arena == NULL)
        return false;
    layer->W_QK_offset = attn_offset_push(arena, shape, &layer->params);
    return true;
}

static Arena *reserve(Part **part, const AttnShape *shape, bool family, Err *err) {
    uint64_t bytes = attn_grads_bytes(shape) + attn_back_bytes(shape);
    bytes += mat_bytes(shape->T, shape->D); /* G */
    if (family)
        bytes += attn_offset_gradient_bytes(shape);
    if (bytes <= RESULTS_BYTES_MAX)
        return part_reserve(part, bytes, err);
    return err_null(
        err, "gradients",
        "would take %.1f GB for %d tokens and %d heads; use fewer of either, or a smaller "
        "d_model",
        (double)bytes / 1e9, shape->T, shape->H);
}

bool results_gradient_make(Results *run, int index, GradientOf of, Err *err) {
    LayerResults *layer = &run->layers[index];
    GradientResults *gradient = of == GRADIENT_USED ? &layer->gradient : &layer->checked_gradient;
    int form = of == GRADIENT_USED ? (int)run->form : layer->checked;
    bool family = of == GRADIENT_USED && layer->W_QK_offset.rows > 0; /* only for the form in use */
    assert(run->valid && run->T > 0 && index < run->layer_count);
    bool is_there = gradient->G.rows > 0 && (!family || gradient->W_QK_offset.rows > 0);
    if (form == FORM_UNCHECKED || is_there)
        return true;
    const AttnShape *shape = &layer->shape[form];
    const AttnTrace *trace = &layer->trace[form];
    GradientResults made = {0};
    *gradient = made;
    Arena *arena = reserve(&run->cache->layers[index].gradient[of], shape, family, err);
    if (arena == NULL)
        return false;
    made.params = attn_grads_push(arena, shape);
    made.back = attn_back_push(arena, shape);
    made.G = mat_push(arena, shape->T, shape->D);
    attn_output_gradient_draw(&made.G, layer->plan.seed);
    attn_backward(&made.params, &made.back, shape, &layer->params, trace, &run->X, &made.G);
    if (family)
        made.W_QK_offset = attn_offset_gradient_push(arena, shape, trace, &made.back);
    *gradient = made;
    return true;
}

bool results_gradient(Results *run, int layer, Err *err) {
    return results_gradient_make(run, layer, GRADIENT_USED, err);
}
