/* loss.h: how far an output is from what was asked for, and which way is down. Pure.
 * T tokens, D model width. */
#ifndef HEADLIGHT_MODEL_ATTENTION_LOSS_H
#define HEADLIGHT_MODEL_ATTENTION_LOSS_H

#include "math/mat.h"

/* The mean squared error L = Σ (Y − target)² / (T·D), summed in double precision; dY (T, D) gets
 * ∂L/∂Y = 2·(Y − target) / (T·D). Not finite where L is beyond float32 or Y is not finite.
 * Source: as torch.nn.functional.mse_loss. */
float loss_mean_squared(Mat *dY, const Mat *Y, const Mat *target);

#endif
