#include "model/update.h"

#include <assert.h>
#include <string.h>

#include "model/block.h"
#include "model/cost.h"
#include "model/form.h"
#include "model/params.h"

/* Of a pass in parts: a few milliseconds, but enough rows for a product to be fast. */
#define PART_STEPS      3e7
#define PART_ROWS_LEAST 32

/* The layer as far as scores, for tokens whose row of x changed. */
static void project_rows(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                         const Mat *x, AttnSpan span) {
    AttnTrace part = attn_trace_rows(trace, shape, span.first, span.count);
    AttnShape rows = *shape;
    Mat x_rows = mat_rows(x, span.first, span.count);
    rows.T = span.count;
    block_open(&part, &rows, &x_rows);
    FORMS[shape->form].project(&part, &rows, params);
}

static void output_rows(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                        const Mat *x, AttnSpan span) {
    AttnTrace part = attn_trace_rows(trace, shape, span.first, span.count);
    Mat x_rows = mat_rows(x, span.first, span.count);
    mat_mul(&part.Y, &part.Z, &params->p[ATTN_W_O], 1);
    block_close(&part, shape, params, &x_rows);
}

void attn_update(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                 const Mask *mask, const AttnChange *change) {
    assert(x->rows == shape->T && x->cols == shape->D && mask->T == shape->T);
    const AttnSpan all = {0, shape->T};
    if (!block_owns_input(shape))
        trace->input = *x;
    for (AttnSpan span = {0}; attn_next_span(&span, change->inputs, shape->T);)
        project_rows(trace, shape, params, x, span);
    bool appends = trace->keep != NULL && attn_tail_takes(trace->keep, shape, change->from);
    for (AttnSpan span = {0}; attn_next_span(&span, change->inputs, shape->T);) {
        form_scores(trace, shape, span, all);
        if (appends) {
            form_tail(trace, shape, mask, span);
            continue;
        }
        form_scores(trace, shape, all, span);
        weigh_close(trace, shape, change->rows, span);
    }
    (appends ? weigh_append : weigh_update)(trace, shape, mask, change->rows, change->from);
    for (AttnSpan span = {0}; trace->keep == NULL && attn_next_span(&span, change->rows, shape->T);)
        output_rows(trace, shape, params, x, span);
}

/* With Z, Y and what lies between for all tokens. */
static AttnTrace with_outputs(const AttnTrace *trace, const AttnShape *shape) {
    AttnTrace out = *trace;
    out.Z = attn_read(trace, shape);
    out.Y = mat_rows(&trace->keep->Y, 0, shape->T);
    if (trace->keep->sum_normed.rows > 0)
        out.sum = mat_rows(&trace->keep->sum_normed, 0, shape->T);
    return out;
}

AttnTrace attn_trace_whole(const AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                           const Mat *x) {
    AttnKeep *keep = trace->keep;
    if (keep == NULL)
        return *trace;
    AttnTrace whole = with_outputs(trace, shape);
    for (AttnSpan span = {0}; attn_next_span(&span, keep->owes_Y, shape->T);) {
        output_rows(&whole, shape, params, x, span);
        memset(keep->owes_Y + span.first, 0, (size_t)span.count);
    }
    for (int h = 0; h < shape->H; h++)
        attn_weights(trace, shape, h);
    whole.S = keep->S;
    whole.A = keep->A;
    whole.keep = NULL;
    return whole;
}

/* As many tokens at a time as PART_STEPS are for. */
static int part_rows(const AttnShape *shape, double steps) {
    double rows = shape->T * PART_STEPS / (steps + 1);
    return rows < PART_ROWS_LEAST ? PART_ROWS_LEAST : rows > shape->T ? shape->T : (int)rows;
}

/* The next rows after span, at most `most` of T; false where there are none. */
static bool next_part(AttnSpan *span, int most, int T) {
    int first = span->first + span->count, rest = T - first;
    *span = (AttnSpan){first, rest < most ? rest : most};
    return span->count > 0;
}

bool attn_forward_watched(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                          const Mat *x, const Mask *mask, JobWatch *watch) {
    assert(x->rows == shape->T && x->cols == shape->D && mask->T == shape->T);
    double steps = cost_steps(shape), of_row = steps / shape->T / 2;
    int most = watch == NULL ? shape->T : part_rows(shape, steps);
    if (most == shape->T) {
        attn_forward(trace, shape, params, x, mask);
        return job_step(watch, steps);
    }
    if (!block_owns_input(shape))
        trace->input = *x;
    for (AttnSpan span = {0}; next_part(&span, most, shape->T);) {
        project_rows(trace, shape, params, x, span);
        if (!job_step(watch, of_row * span.count))
            return false;
    }
    weigh_begin(trace, shape);
    for (AttnSpan span = {0}; next_part(&span, most, shape->T);) {
        form_scores(trace, shape, span, (AttnSpan){0, shape->T});
        weigh_rows(trace, shape, mask, span);
        if (trace->keep == NULL)
            output_rows(trace, shape, params, x, span);
        if (!job_step(watch, of_row * span.count))
            return false;
    }
    return true;
}

void attn_rescale(AttnTrace *trace, const AttnShape *shape) {
    const AttnSpan all = {0, shape->T};
    attn_lay(trace->keep, shape);
    form_scale(trace, shape, all, all);
}
