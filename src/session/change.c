#include "session/change.h"

#include <string.h>

/* A text of fewer tokens is computed anew as fast as it is compared. */
#define PART_TOKENS 48

size_t change_bytes(int T) {
    return 3 * arena_padded((size_t)T) + arena_padded((size_t)T * sizeof(int));
}

static bool same_row(const Mat *a, const Mat *b, int row) {
    return row < a->rows && row < b->rows &&
           (a->at == b->at ||
            memcmp(mat_row(a, row), mat_row(b, row), (size_t)a->cols * sizeof(float)) == 0);
}

/* Whether query i reads what it read: the same keys, and each still the same row; moved are the
 * rows that are not. */
static bool reads_the_same(int i, const RunInput *before, const RunInput *now, const int *moved,
                           int count) {
    int T = now->X.rows, T_before = before->X.rows, shared = T < T_before ? T : T_before;
    const uint8_t *open = mask_row(&now->mask, i), *was = mask_row(&before->mask, i);
    if (memcmp(open, was, (size_t)shared) != 0 ||
        (T_before > T && memchr(was + T, 1, (size_t)(T_before - T)) != NULL))
        return false;
    for (int k = 0; k < count; k++)
        if (open[moved[k]])
            return false;
    return true;
}

RunChange change_find(Arena *arena, const RunInput *before, const RunInput *now) {
    int T = now->X.rows;
    uint8_t *inputs = arena_push_zero(arena, (size_t)T), *every = arena_push(arena, (size_t)T);
    uint8_t *weights = arena_push(arena, (size_t)T);
    int *moved = arena_push(arena, (size_t)T * sizeof *moved), count = 0;
    RunChange change = {.inputs = inputs, .weights = weights, .every = every};
    memset(every, 1, (size_t)T);
    memset(weights, 1, (size_t)T);
    bool comparable = before->X.rows > 0 && before->X.cols == now->X.cols;
    for (int t = 0; comparable && t < T; t++) {
        inputs[t] = !same_row(&before->X, &now->X, t);
        moved[count] = t;
        count += inputs[t];
    }
    bool is_small = T < PART_TOKENS && (before->X.rows != T || count > 0);
    change.inputs_count = count;
    change.all = !comparable || count * 2 > T || is_small;
    for (int i = 0; !change.all && i < T; i++)
        weights[i] = inputs[i] || !reads_the_same(i, before, now, moved, count);
    return change;
}
