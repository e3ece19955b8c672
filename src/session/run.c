#include "session/run.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/params.h"
#include "model/position.h"
#include "model/scheme.h"
#include "session/run_gradient.h"

/* The most it spends on comparing a form that is not shown. */
#define RUN_CHECK_BYTES_MAX (256ull << 20)

/* Each stage remembers what it was computed from; the next stage asks whether it changed. */
typedef struct LayerCache {
    Arena params_arena, trace_arena, offset_arena;
    AttnShape drawn, traced; /* the shapes that parameters and traces were made for */
    SchemePlan plan;         /* what the parameters were drawn by */
    bool has_params, has_trace;
} LayerCache;

struct RunCache {
    Arena tokens_arena, labels_arena, x_arena, mask_arena;
    Session session; /* what the Run was computed from; text NULL at first */
    RunLimits limits;
    RunResources resources;
    LayerCache layers[RUN_LAYERS_MAX];
};

bool run_init(Run *run, Err *err) {
    *run = (Run){0};
    run->cache = calloc(1, sizeof *run->cache);
    if (run->cache == NULL)
        return err_fail(err, "memory", "too little to start; close other programs");
    return true;
}

void run_release(Run *run) {
    RunCache *cache = run->cache;
    if (cache == NULL)
        return;
    for (int i = 0; i < RUN_LAYERS_MAX; i++) {
        arena_release(&cache->layers[i].params_arena);
        arena_release(&cache->layers[i].trace_arena);
        arena_release(&cache->layers[i].offset_arena);
    }
    arena_release(&cache->tokens_arena);
    arena_release(&cache->labels_arena);
    arena_release(&cache->x_arena);
    arena_release(&cache->mask_arena);
    if (cache->session.text != NULL)
        session_release(&cache->session);
    free(cache);
    run_gradient_release(run);
    *run = (Run){0};
}

/* The names of the rows of a given X. */
static void take_names(Run *run, const Weights *weights, RunLimits limits) {
    run->text = weights->names;
    run->token_total = weights->size[WEIGHTS_T];
    run->T = run->token_total < limits.tokens_max ? run->token_total : limits.tokens_max;
    memcpy(run->tokens, weights->tokens, (size_t)run->T * sizeof *run->tokens);
    for (int i = 0; i < run->T; i++)
        run->notes[i] = (EmbedNote){EMBED_OWN, -1};
}

static bool split_text(Run *run, const Session *session, const TextResources *resources,
                       RunLimits limits) {
    const Tokenizer *tokenizer = &TOKENIZERS[session->options.tokenizer];
    TokenList list = {.at = run->tokens, .capacity = limits.tokens_max};
    run->text = session->text;
    if (!tokenizer->split(&list, session->text->bytes, session->text->size, resources, &run->err))
        return false;
    run->token_total = list.total;
    run->T = list.total < limits.tokens_max ? list.total : limits.tokens_max;
    return true;
}

static bool update_tokens(Run *run, const Session *session, const TextResources *resources,
                          RunLimits limits) {
    size_t room = (size_t)limits.tokens_max;
    Arena *arena = &run->cache->tokens_arena;
    if (!arena_reserve(arena, arena_padded(room * sizeof(Token)) + room * sizeof(EmbedNote),
                       &run->err))
        return false;
    run->tokens = arena_push(arena, room * sizeof(Token));
    run->notes = arena_push_zero(arena, room * sizeof(EmbedNote));
    if (weights_has(session->weights, WEIGHTS_X))
        take_names(run, session->weights, limits);
    else if (!split_text(run, session, resources, limits))
        return false;
    if (run->T == 0)
        return true;
    run->labels =
        labels_make(&run->cache->labels_arena, run->text->bytes, run->tokens, run->T, &run->err);
    return run->labels != NULL;
}

