#include "views/graph/graph_parts.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/util.h"
#include "model/analysis/pagerank.h"
#include "views/shared/matrix_results.h"

#define CURVE_BINS 2048
/* Bytes for the lists, edges and forces of a job: enough for TOKENS_MAX and GRAPH_EDGES_MAX. */
#define MAKING_SPARE (2u << 20)

static const Entry LAYOUT_ROWS[] = {
    {"circle", "Circle", "", "Tokens in a ring, the first on top, clockwise."},
    {"arc", "Arc", "", "Tokens in one line, in reading order."},
    {"bipartite", "Bipartite", "", "Queries at the left, keys at the right."},
    {"layered", "Layered", "",
     "One column for each layer of the stack: its queries read the layer below."},
    {"force", "Force", "", "Tokens that read each other are close together."},
};
static const Entry VALUE_ROWS[] = {
    {"weights", "Weights A", "a_ij", "The softmax of the scores: each row sums to 1."},
    {"scores", "Scores S", "s_ij", "The input of the softmax: any number, of either sign."},
    {"carried", "A·‖v‖", "a_ij·‖v_j‖",
     "The size of what an edge brings to the query: its weight times the length of the value "
     "vector."},
};
static const Entry NODE_ROWS[] = {
    {"received", "Received", "Σ_i a_ij", "Large nodes receive much attention."},
    {"pagerank", "PageRank", "r = 0.85·Aᵀr + 0.15/T",
     "Large nodes are visited often by a random walk along the attention."},
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
    {"shown", "Shown", "", "These edges are drawn."},
    {"hidden", "Hidden", "",
     "These edges are hidden. Their weight is missing from the drawn share."},
};
static const Entry STEP_ROWS[] = {
    [STEP_NONE] = {"none", "None", "", "No message is followed."},
    [STEP_MEET] = {"meet", "Meet", "s_ij", "Its query meets the key of every open token:"},
    [STEP_SOFTMAX] = {"softmax", "Softmax", "a_ij", "The scores become weights that sum to 1:"},
    [STEP_SUM] = {"sum", "Sum", "z_i = Σ_j a_ij v_j",
                  "Every value arrives, multiplied by its weight:"},
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

static bool is_layered(const ViewContext *c) {
    return c->settings->graph_layout == GRAPH_LAYERED;
}

static bool is_this_stack(const LayerStack *stack, const ViewContext *c) {
    return stack->layers > 0 && stack->revision == c->run->revision &&
           stack->depth == c->session->options.depth;
}

int graph_layers(const ViewContext *c) {
    const GraphMemory *m = c->memory->graph;
    return is_layered(c) && is_this_stack(&m->stack, c) ? m->stack.layers : 1;
}

static GraphKey key_of(const ViewContext *c) {
    GraphKey key;
    const Settings *s = c->settings;
    memset(&key, 0, sizeof key);
    key.revision = c->run->revision;
    key.head = s->graph.heads == GRAPH_ON ? 0 : c->session->options.head;
    key.depth = is_layered(c) ? c->session->options.depth : 0;
    key.top = s->graph.filter == EDGES_TOP ? s->edges : 0;
    key.is_forced = s->graph_layout == GRAPH_FORCE;
    key.chosen = s->graph;
    if (s->graph.filter != EDGES_ABOVE)
        key.chosen.above = 0;
    if (s->graph.filter != EDGES_MASS)
        key.chosen.mass = 0;
    return key;
}

static bool is_made(const ViewContext *c) {
    const GraphMemory *m = c->memory->graph;
    GraphKey key = key_of(c);
    return memcmp(&key, &m->data.key, sizeof key) == 0;
}

static bool is_there(const ViewContext *c) {
    const GraphMemory *m = c->memory->graph;
    return m->data.key.revision == c->run->revision;
}

void graph_settings(Settings *settings, const ViewContext *c, const GraphData *d) {
    const GraphKey *key = &d->key;
    int layout = settings->graph_layout;
    bool can_be_drawn =
        (layout == GRAPH_LAYERED) == (key->depth > 0) && (layout != GRAPH_FORCE || key->is_forced);
    if (!c->waits)
        return;
    settings->graph_layout = can_be_drawn ? layout : c->memory->graph->layout;
    settings->graph = key->chosen;
}

static double length_of(const float *v, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)v[i] * (double)v[i];
    return sqrt(sum);
}

