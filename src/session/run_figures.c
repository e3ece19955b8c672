#include <math.h>
#include <string.h>

#include "session/run_layer.h"

static float larger(float a, float b) {
    return isnan(a) || a > b ? a : b;
}

/* The stale rows of a head. */
static void keep_rows(const Run *run, int index, int head) {
    const RunLayer *layer = &run->layers[index];
    const AttnShape *shape = &layer->shape[run->form];
    const AttnTrace *trace = &layer->trace[run->form];
    TraceRoom *room = &run->cache->layers[index].room;
    bool compared = layer->checked != RUN_UNCHECKED;
    const AttnTrace *other = compared ? &layer->trace[layer->checked] : trace;
    Mat S = attn_head_scores(&trace->S, shape, head), A = attn_weights(trace, shape, head);
    Mat S_other = attn_head_scores(&other->S, shape, head);
    Mat A_other = attn_weights(other, shape, head);
    for (int i = 0; i < run->T; i++) {
        RowKeep *row = &room->rows[head * room->tokens + i];
        const uint8_t *open = mask_row(&run->mask, i);
        if (!room->is_stale[i])
            continue;
        stats_row(&row->stats, mat_row(&S, i), mat_row(&A, i), open, i, run->T);
        row->difference_A =
            compared ? stats_row_difference(mat_row(&A, i), mat_row(&A_other, i), open, run->T)
                     : NAN;
        row->difference_S =
            compared ? stats_row_difference(mat_row(&S, i), mat_row(&S_other, i), open, run->T)
                     : NAN;
    }
}

/* A head's figures, from those of its rows. */
static void sum_rows(RunFigures *figures, const TraceRoom *room, int head, int T) {
    StatsSum sum = {0};
    for (int i = 0; i < T; i++) {
        const RowKeep *row = &room->rows[head * room->tokens + i];
        stats_add(&sum, &row->stats);
        figures->form_difference_A = larger(row->difference_A, figures->form_difference_A);
        figures->form_difference_S = larger(row->difference_S, figures->form_difference_S);
    }
    figures->stats[head] = stats_finish(&sum);
}

const RunFigures *run_figures(const Run *run, int layer) {
    LayerCache *cache = &run->cache->layers[layer];
    RunFigures *figures = &cache->figures;
    if (cache->has_figures || run->T == 0)
        return figures;
    figures->form_difference_A = figures->form_difference_S = 0;
    for (int h = 0; h < run->layers[layer].shape[run->form].H; h++) {
        keep_rows(run, layer, h);
        sum_rows(figures, &cache->room, h, run->T);
    }
    memset(cache->room.is_stale, 0, (size_t)run->T);
    cache->has_figures = true;
    return figures;
}

void run_make_weights(const Run *run, bool checked) {
    for (int i = 0; i < run->layer_count; i++) {
        const RunLayer *layer = &run->layers[i];
        run_whole_trace(run, i);
        if (checked && layer->checked != RUN_UNCHECKED)
            attn_trace_whole(&layer->trace[layer->checked], &layer->shape[layer->checked]);
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
