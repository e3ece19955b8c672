#include "model/weigh_part.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/gemm.h"

/* Rows taken together: few enough for their scores to stay in the second cache. */
#define PART_ENTRIES    (64 << 10)
#define PART_ROWS_LEAST 32

bool attn_next_span(AttnSpan *span, const uint8_t *marks, int T) {
    int first = span->first + span->count, end;
    while (first < T && !marks[first])
        first++;
    for (end = first; end < T && marks[end];)
        end++;
    *span = (AttnSpan){first, end - first};
    return span->count > 0;
}

/* A row that is not stale reads none of the keys that came to since. */
static void make_weights(AttnKeep *keep, const AttnShape *shape, int head) {
    int T = shape->T, made = keep->made[head];
    attn_lay(keep, shape);
    if (keep->is_made[head])
        return;
    Mat A = attn_head_scores(&keep->A, shape, head), E = attn_head_scores(&keep->E, shape, head);
    for (int i = 0; i < T; i++) {
        uint8_t *is_stale = &keep->is_stale[attn_keep_row(keep, head, i)];
        float *weights = mat_row(&A, i);
        if (*is_stale)
            softmax_scale(weights, mat_row(&E, i), mat_row(&keep->factor, head)[i], T);
        else
            memset(weights + made, 0, (size_t)(T - made) * sizeof *weights);
        *is_stale = 0;
    }
    keep->made[head] = T;
    keep->is_made[head] = true;
}

Mat attn_scores(const AttnTrace *trace, const AttnShape *shape, int head) {
    if (trace->keep == NULL)
        return attn_head_scores(&trace->S, shape, head);
    attn_lay(trace->keep, shape);
    return attn_head_scores(&trace->keep->S, shape, head);
}

Mat attn_weights(const AttnTrace *trace, const AttnShape *shape, int head) {
    if (trace->keep == NULL)
        return attn_head_scores(&trace->A, shape, head);
    make_weights(trace->keep, shape, head);
    return attn_head_scores(&trace->keep->A, shape, head);
}

AttnHeights attn_heights(const AttnTrace *trace, const AttnShape *shape, int head, int query) {
    AttnKeep *keep = trace->keep;
    if (keep != NULL)
        attn_lay(keep, shape);
    const Mat *of = keep != NULL ? &keep->E : &trace->A;
    const float *at = mat_row(of, of->rows / shape->H * head + query);
    return keep != NULL ? (AttnHeights){at, mat_row(&keep->factor, head)[query],
                                        mat_row(&keep->reference, head)[query]}
                        : (AttnHeights){at, 1, NAN};
}

