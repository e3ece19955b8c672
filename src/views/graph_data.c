#include "views/graph_data.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "draw/force.h"
#include "model/pagerank.h"

#define CURVE_BINS 2048

static const Entry LAYOUT_ROWS[] = {
    {"circle", "Circle", "", "Tokens in a ring, the first on top, clockwise."},
    {"arc", "Arc", "", "Tokens in one line, as they are read."},
    {"bipartite", "Bipartite", "", "Queries at the left, keys at the right."},
    {"layered", "Layered", "",
     "One column for each layer of the stack: its queries read the layer below."},
    {"force", "Force", "", "Tokens that read each other stand near."},
};
static const Entry VALUE_ROWS[] = {
    {"weights", "Weights A", "a_ij", "What softmax made of the scores: each row sums to 1."},
    {"scores", "Scores S", "s_ij", "What softmax is given: any number, of either sign."},
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
    {"hidden", "Hidden", "", "They are left out, and missed in the share."},
};
static const Entry REST_ROWS[] = {
    {"as-is", "As it is", "", "What is left keeps its weights."},
    {"renormalised", "Renormalised", "a_ij / Σ_shown a_ij",
     "What is left of each row is brought to sum 1 again."},
};
static_assert(ARRAY_COUNT(LAYOUT_ROWS) == GRAPH_LAYOUT_COUNT, "one row for each layout");
static_assert(ARRAY_COUNT(VALUE_ROWS) == GRAPH_VALUE_COUNT, "one row for each kind of value");
static_assert(ARRAY_COUNT(NODE_ROWS) == GRAPH_NODES_COUNT, "one row for each size of nodes");
#define REGISTRY(plural, one, rows)                                                                \
    { plural, one, rows, sizeof(rows)[0], ARRAY_COUNT(rows) }
const Registry GRAPH_LAYOUTS = REGISTRY("layouts", "layout", LAYOUT_ROWS);
const Registry GRAPH_VALUES = REGISTRY("values", "kind of value", VALUE_ROWS);
const Registry GRAPH_NODE_SIZES = REGISTRY("sizes", "size", NODE_ROWS);
const Registry GRAPH_FLOWS = REGISTRY("flows", "flow", FLOW_ROWS);
const Registry GRAPH_HEADS = REGISTRY("choices", "choice", HEAD_ROWS);
const Registry GRAPH_HIDING = REGISTRY("choices", "choice", HIDING_ROWS);
const Registry GRAPH_RESTS = REGISTRY("choices", "choice", REST_ROWS);

size_t graph_scratch_bytes(const Run *run) {
    size_t matrices = 6 * (mat_bytes(run->T, run->T) + ARENA_ALIGN);
    size_t edges = edges_select_bytes(run->T, GRAPH_EDGES_MAX);
    size_t places = arena_padded(sizeof(Vec2) * GRAPH_PLACES_MAX) +
                    2 * arena_padded(sizeof(float) * TOKENS_MAX);
    size_t force = arena_padded(sizeof(ForceLink) * GRAPH_EDGES_MAX) + force_scratch_bytes(run->T);
    size_t lists = 8 * arena_padded(sizeof(double) * (size_t)run->T);
    return matrices + edges + places + force + lists +
           2 * arena_padded(sizeof(double) * CURVE_BINS);
}

int graph_first_head(const ViewContext *c) {
    return c->settings->graph_heads == GRAPH_ON ? 0 : c->session->options.head - 1;
}

int graph_last_head(const ViewContext *c) {
    return c->settings->graph_heads == GRAPH_ON ? c->session->options.heads - 1
                                                : c->session->options.head - 1;
}

/* What the data follow from. */
static uint64_t key_of(const ViewContext *c) {
    const Settings *s = c->settings;
    uint64_t parts[] = {c->run->revision,
                        (uint64_t)c->session->options.head,
                        (uint64_t)s->graph_heads,
                        (uint64_t)graph_layers(c),
                        (uint64_t)s->graph_value,
                        (uint64_t)s->graph_filter,
                        (uint64_t)s->edges,
                        (uint64_t)s->graph_nodes,
                        (uint64_t)s->graph_self,
                        (uint64_t)s->graph_first,
                        (uint64_t)s->graph_rest,
                        (uint64_t)(s->graph_above * 1e6f),
                        (uint64_t)(s->graph_mass * 1e6f)};
    return rng_hash(parts, sizeof parts) | 1;
}

