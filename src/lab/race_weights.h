/* race_weights.h: for race.c: the parameters of one column during training. Pure. */
#ifndef HEADLIGHT_LAB_RACE_WEIGHTS_H
#define HEADLIGHT_LAB_RACE_WEIGHTS_H

#include "lab/race.h"

/* Return the bytes that race_params_push and race_weights_push allocate; SIZE_MAX on overflow. */
size_t race_params_bytes(const Race *race);
size_t race_weights_bytes(const Race *race);

/* Allocate them without clearing. Only the moments that the optimiser uses are allocated. */
RaceParams race_params_push(Arena *arena, const Race *race);
RaceWeights race_weights_push(Arena *arena, const Race *race);

/* Fill the start of a column: parameters sampled or given, moments 0. Fails as scheme_draw does,
 * and if the job (may be NULL) is cancelled. */
bool race_weights_draw(RaceWeights *out, const Race *race, int column, const Job *job, Err *err);

/* Copy weights of the same race. */
void race_weights_copy(RaceWeights *to, const RaceWeights *from, const Race *race);

/* Set all trained parameters to 0; add factor times the layer's part of another struct. */
void race_params_clear(const RaceParams *params, const AttnShape *shape);
void race_params_add(const RaceParams *to, const AttnParams *layer, const AttnShape *shape,
                     float factor);

/* Make step `number` (from 1) with this gradient. */
void race_weights_step(RaceWeights *weights, const Race *race, const RaceParams *gradient,
                       int number);

#endif
