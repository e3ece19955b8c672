#include <math.h>
#include <string.h>

#include "model/update.h"
#include "session/run_layer.h"

static float larger(float a, float b) {
    return isnan(a) || a > b ? a : b;
}

/* Sums are kept up to a block that is a little before the end, where most texts change. */
#define LAST_KEYS 16

static int kept_keys(int T) {
    return T > LAST_KEYS ? (T - LAST_KEYS) / STATS_BLOCK * STATS_BLOCK : 0;
}

/* One row of a head in the form in use, and in the form that it is checked with, or NULL. */
typedef struct Row {
    StatsRow in_use;
    const float *scores, *heights; /* of the other */
    float reference[2];
} Row;

static float difference_on(float so_far, const float *a, const float *b, const StatsRow *row,
                           int from, int end) {
    if (b == NULL)
        return NAN;
    return larger(stats_row_difference(a + from, b + from, row->open + from, end - from), so_far);
}

/* Bring a row up to date, of which what was summed over the keys before `right` still holds. */
static void keep_row(RowKeep *keep, const Row *row, int right) {
    const StatsRow *own = &row->in_use;
    int T = own->T, first = kept_keys(T);
    bool holds = keep->reference[0] == row->reference[0] && keep->reference[1] == row->reference[1];
    if (right == 0 || keep->sums.keys > right || !holds)
        *keep = (RowKeep){.reference = {row->reference[0], row->reference[1]}};
    int was = keep->sums.keys;
    if (was < first) {
        stats_sum_keys(&keep->sums, own, first);
        keep->first_E = difference_on(keep->first_E, own->heights, row->heights, own, was, first);
        keep->first_S = difference_on(keep->first_S, own->scores, row->scores, own, was, first);
        was = first;
    }
    RowSums sums = keep->sums;
    stats_sum_keys(&sums, own, T);
    stats_row_of(&keep->stats, &sums, own);
    keep->difference_E = difference_on(keep->first_E, own->heights, row->heights, own, was, T);
    keep->difference_S = difference_on(keep->first_S, own->scores, row->scores, own, was, T);
}

/* The stale rows of a head. */
static void keep_rows(const Run *run, int index, int head) {
    const RunLayer *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[run->form];
    const AttnTrace *trace = &layer->trace[run->form];
    TraceRoom *room = &run->cache->layers[index].room;
    bool compared = layer->checked != RUN_UNCHECKED;
    const AttnTrace *other = compared ? &layer->trace[layer->checked] : trace;
    Mat S = attn_scores(trace, shape, head), S_other = attn_scores(other, shape, head);
    for (int i = 0; i < run->T; i++) {
        RowKeep *keep = &room->rows[head * room->tokens + i];
        if (room->right[i] == ROW_RIGHT)
            continue;
        AttnHeights own = attn_heights(trace, shape, head, i);
        AttnHeights others = attn_heights(other, shape, head, i);
        Row row = {.scores = compared ? mat_row(&S_other, i) : NULL,
                   .heights = compared ? others.at : NULL,
                   .reference = {own.reference, others.reference}};
        const float *scores = mat_row(&S, i);
        float reference =
            trace->keep != NULL ? own.reference : stats_row_reference(scores, own.at, run->T);
        row.in_use =
            (StatsRow){scores, own.at, mask_row(&run->mask, i), i, run->T, reference, own.factor};
        keep_row(keep, &row, room->right[i] < run->T ? room->right[i] : run->T);
    }
}

/* A head's figures, from those of its rows. */
static void sum_rows(RunFigures *figures, const TraceRoom *room, int head, int T) {
    StatsSum sum = {0};
    for (int i = 0; i < T; i++) {
        const RowKeep *row = &room->rows[head * room->tokens + i];
        stats_add(&sum, &row->stats);
        figures->form_difference_S = larger(row->difference_S, figures->form_difference_S);
    }
    figures->stats[head] = stats_finish(&sum);
}

/* |a − a'| = |e·f − e'·f'| is at most |e − e'|·f + e'·|f − f'|, where e' is at most the largest e
 * and |e − e'|; and floats round to one part in 2²⁴. Rows whose weights cannot differ by more than
 * others were found to need not be looked at. */
static double most_difference(const RowKeep *row, double factor, double factor_other) {
    double away = (double)row->difference_E, top = row->stats.largest / factor + away;
    double most = away * factor + top * fabs(factor - factor_other);
    return (most + top * (factor + factor_other) * 0x1p-24) * (1 + 0x1p-20);
}

/* What the forms' weights differ by, over all heads. */
static float difference_of_weights(const Run *run, int index) {
    const RunLayer *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[run->form];
    const TraceRoom *room = &run->cache->layers[index].room;
    int count = shape->H * run->T, first = 0;
    float found = 0;
    double highest = -1;
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < count; r++) {
            int n = pass == 0 ? r : (first + r) % count, head = n / run->T, query = n % run->T;
            AttnHeights own = attn_heights(&layer->trace[run->form], shape, head, query);
            AttnHeights other = attn_heights(&layer->trace[layer->checked], shape, head, query);
            double most = most_difference(&room->rows[head * room->tokens + query],
                                          (double)own.factor, (double)other.factor);
            if (pass == 0 && most > highest) {
                highest = most;
                first = n;
            }
            if (pass == 1 && !(most <= (double)found))
                found = larger(attn_heights_difference(&own, &other, run->T), found);
        }
    return found;
}

const RunFigures *run_figures(const Run *run, int layer) {
    LayerCache *cache = &run->cache->layers[layer];
    RunFigures *figures = &cache->figures;
    if (cache->has_figures || run->T == 0)
        return figures;
    figures->form_difference_S = 0;
    for (int h = 0; h < run->layers[layer].shape[run->form].H; h++) {
        keep_rows(run, layer, h);
        sum_rows(figures, &cache->room, h, run->T);
    }
    figures->form_difference_A =
        run->layers[layer].checked != RUN_UNCHECKED ? difference_of_weights(run, layer) : NAN;
    for (int i = 0; i < run->T; i++)
        cache->room.right[i] = ROW_RIGHT;
    cache->has_figures = true;
    return figures;
}

void run_make_weights(const Run *run, bool checked) {
    for (int i = 0; i < run->layer_count; i++) {
        const RunLayer *layer = &run->layers[i];
        run_whole_trace(run, i);
        if (checked && layer->checked != RUN_UNCHECKED)
            attn_trace_whole(&layer->trace[layer->checked], &layer->shape[layer->checked],
                             &layer->params, &run->X);
    }
}

float run_largest_A(const Run *run) {
    float largest = 0;
    for (int i = 0; i < run->layer_count; i++) {
        const RunFigures *figures = run_figures(run, i);
        for (int h = 0; h < run->layers[i].shape[run->form].H; h++)
            if (figures->stats[h].largest > (double)largest)
                largest = (float)figures->stats[h].largest;
    }
    return largest;
}
