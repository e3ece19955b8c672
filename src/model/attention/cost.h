/* cost.h: the cost of a layer, counted from its shape. Pure. */
#ifndef HEADLIGHT_MODEL_ATTENTION_COST_H
#define HEADLIGHT_MODEL_ATTENTION_COST_H

#include "model/attention/attention.h"

/* Number of weights, including biases, and of multiply-adds in the matrix products of one pass from
 * X to Y. A bias counts as a weight multiplied by the constant 1. */
typedef struct Cost {
    long long parameters, multiply_adds;
} Cost;

/* Return the cost of the layer in its form: cost_of_scores, then V, A·V and W_O. Weights that heads
 * share (see AttnTraits) count once; their products are computed for each head. */
Cost cost_of(const AttnShape *shape);

/* Return the cost of computing S from X, all heads together, which depends on the form. For one
 * head with n = D, m = K and p = T: separate has 2nm weights and 2pnm + p²m multiply-adds; merged,
 * rank and free have n² and pn² + p²n; nested adds D² for queries and D² for keys to separate,
 * shared by all heads. With rope, merged is computed and counted like separate. */
Cost cost_of_scores(const AttnShape *shape);

#endif
