/* race_orders.h: the sequences of words that a race trains on, and those that it only measures on.
 * A sequence is T numbers, each the row of a word: equal words have the row of the first of them.
 * Pure: a sequence is a function of the text, the seed and its number. */
#ifndef HEADLIGHT_LAB_RACE_ORDERS_H
#define HEADLIGHT_LAB_RACE_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "math/mat.h"

#define RACE_HELD 64 /* sequences that are never trained on */

typedef struct RaceOrders {
    int T;
    bool repeats;   /* half of the words, each twice, in place of each token once */
    int *text;      /* (T): the text as it stands; owned by the arena, as held */
    int *held;      /* (held_count, T); the first is the text */
    int held_count; /* RACE_HELD, fewer for a text of fewer than 6 tokens */
} RaceOrders;

size_t race_orders_bytes(int T);

/* Draw the sequences that are held out. Words (T, D) are equal if their rows are. */
RaceOrders race_orders_push(Arena *arena, const Mat *words, bool repeats, uint64_t seed);

/* Fill order (T) with sequence `number` of the seed, one that is not held out. A text with hardly
 * another order, like "a a b", may give one that is. */
void race_order_draw(int *order, const RaceOrders *orders, uint64_t seed, uint64_t number);

static inline const int *race_order_held(const RaceOrders *orders, int i) {
    return orders->held + (size_t)i * (size_t)orders->T;
}

#endif