static bool update_x(Run *run, const Session *session, const WordVectors *words) {
    const Options *o = &session->options;
    Arena *arena = &run->cache->x_arena;
    if (!arena_reserve(arena, mat_bytes(run->T, o->d_model), &run->err))
        return false;
    run->X = mat_push(arena, run->T, o->d_model);
    run->missing = 0;
    if (weights_has(session->weights, WEIGHTS_X)) {
        Mat given = {session->weights->tensors[WEIGHTS_X].at, run->T, o->d_model, o->d_model};
        mat_copy(&run->X, &given);
        return true;
    }
    EmbedInput in = {.kind = (EmbeddingKind)o->embedding,
                     .words = words,
                     .text = session->text->bytes,
                     .text_bytes = session->text->size,
                     .tokens = run->tokens,
                     .cuts_words = TOKENIZERS[o->tokenizer].cuts_words,
                     .seed = o->seed};
    if (!embed(&run->X, run->notes, &in, &run->err))
        return false;
    for (int i = 0; i < run->T; i++)
        run->missing += run->notes[i].source == EMBED_HASHED;
    position_add(&run->X, (PositionKind)o->positions, o->seed);
    return true;
}

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

/* Whether a trace of one shape serves the other: all but the score's factor agrees. */
static bool same_trace(const AttnShape *a, const AttnShape *b) {
    return a->T == b->T && a->form == b->form && a->rank == b->rank && a->block == b->block &&
           a->rope == b->rope && same_params(a, b);
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
static bool fill_params(RunLayer *layer, const AttnShape *shape, const Weights *weights, Err *err) {
    bool given[ATTN_PARAM_COUNT];
    layer->has_given = false;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        given[p] = layer->params.p[p].rows > 0 && weights_give(weights, p);
        layer->has_given = layer->has_given || given[p];
        if (given[p])
            weights_copy(&layer->params.p[p], weights, p);
    }
    return scheme_draw_rest(&layer->params, shape, &layer->plan, given, err);
}

/* Draw the layer's parameters unless they are those in place; *drawn says whether it did. */
static bool update_params(Run *run, int index, const Session *session, bool *drawn) {
    LayerCache *cache = &run->cache->layers[index];
    RunLayer *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[run->form];
    layer->plan = options_plan(&session->options, layer->scheme);
    *drawn = !cache->has_params || !same_plan(&cache->plan, &layer->plan) ||
             !same_params(&cache->drawn, shape);
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
    if (!fill_params(layer, shape, session->weights, &run->err))
        return false;
    cache->drawn = *shape;
    cache->plan = layer->plan;
    cache->has_params = true;
    for (int h = 0; h < OPTION_HEADS_MAX; h++)
        layer->rank[h] = RUN_RANK_UNKNOWN;
    return true;
}

/* The form to compare with the one in use. */
static int form_to_check(const AttnShape *shape) {
    bool as_separate = shape->form == FORM_SEPARATE || shape->form == FORM_MERGED;
    if (shape->form == FORM_FREE || (shape->rope && as_separate))
        return RUN_UNCHECKED;
    return shape->form == FORM_SEPARATE ? FORM_MERGED : FORM_SEPARATE;
}

/* Room for the traces: the form in use always, the other one where comparing costs little. */
static bool push_traces(Run *run, int index) {
    RunLayer *layer = &run->layers[index];
    Arena *arena = &run->cache->layers[index].trace_arena;
    size_t bytes[FORM_COUNT], total = 0;
    for (int f = 0; f < FORM_COUNT; f++) {
        bytes[f] = attn_trace_bytes(&layer->shape[f]);
        bool wanted = f == (int)run->form || f == layer->checked;
        size_t most = f == (int)run->form ? RUN_BYTES_MAX : RUN_CHECK_BYTES_MAX;
        layer->has_trace[f] = wanted && bytes[f] <= most;
        total += layer->has_trace[f] ? bytes[f] : 0;
    }
    if (!layer->has_trace[run->form])
        return err_fail(&run->err, "attention",
                        "would take %.1f GB for %d tokens and %d heads; "
                        "use fewer of either, or a smaller d_model",
                        (double)bytes[run->form] / 1e9, run->T, layer->shape[0].H);
    if (!arena_reserve(arena, total, &run->err))
        return false;
    for (int f = 0; f < FORM_COUNT; f++)
        if (layer->has_trace[f])
            layer->trace[f] = attn_trace_push(arena, &layer->shape[f]);
    if (layer->checked != RUN_UNCHECKED && !layer->has_trace[layer->checked])
        layer->checked = RUN_UNCHECKED;
    return true;
}

