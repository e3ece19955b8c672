#include "views/graph/graph_make.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "model/analysis/pagerank.h"

#define CURVE_BINS 2048

size_t graph_make_bytes(int T) {
    size_t rows = 4 * arena_padded(sizeof(double) * (size_t)T);
    size_t bins = 2 * arena_padded(sizeof(double) * CURVE_BINS);
    size_t force = arena_padded(sizeof(ForceLink) * GRAPH_EDGES_MAX) + force_scratch_bytes(T);
    return rows + bins + force + edges_select_bytes(T, GRAPH_EDGES_MAX);
}

static double length_of(const float *v, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)v[i] * (double)v[i];
    return sqrt(sum);
}

HeadValues graph_head_values(const AttnTrace *trace, const AttnShape *shape, int head,
                             GraphValue value, Arena *scratch) {
    bool scores = value == GRAPH_SCORES;
    HeadValues values = {.of = scores ? attn_head_scores(&trace->S, shape, head)
                                      : attn_head_scores(&trace->A, shape, head)};
    if (value != GRAPH_CARRIED)
        return values;
    Mat V = attn_head_value(&trace->V, shape, head);
    float *length = arena_push(scratch, sizeof *length * (size_t)V.rows);
    for (int j = 0; j < V.rows; j++)
        length[j] = (float)length_of(mat_row(&V, j), V.cols);
    values.length = length;
    return values;
}

/* The inputs and buffers for building one head's edges row by row. */
typedef struct HeadWork {
    const GraphSource *source;
    int layer, head;
    HeadValues values;
    float *row, *drawn; /* (T) each: the current row, and its drawn values */
} HeadWork;

static HeadWork begin_head(const GraphSource *s, int layer, int head, Arena *scratch) {
    const Results *run = s->run;
    const AttnTrace *trace = layer == 0 ? results_trace(run, 0) : &s->stack->bench.trace[layer];
    const AttnShape *shape = &run->layers[0].shape[run->form];
    size_t row_bytes = sizeof(float) * (size_t)run->T;
    return (HeadWork){.source = s,
                      .layer = layer,
                      .head = head,
                      .values =
                          graph_head_values(trace, shape, head, (GraphValue)s->key.value, scratch),
                      .row = arena_push(scratch, row_bytes),
                      .drawn = arena_push(scratch, row_bytes)};
}

static const float *row_of(const HeadWork *w, int query) {
    const float *from = mat_row(&w->values.of, query), *length = w->values.length;
    for (int j = 0; length != NULL && j < w->source->run->T; j++)
        w->row[j] = from[j] * length[j];
    return length != NULL ? w->row : from;
}

/* Return the magnitude of an open, finite entry, otherwise 0. */
static inline float size_of(float value, uint8_t open) {
    float size = fabsf(value);
    return open && size <= FLT_MAX ? size : 0;
}

/* Find which share of the weight the n heaviest edges carry, for each n. It is exact at the borders
 * of magnitude bins. */
static void make_curve(GraphCurve *curve, const double *sums, const double *counts, double all,
                       double edges) {
    double sum = 0, count = 0, next = 0;
    curve->count = 0;
    for (int bin = CURVE_BINS - 1; bin >= 0 && all > 0; bin--) {
        sum += sums[bin];
        count += counts[bin];
        if (counts[bin] == 0 || (count < next && count < edges) || curve->count >= GRAPH_CURVE_MAX)
            continue;
        curve->edges[curve->count] = (float)count;
        curve->share[curve->count++] = (float)(sum / all);
        next = fmin(count + edges / (GRAPH_CURVE_MAX - 2), edges);
    }
}

/* Sums over the edges of one head. */
typedef struct HeadSum {
    double sum;
    int edges;
    float largest;
} HeadSum;

static HeadSum sum_head(const HeadWork *w) {
    HeadSum all = {0};
    const Results *run = w->source->run;
    for (int i = 0; i < run->T; i++) {
        const float *row = row_of(w, i);
        const uint8_t *open = mask_row(&run->mask, i);
        for (int j = 0; j < run->T; j++) {
            float size = size_of(row[j], open[j]);
            all.sum += (double)size;
            all.edges += size != 0;
            all.largest = size > all.largest ? size : all.largest;
        }
    }
    return all;
}

