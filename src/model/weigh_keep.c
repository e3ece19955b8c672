#include <string.h>

#include "base/util.h"
#include "model/weigh.h"

static size_t row_count(const AttnShape *shape) {
    return (size_t)shape->H * (size_t)shape->T;
}

size_t attn_keep_bytes(const AttnShape *shape, AttnReads reads) {
    size_t bytes = mat_bytes(shape->H * shape->T, shape->T), rows = row_count(shape);
    bytes = mat_bytes_add(bytes, bytes);
    bytes = mat_bytes_add(bytes, mat_bytes(shape->H * ATTN_TAIL, shape->T));
    bytes = mat_bytes_add(bytes, arena_padded((size_t)shape->T * ATTN_TAIL));
    size_t read = mat_bytes(shape->T, shape->H * shape->V);
    size_t beside =
        mat_bytes_add(mat_bytes(ATTN_BESIDE, shape->T), mat_bytes(ATTN_BESIDE, shape->V));
    if (reads == READS_ON)
        bytes = mat_bytes_add(mat_bytes_add(bytes, beside), mat_bytes_add(read, read));
    bytes = mat_bytes_add(bytes, 3 * mat_bytes(shape->H, shape->T));
    bytes = mat_bytes_add(bytes, 2 * arena_padded(rows * sizeof(SoftmaxSum)));
    bytes = mat_bytes_add(bytes, arena_padded(rows) + 2 * arena_padded((size_t)shape->T));
    bytes = mat_bytes_add(bytes, arena_padded((size_t)shape->H * sizeof(int)));
    return mat_bytes_add(bytes, arena_padded((size_t)shape->H * sizeof(bool)));
}

void attn_keep_push(AttnKeep *keep, Arena *arena, AttnTrace *trace, const AttnShape *shape,
                    AttnReads reads) {
    int H = shape->H, T = shape->T;
    size_t rows = row_count(shape);
    *keep = (AttnKeep){.room = T, .S = trace->S, .A = trace->A};
    keep->dots = mat_push(arena, H * T, T);
    keep->E = mat_push(arena, H * T, T);
    keep->tail.dots = mat_push(arena, H * ATTN_TAIL, T);
    keep->tail.open = arena_push(arena, (size_t)T * ATTN_TAIL);
    if (reads == READS_ON) {
        keep->read = mat_push(arena, T, H * shape->V);
        keep->read_first = mat_push(arena, T, H * shape->V);
        keep->beside = mat_push(arena, ATTN_BESIDE, T);
        keep->read_beside = mat_push(arena, ATTN_BESIDE, shape->V);
    }
    keep->Z = trace->Z;
    keep->sum_normed = trace->sum;
    keep->Y = trace->Y;
    keep->reference = mat_push(arena, H, T);
    keep->reference_first = mat_push(arena, H, T);
    keep->factor = mat_push(arena, H, T);
    keep->sum = arena_push(arena, rows * sizeof(SoftmaxSum));
    keep->sum_first = arena_push(arena, rows * sizeof(SoftmaxSum));
    keep->is_stale = arena_push(arena, rows);
    keep->owes_Z = arena_push(arena, (size_t)T);
    keep->owes_Y = arena_push(arena, (size_t)T);
    keep->made = arena_push_zero(arena, (size_t)H * sizeof *keep->made);
    keep->is_made = arena_push_zero(arena, (size_t)H * sizeof *keep->is_made);
    trace->S = trace->A = trace->Z = trace->sum = trace->Y = (Mat){0};
    trace->keep = keep;
}

static Mat head_rows(const Mat *m, int head, int tokens) {
    int heads = m->rows / m->cols;
    Mat rows = mat_rows(m, m->rows / heads * head, tokens);
    return mat_cols(&rows, 0, tokens);
}

static void copy_rows(Mat *to, const Mat *from, int count) {
    if (to->rows == 0)
        return;
    Mat out = mat_rows(to, 0, count), in = mat_rows(from, 0, count);
    mat_copy(&out, &in);
}

static void copy_cols(Mat *to, const Mat *from, int count) {
    Mat out = mat_cols(to, 0, count), in = mat_cols(from, 0, count);
    mat_copy(&out, &in);
}

static void copy_head(AttnKeep *to, const AttnKeep *from, int head, int tokens) {
    const struct {
        const Mat *to, *from;
    } parts[] = {
        {&to->dots, &from->dots}, {&to->S, &from->S}, {&to->E, &from->E}, {&to->A, &from->A}};
    for (size_t i = 0; i < ARRAY_COUNT(parts); i++) {
        Mat out = head_rows(parts[i].to, head, tokens), in = head_rows(parts[i].from, head, tokens);
        mat_copy(&out, &in);
    }
    for (int l = 0; l < SOFTMAX_LANES; l++) {
        size_t bytes = (size_t)tokens * sizeof(double);
        memcpy(attn_keep_lane(to, to->sum, head, l), attn_keep_lane(from, from->sum, head, l),
               bytes);
        memcpy(attn_keep_lane(to, to->sum_first, head, l),
               attn_keep_lane(from, from->sum_first, head, l), bytes);
    }
    memcpy(to->is_stale + attn_keep_row(to, head, 0), from->is_stale + attn_keep_row(from, head, 0),
           (size_t)tokens);
    to->made[head] = from->made[head];
}

void attn_keep_copy(AttnKeep *to, AttnKeep *from, const AttnShape *shape) {
    int tokens = shape->T;
    size_t rows = (size_t)tokens;
    attn_lay(from, shape);
    for (int h = 0; h < shape->H; h++)
        copy_head(to, from, h, tokens);
    copy_rows(&to->read, &from->read, tokens);
    copy_rows(&to->read_first, &from->read_first, tokens);
    copy_rows(&to->Z, &from->Z, tokens);
    copy_rows(&to->sum_normed, &from->sum_normed, tokens);
    copy_rows(&to->Y, &from->Y, tokens);
    memcpy(to->owes_Z, from->owes_Z, rows);
    memcpy(to->owes_Y, from->owes_Y, rows);
    copy_cols(&to->reference, &from->reference, tokens);
    copy_cols(&to->reference_first, &from->reference_first, tokens);
    copy_cols(&to->factor, &from->factor, tokens);
    to->keys = from->keys;
    to->first = from->first;
}
