#include "views/graph/graph_data.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "views/graph/graph_labels.h"
#include "views/graph/graph_make.h"

static const Entry LAYOUT_ROWS[] = {
    {"circle", "Circle", "", "Tokens in a ring, the first on top, clockwise."},
    {"arc", "Arc", "", "Tokens in one line, as they are read."},
    {"bipartite", "Bipartite", "", "Queries at the left, keys at the right."},
    {"layered", "Layered", "",
     "One column for each layer of the stack: its queries read the layer below."},
    {"force", "Force", "", "Tokens that read each other stand near."},
};
static const Entry VALUE_ROWS[] = {
    {"weights", "Weights A", "a_ij", "The softmax of the scores: each row sums to 1."},
    {"scores", "Scores S", "s_ij", "The input of the softmax: any number, of either sign."},
    {"carried", "A·‖v‖", "a_ij·‖v_j‖",
     "How much an edge brings: its weight times the length of the value it carries."},
};
static const Entry NODE_ROWS[] = {
    {"received", "Received", "Σ_i a_ij", "Nodes as large as the attention they receive."},
    {"pagerank", "PageRank", "r = 0.85·Aᵀr + 0.15/T",
     "Nodes as large as the time that a walk along the attention spends at them."},
    {"plain", "Plain", "", "Nodes of one size."},
};
static const Entry FLOW_ROWS[] = {
    {"reads", "Reads", "query → key", "Arrows point at what is read."},
    {"flow", "Flow", "key → query", "Arrows point where the values go."},
};
static const Entry HEAD_ROWS[] = {
    {"one", "One head", "", "The chosen head."},
    {"all", "All heads", "", "Every head, in its colour."},
};
static const Entry HIDING_ROWS[] = {
    {"shown", "Shown", "", "They are drawn."},
    {"hidden", "Hidden", "", "They are left out, and do not count in the share."},
};
static const Entry STEP_ROWS[] = {
    [STEP_NONE] = {"none", "None", "", "No message is followed."},
    [STEP_MEET] = {"meet", "Meet", "s_ij", "Its query meets the key of every open token:"},
    [STEP_SOFTMAX] = {"softmax", "Softmax", "a_ij", "The scores become weights that sum to 1:"},
    [STEP_SUM] = {"sum", "Sum", "z_i = Σ_j a_ij v_j", "Every value arrives by its weight:"},
};
static const Entry REST_ROWS[] = {
    {"as-is", "Weights kept", "", "The edges that remain keep their weights."},
    {"renormalised", "Renormalised", "a_ij / Σ_shown a_ij",
     "The edges that remain in a row are scaled to sum to 1."},
};
static_assert(ARRAY_COUNT(LAYOUT_ROWS) == GRAPH_LAYOUT_COUNT, "one row for each layout");
static_assert(ARRAY_COUNT(VALUE_ROWS) == GRAPH_VALUE_COUNT, "one row for each kind of value");
static_assert(ARRAY_COUNT(NODE_ROWS) == GRAPH_NODES_COUNT, "one row for each size of nodes");
static_assert(ARRAY_COUNT(STEP_ROWS) == STEP_COUNT, "one row for each step");
const Registry GRAPH_LAYOUTS = REGISTRY("layouts", "layout", LAYOUT_ROWS);
const Registry GRAPH_VALUES = REGISTRY("values", "kind of value", VALUE_ROWS);
const Registry GRAPH_NODE_SIZES = REGISTRY("sizes", "size", NODE_ROWS);
const Registry GRAPH_FLOWS = REGISTRY("flows", "flow", FLOW_ROWS);
const Registry GRAPH_HEADS = REGISTRY("choices", "choice", HEAD_ROWS);
const Registry GRAPH_HIDING = REGISTRY("choices", "choice", HIDING_ROWS);
const Registry GRAPH_STEPS = REGISTRY("steps", "step", STEP_ROWS);
const Registry GRAPH_RESTS = REGISTRY("choices", "choice", REST_ROWS);

size_t graph_scratch_bytes(const Results *run) {
    size_t places = 2 * arena_padded(sizeof(Vec2) * GRAPH_PLACES_MAX) +
                    2 * arena_padded(sizeof(float) * TOKENS_MAX);
    size_t lists = 8 * arena_padded(sizeof(double) * (size_t)run->T);
    return graph_make_bytes(run->T) + places + lists + graph_labels_bytes(run) +
           scene_forced_bytes(run->T);
}

static bool is_layered(const ViewContext *c) {
    return c->settings->graph_layout == GRAPH_LAYERED;
}

static bool is_this_stack(const LayerStack *stack, const ViewContext *c) {
    return stack->layers > 0 && stack->revision == c->run->revision &&
           stack->depth == c->session->options.depth;
}

int graph_layers(const ViewContext *c) {
    const LayerStack *stack = &c->memory->graph.stack;
    return is_layered(c) && is_this_stack(stack, c) ? stack->layers : 1;
}

static GraphKey key_of(const ViewContext *c) {
    GraphKey key;
    const Settings *s = c->settings;
    memset(&key, 0, sizeof key);
    key.revision = c->run->revision;
    key.head = s->graph_heads == GRAPH_ON ? 0 : c->session->options.head;
    key.depth = is_layered(c) ? c->session->options.depth : 0;
    key.value = s->graph_value;
    key.nodes = s->graph_nodes;
    key.filter = s->graph_filter;
    key.top = s->graph_filter == EDGES_TOP ? s->edges : 0;
    key.above = s->graph_filter == EDGES_ABOVE ? s->graph_above : 0;
    key.mass = s->graph_filter == EDGES_MASS ? s->graph_mass : 0;
    key.self = s->graph_self;
    key.first = s->graph_first;
    key.rest = s->graph_rest;
    key.is_forced = s->graph_layout == GRAPH_FORCE;
    return key;
}

