/* rollout.h: one matrix that summarises all heads: their mean, or attention rollout through layers.
 * Pure. T tokens, H heads. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_ROLLOUT_H
#define HEADLIGHT_MODEL_ANALYSIS_ROLLOUT_H

#include "model/attention/attention.h"

/* Fill out (T, T) with the mean over heads of S, A or a gradient (H*T, T). Sums are in double. */
void heads_mean(Mat *out, const Mat *heads, const AttnShape *shape);

/* Fill out (T, T) with (0.5·mean + 0.5·I)·below, with each row of the first factor normalised to
 * sum 1. An entry is the share of a token of the stack's input in a token of the layer's output, if
 * half of the output comes from the residual. mean is the mean of the layer's A; below (T, T) is
 * the rollout of the layer below, NULL for the lowest. scratch (T, T) is unused without below. The
 * matrices must not overlap. Source: Abnar and Zuidema 2020, "Quantifying attention flow in
 * transformers", section 3. */
void rollout_step(Mat *out, Mat *scratch, const Mat *mean, const Mat *below);

#endif
