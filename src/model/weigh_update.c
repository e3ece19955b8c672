#include <math.h>
#include <string.h>

#include "model/weigh_part.h"

#define ON_ROWS 64 /* gone on with together */

/* E of the keys from `from` on: key by key, since there are few of them and many rows. */
static void exps_on(AttnKeep *keep, const WeighPart *p, int from) {
    const float *reference = mat_row(&keep->reference, p->head) + p->first;
    for (int j = from; j < p->E.cols; j++) {
        float exps[ON_ROWS];
        for (int r = 0; r < p->E.rows; r++)
            exps[r] = weigh_open_keys(p, r)[j] ? mat_row(&p->S, r)[j] - reference[r] : -INFINITY;
        softmax_exp_each(exps, p->E.rows);
        for (int r = 0; r < p->E.rows; r++)
            mat_row(&p->E, r)[j] = exps[r];
    }
}

/* Go on with a row from its sum over the first keys; false where its reference is now
 * another. */
static bool row_on(SoftmaxSum *sum, const AttnKeep *keep, const WeighPart *p, int row) {
    int query = p->first + row, start = keep->first;
    float reference = mat_row(&keep->reference, p->head)[query];
    float before = mat_row(&keep->reference_first, p->head)[query];
    float now = softmax_reference(before, mat_row(&p->S, row) + start,
                                  weigh_open_keys(p, row) + start, p->S.cols - start);
    softmax_add(sum, mat_row(&p->E, row), start, p->E.cols);
    return now == reference && isfinite(reference);
}

/* After rows were gone on with: what follows, and those that could not be are made anew. */
static void end_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                   AttnSpan rows, const uint8_t *is_on) {
    AttnKeep *keep = trace->keep;
    const float *factor = mat_row(&keep->factor, head) + rows.first;
    memset(keep->is_stale + attn_keep_row(keep, head, rows.first), 1, (size_t)rows.count);
    int queries[ATTN_BESIDE], count = 0;
    for (int r = 0; r < rows.count; r++)
        if (!is_on[r] || !isfinite(factor[r])) {
            attn_lay_row(keep, shape, head, rows.first + r);
            queries[count++] = rows.first + r;
            if (count < ATTN_BESIDE)
                continue;
            weigh_some(trace, shape, mask, head, queries, count);
            count = 0;
        }
    if (count > 0)
        weigh_some(trace, shape, mask, head, queries, count);
}

/* Rows of which the keys from `from` on are others. */
static void weigh_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                     AttnSpan rows, int from) {
    AttnKeep *keep = trace->keep;
    WeighPart p = weigh_part_of(trace, shape, mask, head, rows);
    int start = keep->first;
    uint8_t is_on[ON_ROWS] = {0};
    SoftmaxSum sums[ON_ROWS];
    exps_on(keep, &p, from);
    weigh_load_sums(sums, keep, keep->sum_first, head, rows);
    for (int r = 0; r < rows.count; r++)
        is_on[r] = row_on(&sums[r], keep, &p, r);
    weigh_store_sums(keep, keep->sum, head, rows, sums);
    weigh_make_factors(keep, head, rows);
    Mat E = mat_cols(&p.E, start, p.E.cols - start);
    weigh_read_on(keep, &p, &E, &keep->read_first);
    end_on(trace, shape, mask, head, rows, is_on);
}

/* Rows that the keys in the tail from `from` on came to. */
static void append_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                      AttnSpan rows, int from) {
    AttnKeep *keep = trace->keep;
    WeighPart p = weigh_part_of(trace, shape, mask, head, rows);
    const float *reference = mat_row(&keep->reference, head) + rows.first;
    int count = shape->T - from;
    uint8_t is_on[ON_ROWS];
    float all[ON_ROWS * ATTN_TAIL];
    for (int r = 0; r < rows.count; r++)
        is_on[r] = isfinite(reference[r]) != 0;
    for (int k = 0; k < count; k++) {
        float exps[ON_ROWS];
        double *lane = attn_keep_lane(keep, keep->sum, head, (from + k) % SOFTMAX_LANES);
        attn_tail_exps(exps, is_on, keep, shape, head, rows, from + k);
        for (int r = 0; r < rows.count; r++) {
            lane[rows.first + r] += (double)exps[r];
            all[r * count + k] = exps[r];
        }
    }
    weigh_make_factors(keep, head, rows);
    const Mat E = {all, rows.count, count, count};
    weigh_read_on(keep, &p, &E, &keep->read);
    end_on(trace, shape, mask, head, rows, is_on);
}

/* The next rows of a kind from span's end on, at most so many; false where there are none. */
static bool next_rows(AttnSpan *span, const uint8_t *rows, int T, WeighRow kind, int most) {
    int first = span->first + span->count, end;
    while (first < T && rows[first] != kind)
        first++;
    for (end = first; end < T && end - first < most && rows[end] == kind;)
        end++;
    *span = (AttnSpan){first, end - first};
    return span->count > 0;
}

/* Rows that stay do not read these keys, which may be new. */
void weigh_close(AttnTrace *trace, const AttnShape *shape, const uint8_t *rows, AttnSpan keys) {
    const Mat *all = trace->keep != NULL ? &trace->keep->E : &trace->A;
    for (int h = 0; h < shape->H; h++) {
        Mat E = attn_head_scores(all, shape, h);
        for (int i = 0; i < shape->T; i++)
            if (rows[i] == WEIGH_SAME)
                memset(mat_row(&E, i) + keys.first, 0, (size_t)keys.count * sizeof *E.at);
    }
}

