/* race_weights.h: for race.c: the parameters of one column on their way. Pure. */
#ifndef HEADLIGHT_LAB_RACE_WEIGHTS_H
#define HEADLIGHT_LAB_RACE_WEIGHTS_H

#include "lab/race.h"

/* Bytes that race_weights_push takes; SIZE_MAX where that does not fit. */
size_t race_weights_bytes(const AttnShape *shape, OptimiserKind optimiser);

/* Room for them, the moments absent that the optimiser does not have; not cleared. */
RaceWeights race_weights_push(Arena *arena, const AttnShape *shape, OptimiserKind optimiser);

/* What a column starts from: parameters drawn or given, moments of 0. Fails as scheme_draw does,
 * and once watch, which may be NULL, says to stop. */
bool race_weights_draw(RaceWeights *out, const Race *race, int column, JobWatch *watch, Err *err);

/* Both of the same shape and optimiser. */
void race_weights_copy(RaceWeights *to, const RaceWeights *from, const AttnShape *shape);

/* Take step number, from 1, down these gradients. */
void race_weights_step(RaceWeights *weights, const AttnShape *shape, const AttnParams *grads,
                       OptimiserKind optimiser, float rate, int number);

/* How many numbers are trained. */
size_t race_weights_count(const AttnShape *shape);

#endif
