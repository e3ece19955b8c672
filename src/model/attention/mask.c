#include "model/attention/mask.h"

#include <assert.h>
#include <string.h>

#include "base/util.h"

/* The keys first to end − 1 that a query may read. */
typedef struct KeyRange {
    int first, end;
} KeyRange;

typedef struct MaskRow {
    Entry entry;
    KeyRange (*keys)(int query, int T, int number);
} MaskRow;

static KeyRange all_keys(int query, int T, int number) {
    (void)query, (void)number;
    return (KeyRange){0, T};
}

static KeyRange keys_so_far(int query, int T, int number) {
    (void)T, (void)number;
    return (KeyRange){0, query + 1};
}

static KeyRange keys_nearby(int query, int T, int number) {
    int first = query - number, end = T - query > number ? query + number + 1 : T;
    return (KeyRange){first > 0 ? first : 0, end};
}

static const MaskRow MASK_ROWS[] = {
    [MASK_NONE] = {{"none", "None", "N(i) = {1, …, T}",
                    "Every token may read every token, as in an encoder such as BERT."},
                   all_keys},
    [MASK_CAUSAL] =
        {{"causal", "Causal", "N(i) = {j : j ≤ i}",
          "A token may read itself and the tokens before it, never later ones, as in GPT."},
         keys_so_far},
    [MASK_WINDOW] = {{"window", "Window", "N(i) = {j : |i − j| ≤ W}",
                      "A token may read itself and the W tokens on either side, as in Longformer's "
                      "sliding window."},
                     keys_nearby},
};
static_assert(ARRAY_COUNT(MASK_ROWS) == MASK_KIND_COUNT, "one row for each kind of mask");

const Registry MASKS = REGISTRY("masks", "mask", MASK_ROWS);

uint64_t mask_bytes(int T) {
    return arena_padded((size_t)T * (size_t)T);
}

Mask mask_push(Arena *arena, int T, MaskKind kind, int number) {
    assert(T > 0 && (int)kind >= 0 && kind < MASK_KIND_COUNT);
    Mask mask = {arena_push(arena, (size_t)T * (size_t)T), T};
    for (int i = 0; i < T; i++) {
        KeyRange keys = MASK_ROWS[kind].keys(i, T, number);
        uint8_t *row = mask.open + (size_t)i * (size_t)T;
        memset(row, 0, (size_t)keys.first);
        memset(row + keys.first, 1, (size_t)(keys.end - keys.first));
        memset(row + keys.end, 0, (size_t)(T - keys.end));
    }
    return mask;
}

int mask_set(Mask *mask, int query, int first, int last, bool open) {
    assert(query >= 0 && query < mask->T && first >= 0 && first <= last && last < mask->T);
    uint8_t *row = mask->open + (size_t)query * (size_t)mask->T;
    int changed = 0;
    for (int j = first; j <= last; j++) {
        changed += row[j] != open;
        row[j] = open;
    }
    return changed;
}

void mask_limit(Mask *mask, int window) {
    for (int i = window; i < mask->T && window > 0; i++)
        mask_set(mask, i, 0, i - window, false);
}

int mask_open_keys(const Mask *mask, int query) {
    const uint8_t *row = mask_row(mask, query);
    int count = 0;
    for (int j = 0; j < mask->T; j++)
        count += row[j] != 0;
    return count;
}
