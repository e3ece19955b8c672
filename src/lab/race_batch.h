/* race_batch.h: for race.c: passes of one start on sequences of words, in a bench. Pure.
 * What returns a bool returns false if the bench's job is to stop. */
#ifndef HEADLIGHT_LAB_RACE_BATCH_H
#define HEADLIGHT_LAB_RACE_BATCH_H

#include "lab/race.h"

/* Fold the weights, once before the passes below. */
void race_fold(RaceBench *bench, const Race *race, RaceWeights *weights);

/* Fill the trace from the text as it stands. */
void race_pass_text(RaceBench *bench, const Race *race, const RaceWeights *weights);

/* Fill bench->gradient with the gradient of the loss, the mean over the batch of a column's step.
 */
bool race_batch(float *loss, RaceBench *bench, const Race *race, int column, int step,
                const RaceWeights *weights);

/* Fill held_out, score and best_head from the sequences that are held out. */
bool race_measure(RaceRecord *out, RaceBench *bench, const Race *race, const RaceWeights *weights);

#endif
