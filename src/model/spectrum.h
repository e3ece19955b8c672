/* spectrum.h: what singular values say about a matrix. Pure, in double.
 * T tokens, D model width, K query/key and V value width of one head. */
#ifndef HEADLIGHT_MODEL_SPECTRUM_H
#define HEADLIGHT_MODEL_SPECTRUM_H

#include "math/mat.h"

/* The singular values, largest first, of one head's W_Q W_Kᵀ, from its factors (D, K): min(D, K)
 * into sigma. The others of the (D, D) product are 0. The product itself is never made. The
 * factors must be finite. Fails for want of memory, or where LAPACK does not settle. */
bool spectrum_query_key(double *sigma, const Mat *w_q, const Mat *w_k, Err *err);

/* The same of W_V W_O, from one head's W_V (D, V) and its rows of W_O (V, D): min(D, V). */
bool spectrum_value_output(double *sigma, const Mat *w_v, const Mat *w_o, Err *err);

/* The exponential of the entropy of σ/Σσ: count where all are alike, 1 where only one is not 0,
 * and 0 where all are. Source: Roy and Vetterli 2007, "The effective rank: a measure of effective
 * dimensionality". */
double spectrum_effective_rank(const double *sigma, int count);

/* That of a whole matrix, such as one head's A (T, T). Not a number when memory ran out or an
 * entry is not finite. The work grows with the cube of the size. */
double spectrum_matrix_effective_rank(const Mat *m);

#endif
