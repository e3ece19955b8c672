#include "model/attention/mask.h"

#include <assert.h>
#include <string.h>

#include "base/util.h"

/* The keys first to end − 1, to which a query may attend. */
typedef struct KeyRange {
    int first, end;
} KeyRange;

static const Entry MASK_ROWS[] = {
    [MASK_NONE] = {"none", "None", "N(i) = {1, …, T}",
                   "Every token may read every token, as in an encoder such as BERT."},
    [MASK_CAUSAL] =
        {"causal", "Causal", "N(i) = {j : j ≤ i}",
         "A token may read itself and the tokens before it, never later ones, as in GPT."},
    [MASK_WINDOW] = {"window", "Window", "N(i) = {j : |i − j| ≤ W}",
                     "A token may read itself and the W tokens on either side, as in Longformer's "
                     "sliding window."},
};
static_assert(ARRAY_COUNT(MASK_ROWS) == MASK_KIND_COUNT, "one row for each kind of mask");

const Registry MASKS = REGISTRY("masks", "mask", MASK_ROWS);

static KeyRange keys_of(MaskKind kind, int query, int T, int number) {
    int first = query - number, end = T - query > number ? query + number + 1 : T;
    switch (kind) {
    case MASK_NONE:
        return (KeyRange){0, T};
    case MASK_CAUSAL:
        return (KeyRange){0, query + 1};
    case MASK_WINDOW:
        return (KeyRange){first > 0 ? first : 0, end};
    case MASK_KIND_COUNT:
        break;
    }
    assert(false);
    return (KeyRange){0, 0};
}

uint64_t mask_bytes(int T) {
    return arena_padded((size_t)T * (size_t)T);
}

Mask mask_push(Arena *arena, int T, MaskKind kind, int number) {
    assert(T > 0);
    Mask mask = {arena_push(arena, (size_t)T * (size_t)T), T};
    for (int i = 0; i < T; i++) {
        KeyRange keys = keys_of(kind, i, T, number);
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
