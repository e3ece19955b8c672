/* pagerank.h: how often a walk along the attention of a head stands at each token. Pure.
 * Source: Brin and Page 1998, "The anatomy of a large-scale hypertextual web search engine",
 * section 2.1. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_PAGERANK_H
#define HEADLIGHT_MODEL_ANALYSIS_PAGERANK_H

#include "math/mat.h"

#define PAGERANK_DAMPING 0.85 /* else the walk goes on at any token */

/* Fill rank (T) with the shares, which sum to 1, of a walk that goes from query i to key j with the
 * probability weights[i][j] (T, T); entries below 0 or not finite count as 0, rows are brought to
 * sum 1, and from a row without weight the walk goes anywhere. To within 1e-9. scratch has room for
 * 2·T. */
void pagerank(double *rank, const Mat *weights, double *scratch);

#endif