static float pair_value(const AttnTrace *trace, const AttnShape *shape, GraphValue kind,
                        AttnCell at) {
    const Mat *all = kind == GRAPH_SCORES ? &trace->S : &trace->A;
    Mat values = attn_head_scores(all, shape, at.head),
        V = attn_head_value(&trace->V, shape, at.head);
    float value = mat_row(&values, at.query)[at.key];
    return kind == GRAPH_CARRIED ? value * (float)length_of(mat_row(&V, at.key), V.cols) : value;
}

float graph_value(const ViewContext *c, GraphValue kind, AttnCell at) {
    return pair_value(results_trace(c->run, 0), &c->run->layers[0].shape[c->run->form], kind, at);
}

bool graph_results(const ViewContext *c, ViewResult result, TextOut *out) {
    int kind = c->settings->graph.value, T = c->run->T, head = c->session->options.head - 1;
    if (kind == GRAPH_WEIGHTS || result != RESULT_CSV || !c->run->valid || T == 0)
        return head_results(c, result, out);
    float *values = heap_get((size_t)T * (size_t)T * sizeof *values);
    out->failed = out->failed || values == NULL;
    for (int i = 0; values != NULL && i < T; i++) {
        const uint8_t *open = mask_row(&c->run->mask, i);
        for (int j = 0; j < T; j++)
            values[i * T + j] =
                open[j] ? graph_value(c, (GraphValue)kind, (AttnCell){0, head, i, j}) : 0;
    }
    if (values != NULL)
        matrix_csv(out, c->run, &(NamedMatrix){"", values, T, T, T, true, true, NULL, NULL});
    free(values);
    return !out->failed;
}

static bool is_hidden(const GraphKey *key, int query, int token) {
    return (key->chosen.self == GRAPH_ON && query == token) ||
           (key->chosen.first == GRAPH_ON && token == 0);
}

static bool is_rescaled(const GraphKey *key) {
    return key->chosen.rest == GRAPH_ON && key->chosen.value == GRAPH_WEIGHTS;
}

static double left_sum(const GraphKey *key, const float *row, int T, int query) {
    double sum = 0;
    for (int j = 0; j < T; j++)
        sum += is_hidden(key, query, j) ? 0 : (double)row[j];
    return sum;
}

double graph_left(const ViewContext *c, int head, int query) {
    GraphKey key = key_of(c);
    Mat weights = results_weights(c->run, 0, head);
    return is_rescaled(&key) ? left_sum(&key, mat_row(&weights, query), c->run->T, query) : 1;
}

Edge graph_edge(const ViewContext *c, AttnCell at) {
    GraphKey key = key_of(c);
    float own = graph_value(c, (GraphValue)c->settings->graph.value, at);
    double left = graph_left(c, at.head, at.query);
    bool is_left = left > 0 && !is_hidden(&key, at.query, at.key);
    return (Edge){at, left == 1 ? own : is_left ? (float)((double)own / left) : NAN, own};
}

static void fill_values(Mat *values, const ViewContext *c, const AttnTrace *trace, int head,
                        Arena scratch) {
    int T = c->run->T, kind = c->settings->graph.value;
    const AttnShape *shape = &c->run->layers[0].shape[c->run->form];
    Mat from = attn_head_scores(kind == GRAPH_SCORES ? &trace->S : &trace->A, shape, head);
    Mat V = attn_head_value(&trace->V, shape, head);
    float *length = arena_push(&scratch, sizeof *length * (size_t)T);
    for (int j = 0; j < T; j++)
        length[j] = kind == GRAPH_CARRIED ? (float)length_of(mat_row(&V, j), V.cols) : 1;
    for (int i = 0; i < T; i++) {
        const uint8_t *open = mask_row(&c->run->mask, i);
        for (int j = 0; j < T; j++)
            mat_row(values, i)[j] = open[j] ? mat_row(&from, i)[j] * length[j] : 0;
    }
}