/* Rows that stay, of which the first keys are to be fewer: their sums over them. */
static void first_anew(AttnTrace *trace, const AttnShape *shape, const Mask *mask,
                       const uint8_t *rows) {
    AttnKeep *keep = trace->keep;
    SoftmaxSum sums[WEIGH_PART_ROWS];
    for (int h = 0; h < shape->H; h++)
        for (AttnSpan span = {0}; next_rows(&span, rows, shape->T, WEIGH_SAME, WEIGH_PART_ROWS);) {
            WeighPart p = weigh_part_of(trace, shape, mask, h, span);
            weigh_read_first(keep, &p);
            weigh_sum_first(sums, keep, &p);
            for (int r = 0; r < span.count; r++) {
                float *reference = mat_row(&keep->reference_first, h) + span.first + r;
                *reference = softmax_reference(-INFINITY, mat_row(&p.S, r), weigh_open_keys(&p, r),
                                               keep->first);
            }
        }
}

/* More keys are among the first: sums over them go on. */
static void sums_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                    AttnSpan rows, int end) {
    AttnKeep *keep = trace->keep;
    SoftmaxSum sums[WEIGH_PART_ROWS];
    WeighPart p = weigh_part_of(trace, shape, mask, head, rows);
    float *reference = mat_row(&keep->reference_first, head) + rows.first;
    int first = keep->first;
    weigh_load_sums(sums, keep, keep->sum_first, head, rows);
    for (int r = 0; r < rows.count; r++) {
        softmax_add(&sums[r], mat_row(&p.E, r), first, end);
        reference[r] = softmax_reference(reference[r], mat_row(&p.S, r) + first,
                                         weigh_open_keys(&p, r) + first, end - first);
    }
    weigh_store_sums(keep, keep->sum_first, head, rows, sums);
}

static void first_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int end) {
    AttnKeep *keep = trace->keep;
    int first = keep->first, T = shape->T;
    for (int h = 0; h < shape->H; h++) {
        WeighPart p = weigh_part_of(trace, shape, mask, h, (AttnSpan){0, T});
        if (keep->read_first.rows > 0) {
            Mat E = mat_cols(&p.E, first, end - first), V = mat_rows(&p.V, first, end - first);
            Mat read = weigh_kept_rows(&keep->read_first, &p);
            mat_mul_on(&read, &E, &V);
        }
        for (int i = 0; i < T; i += WEIGH_PART_ROWS)
            sums_on(trace, shape, mask, h,
                    (AttnSpan){i, T - i < WEIGH_PART_ROWS ? T - i : WEIGH_PART_ROWS}, end);
    }
    keep->first = end;
}

static void update_head(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                        const uint8_t *rows, int from, bool goes_on) {
    int T = shape->T;
    for (AttnSpan span = {0}; next_rows(&span, rows, T, WEIGH_ANEW, T);)
        weigh_head(trace, shape, mask, head, span);
    for (AttnSpan span = {0}; next_rows(&span, rows, T, WEIGH_ON, goes_on ? ON_ROWS : T);)
        if (goes_on)
            weigh_on(trace, shape, mask, head, span, from);
        else
            weigh_head(trace, shape, mask, head, span);
}

/* Another text or mask: A is yet to be made again. */
static void begin_update(AttnKeep *keep, const AttnShape *shape) {
    for (int h = 0; h < shape->H; h++) {
        keep->made[h] = keep->made[h] < shape->T ? keep->made[h] : shape->T;
        keep->is_made[h] = false;
    }
}

static void end_update(AttnTrace *trace, const AttnShape *shape, const Mask *mask) {
    AttnKeep *keep = trace->keep;
    keep->keys = shape->T;
    if (shape->T - keep->first <= 3 * WEIGH_LAST_KEYS)
        return;
    attn_lay(keep, shape);
    first_on(trace, shape, mask, weigh_first_keys(shape->T));
}

void weigh_update(AttnTrace *trace, const AttnShape *shape, const Mask *mask, const uint8_t *rows,
                  int from) {
    AttnKeep *keep = trace->keep;
    bool goes_on = keep != NULL && keep->first <= from;
    if (keep != NULL)
        begin_update(keep, shape);
    if (keep != NULL && keep->first > shape->T) {
        keep->first = weigh_first_keys(shape->T);
        first_anew(trace, shape, mask, rows);
    }
    for (int h = 0; h < shape->H; h++)
        update_head(trace, shape, mask, h, rows, from, goes_on);
    for (AttnSpan span = {0}; keep == NULL && attn_next_span(&span, rows, shape->T);)
        weigh_rescue(trace, shape, &trace->Z, span);
    if (keep != NULL)
        end_update(trace, shape, mask);
}

void weigh_append(AttnTrace *trace, const AttnShape *shape, const Mask *mask, const uint8_t *rows,
                  int from) {
    begin_update(trace->keep, shape);
    for (int h = 0; h < shape->H; h++) {
        for (AttnSpan span = {0}; next_rows(&span, rows, shape->T, WEIGH_ANEW, shape->T);)
            weigh_head(trace, shape, mask, h, span);
        for (AttnSpan span = {0}; next_rows(&span, rows, shape->T, WEIGH_ON, ON_ROWS);)
            append_on(trace, shape, mask, h, span, from);
    }
    end_update(trace, shape, mask);
}
