/* race_step.h: the parameters of one column in training, and passes with them over sequences of
 * words, in a RaceBench. Only for race.c. Pure. */
#ifndef HEADLIGHT_LAB_RACE_STEP_H
#define HEADLIGHT_LAB_RACE_STEP_H

#include "lab/race.h"

uint64_t race_params_bytes(const Race *race);
uint64_t race_weights_bytes(const Race *race);

/* Allocate parameters, or weights, without clearing them. Of the moments, only those of the
 * optimiser are allocated. */
RaceParams race_params_push(Arena *arena, const Race *race);
RaceWeights race_weights_push(Arena *arena, const Race *race);

/* Fill out with the weights of a column at step 0: parameters sampled or given, moments 0. Fails if
 * scheme_draw fails, or if the job (may be NULL) is cancelled. */
bool race_weights_draw(RaceWeights *out, const Race *race, int column, const Job *job, Err *err);

void race_params_copy(const RaceParams *to, const RaceParams *from, const Race *race);

/* Take step `number`, counted from 1, with this gradient. */
void race_weights_step(RaceWeights *weights, const Race *race, const RaceParams *gradient,
                       int number);

/* Call attn_fold on the weights, before the passes below. */
void race_fold(RaceBench *bench, const Race *race, RaceWeights *weights);

/* Fill bench->trace with the pass over the text. */
void race_pass_text(RaceBench *bench, const Race *race, const RaceWeights *weights);

/* Compute the mean loss over the batch of this step, and fill bench->gradient with the gradient of
 * this loss. Return false if the bench's job was cancelled. */
bool race_batch(float *loss, RaceBench *bench, const Race *race, int column, int step,
                const RaceWeights *weights);

/* Fill held_out, score and best_head from the held-out sequences. Return false if the bench's job
 * was cancelled. */
bool race_measure(RaceRecord *out, RaceBench *bench, const Race *race, const RaceWeights *weights);

#endif
