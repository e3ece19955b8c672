/* loss.h: distance between an output and its target, and its gradient. Pure. T tokens, D model
 * width. */
#ifndef HEADLIGHT_MODEL_ATTENTION_LOSS_H
#define HEADLIGHT_MODEL_ATTENTION_LOSS_H

#include "math/mat.h"

/* Return the mean squared error L = Σ (Y − target)² / (T·D), summed in double; fill dY (T, D) with
 * ∂L/∂Y = 2·(Y − target) / (T·D). Not finite if L exceeds float32 or Y is not finite. Source: as
 * torch.nn.functional.mse_loss. */
float loss_mean_squared(Mat *dY, const Mat *Y, const Mat *target);

#endif
