#include "model/weigh.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Rows taken together: few enough for their scores to stay in the second cache. */
#define PART_ENTRIES    (64 << 10)
#define PART_ROWS_LEAST 32
#define PART_ROWS       256

/* Of the keys at the end so many, and up to twice as many more, are not among the first. */
#define LAST_KEYS 16

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
                                        mat_row(&keep->largest, head)[query]}
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

/* Some rows of one head. */
typedef struct Part {
    const Mask *mask;
    int head, first, V_first; /* the first of the rows; the head's first column of V */
    Mat S, E, A, V, Z;        /* A is E where nothing is kept */
} Part;

/* Rows of a head's part of S, A or E. */
static inline Mat rows_of(const Mat *m, const AttnShape *shape, int head, AttnSpan rows) {
    int at = m->rows / shape->H * head + rows.first;
    return (Mat){mat_row(m, at), rows.count, shape->T, m->stride};
}

static inline Part part_of(const AttnTrace *trace, const AttnShape *shape, const Mask *mask,
                           int head, AttnSpan rows) {
    const AttnKeep *keep = trace->keep;
    int V = shape->V, V_first = head * V;
    Part p = {.mask = mask, .head = head, .first = rows.first, .V_first = V_first};
    p.S = rows_of(keep != NULL ? &keep->S : &trace->S, shape, head, rows);
    p.A = rows_of(keep != NULL ? &keep->A : &trace->A, shape, head, rows);
    p.E = keep != NULL ? rows_of(&keep->E, shape, head, rows) : p.A;
    p.V = (Mat){trace->V.at + V_first, shape->T, V, trace->V.stride};
    const Mat *Z = keep != NULL ? &keep->Z : &trace->Z;
    p.Z = (Mat){mat_row(Z, rows.first) + V_first, rows.count, V, Z->stride};
    return p;
}

static const uint8_t *open_keys(const Part *p, int row) {
    return mask_row(p->mask, p->first + row);
}

/* A row with a score that is no number or +∞ is not gone on with, and its E is its A: not a number,
 * but 0 where a key is closed. */
static void settle_factors(const Part *p, float *factor, float *largest) {
    for (int r = 0; r < p->E.rows; r++)
        if (!isfinite(factor[r])) {
            softmax_spoil(mat_row(&p->E, r), factor[r], open_keys(p, r), p->E.cols);
            largest[r] = NAN;
            factor[r] = 1;
        }
}

static void divide(Mat *m, const float *factor) {
    int cols = m->cols;
    for (int r = 0; r < m->rows; r++) {
        float *row = mat_row(m, r), f = factor[r];
        for (int j = 0; j < cols; j++)
            row[j] *= f;
    }
}

static void weigh_alone(Part *p) {
    float largest[PART_ROWS], factor[PART_ROWS];
    softmax_exps(&p->E, largest, factor, &p->S, open_keys(p, 0));
    settle_factors(p, factor, largest);
    mat_mul(&p->Z, &p->E, &p->V, 1);
    divide(&p->Z, factor);
    divide(&p->A, factor);
}

/* Of the scores of the first keys; most often it is that of all. */
static float largest_of_first(const Part *p, int row, float largest, int first) {
    const float *scores = mat_row(&p->S, row);
    const uint8_t *open = open_keys(p, row);
    if (softmax_largest(-INFINITY, scores + first, open + first, p->S.cols - first) < largest)
        return largest;
    return softmax_largest(-INFINITY, scores, open, first);
}

/* The sum of one row, by its lanes. */
static SoftmaxSum load_sum(const AttnKeep *keep, double *sums, int head, int query) {
    SoftmaxSum sum;
    for (int l = 0; l < SOFTMAX_LANES; l++)
        sum.lane[l] = attn_keep_lane(keep, sums, head, l)[query];
    return sum;
}

static void store_sum(const AttnKeep *keep, double *sums, int head, int query, SoftmaxSum sum) {
    for (int l = 0; l < SOFTMAX_LANES; l++)
        attn_keep_lane(keep, sums, head, l)[query] = sum.lane[l];
}

static void make_factors(AttnKeep *keep, int head, AttnSpan queries) {
    softmax_factors(mat_row(&keep->factor, head) + queries.first,
                    attn_keep_lane(keep, keep->sum, head, 0) + queries.first, (size_t)keep->room,
                    queries.count);
}

