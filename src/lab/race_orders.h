/* race_orders.h: the sequences of words that a race trains on, and the held-out sequences. A
 * sequence is T indices of words; equal words have the index of their first occurrence. Pure: a
 * sequence depends only on the text, the seed and its number. */
#ifndef HEADLIGHT_LAB_RACE_ORDERS_H
#define HEADLIGHT_LAB_RACE_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "math/mat.h"

#define RACE_HELD 64 /* number of sequences that are never trained on */

typedef struct RaceOrders {
    int T;
    /* True if a sequence repeats at most (T + 1)/2 different words, instead of containing each
     * token once. */
    bool repeats;
    int *text; /* (T): the text itself; owned by the arena */
    /* (held_count, T): the held-out sequences; the first is the text; owned by the arena. */
    int *held;
    /* Number of held-out sequences: RACE_HELD, or fewer for a text of fewer than 6 tokens. */
    int held_count;
} RaceOrders;

uint64_t race_orders_bytes(int T);

/* Sample the held-out sequences. Two words (rows of T, D) are equal if their vectors are equal. */
RaceOrders race_orders_push(Arena *arena, const Mat *words, bool repeats, uint64_t seed);

/* Fill order (T) with training sequence `number` of the seed. The sequence differs from the
 * held-out ones, unless the text has hardly any other order, like "a a b". */
void race_order_draw(int *order, const RaceOrders *orders, uint64_t seed, uint64_t number);

static inline const int *race_order_held(const RaceOrders *orders, int i) {
    return orders->held + (size_t)i * (size_t)orders->T;
}

#endif