static bool is_made(const ViewContext *c) {
    GraphKey key = key_of(c);
    return graph_key_equal(&key, &c->memory->graph.data.key);
}

static bool is_there(const ViewContext *c) {
    return c->memory->graph.data.key.revision == c->run->revision;
}

void graph_settings(Settings *settings, const ViewContext *c, const GraphData *d) {
    const GraphKey *key = &d->key;
    int layout = settings->graph_layout;
    bool can_be_drawn =
        (layout == GRAPH_LAYERED) == (key->depth > 0) && (layout != GRAPH_FORCE || key->is_forced);
    if (!c->waits)
        return;
    settings->graph_layout = can_be_drawn ? layout : c->memory->graph.layout;
    settings->graph_heads = key->head > 0 ? GRAPH_OFF : GRAPH_ON;
    settings->graph_value = key->value;
    settings->graph_nodes = key->nodes;
    settings->graph_filter = key->filter;
    settings->graph_self = key->self;
    settings->graph_first = key->first;
    settings->graph_rest = key->rest;
}

HeadValues graph_values(const ViewContext *c, int head) {
    return graph_head_values(results_trace(c->run, 0), &c->run->layers[0].shape[c->run->form], head,
                             (GraphValue)c->settings->graph_value, c->scratch);
}

double graph_left(const ViewContext *c, int head, int query) {
    GraphKey key = key_of(c);
    Mat weights = results_weights(c->run, 0, head);
    return graph_left_sum(&key, mat_row(&weights, query), c->run->T, query);
}

GraphDrawn graph_drawn(const ViewContext *c, int head, int query, int token) {
    GraphKey key = key_of(c);
    Edge edge = {query, token, 0};
    float value = graph_own_value(c, 0, head, &edge);
    double left = graph_left(c, head, query);
    if (left == 1)
        return (GraphDrawn){value, value};
    bool is_left = left > 0 && !graph_is_hidden(&key, query, token);
    return (GraphDrawn){value, is_left ? (float)((double)value / left) : NAN};
}

float graph_own_value(const ViewContext *c, int layer, int head, const Edge *edge) {
    Arena before = *c->scratch;
    const LayerStack *stack = &c->memory->graph.stack;
    const AttnTrace *trace = layer == 0 ? results_trace(c->run, 0) : &stack->bench.trace[layer];
    HeadValues values = graph_head_values(trace, &c->run->layers[0].shape[c->run->form], head,
                                          (GraphValue)c->settings->graph_value, c->scratch);
    *c->scratch = before;
    return head_value(&values, edge->query, edge->key);
}

/* Compute the data from the context's Results. The layered layout needs the stack, which is
 * computed first if it does not exist; without a stack only the lowest layer is shown. */
static bool make_in(const ViewContext *c, GraphData *d, LayerStack *stack, Arena *scratch,
                    const Job *job) {
    Err err;
    const LayerStack *shown = &c->memory->graph.stack;
    GraphSource source = {.run = c->run, .key = key_of(c), .heads = c->session->options.heads};
    if (is_layered(c) && is_this_stack(shown, c))
        source.stack = shown;
    else if (is_layered(c) && layer_stack_update(stack, c->run, c->session, 0, &err))
        source.stack = stack;
    return graph_make(d, &source, scratch, job);
}

static bool begin_next(const ViewContext *c, bool is_shown) {
    GraphMemory *m = &c->memory->graph;
    m->next = m->data; /* keep the parts that do not change */
    if (!is_shown)
        m->next.key = (GraphKey){0};
    return true;
}

static bool make_next(const ViewContext *c, const Job *job) {
    Err err;
    GraphMemory *m = &c->memory->graph;
    if (!arena_reserve(&m->making, graph_make_bytes(c->run->T), &err))
        return false;
    return make_in(c, &m->next, &m->next_stack, &m->making, job);
}

static void take_next(const ViewContext *c, bool made) {
    GraphMemory *m = &c->memory->graph;
    if (made)
        m->data = m->next;
    if (made && m->next_stack.layers > 0) {
        layer_stack_release(&m->stack);
        m->stack = m->next_stack;
        m->next_stack = (LayerStack){0};
    }
    layer_stack_release(&m->next_stack);
}

const ViewMaking GRAPH_MAKING = {is_made, is_there, begin_next, make_next, take_next};

const GraphData *graph_data(const ViewContext *c) {
    static const GraphData none;
    GraphMemory *m = &c->memory->graph;
    if (c->waits && !is_there(c))
        return &none;
    if (c->waits || is_made(c))
        return &m->data;
    Arena scratch = *c->scratch;
    bool is_made = make_in(c, &m->data, &m->stack, c->scratch, NULL);
    if (!is_made || (is_layered(c) && !is_this_stack(&m->stack, c)))
        ui_fail(c->ui, "memory", "too little for the graph; close other programs");
    *c->scratch = scratch;
    return &m->data;
}

void graph_release(GraphMemory *m) {
    layer_stack_release(&m->stack);
    layer_stack_release(&m->next_stack);
    arena_release(&m->making);
}