/* The head's part of what is kept by query and V, rows of p. */
static Mat kept_rows(const Mat *m, const Part *p) {
    Mat cols = mat_cols(m, p->V_first, p->V.cols);
    return mat_rows(&cols, p->first, p->E.rows);
}

/* What is read over the first keys. */
static void read_first(AttnKeep *keep, const Part *p) {
    if (keep->read_first.rows == 0)
        return;
    Mat E = mat_cols(&p->E, 0, keep->first), V = mat_rows(&p->V, 0, keep->first);
    Mat read = kept_rows(&keep->read_first, p);
    mat_mul(&read, &E, &V, 1);
}

/* Sums over the first keys. */
static void sum_first(AttnKeep *keep, const Part *p) {
    for (int r = 0; r < p->E.rows; r++) {
        SoftmaxSum sum = {0};
        softmax_add(&sum, mat_row(&p->E, r), 0, keep->first);
        store_sum(keep, keep->sum_first, p->head, p->first + r, sum);
    }
}

/* What is read over all keys, of which all but those of E, the last, have been read, in before. */
static void read_on(AttnKeep *keep, const Part *p, const Mat *E, const Mat *before) {
    memset(keep->owes_Z + p->first, 1, (size_t)E->rows);
    memset(keep->owes_Y + p->first, 1, (size_t)E->rows);
    if (keep->read.rows == 0)
        return;
    Mat V = mat_rows(&p->V, p->V.rows - E->cols, E->cols);
    Mat read = kept_rows(&keep->read, p), was = kept_rows(before, p);
    if (was.at != read.at)
        mat_copy(&read, &was);
    mat_mul_on(&read, E, &V);
}

static void weigh_kept(AttnKeep *keep, Part *p) {
    float *largest = mat_row(&keep->largest, p->head) + p->first;
    float *largest_first = mat_row(&keep->largest_first, p->head) + p->first;
    float *factor = mat_row(&keep->factor, p->head) + p->first;
    softmax_exps(&p->E, largest, NULL, &p->S, open_keys(p, 0));
    for (int r = 0; r < p->E.rows; r++) {
        SoftmaxSum sum = {0};
        softmax_add(&sum, mat_row(&p->E, r), 0, keep->first);
        store_sum(keep, keep->sum_first, p->head, p->first + r, sum);
        softmax_add(&sum, mat_row(&p->E, r), keep->first, p->E.cols);
        store_sum(keep, keep->sum, p->head, p->first + r, sum);
        largest_first[r] = largest_of_first(p, r, largest[r], keep->first);
    }
    memset(keep->is_stale + attn_keep_row(keep, p->head, p->first), 1, (size_t)p->E.rows);
    make_factors(keep, p->head, (AttnSpan){p->first, p->E.rows});
    settle_factors(p, factor, largest);
    read_first(keep, p);
    Mat E = mat_cols(&p->E, keep->first, p->E.cols - keep->first);
    read_on(keep, p, &E, &keep->read_first);
}

static void weigh_head(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                       AttnSpan queries) {
    int most = PART_ENTRIES / shape->T, end = queries.first + queries.count;
    most = most < PART_ROWS_LEAST ? PART_ROWS_LEAST : most > PART_ROWS ? PART_ROWS : most;
    for (int first = queries.first; first < end; first += most) {
        int count = end - first < most ? end - first : most;
        Part part = part_of(trace, shape, mask, head, (AttnSpan){first, count});
        if (trace->keep != NULL)
            weigh_kept(trace->keep, &part);
        else
            weigh_alone(&part);
    }
}

/* Where what is read overflows before it is divided, it is read with the weights themselves. */
static void rescue_row(const AttnTrace *trace, const AttnShape *shape, int query) {
    for (int h = 0; h < shape->H; h++) {
        Part p = part_of(trace, shape, NULL, h, (AttnSpan){query, 1});
        if (isfinite(row_largest(p.Z.at, p.Z.cols)))
            continue;
        if (trace->keep != NULL)
            softmax_scale(p.A.at, p.E.at, mat_row(&trace->keep->factor, h)[query], p.E.cols);
        mat_mul(&p.Z, &p.A, &p.V, 1);
    }
}