static void curve_head(GraphCurve *curve, const HeadWork *w, const HeadSum *all, Arena *scratch) {
    const Results *run = w->source->run;
    double *sums = arena_push_zero(scratch, sizeof *sums * CURVE_BINS);
    double *counts = arena_push_zero(scratch, sizeof *counts * CURVE_BINS);
    for (int i = 0; i < run->T; i++) {
        const float *row = row_of(w, i);
        const uint8_t *open = mask_row(&run->mask, i);
        for (int j = 0; j < run->T; j++) {
            float size = size_of(row[j], open[j]);
            if (size == 0)
                continue;
            int bin = (int)(sqrtf(size / all->largest) * (CURVE_BINS - 1));
            sums[bin] += (double)size;
            counts[bin]++;
        }
    }
    make_curve(curve, sums, counts, all->sum, all->edges);
}

/* First and last of the shown heads. */
static int first_head(const GraphSource *s) {
    return s->key.head > 0 ? s->key.head - 1 : 0;
}

static int last_head(const GraphSource *s) {
    return s->key.head > 0 ? s->key.head - 1 : s->heads - 1;
}

static int layers_of(const GraphSource *s) {
    return s->stack != NULL ? s->stack->layers : 1;
}

/* Compute the sums that every filter needs. */
static bool sum_up(GraphData *d, const GraphSource *s, Arena *scratch, const Job *job) {
    d->all = 0;
    d->sum = 0;
    memset(d->curve, 0, sizeof d->curve);
    for (int layer = 0; layer < layers_of(s); layer++)
        for (int head = first_head(s); head <= last_head(s); head++) {
            Arena before = *scratch;
            HeadWork work = begin_head(s, layer, head, scratch);
            HeadSum all = sum_head(&work);
            d->sum += all.sum;
            d->all += all.edges;
            if (layer == 0)
                curve_head(&d->curve[head], &work, &all, scratch);
            *scratch = before;
            if (!job_goes_on(job))
                return false;
        }
    return true;
}

static void add_received(float *size, const Mat *weights) {
    for (int i = 0; i < weights->rows; i++) {
        const float *row = mat_row(weights, i);
        for (int j = 0; j < weights->cols; j++)
            size[j] += fabsf(row[j]) <= FLT_MAX ? row[j] : 0;
    }
}

static void add_rank(float *size, const Mat *weights, Arena *scratch) {
    Arena before = *scratch;
    int T = weights->rows;
    double *rank = arena_push(scratch, sizeof *rank * 3 * (size_t)T);
    pagerank(rank, weights, rank + T);
    for (int j = 0; j < T; j++)
        size[j] += (float)rank[j];
    *scratch = before;
}

static bool size_nodes(GraphData *d, const GraphSource *s, Arena *scratch, const Job *job) {
    int T = s->run->T, heads = last_head(s) - first_head(s) + 1;
    bool ranks = s->key.nodes == GRAPH_PAGERANK;
    memset(d->size, 0, sizeof d->size);
    d->size_most = 0;
    for (int head = first_head(s); head <= last_head(s); head++) {
        Mat weights = results_weights(s->run, 0, head);
        if (ranks)
            add_rank(d->size, &weights, scratch);
        else
            add_received(d->size, &weights);
        if (!job_goes_on(job))
            return false;
    }
    for (int j = 0; j < T; j++) {
        d->size[j] /= (float)heads;
        d->size_most = fmaxf(d->size_most, d->size[j]);
    }
    return true;
}

bool graph_is_hidden(const GraphKey *key, int query, int token) {
    return (key->self == GRAPH_ON && query == token) || (key->first == GRAPH_ON && token == 0);
}

static bool is_rescaled(const GraphKey *key) {
    return key->rest == GRAPH_ON && key->value == GRAPH_WEIGHTS;
}

double graph_left_sum(const GraphKey *key, const float *row, int T, int query) {
    double sum = 0;
    if (!is_rescaled(key))
        return 1;
    for (int j = 0; j < T; j++)
        sum += graph_is_hidden(key, query, j) ? 0 : (double)row[j];
    return sum;
}

/* Return the drawn values of a row, renormalised to sum 1 if asked. */
static const float *drawn_row(const HeadWork *w, int query) {
    const GraphKey *key = &w->source->key;
    const float *row = row_of(w, query);
    int T = w->source->run->T;
    if (!is_rescaled(key))
        return row;
    double sum = graph_left_sum(key, row, T, query);
    for (int j = 0; j < T; j++)
        w->drawn[j] =
            graph_is_hidden(key, query, j) || !(sum > 0) ? 0 : (float)((double)row[j] / sum);
    return w->drawn;
}

/* Return the largest drawn value of a head. */
static float largest_of(const HeadWork *w) {
    const Results *run = w->source->run;
    float largest = 0;
    for (int i = 0; i < run->T; i++) {
        const float *row = drawn_row(w, i);
        const uint8_t *open = mask_row(&run->mask, i);
        for (int j = 0; j < run->T; j++) {
            float size = size_of(row[j], open[j]);
            largest = size > largest ? size : largest;
        }
    }
    return largest;
}

