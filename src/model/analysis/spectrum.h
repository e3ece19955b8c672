/* spectrum.h: figures computed from a matrix's singular values. Pure, in double. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_SPECTRUM_H
#define HEADLIGHT_MODEL_ANALYSIS_SPECTRUM_H

#include "base/err.h"
#include "math/mat.h"

/* Return the exponential of the entropy of σ/Σσ: count if all are equal, 1 if only one is not 0, 0
 * if all are 0. Source: Roy and Vetterli 2007, "The effective rank: a measure of effective
 * dimensionality". */
double spectrum_effective_rank(const double *sigma, int count);

/* Find the effective rank of a matrix, such as one head's A (T, T); NaN if an entry is not finite.
 * Fails if it cannot be decomposed. Work grows with the cube of the size. */
bool spectrum_matrix_effective_rank(double *rank, const Mat *m, Err *err);

/* Find the effective rank of the product a·bᵀ in the same way, from its factors. */
bool spectrum_product_effective_rank(double *rank, const Mat *a, const Mat *b, Err *err);

#endif
