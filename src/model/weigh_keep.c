#include <string.h>

#include "model/weigh.h"

static size_t row_count(const AttnShape *shape) {
    return (size_t)shape->H * (size_t)shape->T;
}

size_t attn_keep_bytes(const AttnShape *shape, AttnReads reads) {
    size_t bytes = mat_bytes(shape->H * shape->T, shape->T), rows = row_count(shape);
    size_t read = reads == READS_ON ? mat_bytes(shape->T, shape->H * shape->V) : 0;
    bytes = mat_bytes_add(mat_bytes_add(bytes, read), read);
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
    *keep = (AttnKeep){.room = T, .A = trace->A};
    keep->E = mat_push(arena, H * T, T);
    if (reads == READS_ON) {
        keep->read = mat_push(arena, T, H * shape->V);
        keep->read_first = mat_push(arena, T, H * shape->V);
    }
    keep->Z = trace->Z;
    keep->sum_normed = trace->sum;
    keep->Y = trace->Y;
    keep->largest = mat_push(arena, H, T);
    keep->largest_first = mat_push(arena, H, T);
    keep->factor = mat_push(arena, H, T);
    keep->sum = arena_push(arena, rows * sizeof *keep->sum);
    keep->sum_first = arena_push(arena, rows * sizeof *keep->sum_first);
    keep->is_stale = arena_push(arena, rows);
    keep->owes_Z = arena_push(arena, (size_t)T);
    keep->owes_Y = arena_push(arena, (size_t)T);
    keep->made = arena_push_zero(arena, (size_t)H * sizeof *keep->made);
    keep->is_made = arena_push_zero(arena, (size_t)H * sizeof *keep->is_made);
    trace->A = trace->Z = trace->sum = trace->Y = (Mat){0};
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

void attn_keep_copy(AttnKeep *to, const AttnKeep *from, int heads, int tokens) {
    size_t rows = (size_t)tokens;
    for (int h = 0; h < heads; h++) {
        Mat E = head_rows(&to->E, h, tokens), E_from = head_rows(&from->E, h, tokens);
        Mat A = head_rows(&to->A, h, tokens), A_from = head_rows(&from->A, h, tokens);
        size_t at = attn_keep_row(to, h, 0), was = attn_keep_row(from, h, 0);
        mat_copy(&E, &E_from);
        mat_copy(&A, &A_from);
        memcpy(to->sum + at, from->sum + was, rows * sizeof *to->sum);
        memcpy(to->sum_first + at, from->sum_first + was, rows * sizeof *to->sum_first);
        memcpy(to->is_stale + at, from->is_stale + was, rows);
        to->made[h] = from->made[h];
    }
    copy_rows(&to->read, &from->read, tokens);
    copy_rows(&to->read_first, &from->read_first, tokens);
    copy_rows(&to->Z, &from->Z, tokens);
    copy_rows(&to->sum_normed, &from->sum_normed, tokens);
    copy_rows(&to->Y, &from->Y, tokens);
    memcpy(to->owes_Z, from->owes_Z, rows);
    memcpy(to->owes_Y, from->owes_Y, rows);
    copy_cols(&to->largest, &from->largest, tokens);
    copy_cols(&to->largest_first, &from->largest_first, tokens);
    copy_cols(&to->factor, &from->factor, tokens);
    to->keys = from->keys;
    to->first = from->first;
}