static void compare_forms(RunLayer *layer, AttnForm form) {
    const AttnShape *shape = &layer->shape[form];
    layer->form_difference_A = layer->form_difference_S = NAN;
    layer->must_agree = form != FORM_RANK || shape->rank >= shape->K;
    if (layer->checked == RUN_UNCHECKED)
        return;
    const AttnTrace *used = &layer->trace[form], *other = &layer->trace[layer->checked];
    layer->form_difference_A = mat_max_difference(&used->A, &other->A);
    layer->form_difference_S = mat_max_difference(&used->S, &other->S);
}

static void update_statistics(Run *run, RunLayer *layer) {
    const AttnShape *shape = &layer->shape[run->form];
    const AttnTrace *trace = &layer->trace[run->form];
    for (int h = 0; h < shape->H; h++) {
        Mat scores = attn_head_scores(&trace->S, shape, h);
        Mat weights = attn_head_scores(&trace->A, shape, h);
        stats_head(&layer->stats[h], &scores, &weights, &run->mask);
        if (layer->stats[h].largest > (double)run->largest_A)
            run->largest_A = (float)layer->stats[h].largest;
    }
    compare_forms(layer, run->form);
}

/* The rank is found for the head that is looked at, and only where that takes no longer than a
 * frame: the work of the SVD grows with D·K². */
static void update_rank(RunLayer *layer, int head) {
    const AttnShape *shape = &layer->shape[FORM_SEPARATE];
    if (layer->params.p[ATTN_W_Q].rows == 0)
        return;
    double work = (double)shape->D * shape->K * (shape->K < shape->D ? shape->K : shape->D);
    if (layer->rank[head] != RUN_RANK_UNKNOWN || work > 2e7)
        return;
    Mat w_q = attn_head_query(&layer->params.p[ATTN_W_Q], shape, head);
    Mat w_k = attn_head_query(&layer->params.p[ATTN_W_K], shape, head);
    layer->rank[head] = stats_product_rank(&w_q, &w_k);
}

/* The form in use comes first: the nested one folds the weights that separate then takes. */
static bool compute_form(Run *run, RunLayer *layer, AttnForm form, bool fold) {
    AttnTrace *trace = &layer->trace[form];
    const AttnShape *shape = &layer->shape[form];
    if (fold && !attn_fold(trace, shape, &layer->params, &run->err))
        return false;
    attn_forward(trace, shape, &layer->params, &run->X, &run->mask);
    return true;
}

int run_rank(const Run *run, int layer, int head) {
    const AttnShape *shape = &run->layers[layer].shape[run->form];
    int rank = run->layers[layer].rank[head];
    return run->form == FORM_RANK && rank > shape->rank ? shape->rank : rank;
}

static bool update_layer(Run *run, int index, const Session *session) {
    const Options *o = &session->options;
    RunLayer *layer = &run->layers[index];
    LayerCache *cache = &run->cache->layers[index];
    layer->scheme = index == 0 ? o->init : o->beside;
    for (int f = 0; f < FORM_COUNT; f++)
        layer->shape[f] = options_shape(o, run->T, (AttnForm)f);
    bool drawn = false;
    if (!update_params(run, index, session, &drawn))
        return false;
    bool room = cache->has_trace && same_trace(&cache->traced, &layer->shape[run->form]);
    cache->has_trace = false;
    layer->W_QK_offset = (Mat){0};
    layer->gradient = (RunGradient){0};
    if (!room) {
        layer->checked = form_to_check(&layer->shape[run->form]);
        if (!push_traces(run, index))
            return false;
    }
    if (!compute_form(run, layer, run->form, drawn || !room) ||
        (layer->checked != RUN_UNCHECKED &&
         !compute_form(run, layer, (AttnForm)layer->checked, drawn || !room)))
        return false;
    cache->has_trace = true;
    cache->traced = layer->shape[run->form];
    update_statistics(run, layer);
    return true;
}

