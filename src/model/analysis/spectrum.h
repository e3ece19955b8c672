/* spectrum.h: figures computed from a matrix's singular values. Pure, in double. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_SPECTRUM_H
#define HEADLIGHT_MODEL_ANALYSIS_SPECTRUM_H

#include "math/mat.h"

/* Return the exponential of the entropy of σ/Σσ: count if all are equal, 1 if only one is not 0, 0
 * if all are 0. Source: Roy and Vetterli 2007, "The effective rank: a measure of effective
 * dimensionality". */
double spectrum_effective_rank(const double *sigma, int count);

/* Return the effective rank of a matrix, such as one head's A (T, T). NaN if memory runs out or an
 * entry is not finite. Work grows with the cube of the size. */
double spectrum_matrix_effective_rank(const Mat *m);

#endif
