/* model_output.h: the output of a checkpoint's model, continued from the result of the layer on
 * screen, and the words that it expects after the last token. Computed on request. No I/O, no
 * clock; the model reads its file. */
#ifndef HEADLIGHT_RESULTS_MODEL_OUTPUT_H
#define HEADLIGHT_RESULTS_MODEL_OUTPUT_H

#include "results/results.h"

/* No matrix has rows if the weights belong to no model; logits has none if the model has no
 * unembedding. */
typedef struct ModelOutput {
    Mat hidden; /* (T, D): the output of the block, before any final norm */
    Mat logits; /* (n, words): logits of the last n tokens, after all blocks above */
    Arena arena;
} ModelOutput;

/* Continue from the first layer of a valid Results through the rest of its block and the blocks
 * above. job may be NULL. The caller releases out in any case. Fails if the model's blocks cannot
 * be computed, or if memory runs out. */
bool model_output_make(ModelOutput *out, const Results *run, int n, const Job *job, Err *err);
void model_output_release(ModelOutput *out);

bool results_has_next_tokens(const Session *session);

/* Compute run->next, unless it is known or results_has_next_tokens is false. The logits are those
 * of model_output_make, the probabilities their softmax over the whole vocabulary. run must be
 * valid and have a token. Fails if model_output_make fails. */
bool results_next_tokens(Results *run, const Job *job, Err *err);

#endif
