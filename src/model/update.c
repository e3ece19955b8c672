#include "model/update.h"

#include <assert.h>
#include <string.h>

#include "math/softmax.h"
#include "model/block.h"
#include "model/cost.h"
#include "model/form.h"
#include "model/params.h"

/* Of a pass in parts: a few milliseconds, but enough rows for a product to be fast. */
#define PART_STEPS      3e7
#define PART_ROWS_LEAST 32

/* The next tokens in a row that are marked, from span's end on; false where there are none. */
static bool next_span(AttnSpan *span, const uint8_t *marks, int T) {
    int first = span->first + span->count, end;
    while (first < T && !marks[first])
        first++;
    for (end = first; end < T && marks[end];)
        end++;
    *span = (AttnSpan){first, end - first};
    return span->count > 0;
}

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

static void weigh_rows(AttnTrace *trace, const AttnShape *shape, const Mask *mask, AttnSpan span) {
    for (int h = 0; h < shape->H; h++) {
        Mat S = attn_head_scores(&trace->S, shape, h), A = attn_head_scores(&trace->A, shape, h);
        Mat V = attn_head_value(&trace->V, shape, h), Z = attn_head_value(&trace->Z, shape, h);
        for (int i = span.first; i < span.first + span.count; i++) {
            Mat scores = {mat_row(&S, i), 1, shape->T, shape->T};
            Mat weights = {mat_row(&A, i), 1, shape->T, shape->T};
            softmax_rows(&weights, &scores, mask_row(mask, i));
        }
        Mat weights = mat_rows(&A, span.first, span.count);
        Mat read = mat_rows(&Z, span.first, span.count);
        mat_mul(&read, &weights, &V, 1);
    }
}

/* Rows that stay do not read these keys, which may be new. */
static void close_keys(AttnTrace *trace, const AttnShape *shape, const uint8_t *weights,
                       AttnSpan keys) {
    for (int h = 0; h < shape->H; h++) {
        Mat A = attn_head_scores(&trace->A, shape, h);
        for (int i = 0; i < shape->T; i++)
            if (!weights[i])
                memset(mat_row(&A, i) + keys.first, 0, (size_t)keys.count * sizeof *A.at);
    }
}

static void output_rows(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                        const Mat *x, AttnSpan span) {
    AttnTrace part = attn_trace_rows(trace, shape, span.first, span.count);
    Mat x_rows = mat_rows(x, span.first, span.count);
    mat_mul(&part.Y, &part.Z, &params->p[ATTN_W_O], 1);
    block_close(&part, shape, params, &x_rows);
}

void attn_update(AttnTrace *trace, const AttnShape *shape, const AttnParams *params, const Mat *x,
                 const Mask *mask, const uint8_t *inputs, const uint8_t *weights) {
    assert(x->rows == shape->T && x->cols == shape->D && mask->T == shape->T);
    const AttnSpan all = {0, shape->T};
    if (!block_owns_input(shape))
        trace->input = *x;
    for (AttnSpan span = {0}; next_span(&span, inputs, shape->T);)
        project_rows(trace, shape, params, x, span);
    for (AttnSpan span = {0}; next_span(&span, inputs, shape->T);) {
        form_scores(trace, shape, span, all);
        form_scores(trace, shape, all, span);
        close_keys(trace, shape, weights, span);
    }
    for (AttnSpan span = {0}; next_span(&span, weights, shape->T);) {
        weigh_rows(trace, shape, mask, span);
        output_rows(trace, shape, params, x, span);
    }
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
    int most = part_rows(shape, steps);
    if (!block_owns_input(shape))
        trace->input = *x;
    for (AttnSpan span = {0}; next_part(&span, most, shape->T);) {
        project_rows(trace, shape, params, x, span);
        if (!job_step(watch, of_row * span.count))
            return false;
    }
    for (AttnSpan span = {0}; next_part(&span, most, shape->T);) {
        form_scores(trace, shape, span, (AttnSpan){0, shape->T});
        weigh_rows(trace, shape, mask, span);
        output_rows(trace, shape, params, x, span);
        if (!job_step(watch, of_row * span.count))
            return false;
    }
    return true;
}

void attn_rescale(AttnTrace *trace, const AttnShape *shape) {
    const AttnSpan all = {0, shape->T};
    form_scale(trace, shape, all, all);
}
