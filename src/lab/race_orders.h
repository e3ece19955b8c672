/* race_orders.h: the sequences of words that a race trains on, and the held-out ones. A sequence is
 * T indices of words; equal words have the index of their first occurrence. Pure: a sequence is a
 * function of the text, the seed and its number. */
#ifndef HEADLIGHT_LAB_RACE_ORDERS_H
#define HEADLIGHT_LAB_RACE_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "math/mat.h"

#define RACE_HELD 64 /* sequences that are never trained on */

typedef struct RaceOrders {
    int T;
    bool repeats;   /* half of the words, each twice, instead of each token once */
    int *text;      /* (T): the text itself; owned by the arena, like held */
    int *held;      /* (held_count, T); the first is the text */
    int held_count; /* RACE_HELD, or fewer for a text of fewer than 6 tokens */
} RaceOrders;

size_t race_orders_bytes(int T);

/* Sample the held-out sequences. Two words (T, D) are equal if their rows are. */
RaceOrders race_orders_push(Arena *arena, const Mat *words, bool repeats, uint64_t seed);

/* Fill order (T) with training sequence `number` of the seed. It is not held out, unless the text
 * has hardly any other order, like "a a b". */
void race_order_draw(int *order, const RaceOrders *orders, uint64_t seed, uint64_t number);

static inline const int *race_order_held(const RaceOrders *orders, int i) {
    return orders->held + (size_t)i * (size_t)orders->T;
}

#endif
