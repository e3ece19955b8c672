#include "lab/race_orders.h"

#include <string.h>

#include "base/rng.h"

#define TRIES 20 /* most attempts to draw a sequence that is not held out */

static const char TRAINED[] = "training orders", HELD[] = "held-out orders";

uint64_t race_orders_bytes(int T) {
    return arena_padded((size_t)T * (RACE_HELD + 1) * sizeof(int));
}

/* Return the number of held-out orders: at most (T − 1)!, so that a short text has other orders to
 * train on. */
static int held_count_of(int T) {
    int count = 1;
    for (int i = 2; i < T && count < RACE_HELD; i++)
        count *= i;
    return count < RACE_HELD ? count : RACE_HELD;
}

/* Shuffle the first `count` entries with the numbers of rng from index + 1 on. */
static void shuffle(int *order, int count, Rng rng, uint64_t index) {
    for (int i = count - 1; i > 0; i--) {
        int j = (int)(rng_bits(rng, index + (uint64_t)i) % ((uint64_t)i + 1)), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* Keep the first (T + 1)/2 different words, or all if there are fewer, and fill the rest of the
 * order by repeating them. */
static void repeat_half(int *order, int T) {
    int half = (T + 1) / 2, count = 1;
    for (int i = 1; i < T && count < half; i++) {
        bool is_new = true;
        for (int k = 0; k < count; k++)
            is_new = is_new && order[k] != order[i];
        if (is_new)
            order[count++] = order[i];
    }
    for (int i = count; i < T; i++)
        order[i] = order[i % count];
}

static void draw(int *order, const RaceOrders *o, Rng rng) {
    memcpy(order, o->text, (size_t)o->T * sizeof *order);
    shuffle(order, o->T, rng, 0);
    if (!o->repeats)
        return;
    repeat_half(order, o->T);
    shuffle(order, o->T, rng, (uint64_t)o->T);
}

RaceOrders race_orders_push(Arena *arena, const Mat *words, bool repeats, uint64_t seed) {
    int T = words->rows;
    int *text = arena_push(arena, (size_t)T * (RACE_HELD + 1) * sizeof *text);
    RaceOrders orders = {T, repeats, text, text + T, held_count_of(T)};
    for (int i = 0; i < words->rows; i++) {
        text[i] = 0;
        while (memcmp(mat_row(words, text[i]), mat_row(words, i),
                      (size_t)words->cols * sizeof(float)) != 0)
            text[i]++;
    }
    memcpy(orders.held, text, (size_t)T * sizeof *text);
    Rng numbers = rng_stream(seed, rng_hash(HELD, sizeof HELD));
    for (int i = 1; i < orders.held_count; i++)
        draw(orders.held + (size_t)i * (size_t)T, &orders,
             rng_stream(rng_bits(numbers, (uint64_t)i), 0));
    return orders;
}

static bool is_held(const RaceOrders *o, const int *order) {
    for (int i = 0; i < o->held_count; i++)
        if (memcmp(race_order_held(o, i), order, (size_t)o->T * sizeof *order) == 0)
            return true;
    return false;
}

void race_order_draw(int *order, const RaceOrders *orders, uint64_t seed, uint64_t number) {
    uint64_t own = rng_bits(rng_stream(seed, rng_hash(TRAINED, sizeof TRAINED)), number);
    for (uint64_t i = 0; i == 0 || (i < TRIES && is_held(orders, order)); i++)
        draw(order, orders, rng_stream(own, i));
}