/* Add the head's edges, drawn_max at most. Return their weight before renormalising. */
static double add_edges(GraphData *d, const HeadWork *w, int drawn_max, Arena *scratch) {
    const Results *run = w->source->run;
    const GraphKey *key = &w->source->key;
    EdgeFilter filter = {.kind = (EdgeFilterKind)key->filter,
                         .top = key->top,
                         .above = key->above,
                         .mass = key->mass,
                         .above_is_share = key->value != GRAPH_WEIGHTS,
                         .hide_self = key->self == GRAPH_ON,
                         .hide_first = key->first == GRAPH_ON,
                         .drawn_max = drawn_max};
    float largest = largest_of(w);
    EdgePick pick = edges_begin(scratch, run->T, &filter, largest);
    for (int i = 0; i < run->T; i++)
        edges_add_row(&pick, i, drawn_row(w, i), mask_row(&run->mask, i));
    EdgeList list = edges_end(&pick);
    double shown = 0;
    for (int i = 0; i < list.count; i++) {
        const Edge *edge = &list.at[i];
        d->edges[d->count] = *edge;
        d->layer_of[d->count] = w->layer;
        d->head_of[d->count++] = w->head;
        shown += fabs((double)head_value(&w->values, edge->query, edge->key));
    }
    d->left_out += list.left_out;
    d->largest = fmaxf(d->largest, largest);
    return shown;
}

static bool choose_edges(GraphData *d, const GraphSource *s, Arena *scratch, const Job *job) {
    double shown = 0;
    int first = first_head(s), last = last_head(s), layers = layers_of(s);
    int most = GRAPH_EDGES_MAX / ((last - first + 1) * layers);
    d->count = d->left_out = 0;
    d->largest = 0;
    for (int layer = 0; layer < layers; layer++)
        for (int head = first; head <= last; head++) {
            Arena before = *scratch;
            HeadWork work = begin_head(s, layer, head, scratch);
            shown += add_edges(d, &work, most, scratch);
            *scratch = before;
            if (!job_goes_on(job))
                return false;
        }
    d->share = d->sum > 0 ? shown / d->sum : 0;
    return true;
}

int graph_links(ForceLink *links, const GraphData *d) {
    int count = 0;
    for (int i = 0; i < d->count; i++)
        if (d->edges[i].query != d->edges[i].key)
            links[count++] = (ForceLink){d->edges[i].query, d->edges[i].key,
                                         fabsf(d->edges[i].weight) / fmaxf(d->largest, 1e-20f)};
    return count;
}

static bool place_by_force(GraphData *d, const GraphSource *s, Arena *scratch, const Job *job) {
    Arena before = *scratch;
    ForceLink *links = arena_push(scratch, sizeof *links * GRAPH_EDGES_MAX);
    int count = graph_links(links, d);
    force_layout(d->forced, s->run->T, links, count, scratch);
    *scratch = before;
    return job_goes_on(job);
}

/* True if sums and node sizes are the same for both keys. */
static bool same_sums(const GraphKey *a, const GraphKey *b) {
    return a->revision == b->revision && a->head == b->head && a->depth == b->depth &&
           a->value == b->value;
}

/* True if also the drawn edges are the same. */
static bool same_edges(const GraphKey *a, const GraphKey *b) {
    return same_sums(a, b) && a->filter == b->filter && a->top == b->top && a->self == b->self &&
           a->first == b->first && a->rest == b->rest && a->above == b->above && a->mass == b->mass;
}

bool graph_key_equal(const GraphKey *a, const GraphKey *b) {
    return same_edges(a, b) && a->nodes == b->nodes && a->is_forced == b->is_forced;
}

bool graph_make(GraphData *d, const GraphSource *s, Arena *scratch, const Job *job) {
    const GraphKey from = d->key, *to = &s->key;
    d->key = (GraphKey){0};
    if (!same_sums(&from, to) && !sum_up(d, s, scratch, job))
        return false;
    bool same_sizes =
        from.revision == to->revision && from.head == to->head && from.nodes == to->nodes;
    if (!same_sizes && !size_nodes(d, s, scratch, job))
        return false;
    if (!same_edges(&from, to) && !choose_edges(d, s, scratch, job))
        return false;
    if (to->is_forced && !(from.is_forced && same_edges(&from, to)) &&
        !place_by_force(d, s, scratch, job))
        return false;
    d->key = *to;
    return true;
}
