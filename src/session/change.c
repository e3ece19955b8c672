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

/* What query i reads now: the same keys as before, each still the same row; or so up to the row
 * `from`; moved are the rows that are another. */
static WeighRow row_change(int i, const RunInput *before, const RunInput *now, const int *moved,
                           int count, int from) {
    int T = now->X.rows, T_before = before->X.rows, shared = T < T_before ? T : T_before;
    const uint8_t *open = mask_row(&now->mask, i), *was = mask_row(&before->mask, i);
    if (memcmp(open, was, (size_t)from) != 0)
        return WEIGH_ANEW;
    if (memcmp(open + from, was + from, (size_t)(shared - from)) != 0 ||
        (T_before > T && memchr(was + T, 1, (size_t)(T_before - T)) != NULL))
        return WEIGH_ON;
    for (int k = 0; k < count; k++)
        if (open[moved[k]])
            return WEIGH_ON;
    return WEIGH_SAME;
}

RunChange change_find(Arena *arena, const RunInput *before, const RunInput *now) {
    int T = now->X.rows;
    uint8_t *inputs = arena_push_zero(arena, (size_t)T), *every = arena_push(arena, (size_t)T);
    uint8_t *rows = arena_push(arena, (size_t)T);
    int *moved = arena_push(arena, (size_t)T * sizeof *moved), count = 0;
    RunChange change = {.inputs = inputs, .rows = rows, .every = every};
    memset(every, WEIGH_ANEW, (size_t)T);
    memset(rows, WEIGH_ANEW, (size_t)T);
    bool comparable = before->X.rows > 0 && before->X.cols == now->X.cols;
    for (int t = 0; comparable && t < T; t++) {
        inputs[t] = !same_row(&before->X, &now->X, t);
        moved[count] = t;
        count += inputs[t];
    }
    bool is_small = T < PART_TOKENS && (before->X.rows != T || count > 0);
    change.inputs_count = count;
    change.all = !comparable || count * 2 > T || is_small;
    change.from = count > 0 ? moved[0] : before->X.rows < T ? before->X.rows : T;
    for (int i = 0; !change.all && i < T; i++)
        if (!inputs[i])
            rows[i] = (uint8_t)row_change(i, before, now, moved, count, change.from);
    return change;
}
