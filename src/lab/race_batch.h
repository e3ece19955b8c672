/* race_batch.h: for race.c: passes of one start on sequences of words, in a bench. Pure.
 * Each returns false once watch, which may be NULL, says to stop. */
#ifndef HEADLIGHT_LAB_RACE_BATCH_H
#define HEADLIGHT_LAB_RACE_BATCH_H

#include "lab/race.h"

/* Fold the weights, once before the passes below. */
bool race_fold(RaceBench *bench, const Race *race, RaceWeights *weights, JobWatch *watch);

/* Fill the trace from the text as it stands. */
bool race_pass_text(RaceBench *bench, const Race *race, const RaceWeights *weights,
                    JobWatch *watch);

/* Fill bench->gradient with the gradient of the loss, the mean over the batch of a column's step.
 */
bool race_batch(float *loss, RaceBench *bench, const Race *race, int column, int step,
                const RaceWeights *weights, JobWatch *watch);

/* Fill held_out, score and best_head from the sequences that are held out. */
bool race_measure(RaceRecord *out, RaceBench *bench, const Race *race, const RaceWeights *weights,
                  JobWatch *watch);

#endif
