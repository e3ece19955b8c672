/* race_step.h: the parameters of one column during training, and passes with them over sequences of
 * words, in a bench. Only for race.c. Pure. */
#ifndef HEADLIGHT_LAB_RACE_STEP_H
#define HEADLIGHT_LAB_RACE_STEP_H

#include "lab/race.h"

/* Return the bytes that race_params_push and race_weights_push allocate. */
uint64_t race_params_bytes(const Race *race);
uint64_t race_weights_bytes(const Race *race);

/* Allocate parameters (the second function: weights) without clearing them. Only the moments that
 * the optimiser uses are allocated. */
RaceParams race_params_push(Arena *arena, const Race *race);
RaceWeights race_weights_push(Arena *arena, const Race *race);

/* Fill out with the weights of a column at step 0: parameters sampled or given, moments 0. Fails if
 * scheme_draw fails, or if the job (may be NULL) is cancelled. */
bool race_weights_draw(RaceWeights *out, const Race *race, int column, const Job *job, Err *err);

/* Copy parameters of the same race. */
void race_params_copy(const RaceParams *to, const RaceParams *from, const Race *race);

/* Update the weights with this gradient: step `number`, counted from 1. */
void race_weights_step(RaceWeights *weights, const Race *race, const RaceParams *gradient,
                       int number);

/* Fold the weights as their form requires (FORMS). Call once before the passes below. */
void race_fold(RaceBench *bench, const Race *race, RaceWeights *weights);

/* Fill bench->trace with the pass over the text. */
void race_pass_text(RaceBench *bench, const Race *race, const RaceWeights *weights);

/* Fill bench->gradient with the gradient of the mean loss over the batch of a column's step. Return
 * false if the bench's job was cancelled. */
bool race_batch(float *loss, RaceBench *bench, const Race *race, int column, int step,
                const RaceWeights *weights);

/* Fill held_out, score and best_head from the held-out sequences. Return false if the bench's job
 * was cancelled. */
bool race_measure(RaceRecord *out, RaceBench *bench, const Race *race, const RaceWeights *weights);

#endif