static float finite_size(float value) {
    float size = fabsf(value);
    return size <= FLT_MAX ? size : 0;
}

static float largest_of(const Mat *values) {
    float largest = 0;
    for (int i = 0; i < values->rows; i++)
        for (int j = 0; j < values->cols; j++)
            largest = fmaxf(largest, finite_size(mat_row(values, i)[j]));
    return largest;
}

/* Count a head's edges, and fill the curve: the share of the weight that the n heaviest edges
 * carry, for increasing n. The edges are sorted into bins by magnitude; the curve has points only
 * at the ends of bins, where it is exact. */
static void count_edges(GraphData *d, GraphCurve *curve, const Mat *values, Arena scratch) {
    double *sums = arena_push_zero(&scratch, sizeof *sums * CURVE_BINS);
    double *counts = arena_push_zero(&scratch, sizeof *counts * CURVE_BINS);
    double all = 0, edges = 0, sum = 0, count = 0, next = 0;
    float largest = largest_of(values);
    for (int i = 0; i < values->rows; i++)
        for (int j = 0; j < values->cols; j++) {
            float size = finite_size(mat_row(values, i)[j]);
            if (size == 0)
                continue;
            int bin = (int)(sqrtf(size / largest) * (CURVE_BINS - 1));
            sums[bin] += (double)size;
            counts[bin]++;
            all += (double)size;
            edges++;
        }
    d->sum += all;
    d->all += (int)edges;
    for (int bin = CURVE_BINS - 1; bin >= 0 && curve != NULL; bin--) {
        sum += sums[bin];
        count += counts[bin];
        if (counts[bin] == 0 || (count < next && count < edges) || curve->count >= GRAPH_CURVE_MAX)
            continue;
        curve->edges[curve->count] = (float)count;
        curve->share[curve->count++] = (float)(sum / all);
        next = fmin(count + edges / (GRAPH_CURVE_MAX - 2), edges);
    }
}

/* Add the edges of one head that the filter chooses, at most `most`. Return the sum of their
 * magnitudes before renormalisation. */
static double add_head(GraphData *d, const ViewContext *c, const AttnTrace *trace, int layer,
                       int head, int most, Arena scratch) {
    const GraphKey *key = &d->key;
    const AttnShape *shape = &c->run->layers[0].shape[c->run->form];
    int T = c->run->T;
    Mat values = mat_push(&scratch, T, T);
    fill_values(&values, c, trace, head, scratch);
    count_edges(d, layer == 0 ? &d->curve[head] : NULL, &values, scratch);
    for (int i = 0; i < T && is_rescaled(key); i++) {
        float *row = mat_row(&values, i);
        double sum = left_sum(key, row, T, i);
        for (int j = 0; j < T; j++)
            row[j] = is_hidden(key, i, j) || !(sum > 0) ? 0 : (float)((double)row[j] / sum);
    }
    float largest = largest_of(&values);
    double shown = 0;
    EdgeFilter filter = {.kind = (EdgeFilterKind)key->chosen.filter,
                         .top = key->top,
                         .above =
                             key->chosen.above * (key->chosen.value == GRAPH_WEIGHTS ? 1 : largest),
                         .mass = key->chosen.mass,
                         .hide_self = key->chosen.self == GRAPH_ON,
                         .hide_first = key->chosen.first == GRAPH_ON,
                         .drawn_max = most};
    EdgeList list = edges_select(&scratch, &values, layer, head, &filter);
    for (int i = 0; i < list.count; i++) {
        Edge *edge = &d->edges[d->count++];
        *edge = list.at[i];
        edge->own = pair_value(trace, shape, (GraphValue)key->chosen.value, edge->at);
        shown += fabs((double)edge->own);
    }
    d->left_out += list.left_out;
    d->largest = fmaxf(d->largest, largest);
    return shown;
}

/* Add to each token's size the attention that it receives in one head, or its PageRank: how often a
 * random walk along the head's weights visits it. */
