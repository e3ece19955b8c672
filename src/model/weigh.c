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

static size_t row_count(const AttnShape *shape) {
    return (size_t)shape->H * (size_t)shape->T;
}

size_t attn_keep_bytes(const AttnShape *shape) {
    size_t bytes = mat_bytes(shape->H * shape->T, shape->T), rows = row_count(shape);
    size_t read = mat_bytes(shape->T, shape->H * shape->V), row = mat_bytes(shape->H, shape->T);
    bytes = mat_bytes_add(mat_bytes_add(bytes, read), mat_bytes_add(read, 3 * row));
    bytes = mat_bytes_add(bytes, 2 * arena_padded(rows * sizeof(SoftmaxSum)));
    bytes = mat_bytes_add(bytes, arena_padded(rows));
    bytes = mat_bytes_add(bytes, arena_padded((size_t)shape->H * sizeof(int)));
    return mat_bytes_add(bytes, arena_padded((size_t)shape->H * sizeof(bool)));
}

void attn_keep_push(AttnKeep *keep, Arena *arena, AttnTrace *trace, const AttnShape *shape) {
    int H = shape->H, T = shape->T;
    size_t rows = row_count(shape);
    *keep = (AttnKeep){.room = T, .A = trace->A};
    keep->E = mat_push(arena, H * T, T);
    keep->read = mat_push(arena, T, H * shape->V);
    keep->read_first = mat_push(arena, T, H * shape->V);
    keep->largest = mat_push(arena, H, T);
    keep->largest_first = mat_push(arena, H, T);
    keep->factor = mat_push(arena, H, T);
    keep->sum = arena_push(arena, rows * sizeof *keep->sum);
    keep->sum_first = arena_push(arena, rows * sizeof *keep->sum_first);
    keep->is_stale = arena_push(arena, rows);
    keep->made = arena_push_zero(arena, (size_t)H * sizeof *keep->made);
    keep->is_made = arena_push_zero(arena, (size_t)H * sizeof *keep->is_made);
    trace->A = (Mat){0};
    trace->keep = keep;
}

static size_t row_at(const AttnKeep *keep, int head, int query) {
    return (size_t)head * (size_t)keep->room + (size_t)query;
}

static Mat head_rows(const Mat *m, int head, int tokens) {
    int heads = m->rows / m->cols;
    Mat rows = mat_rows(m, m->rows / heads * head, tokens);
    return mat_cols(&rows, 0, tokens);
}

static void copy_rows(Mat *to, const Mat *from, int count) {
    Mat out = mat_rows(to, 0, count), in = mat_rows(from, 0, count);
    mat_copy(&out, &in);
}

static void copy_cols(Mat *to, const Mat *from, int count) {
    Mat out = mat_cols(to, 0, count), in = mat_cols(from, 0, count);
    mat_copy(&out, &in);
}

void attn_keep_copy(AttnKeep *to, const AttnKeep *from, int heads, int tokens) {
    size_t rows = (size_t)tokens;
    for (int h = 0; h < heads; h++) {
        Mat E = head_rows(&to->E, h, tokens), E_from = head_rows(&from->E, h, tokens);
        Mat A = head_rows(&to->A, h, tokens), A_from = head_rows(&from->A, h, tokens);
        size_t at = row_at(to, h, 0), was = row_at(from, h, 0);
        mat_copy(&E, &E_from);
        mat_copy(&A, &A_from);
        memcpy(to->sum + at, from->sum + was, rows * sizeof *to->sum);
        memcpy(to->sum_first + at, from->sum_first + was, rows * sizeof *to->sum_first);
        memcpy(to->is_stale + at, from->is_stale + was, rows);
        to->made[h] = from->made[h];
    }
    copy_rows(&to->read, &from->read, tokens);
    copy_rows(&to->read_first, &from->read_first, tokens);
    copy_cols(&to->largest, &from->largest, tokens);
    copy_cols(&to->largest_first, &from->largest_first, tokens);
    copy_cols(&to->factor, &from->factor, tokens);
    to->keys = from->keys;
    to->first = from->first;
}

