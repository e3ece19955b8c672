/* model_output.h: the output of a checkpoint's model from the layer's result, computed on request.
 * */
#ifndef HEADLIGHT_RESULTS_MODEL_OUTPUT_H
#define HEADLIGHT_RESULTS_MODEL_OUTPUT_H

#include "results/results.h"

/* No rows if the weights belong to no model, or the model has no unembedding. */
typedef struct ModelOutput {
    Mat hidden; /* (T, D): the output of the block, before any final norm */
    Mat logits; /* (n, words) of the last n tokens: the output of all blocks above */
    Arena arena;
} ModelOutput;

/* Continue from the first layer of a valid Results through the rest of its block and the blocks
 * above. job may be NULL. Release the result in any case. Fails as WeightsModel's run does, and if
 * memory runs out. */
bool model_output_make(ModelOutput *out, const Results *run, int n, const Job *job, Err *err);
void model_output_release(ModelOutput *out);

#endif
