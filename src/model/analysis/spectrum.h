/* spectrum.h: ranks computed from a matrix's singular values. Pure, in double. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_SPECTRUM_H
#define HEADLIGHT_MODEL_ANALYSIS_SPECTRUM_H

#include "base/err.h"
#include "math/mat.h"

/* Return exp(entropy of σ/Σσ): count if all σ are equal, 1 if only one is not 0, 0 if all are 0.
 * Source: Roy and Vetterli 2007, "The effective rank: a measure of effective dimensionality". */
double spectrum_effective_rank(const double *sigma, int count);

/* Find the effective rank of a, such as one head's A (T, T), or of a·bᵀ if b is not NULL; NaN if an
 * entry is not finite. Fails if the matrix cannot be decomposed. Time grows with the cube of the
 * size. */
bool spectrum_matrix_effective_rank(double *rank, const Mat *a, const Mat *b, Err *err);

/* Return the numerical rank of a or, if b is not NULL, of a·bᵀ: the number of singular values above
 * ε·σ₁ times the longer side of a, with ε of float32. -1 if the matrix cannot be decomposed, for
 * example if an entry is not finite. */
int spectrum_rank(const Mat *a, const Mat *b);

#endif
