/* pagerank.h: how often a random walk along the attention of a head visits each token. Pure.
 * Source: Brin and Page 1998, "The anatomy of a large-scale hypertextual web search engine",
 * section 2.1. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_PAGERANK_H
#define HEADLIGHT_MODEL_ANALYSIS_PAGERANK_H

#include "math/mat.h"

/* Probability of following an edge; otherwise the walk jumps to any token. */
#define PAGERANK_DAMPING 0.85

/* Fill rank (T), with sum 1, with the share of visits to each token in a walk from query i to key j
 * with probability weights[i][j] (T, T). Rows are normalised; negative and non-finite entries count
 * as 0. From a row without weight the walk jumps to any token. Accurate to 1e-8. scratch holds 2·T.
 */
void pagerank(double *rank, const Mat *weights, double *scratch);

#endif