static void size_nodes(GraphData *d, const Mat *weights, Arena scratch) {
    int T = weights->rows;
    double *rank = arena_push(&scratch, sizeof *rank * 3 * (size_t)T);
    if (d->key.chosen.nodes == GRAPH_PAGERANK)
        pagerank(rank, weights, rank + T);
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T && d->key.chosen.nodes != GRAPH_PAGERANK; j++)
            d->size[j] += fabsf(mat_row(weights, i)[j]) <= FLT_MAX ? mat_row(weights, i)[j] : 0;
    for (int j = 0; j < T && d->key.chosen.nodes == GRAPH_PAGERANK; j++)
        d->size[j] += (float)rank[j];
}

int graph_links(ForceLink *links, const GraphData *d) {
    int count = 0;
    for (int i = 0; i < d->count; i++) {
        const Edge *edge = &d->edges[i];
        if (edge->at.query != edge->at.key)
            links[count++] = (ForceLink){edge->at.query, edge->at.key,
                                         fabsf(edge->weight) / fmaxf(d->largest, 1e-20f)};
    }
    return count;
}

/* Compute the data for the current settings into `next`. The layered layout needs a stack of
 * layers, which is computed first if it does not exist. If that fails, only the lowest layer is
 * shown. */
static bool make_next(const ViewContext *c, const Job *job) {
    Err err;
    GraphMemory *m = c->memory->graph;
    GraphData *d = &m->next;
    const LayerStack *stack = NULL;
    int T = c->run->T;
    if (!arena_reserve(&m->making, mat_bytes(T, T) + MAKING_SPARE, &err))
        return false;
    if (is_layered(c) && is_this_stack(&m->stack, c))
        stack = &m->stack;
    else if (is_layered(c) && layer_stack_update(&m->next_stack, c->run, c->session, 0, &err))
        stack = &m->next_stack;
    memset(d, 0, sizeof *d);
    d->key = key_of(c);
    int first = d->key.head > 0 ? d->key.head - 1 : 0, layers = stack != NULL ? stack->layers : 1;
    int heads = d->key.head > 0 ? 1 : c->session->options.heads;
    for (int layer = 0; layer < layers; layer++)
        for (int head = first; head < first + heads; head++) {
            const AttnTrace *trace =
                layer == 0 ? results_trace(c->run, 0) : &stack->bench.trace[layer];
            Mat weights = results_weights(c->run, 0, head);
            d->share +=
                add_head(d, c, trace, layer, head, GRAPH_EDGES_MAX / (heads * layers), m->making);
            if (layer == 0)
                size_nodes(d, &weights, m->making);
            if (!job_goes_on(job))
                return false;
        }
    d->share = d->sum > 0 ? d->share / d->sum : 0;
    for (int j = 0; j < T; j++) {
        d->size[j] /= (float)heads;
        d->size_most = fmaxf(d->size_most, d->size[j]);
    }
    if (d->key.is_forced) {
        Arena scratch = m->making;
        ForceLink *links = arena_push(&scratch, sizeof *links * GRAPH_EDGES_MAX);
        force_layout(d->forced, T, links, graph_links(links, d), &scratch);
    }
    return job_goes_on(job);
}

static void take_next(const ViewContext *c, bool made) {
    GraphMemory *m = c->memory->graph;
    if (made)
        m->data = m->next;
    if (made && m->next_stack.layers > 0) {
        layer_stack_release(&m->stack);
        m->stack = m->next_stack;
        m->next_stack = (LayerStack){0};
    }
    layer_stack_release(&m->next_stack);
}

const ViewMaking GRAPH_MAKING = {is_made, is_there, NULL, make_next, take_next};

const GraphData *graph_data(const ViewContext *c) {
    static const GraphData none;
    GraphMemory *m = c->memory->graph;
    if (c->waits && !is_there(c))
        return &none;
    if (c->waits || is_made(c))
        return &m->data;
    take_next(c, make_next(c, NULL));
    if (!is_made(c) || (is_layered(c) && !is_this_stack(&m->stack, c)))
        ui_fail(c->ui, "memory", "too little for the graph; close other programs");
    return is_there(c) ? &m->data : &none;
}

void graph_clear(GraphMemory *m) {
    layer_stack_release(&m->stack);
    layer_stack_release(&m->next_stack);
    arena_release(&m->making);
}
