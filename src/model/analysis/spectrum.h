/* spectrum.h: what singular values say about a matrix. Pure, in double. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_SPECTRUM_H
#define HEADLIGHT_MODEL_ANALYSIS_SPECTRUM_H

#include "math/mat.h"

/* The exponential of the entropy of σ/Σσ: count where all are alike, 1 where only one is not 0,
 * and 0 where all are. Source: Roy and Vetterli 2007, "The effective rank: a measure of effective
 * dimensionality". */
double spectrum_effective_rank(const double *sigma, int count);

/* That of a whole matrix, such as one head's A (T, T). Not a number when memory ran out or an
 * entry is not finite. The work grows with the cube of the size. */
double spectrum_matrix_effective_rank(const Mat *m);

#endif