static double length_of(const float *v, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)v[i] * (double)v[i];
    return sqrt(sum);
}

static const AttnShape *shape_of(const ViewContext *c) {
    return &c->run->layers[0].shape[c->run->form];
}

static bool is_layered(const ViewContext *c) {
    return c->settings->graph_layout == GRAPH_LAYERED;
}

int graph_layers(const ViewContext *c) {
    int layers = c->memory->graph.stack.layers;
    return is_layered(c) && layers > 0 ? layers : 1;
}

/* The lowest layer of a stack is the Run's own. */
static const AttnTrace *trace_of(const ViewContext *c, int layer) {
    return layer == 0 ? run_trace(c->run, 0) : &c->memory->graph.stack.bench.trace[layer];
}

Mat graph_values(const ViewContext *c, int layer, int head) {
    const AttnTrace *trace = trace_of(c, layer);
    const AttnShape *shape = shape_of(c);
    bool scores = c->settings->graph_value == GRAPH_SCORES;
    Mat from = scores ? attn_scores(trace, shape, head) : attn_weights(trace, shape, head);
    if (c->settings->graph_value != GRAPH_CARRIED)
        return from;
    Mat out = mat_push(c->scratch, c->run->T, c->run->T),
        V = attn_head_value(&trace->V, shape, head);
    for (int j = 0; j < c->run->T; j++) {
        float length = (float)length_of(mat_row(&V, j), V.cols);
        for (int i = 0; i < c->run->T; i++)
            mat_row(&out, i)[j] = mat_row(&from, i)[j] * length;
    }
    return out;
}

static bool is_hidden(const Settings *s, int query, int key) {
    return (s->graph_self == GRAPH_ON && query == key) || (s->graph_first == GRAPH_ON && key == 0);
}

/* What is left of each row, brought to sum 1 again. */
static Mat renormalised(const ViewContext *c, const Mat *values) {
    int T = c->run->T;
    Mat out = mat_push(c->scratch, T, T);
    for (int i = 0; i < T; i++) {
        double sum = 0;
        for (int j = 0; j < T; j++)
            sum += is_hidden(c->settings, i, j) ? 0 : (double)mat_row(values, i)[j];
        for (int j = 0; j < T; j++)
            mat_row(&out, i)[j] = is_hidden(c->settings, i, j) || !(sum > 0)
                                      ? 0
                                      : (float)((double)mat_row(values, i)[j] / sum);
    }
    return out;
}

static EdgeFilter filter_of(const Settings *s, int drawn_max) {
    return (EdgeFilter){.kind = (EdgeFilterKind)s->graph_filter,
                        .top = s->edges,
                        .above = s->graph_above,
                        .mass = s->graph_mass,
                        .above_is_share = s->graph_value != GRAPH_WEIGHTS,
                        .hide_self = s->graph_self == GRAPH_ON,
                        .hide_first = s->graph_first == GRAPH_ON,
                        .drawn_max = drawn_max};
}

/* The head's edges, and how much of what there is they show; *sum grows by all there is. */
static double add_edges(GraphData *d, double *sum, const ViewContext *c, int layer, int head,
                        const Mat *values, int drawn_max) {
    Arena scratch = *c->scratch; /* the list is copied, so its room is used again */
    bool renormalise =
        c->settings->graph_rest == GRAPH_ON && c->settings->graph_value == GRAPH_WEIGHTS;
    Mat drawn = renormalise ? renormalised(c, values) : *values;
    EdgeFilter filter = filter_of(c->settings, drawn_max);
    EdgeList list = edges_select(c->scratch, &drawn, &c->run->mask, &filter);
    double shown = 0;
    for (int i = 0; i < list.count; i++) {
        const Edge *edge = &list.at[i];
        d->edges[d->count] = *edge;
        d->layer_of[d->count] = layer;
        d->head_of[d->count++] = head;
        shown += fabs((double)mat_row(values, edge->query)[edge->key]);
    }
    for (int i = 0; i < c->run->T; i++)
        for (int j = 0; j < c->run->T; j++) {
            float value = mat_row(values, i)[j];
            if (!mask_row(&c->run->mask, i)[j] || !isfinite(value))
                continue;
            *sum += fabs((double)value);
            d->all += value != 0;
            d->largest = fmaxf(d->largest, fabsf(mat_row(&drawn, i)[j]));
        }
    d->left_out += list.left_out;
    *c->scratch = scratch;
    return shown;
}

