/* Any bytes as a list of edges, and as rectangles that are painted over it: a set's text reads back
 * as an equal set, and no two of its runs touch. */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "check.h"
#include "choices.h"
#include "document/edge_set.h"
#include "model/attention/mask.h"
#include "text/tokenizer.h"

#define PAINTS_MAX 4
#define TOKENS     12

static void check_runs(const EdgeSet *set) {
    for (int i = 0; set != NULL && i < set->count; i++) {
        const EdgeRun *run = &set->runs[i], *next = run + 1;
        check(run->first <= run->last && run->last < TOKENS_MAX && run->query < TOKENS_MAX);
        check(run->state == EDGE_OPEN || run->state == EDGE_CLOSED);
        check(i + 1 == set->count || run->query < next->query ||
              (run->query == next->query && run->last + (run->state == next->state) < next->first));
    }
}

/* Write and read a set: first the open pairs, then the closed ones. */
static void check_text(const EdgeSet *set) {
    EdgeSet *again = NULL;
    Err err;
    for (int i = 0; i < EDGE_KEYS.count; i++) {
        TextOut text = {0};
        edges_write(&text, set, edge_key(i)->state);
        check(!text.failed && edges_have(set, edge_key(i)->state) == (text.used > 0));
        check(text.used == 0 || edges_read(&again, edge_key(i), text.at, text.used, &err));
        text_out_release(&text);
    }
    check(edges_equal(set, again));
    edges_drop(again);
}

static EdgeRange take_range(Choices *choices) {
    int from = (int)(choices_take(choices) * choices_take(choices) % TOKENS_MAX);
    int last = from + (int)choices_take(choices) % 4;
    return (EdgeRange){from, last < TOKENS_MAX ? last : TOKENS_MAX - 1};
}

static void check_mask(const EdgeSet *set) {
    Arena arena = {0};
    Err err;
    check(arena_reserve(&arena, mask_bytes(TOKENS), &err));
    Mask mask = mask_push(&arena, TOKENS, MASK_NONE, 0);
    edges_apply(&mask, set);
    check(edges_apply(&mask, set) == 0);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    EdgeSet *set = NULL;
    Err err;
    Choices choices = {data, size};
    edges_read(&set, edge_key(0), (const char *)data, size, &err);
    for (int i = 0; i < PAINTS_MAX && choices.left > 0; i++) {
        EdgePaint paint = {take_range(&choices), take_range(&choices),
                           (EdgeState)(choices_take(&choices) % 3)};
        if (edges_paint(&set, &paint, &err))
            check_runs(set);
    }
    check_text(set);
    check_mask(set);
    edges_drop(set);
    return 0;
}
