/* race_weights.h: for race.c: what one column trains, on its way. Pure. */
#ifndef HEADLIGHT_LAB_RACE_WEIGHTS_H
#define HEADLIGHT_LAB_RACE_WEIGHTS_H

#include "lab/race.h"

/* Bytes that race_params_push and race_weights_push take; SIZE_MAX where that does not fit. */
size_t race_params_bytes(const Race *race);
size_t race_weights_bytes(const Race *race);

/* Room for them, the moments absent that the optimiser does not have; not cleared. */
RaceParams race_params_push(Arena *arena, const Race *race);
RaceWeights race_weights_push(Arena *arena, const Race *race);

/* What a column starts from: parameters drawn or given, moments of 0. Fails as scheme_draw does. */
bool race_weights_draw(RaceWeights *out, const Race *race, int column, Err *err);

/* Both of the same race. */
void race_weights_copy(RaceWeights *to, const RaceWeights *from, const Race *race);

/* Set what is trained to 0; add factor times the layer's part of another. */
void race_params_clear(const RaceParams *params, const AttnShape *shape);
void race_params_add(const RaceParams *to, const AttnParams *layer, const AttnShape *shape,
                     float factor);

/* Take step number, from 1, down this gradient. */
void race_weights_step(RaceWeights *weights, const Race *race, const RaceParams *gradient,
                       int number);

#endif
