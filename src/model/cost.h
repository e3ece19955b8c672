/* cost.h: what a layer costs, counted and not measured. Pure. */
#ifndef HEADLIGHT_MODEL_COST_H
#define HEADLIGHT_MODEL_COST_H

#include "model/attention.h"

/* Weights held, and multiply-adds of one pass from X to Y. */
typedef struct Cost {
    long long parameters, multiply_adds;
} Cost;

/* The layer as its form holds it: the scores as cost_of_scores has them, then V, A·V and W_O. */
Cost cost_of(const AttnShape *shape);

/* What the form decides, all heads together: the weights that make S from X. For one head of
 * width n = D, m = K and p = T: separate holds 2nm weights and takes 2pnm + p²m multiply-adds;
 * merged holds n² and takes pn² + p²n. */
Cost cost_of_scores(const AttnShape *shape);

#endif
