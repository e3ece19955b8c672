/* raced.h: a race of a small layer, for the tests of lab/race.h and of who computes it. */
#ifndef HEADLIGHT_TESTS_LAB_RACED_H
#define HEADLIGHT_TESTS_LAB_RACED_H

#include "lab/race.h"
#include "model/layer.h"

/* A layer that learns quickly: T 7, D 12, H 3. */
AttnShape raced_shape(AttnForm form, AttnBlock block, AttnBias bias);

/* A plan: the task "word before", Adam, 40 steps, only the text itself. It borrows the layer. */
RacePlan raced_plan(const Layer *layer, const char *const *schemes, int count);

/* Train it on batches of three orders, the words too, with two seeds. */
void raced_on_orders(RacePlan *plan);

/* A race and its bench. */
typedef struct Raced {
    Race *race;
    RaceBench bench;
} Raced;

void raced_begin(Raced *raced, const RacePlan *plan);
void raced_end(Raced *raced);

/* Declare a race that ends with its block, and begin it. */
#define RACED(name, plan)                                                                          \
    LOCAL(raced_end) Raced name;                                                                   \
    raced_begin(&(name), plan)

/* Compute the whole race, column by column, `steps` steps at a time. */
void raced_run(Raced *raced, int steps);

/* Every record, every kept A and the last weights to the bit. */
void raced_assert_same(const Race *a, const Race *b);

#endif