static void add_received(GraphData *d, const Mat *weights) {
    for (int i = 0; i < weights->rows; i++)
        for (int j = 0; j < weights->cols; j++)
            d->size[j] += isfinite(mat_row(weights, i)[j]) ? mat_row(weights, i)[j] : 0;
}

static void add_sizes(GraphData *d, const ViewContext *c, int head) {
    int T = c->run->T;
    Mat weights = run_weights(c->run, 0, head);
    if (c->settings->graph_nodes != GRAPH_PAGERANK) {
        add_received(d, &weights);
        return;
    }
    Arena scratch = *c->scratch;
    double *rank = arena_push(c->scratch, sizeof *rank * 3 * (size_t)T);
    pagerank(rank, &weights, rank + T);
    for (int j = 0; j < T; j++)
        d->size[j] += (float)rank[j];
    *c->scratch = scratch;
}

/* The share that the heaviest edges have, by how many they are: exact at the borders of bins of
 * magnitude. */
static void make_curve(GraphData *d, const ViewContext *c, const Mat *values) {
    Arena scratch = *c->scratch;
    double *sums = arena_push_zero(c->scratch, sizeof *sums * CURVE_BINS);
    double *counts = arena_push_zero(c->scratch, sizeof *counts * CURVE_BINS), all = 0, edges = 0;
    float most = 0;
    for (int i = 0; i < values->rows; i++)
        for (int j = 0; j < values->cols; j++)
            if (mask_row(&c->run->mask, i)[j] && isfinite(mat_row(values, i)[j]))
                most = fmaxf(most, fabsf(mat_row(values, i)[j]));
    for (int i = 0; i < values->rows && most > 0; i++)
        for (int j = 0; j < values->cols; j++) {
            float size = fabsf(mat_row(values, i)[j]);
            if (!mask_row(&c->run->mask, i)[j] || !isfinite(size) || size == 0)
                continue;
            int bin = (int)(sqrtf(size / most) * (CURVE_BINS - 1));
            sums[bin] += (double)size;
            counts[bin]++;
            all += (double)size;
            edges++;
        }
    d->curve_count = 0;
    double sum = 0, count = 0, next = 0;
    for (int bin = CURVE_BINS - 1; bin >= 0 && all > 0; bin--) {
        sum += sums[bin];
        count += counts[bin];
        if (counts[bin] == 0 || (count < next && count < edges) ||
            d->curve_count >= GRAPH_CURVE_MAX)
            continue;
        d->curve_edges[d->curve_count] = (float)count;
        d->curve_share[d->curve_count++] = (float)(sum / all);
        next = fmin(count + edges / (GRAPH_CURVE_MAX - 2), edges);
    }
    *c->scratch = scratch;
}

const GraphData *graph_data(const ViewContext *c) {
    GraphData *d = &c->memory->graph.data;
    if (is_layered(c))
        run_stack_update(&c->memory->graph.stack, c->run, c->session, 0,
                         &c->memory->graph.stack_err);
    uint64_t key = key_of(c);
    if (d->key == key)
        return d;
    memset(d, 0, sizeof *d);
    d->key = key;
    int first = graph_first_head(c), last = graph_last_head(c), layers = graph_layers(c);
    int most = GRAPH_EDGES_MAX / ((last - first + 1) * layers);
    double shown = 0, sum = 0;
    for (int layer = 0; layer < layers; layer++)
        for (int head = first; head <= last; head++) {
            Arena scratch = *c->scratch;
            Mat values = graph_values(c, layer, head);
            shown += add_edges(d, &sum, c, layer, head, &values, most);
            if (layer == 0)
                add_sizes(d, c, head);
            if (layer == 0 && head == c->session->options.head - 1)
                make_curve(d, c, &values);
            *c->scratch = scratch;
        }
    d->share = sum > 0 ? shown / sum : 0;
    for (int j = 0; j < c->run->T; j++) {
        d->size[j] /= (float)(last - first + 1);
        d->size_most = fmaxf(d->size_most, d->size[j]);
    }
    return d;
}
