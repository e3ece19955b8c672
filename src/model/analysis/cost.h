/* cost.h: what a layer costs, counted and not measured. Pure. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_COST_H
#define HEADLIGHT_MODEL_ANALYSIS_COST_H

#include "model/attention/attention.h"

/* Weights held (biases among them), and multiply-adds of one pass from X to Y: those of its matrix
 * products. A bias counts as the constant 1 that it is multiplied by. */
typedef struct Cost {
    long long parameters, multiply_adds;
} Cost;

/* The layer as its form holds it: the scores as cost_of_scores has them, then V, A·V and W_O. */
Cost cost_of(const AttnShape *shape);

/* About how many steps (base/job.h) a pass takes beside attn_fold, the one back, and attn_fold:
 * products by their multiply-adds, and far more for each score, whose exponential and memory cost
 * most. */
double cost_steps(const AttnShape *shape);
double cost_backward_steps(const AttnShape *shape);
double cost_fold_steps(const AttnShape *shape);

/* What the form decides, all heads together: the weights that make S from X. For one head of
 * width n = D, m = K and p = T: separate holds 2nm weights and takes 2pnm + p²m multiply-adds;
 * merged, rank and free hold n² and take pn² + p²n; nested adds D² for queries and as much for keys
 * to separate, shared by all heads. With rope merged is made, and counted, as separate is. */
Cost cost_of_scores(const AttnShape *shape);

#endif