/* The bits of a float's size are in the order of sizes, those of not-a-numbers above all others. */
float attn_heights_difference(const AttnHeights *a, const AttnHeights *b, int T) {
    int32_t most = 0;
    for (int j = 0; j < T; j++) {
        float left = a->at[j] * a->factor, right = b->at[j] * b->factor, away = left - right;
        int32_t bits;
        memcpy(&bits, &away, sizeof bits);
        bits &= INT32_MAX;
        most = bits > most ? bits : most;
    }
    float largest;
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

/* Rows of a head's part of S, A or E. */
static inline Mat rows_of(const Mat *m, const AttnShape *shape, int head, AttnSpan rows) {
    int at = m->rows / shape->H * head + rows.first;
    return (Mat){mat_row(m, at), rows.count, shape->T, m->stride};
}

WeighPart weigh_part_of(const AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                        AttnSpan rows) {
    const AttnKeep *keep = trace->keep;
    int V = shape->V, V_first = head * V;
    WeighPart p = {.mask = mask, .head = head, .first = rows.first, .V_first = V_first};
    p.S = rows_of(keep != NULL ? &keep->S : &trace->S, shape, head, rows);
    p.A = rows_of(keep != NULL ? &keep->A : &trace->A, shape, head, rows);
    p.E = keep != NULL ? rows_of(&keep->E, shape, head, rows) : p.A;
    p.V = (Mat){trace->V.at + V_first, shape->T, V, trace->V.stride};
    const Mat *Z = keep != NULL ? &keep->Z : &trace->Z;
    p.Z = (Mat){mat_row(Z, rows.first) + V_first, rows.count, V, Z->stride};
    return p;
}

/* A row with a score that is no number or +∞ is not gone on with, and its E is its A: not a number,
 * but 0 where a key is closed. */
static void settle_factors(const WeighPart *p, float *factor, float *reference) {
    for (int r = 0; r < p->E.rows; r++)
        if (!isfinite(factor[r])) {
            softmax_spoil(mat_row(&p->E, r), factor[r], weigh_open_keys(p, r), p->E.cols);
            reference[r] = NAN;
            factor[r] = 1;
        }
}

static void divide(Mat *m, const float *factor) {
    for (int r = 0; r < m->rows; r++)
        softmax_scale(mat_row(m, r), mat_row(m, r), factor[r], m->cols);
}

/* Rows of some heads, where nothing is kept: p is of the first head. */
static void weigh_alone(AttnTrace *trace, const AttnShape *shape, WeighPart p, int heads) {
    float reference[WEIGH_PART_ROWS], factor[WEIGH_PART_ROWS];
    int rows = p.E.rows;
    ptrdiff_t step = attn_head_step(&trace->A, shape);
    WeighPart at = p;
    assert(rows * heads <= WEIGH_PART_ROWS);
    for (int h = 0; h < heads; h++, at.S.at += attn_head_step(&trace->S, shape), at.E.at += step) {
        softmax_exps(&at.E, reference, factor + h * rows, &at.S, weigh_open_keys(&p, 0));
        settle_factors(&at, factor + h * rows, reference);
    }
    gemm_each(&p.Z, &p.E, &p.V, &(GemmPlan){.factor = 1},
              &(GemmEach){heads, shape->V, step, shape->V});
    for (int h = 0; h < heads; h++, p.Z.at += shape->V, p.A.at += step) {
        divide(&p.Z, factor + h * rows);
        divide(&p.A, factor + h * rows);
    }
}

/* Sums of rows, at most WEIGH_PART_ROWS, of which a lane is kept for all of them side by side. */
void weigh_load_sums(SoftmaxSum *out, const AttnKeep *keep, double *sums, int head, AttnSpan rows) {
    for (int l = 0; l < SOFTMAX_LANES; l++) {
        const double *lane = attn_keep_lane(keep, sums, head, l) + rows.first;
        for (int r = 0; r < rows.count; r++)
            out[r].lane[l] = lane[r];
    }
}

void weigh_store_sums(const AttnKeep *keep, double *sums, int head, AttnSpan rows,
                      const SoftmaxSum *in) {
    for (int l = 0; l < SOFTMAX_LANES; l++) {
        double *lane = attn_keep_lane(keep, sums, head, l) + rows.first;
        for (int r = 0; r < rows.count; r++)
            lane[r] = in[r].lane[l];
    }
}

void weigh_make_factors(AttnKeep *keep, int head, AttnSpan queries) {
    softmax_factors(mat_row(&keep->factor, head) + queries.first,
                    attn_keep_lane(keep, keep->sum, head, 0) + queries.first, (size_t)keep->room,
                    queries.count);
}

/* The head's part of what is kept by query and V, rows of p. */
Mat weigh_kept_rows(const Mat *m, const WeighPart *p) {
    Mat cols = mat_cols(m, p->V_first, p->V.cols);
    return mat_rows(&cols, p->first, p->E.rows);
}

/* What is read over the first keys. */
void weigh_read_first(AttnKeep *keep, const WeighPart *p) {
    if (keep->read_first.rows == 0)
        return;
    Mat E = mat_cols(&p->E, 0, keep->first), V = mat_rows(&p->V, 0, keep->first);
    Mat read = weigh_kept_rows(&keep->read_first, p);
    mat_mul(&read, &E, &V, 1);
}

/* Sums over the first keys. */
void weigh_sum_first(SoftmaxSum sums[WEIGH_PART_ROWS], AttnKeep *keep, const WeighPart *p) {
    for (int r = 0; r < p->E.rows; r++) {
        sums[r] = (SoftmaxSum){0};
        softmax_add(&sums[r], mat_row(&p->E, r), 0, keep->first);
    }
    weigh_store_sums(keep, keep->sum_first, p->head, (AttnSpan){p->first, p->E.rows}, sums);
}

/* What is read over all keys, of which all but those of E, the last, have been read, in before. */
void weigh_read_on(AttnKeep *keep, const WeighPart *p, const Mat *E, const Mat *before) {
    memset(keep->owes_Z + p->first, 1, (size_t)E->rows);
    memset(keep->owes_Y + p->first, 1, (size_t)E->rows);
    if (keep->read.rows == 0)
        return;
    Mat V = mat_rows(&p->V, p->V.rows - E->cols, E->cols);
    Mat read = weigh_kept_rows(&keep->read, p), was = weigh_kept_rows(before, p);
    if (was.at != read.at)
        mat_copy(&read, &was);
    mat_mul_on(&read, E, &V);
}

static void make_references(AttnKeep *keep, const WeighPart *p) {
    float *reference = mat_row(&keep->reference, p->head) + p->first;
    float *reference_first = mat_row(&keep->reference_first, p->head) + p->first;
    int first = keep->first, last = p->S.cols - first;
    for (int r = 0; r < p->S.rows; r++) {
        const float *scores = mat_row(&p->S, r);
        const uint8_t *open = weigh_open_keys(p, r);
        reference_first[r] = softmax_reference(-INFINITY, scores, open, first);
        reference[r] = softmax_reference(reference_first[r], scores + first, open + first, last);
    }
}

/* All of it but what is read. */
static void make_sums(AttnKeep *keep, const WeighPart *p) {
    Mat exps = p->E;
    float *reference = mat_row(&keep->reference, p->head) + p->first;
    float *factor = mat_row(&keep->factor, p->head) + p->first;
    const AttnSpan rows = {p->first, p->E.rows};
    SoftmaxSum sums[WEIGH_PART_ROWS];
    make_references(keep, p);
    softmax_exps_from(&exps, reference, &p->S, weigh_open_keys(p, 0));
    weigh_sum_first(sums, keep, p);
    for (int r = 0; r < p->E.rows; r++)
        softmax_add(&sums[r], mat_row(&p->E, r), keep->first, p->E.cols);
    weigh_store_sums(keep, keep->sum, p->head, rows, sums);
    memset(keep->is_stale + attn_keep_row(keep, p->head, p->first), 1, (size_t)p->E.rows);
    weigh_make_factors(keep, p->head, rows);
    settle_factors(p, factor, reference);
}

static void weigh_kept(AttnKeep *keep, const WeighPart *p) {
    make_sums(keep, p);
    weigh_read_first(keep, p);
    Mat E = mat_cols(&p->E, keep->first, p->E.cols - keep->first);
    weigh_read_on(keep, p, &E, &keep->read_first);
}

/* Rows of some heads, part by part. */
static void weigh_heads(AttnTrace *trace, const AttnShape *shape, const Mask *mask, AttnSpan heads,
                        AttnSpan queries) {
    int most = PART_ENTRIES / shape->T, end = queries.first + queries.count;
    most = most < PART_ROWS_LEAST   ? PART_ROWS_LEAST
           : most > WEIGH_PART_ROWS ? WEIGH_PART_ROWS
                                    : most;
    for (int first = queries.first; first < end; first += most) {
        int count = end - first < most ? end - first : most;
        WeighPart part = weigh_part_of(trace, shape, mask, heads.first, (AttnSpan){first, count});
        if (trace->keep != NULL)
            weigh_kept(trace->keep, &part);
        else
            weigh_alone(trace, shape, part, heads.count);
    }
}

void weigh_head(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                AttnSpan queries) {
    weigh_heads(trace, shape, mask, (AttnSpan){head, 1}, queries);
}

/* One product for all of them: their E stands side by side meanwhile. */
static void read_some(AttnKeep *keep, const WeighPart *p, const int *queries, int count) {
    Mat E = mat_rows(&keep->beside, 0, count), read = mat_rows(&keep->read_beside, 0, count);
    Mat E_first = mat_cols(&E, 0, keep->first), V_first = mat_rows(&p->V, 0, keep->first);
    Mat E_last = mat_cols(&E, keep->first, p->E.cols - keep->first);
    Mat V_last = mat_rows(&p->V, keep->first, p->V.rows - keep->first);
    size_t bytes = (size_t)read.cols * sizeof *read.at;
    mat_mul(&read, &E_first, &V_first, 1);
    for (int r = 0; r < count; r++)
        memcpy(mat_row(&keep->read_first, queries[r]) + p->V_first, mat_row(&read, r), bytes);
    mat_mul_on(&read, &E_last, &V_last);
    for (int r = 0; r < count; r++)
        memcpy(mat_row(&keep->read, queries[r]) + p->V_first, mat_row(&read, r), bytes);
}

void weigh_some(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                const int *queries, int count) {
    AttnKeep *keep = trace->keep;
    WeighPart p = {0};
    assert(count > 0 && count <= ATTN_BESIDE);
    for (int r = 0; r < count; r++) {
        p = weigh_part_of(trace, shape, mask, head, (AttnSpan){queries[r], 1});
        make_sums(keep, &p);
        keep->owes_Z[queries[r]] = keep->owes_Y[queries[r]] = 1;
        if (keep->read.rows > 0)
            memcpy(mat_row(&keep->beside, r), p.E.at, (size_t)p.E.cols * sizeof *p.E.at);
    }
    if (keep->read.rows > 0)
        read_some(keep, &p, queries, count);
}

/* Where what is read overflows before it is divided, it is read with the weights themselves. */
static void rescue_row(const AttnTrace *trace, const AttnShape *shape, int query) {
    for (int h = 0; h < shape->H; h++) {
        WeighPart p = weigh_part_of(trace, shape, NULL, h, (AttnSpan){query, 1});
        if (isfinite(row_largest(p.Z.at, p.Z.cols)))
            continue;
        if (trace->keep != NULL)
            softmax_scale(p.A.at, p.E.at, mat_row(&trace->keep->factor, h)[query], p.E.cols);
        mat_mul(&p.Z, &p.A, &p.V, 1);
    }
}

void weigh_rescue(const AttnTrace *trace, const AttnShape *shape, const Mat *Z, AttnSpan queries) {
    Mat rows = mat_rows(Z, queries.first, queries.count), all = mat_gapless(&rows);
    if (all.rows == 1 && isfinite(row_largest(all.at, all.cols)))
        return;
    for (int i = queries.first; i < queries.first + queries.count; i++)
        if (!isfinite(row_largest(mat_row(Z, i), Z->cols)))
            rescue_row(trace, shape, i);
}

/* Heads whose queries are one part. */
static int heads_at_once(const AttnTrace *trace, const AttnShape *shape, int queries) {
    int most = attn_heads_together(shape);
    if (trace->keep != NULL || queries == 0 || queries > WEIGH_PART_ROWS)
        return 1;
    return WEIGH_PART_ROWS / queries < most ? WEIGH_PART_ROWS / queries : most;
}

void weigh_rows(AttnTrace *trace, const AttnShape *shape, const Mask *mask, AttnSpan queries) {
    int most = heads_at_once(trace, shape, queries.count);
    for (int h = 0; h < shape->H; h += most) {
        int heads = shape->H - h < most ? shape->H - h : most;
        weigh_heads(trace, shape, mask, (AttnSpan){h, heads}, queries);
    }
    if (trace->keep == NULL)
        weigh_rescue(trace, shape, &trace->Z, queries);
}

/* Z of these queries, from what they have read, which is not kept where it is seldom asked for. */
static void make_read(const AttnTrace *trace, const AttnShape *shape, AttnSpan queries) {
    AttnKeep *keep = trace->keep;
    attn_lay(keep, shape);
    for (int h = 0; h < shape->H; h++) {
        WeighPart p = weigh_part_of(trace, shape, NULL, h, queries);
        if (keep->read.rows > 0) {
            Mat read = weigh_kept_rows(&keep->read, &p);
            mat_copy(&p.Z, &read);
        } else
            mat_mul(&p.Z, &p.E, &p.V, 1);
        divide(&p.Z, mat_row(&keep->factor, h) + queries.first);
    }
    weigh_rescue(trace, shape, &keep->Z, queries);
    memset(keep->owes_Z + queries.first, 0, (size_t)queries.count);
}

Mat attn_read(const AttnTrace *trace, const AttnShape *shape) {
    const AttnKeep *keep = trace->keep;
    if (keep == NULL)
        return trace->Z;
    for (AttnSpan span = {0}; attn_next_span(&span, keep->owes_Z, shape->T);)
        make_read(trace, shape, span);
    return mat_rows(&keep->Z, 0, shape->T);
}

int weigh_first_keys(int T) {
    return T <= 2 * WEIGH_LAST_KEYS ? 0 : (T - WEIGH_LAST_KEYS) / SOFTMAX_LANES * SOFTMAX_LANES;
}

void weigh_begin(AttnTrace *trace, const AttnShape *shape) {
    AttnKeep *keep = trace->keep;
    if (keep == NULL)
        return;
    keep->first = weigh_first_keys(shape->T);
    keep->keys = shape->T;
    keep->tail.count = 0;
    memset(keep->made, 0, (size_t)shape->H * sizeof *keep->made);
    memset(keep->is_made, 0, (size_t)shape->H * sizeof *keep->is_made);
}