static void rescue_rows(const AttnTrace *trace, const AttnShape *shape, const Mat *Z,
                        AttnSpan queries) {
    Mat rows = mat_rows(Z, queries.first, queries.count), all = mat_gapless(&rows);
    if (all.rows == 1 && isfinite(row_largest(all.at, all.cols)))
        return;
    for (int i = queries.first; i < queries.first + queries.count; i++)
        if (!isfinite(row_largest(mat_row(Z, i), Z->cols)))
            rescue_row(trace, shape, i);
}

void weigh_rows(AttnTrace *trace, const AttnShape *shape, const Mask *mask, AttnSpan queries) {
    for (int h = 0; h < shape->H; h++)
        weigh_head(trace, shape, mask, h, queries);
    if (trace->keep == NULL)
        rescue_rows(trace, shape, &trace->Z, queries);
}

/* Z of these queries, from what they have read, which is not kept where it is seldom asked for. */
static void make_read(const AttnTrace *trace, const AttnShape *shape, AttnSpan queries) {
    AttnKeep *keep = trace->keep;
    attn_lay(keep, shape);
    for (int h = 0; h < shape->H; h++) {
        Part p = part_of(trace, shape, NULL, h, queries);
        if (keep->read.rows > 0) {
            Mat read = kept_rows(&keep->read, &p);
            mat_copy(&p.Z, &read);
        } else
            mat_mul(&p.Z, &p.E, &p.V, 1);
        divide(&p.Z, mat_row(&keep->factor, h) + queries.first);
    }
    rescue_rows(trace, shape, &keep->Z, queries);
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

static int first_keys(int T) {
    return T <= 2 * LAST_KEYS ? 0 : (T - LAST_KEYS) / SOFTMAX_LANES * SOFTMAX_LANES;
}

void weigh_begin(AttnTrace *trace, const AttnShape *shape) {
    AttnKeep *keep = trace->keep;
    if (keep == NULL)
        return;
    keep->first = first_keys(shape->T);
    keep->keys = shape->T;
    keep->tail.count = 0;
    memset(keep->made, 0, (size_t)shape->H * sizeof *keep->made);
    memset(keep->is_made, 0, (size_t)shape->H * sizeof *keep->is_made);
}

#define ON_ROWS 64 /* gone on with together */

/* E of the keys from `from` on: key by key, since there are few of them and many rows. */
static void exps_on(AttnKeep *keep, const Part *p, int from) {
    const float *largest = mat_row(&keep->largest, p->head) + p->first;
    for (int j = from; j < p->E.cols; j++) {
        float exps[ON_ROWS];
        for (int r = 0; r < p->E.rows; r++)
            exps[r] = open_keys(p, r)[j] ? mat_row(&p->S, r)[j] - largest[r] : -INFINITY;
        softmax_exp_each(exps, p->E.rows);
        for (int r = 0; r < p->E.rows; r++)
            mat_row(&p->E, r)[j] = exps[r];
    }
}

/* Go on with a row from its sum over the first keys; false where its largest score is now
 * another. */
static bool row_on(AttnKeep *keep, const Part *p, int row) {
    int query = p->first + row, start = keep->first;
    float largest = mat_row(&keep->largest, p->head)[query];
    float before = mat_row(&keep->largest_first, p->head)[query];
    float now = softmax_largest(before, mat_row(&p->S, row) + start, open_keys(p, row) + start,
                                p->S.cols - start);
    SoftmaxSum sum = load_sum(keep, keep->sum_first, p->head, query);
    softmax_add(&sum, mat_row(&p->E, row), start, p->E.cols);
    store_sum(keep, keep->sum, p->head, query, sum);
    return now == largest && isfinite(largest);
}

/* After rows were gone on with: what follows, and those that could not be are made anew. */
static void end_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                   AttnSpan rows, const uint8_t *is_on) {
    AttnKeep *keep = trace->keep;
    const float *factor = mat_row(&keep->factor, head) + rows.first;
    memset(keep->is_stale + attn_keep_row(keep, head, rows.first), 1, (size_t)rows.count);
    for (int r = 0; r < rows.count; r++)
        if (!is_on[r] || !isfinite(factor[r])) {
            attn_lay_row(keep, shape, head, rows.first + r);
            weigh_head(trace, shape, mask, head, (AttnSpan){rows.first + r, 1});
        }
}