/* What of the Run a change from one set of options to another reaches. */
typedef struct Reach {
    bool weights, tokens, x, mask, layers;
} Reach;

static Reach reach_of(const RunCache *cache, const Session *now, const RunResources *resources,
                      RunLimits limits, bool was_valid) {
    const Options *a = &cache->session.options, *b = &now->options;
    Reach reach = {0};
    reach.weights = cache->session.weights != now->weights;
    reach.tokens = !was_valid || reach.weights || cache->session.text != now->text ||
                   a->tokenizer != b->tokenizer || cache->limits.tokens_max != limits.tokens_max ||
                   cache->resources.text.gpt2 != resources->text.gpt2;
    reach.x = reach.tokens || a->embedding != b->embedding || a->positions != b->positions ||
              a->d_model != b->d_model || cache->resources.words != resources->words ||
              ((b->embedding == EMBEDDING_RANDOM || b->positions == POSITION_LEARNED) &&
               a->seed != b->seed);
    reach.mask = reach.tokens || a->mask.row != b->mask.row || a->mask.number != b->mask.number ||
                 cache->session.edges != now->edges;
    reach.layers = reach.x || reach.mask || a->init != b->init || a->beside != b->beside ||
                   a->init_q != b->init_q || a->init_k != b->init_k || a->init_v != b->init_v ||
                   a->init_o != b->init_o || a->depth != b->depth || a->seed != b->seed ||
                   a->heads != b->heads || a->d_k != b->d_k || a->d_v != b->d_v ||
                   a->form.row != b->form.row || a->form.number != b->form.number ||
                   a->bias != b->bias || a->block != b->block || a->scale != b->scale ||
                   a->temperature != b->temperature;
    return reach;
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

static bool update_mask(Run *run, const Session *session) {
    const Options *o = &session->options;
    Arena *arena = &run->cache->mask_arena;
    if (!arena_reserve(arena, mask_bytes(run->T), &run->err))
        return false;
    run->mask = mask_push(arena, run->T, (MaskKind)o->mask.row, o->mask.number);
    run->edges_edited = edges_apply(&run->mask, session->edges);
    return true;
}

static bool update_layers(Run *run, const Session *session) {
    const Options *o = &session->options;
    run->form = (AttnForm)o->form.row;
    run->layer_count = o->beside >= 0 ? 2 : 1;
    run->largest_A = 0;
    for (int i = 0; i < run->layer_count; i++)
        if (!update_layer(run, i, session))
            return false;
    return true;
}

static bool update_stages(Run *run, const Session *session, const RunResources *resources,
                          RunLimits limits, Reach reach) {
    if (reach.tokens && !update_tokens(run, session, &resources->text, limits))
        return false;
    if (run->T == 0)
        return true;
    if (reach.x && !update_x(run, session, resources->words))
        return false;
    if (reach.mask && !update_mask(run, session))
        return false;
    return !reach.layers || update_layers(run, session);
}

bool run_update(Run *run, const Session *session, const RunResources *resources, RunLimits limits) {
    assert(limits.tokens_max > 0 && limits.tokens_max <= TOKENS_MAX);
    static const RunResources none = {0};
    resources = resources != NULL ? resources : &none;
    RunCache *cache = run->cache;
    Reach reach = reach_of(cache, session, resources, limits, run->valid);
    for (int i = 0; reach.weights && i < RUN_LAYERS_MAX; i++)
        cache->layers[i].has_params = false;
    run->valid = update_stages(run, session, resources, limits, reach);
    if (run->valid && run->T > 0)
        for (int i = 0; i < run->layer_count; i++)
            update_rank(&run->layers[i], session->options.head - 1);
    Session kept = session_share(session);
    if (cache->session.text != NULL)
        session_release(&cache->session);
    cache->session = kept;
    cache->limits = limits;
    cache->resources = *resources;
    run->revision += reach.layers;
    return run->valid;
}