/* A row that is not stale reads none of the keys that came to since. */
static void make_weights(AttnKeep *keep, const AttnShape *shape, int head) {
    int T = shape->T, made = keep->made[head];
    if (keep->is_made[head])
        return;
    Mat A = attn_head_scores(&keep->A, shape, head), E = attn_head_scores(&keep->E, shape, head);
    for (int i = 0; i < T; i++) {
        uint8_t *is_stale = &keep->is_stale[row_at(keep, head, i)];
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

Mat attn_weights(const AttnTrace *trace, const AttnShape *shape, int head) {
    if (trace->keep == NULL)
        return attn_head_scores(&trace->A, shape, head);
    make_weights(trace->keep, shape, head);
    return attn_head_scores(&trace->keep->A, shape, head);
}

AttnTrace attn_trace_whole(const AttnTrace *trace, const AttnShape *shape) {
    AttnTrace whole = *trace;
    if (trace->keep == NULL)
        return whole;
    for (int h = 0; h < shape->H; h++)
        make_weights(trace->keep, shape, h);
    whole.A = trace->keep->A;
    whole.keep = NULL;
    return whole;
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
    p.S = rows_of(&trace->S, shape, head, rows);
    p.A = rows_of(keep != NULL ? &keep->A : &trace->A, shape, head, rows);
    p.E = keep != NULL ? rows_of(&keep->E, shape, head, rows) : p.A;
    p.V = (Mat){trace->V.at + V_first, shape->T, V, trace->V.stride};
    p.Z = (Mat){mat_row(&trace->Z, rows.first) + V_first, rows.count, V, trace->Z.stride};
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

/* The head's part of what is kept by query and V, rows of p. */
static Mat kept_rows(const Mat *m, const Part *p) {
    Mat cols = mat_cols(m, p->V_first, p->V.cols);
    return mat_rows(&cols, p->first, p->E.rows);
}

/* Sums over the first keys. */
static void read_first(AttnKeep *keep, const Part *p) {
    Mat E = mat_cols(&p->E, 0, keep->first), V = mat_rows(&p->V, 0, keep->first);
    Mat read = kept_rows(&keep->read_first, p);
    mat_mul(&read, &E, &V, 1);
    for (int r = 0; r < p->E.rows; r++) {
        SoftmaxSum sum = {0};
        softmax_add(&sum, mat_row(&p->E, r), 0, keep->first);
        keep->sum_first[row_at(keep, p->head, p->first + r)] = sum;
    }
}

/* What is read over all keys, from the first `from` on, of which it has been read. */
static void read_on(AttnKeep *keep, Part *p, int from) {
    Mat E = mat_cols(&p->E, from, p->E.cols - from), V = mat_rows(&p->V, from, p->V.rows - from);
    Mat read = kept_rows(&keep->read, p);
    mat_mul_on(&read, &E, &V);
    mat_copy(&p->Z, &read);
    divide(&p->Z, mat_row(&keep->factor, p->head) + p->first);
}

static void weigh_kept(AttnKeep *keep, Part *p) {
    float *largest = mat_row(&keep->largest, p->head) + p->first;
    float *largest_first = mat_row(&keep->largest_first, p->head) + p->first;
    float *factor = mat_row(&keep->factor, p->head) + p->first;
    Mat read = kept_rows(&keep->read, p), before = kept_rows(&keep->read_first, p);
    softmax_exps(&p->E, largest, NULL, &p->S, open_keys(p, 0));
    for (int r = 0; r < p->E.rows; r++) {
        size_t at = row_at(keep, p->head, p->first + r);
        SoftmaxSum sum = {0};
        softmax_add(&sum, mat_row(&p->E, r), 0, keep->first);
        keep->sum_first[at] = sum;
        softmax_add(&sum, mat_row(&p->E, r), keep->first, p->E.cols);
        keep->sum[at] = sum;
        largest_first[r] = largest_of_first(p, r, largest[r], keep->first);
        keep->is_stale[at] = 1;
    }
    softmax_factors(factor, keep->sum + row_at(keep, p->head, p->first), p->E.rows);
    settle_factors(p, factor, largest);
    Mat E = mat_cols(&p->E, 0, keep->first), V = mat_rows(&p->V, 0, keep->first);
    mat_mul(&before, &E, &V, 1);
    mat_copy(&read, &before);
    read_on(keep, p, keep->first);
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
static void rescue_row(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int query) {
    for (int h = 0; h < shape->H; h++) {
        Part p = part_of(trace, shape, mask, h, (AttnSpan){query, 1});
        if (isfinite(row_largest(p.Z.at, p.Z.cols)))
            continue;
        if (trace->keep != NULL)
            softmax_scale(p.A.at, p.E.at, mat_row(&trace->keep->factor, h)[query], p.E.cols);
        mat_mul(&p.Z, &p.A, &p.V, 1);
    }
}

static void rescue_rows(AttnTrace *trace, const AttnShape *shape, const Mask *mask,
                        AttnSpan queries) {
    Mat Z = mat_rows(&trace->Z, queries.first, queries.count), all = mat_gapless(&Z);
    if (all.rows == 1 && isfinite(row_largest(all.at, all.cols)))
        return;
    for (int i = queries.first; i < queries.first + queries.count; i++)
        if (!isfinite(row_largest(mat_row(&trace->Z, i), trace->Z.cols)))
            rescue_row(trace, shape, mask, i);
}

void weigh_rows(AttnTrace *trace, const AttnShape *shape, const Mask *mask, AttnSpan queries) {
    for (int h = 0; h < shape->H; h++)
        weigh_head(trace, shape, mask, h, queries);
    rescue_rows(trace, shape, mask, queries);
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

/* Go on with a row from its sum over the keys before `start`; false where its largest score is now
 * another. */
static bool row_on(AttnKeep *keep, const Part *p, int row, int start) {
    size_t at = row_at(keep, p->head, p->first + row);
    int query = p->first + row;
    float largest = mat_row(&keep->largest, p->head)[query];
    bool appended = start == keep->keys;
    float before = appended ? largest : mat_row(&keep->largest_first, p->head)[query];
    float now = softmax_largest(before, mat_row(&p->S, row) + start, open_keys(p, row) + start,
                                p->S.cols - start);
    if (!appended)
        keep->sum[at] = keep->sum_first[at];
    softmax_add(&keep->sum[at], mat_row(&p->E, row), start, p->E.cols);
    keep->is_stale[at] = 1;
    return now == largest && isfinite(largest);
}

/* Rows of which the keys from `from` on are others. */
static void weigh_on(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                     AttnSpan rows, int from) {
    AttnKeep *keep = trace->keep;
    Part p = part_of(trace, shape, mask, head, rows);
    int start = from == keep->keys ? from : keep->first;
    bool is_on[ON_ROWS] = {0};
    exps_on(keep, &p, from);
    float *factor = mat_row(&keep->factor, head) + rows.first;
    for (int r = 0; r < rows.count; r++)
        is_on[r] = row_on(keep, &p, r, start);
    softmax_factors(factor, keep->sum + row_at(keep, head, rows.first), rows.count);
    if (start < keep->keys) {
        Mat read = kept_rows(&keep->read, &p), before = kept_rows(&keep->read_first, &p);
        mat_copy(&read, &before);
    }
    read_on(keep, &p, start);
    for (int r = 0; r < rows.count; r++)
        if (!is_on[r] || !isfinite(factor[r]))
            weigh_head(trace, shape, mask, head, (AttnSpan){rows.first + r, 1});
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
        Mat E = mat_cols(&p.E, first, count), V = mat_rows(&p.V, first, count);
        Mat read = kept_rows(&keep->read_first, &p);
        mat_mul_on(&read, &E, &V);
        for (int r = 0; r < shape->T; r++) {
            float *most = mat_row(&keep->largest_first, h) + r;
            softmax_add(&keep->sum_first[row_at(keep, h, r)], mat_row(&p.E, r), first, end);
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

void weigh_update(AttnTrace *trace, const AttnShape *shape, const Mask *mask, const uint8_t *rows,
                  int from) {
    AttnKeep *keep = trace->keep;
    int T = shape->T;
    bool goes_on = keep != NULL && keep->first <= from;
    for (int h = 0; keep != NULL && h < shape->H; h++) {
        keep->made[h] = keep->made[h] < T ? keep->made[h] : T;
        keep->is_made[h] = false;
    }
    if (keep != NULL && keep->first > T) {
        keep->first = first_keys(T);
        first_anew(trace, shape, mask, rows);
    }
    for (int h = 0; h < shape->H; h++)
        update_head(trace, shape, mask, h, rows, from, goes_on);
    for (int i = 0; i < T; i++)
        if (rows[i] != WEIGH_SAME)
            rescue_rows(trace, shape, mask, (AttnSpan){i, 1});
    if (keep == NULL)
        return;
    keep->keys = T;
    if (T - keep->first > 3 * LAST_KEYS)
        first_on(trace, shape, mask, first_keys(T));
}
