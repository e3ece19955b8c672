/* next_tokens.h: the words that a checkpoint's model expects after the last token. No I/O, no
 * clock; the model reads its file. */
#ifndef HEADLIGHT_RESULTS_NEXT_TOKENS_H
#define HEADLIGHT_RESULTS_NEXT_TOKENS_H

#include "results/results.h"

/* True if the session's weights are a model that has an unembedding. */
bool results_has_next_tokens(const Session *session);

/* Compute run->next, unless it is known or there is no such model. The logits are those of
 * model_output.h, the probabilities their softmax over the whole vocabulary. run must be valid and
 * have a token. Fails if model_output_make fails. */
bool results_next_tokens(Results *run, const Job *job, Err *err);

#endif
