#include "session/change.h"

#include <string.h>

size_t change_bytes(int T) {
    return 4 * arena_padded((size_t)T) + arena_padded((size_t)T * sizeof(int));
}

static bool same_row(const Mat *a, const Mat *b, int row) {
    return row < a->rows && row < b->rows &&
           (a->at == b->at ||
            memcmp(mat_row(a, row), mat_row(b, row), (size_t)a->cols * sizeof(float)) == 0);
}

/* The rows of X that are another. */
typedef struct Moved {
    const int *at;
    int count, from; /* rows before it are what they were */
} Moved;

static bool reads_moved(const uint8_t *open, const Moved *moved) {
    for (int k = 0; k < moved->count; k++)
        if (open[moved->at[k]])
            return true;
    return false;
}

/* What query i reads now: the same keys as before, each still the same row; or so up to the row
 * `from`. */
static WeighRow row_change(int i, const RunInput *before, const RunInput *now, const Moved *moved) {
    int T = now->X.rows, T_before = before->X.rows, shared = T < T_before ? T : T_before;
    int from = moved->from;
    const uint8_t *open = mask_row(&now->mask, i), *was = mask_row(&before->mask, i);
    if (memcmp(open, was, (size_t)from) != 0)
        return WEIGH_ANEW;
    bool on = memcmp(open + from, was + from, (size_t)(shared - from)) != 0 ||
              (T_before > T && memchr(was + T, 1, (size_t)(T_before - T)) != NULL) ||
              reads_moved(open, moved);
    return on ? WEIGH_ON : WEIGH_SAME;
}

/* Whether keys came to and none went, and no pair there was is open where it was closed. */
static bool only_grows(const RunInput *before, const RunInput *now, const RunKnown *known) {
    return known->mask && now->X.rows >= before->X.rows;
}

RunChange change_find(Arena *arena, const RunInput *before, const RunInput *now,
                      const RunKnown *known) {
    int T = now->X.rows;
    uint8_t *inputs = arena_push_zero(arena, (size_t)T), *every = arena_push(arena, (size_t)T);
    uint8_t *rows = arena_push(arena, (size_t)T);
    int *moved = arena_push(arena, (size_t)T * sizeof *moved), count = 0;
    RunChange change = {.inputs = inputs, .rows = rows, .every = every};
    memset(every, WEIGH_ANEW, (size_t)T);
    memset(rows, WEIGH_ANEW, (size_t)T);
    bool comparable = before->X.rows > 0 && before->X.cols == now->X.cols;
    for (int t = 0; comparable && t < T; t++) {
        inputs[t] = known->inputs != NULL ? known->inputs[t] : !same_row(&before->X, &now->X, t);
        moved[count] = t;
        count += inputs[t];
    }
    change.inputs_count = count;
    change.all = !comparable || count * 2 > T;
    change.from = count > 0 ? moved[0] : before->X.rows < T ? before->X.rows : T;
    const Moved all = {moved, count, change.from};
    bool grows = only_grows(before, now, known);
    for (int i = 0; !change.all && i < T; i++)
        if (!inputs[i] && !grows)
            rows[i] = (uint8_t)row_change(i, before, now, &all);
        else if (!inputs[i])
            rows[i] = reads_moved(mask_row(&now->mask, i), &all) ? WEIGH_ON : WEIGH_SAME;
    return change;
}