/* Rows of which the keys from `from` on are others. */
static void weigh_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                     AttnSpan rows, int from) {
    AttnKeep *keep = trace->keep;
    Part p = part_of(trace, shape, mask, head, rows);
    int start = keep->first;
    uint8_t is_on[ON_ROWS] = {0};
    exps_on(keep, &p, from);
    for (int r = 0; r < rows.count; r++)
        is_on[r] = row_on(keep, &p, r);
    make_factors(keep, head, rows);
    Mat E = mat_cols(&p.E, start, p.E.cols - start);
    read_on(keep, &p, &E, &keep->read_first);
    end_on(trace, shape, mask, head, rows, is_on);
}

/* Rows that the keys in the tail from `from` on came to. */
static void append_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                      AttnSpan rows, int from) {
    AttnKeep *keep = trace->keep;
    Part p = part_of(trace, shape, mask, head, rows);
    const float *largest = mat_row(&keep->largest, head) + rows.first;
    int count = shape->T - from;
    uint8_t is_on[ON_ROWS];
    float all[ON_ROWS * ATTN_TAIL];
    for (int r = 0; r < rows.count; r++)
        is_on[r] = isfinite(largest[r]) != 0;
    for (int k = 0; k < count; k++) {
        float exps[ON_ROWS];
        double *lane = attn_keep_lane(keep, keep->sum, head, (from + k) % SOFTMAX_LANES);
        attn_tail_exps(exps, is_on, keep, shape, head, rows, from + k);
        for (int r = 0; r < rows.count; r++) {
            lane[rows.first + r] += (double)exps[r];
            all[r * count + k] = exps[r];
        }
    }
    make_factors(keep, head, rows);
    const Mat E = {all, rows.count, count, count};
    read_on(keep, &p, &E, &keep->read);
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
    for (int h = 0; h < shape->H; h++)
        for (AttnSpan span = {0}; next_rows(&span, rows, shape->T, WEIGH_SAME, PART_ROWS);) {
            Part p = part_of(trace, shape, mask, h, span);
            read_first(keep, &p);
            sum_first(keep, &p);
            for (int r = 0; r < span.count; r++) {
                float *most = mat_row(&keep->largest_first, h) + span.first + r;
                *most = softmax_largest(-INFINITY, mat_row(&p.S, r), open_keys(&p, r), keep->first);
            }
        }
}

/* More keys are among the first: every row's sums over them go on. */
static void first_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int end) {
    AttnKeep *keep = trace->keep;
    int first = keep->first, count = end - first;
    for (int h = 0; h < shape->H; h++) {
        Part p = part_of(trace, shape, mask, h, (AttnSpan){0, shape->T});
        if (keep->read_first.rows > 0) {
            Mat E = mat_cols(&p.E, first, count), V = mat_rows(&p.V, first, count);
            Mat read = kept_rows(&keep->read_first, &p);
            mat_mul_on(&read, &E, &V);
        }
        for (int r = 0; r < shape->T; r++) {
            float *most = mat_row(&keep->largest_first, h) + r;
            SoftmaxSum sum = load_sum(keep, keep->sum_first, h, r);
            softmax_add(&sum, mat_row(&p.E, r), first, end);
            store_sum(keep, keep->sum_first, h, r, sum);
            *most =
                softmax_largest(*most, mat_row(&p.S, r) + first, open_keys(&p, r) + first, count);
        }
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
    if (shape->T - keep->first <= 3 * LAST_KEYS)
        return;
    attn_lay(keep, shape);
    first_on(trace, shape, mask, first_keys(shape->T));
}

void weigh_update(AttnTrace *trace, const AttnShape *shape, const Mask *mask, const uint8_t *rows,
                  int from) {
    AttnKeep *keep = trace->keep;
    bool goes_on = keep != NULL && keep->first <= from;
    if (keep != NULL)
        begin_update(keep, shape);
    if (keep != NULL && keep->first > shape->T) {
        keep->first = first_keys(shape->T);
        first_anew(trace, shape, mask, rows);
    }
    for (int h = 0; h < shape->H; h++)
        update_head(trace, shape, mask, h, rows, from, goes_on);
    for (AttnSpan span = {0}; keep == NULL && attn_next_span(&span, rows, shape->T);)
        rescue_rows(trace, shape, &trace->Z, span);
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
