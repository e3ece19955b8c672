/* model_output.h: what a checkpoint's model makes of the layer's result, made on request. */
#ifndef HEADLIGHT_RESULTS_MODEL_OUTPUT_H
#define HEADLIGHT_RESULTS_MODEL_OUTPUT_H

#include "results/results.h"

/* Without rows if the weights have no model, or the model has no unembedding. */
typedef struct ModelOutput {
    Mat hidden; /* (T, D): what leaves the block, before any final norm */
    Mat logits; /* (T, words): from all blocks above */
    Arena arena;
} ModelOutput;

/* Continue from the first layer of a valid Results through the rest of its block and the blocks
 * above. Release it in any case. Fails as WeightsModel's run does, and for want of memory. */
bool model_output_make(ModelOutput *out, const Results *run, Err *err);
void model_output_release(ModelOutput *out);

#endif
