/* rollout.h: one matrix for all heads: their mean, and how attention passes through layers. Pure.
 * T tokens, H heads. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_ROLLOUT_H
#define HEADLIGHT_MODEL_ANALYSIS_ROLLOUT_H

#include "model/attention/attention.h"

/* out (T, T): the mean over the heads of S, A or one of their gradients (H*T, T). Sums run in
 * double. */
void heads_mean(Mat *out, const Mat *heads, const AttnShape *shape);

/* out (T, T) = (0.5·mean + 0.5·I)·below, each row of the first factor scaled to sum 1: what every
 * token of a layer's output draws from each token of the stack's input, where half passes by the
 * attention through the residual. mean is of the layer's A; below (T, T) is the rollout of the
 * layer under it, NULL for the lowest. scratch (T, T) is not needed without below. None may
 * overlap. Source: Abnar and Zuidema 2020, "Quantifying attention flow in transformers", section 3.
 */
void rollout_step(Mat *out, Mat *scratch, const Mat *mean, const Mat *below);

#endif
