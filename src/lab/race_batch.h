/* race_batch.h: for race.c: passes of one start over sequences of words, in a bench. Pure. A
 * function returns false if the bench's job was cancelled. */
#ifndef HEADLIGHT_LAB_RACE_BATCH_H
#define HEADLIGHT_LAB_RACE_BATCH_H

#include "lab/race.h"

/* Fold the weights (FORMS), once before the passes below. */
void race_fold(RaceBench *bench, const Race *race, RaceWeights *weights);

/* Fill the trace with the pass over the text. */
void race_pass_text(RaceBench *bench, const Race *race, const RaceWeights *weights);

/* Fill bench->gradient with the gradient of the mean loss over the batch of a column's step. */
bool race_batch(float *loss, RaceBench *bench, const Race *race, int column, int step,
                const RaceWeights *weights);

/* Fill held_out, score and best_head from the held-out sequences. */
bool race_measure(RaceRecord *out, RaceBench *bench, const Race *race, const RaceWeights *weights);

#endif
