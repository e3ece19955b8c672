/* rank_law.h: the effective rank that theory expects of one head's W_Q·W_Kᵀ. Pure. D model width, K
 * query/key width of a head. */
#ifndef HEADLIGHT_MODEL_THEORY_RANK_LAW_H
#define HEADLIGHT_MODEL_THEORY_RANK_LAW_H

#include <stdbool.h>

/* Return the expected effective rank. Each factor (D, K) has independent entries of mean 0, or
 * columns that are orthonormal up to a common factor. The squared singular values of the product
 * are those of W_QᵀW_Q·W_KᵀW_K; for wide matrices their law is the free product of the factors'
 * laws, within 2 % even for a few columns. Source: Marchenko and Pastur 1967 for one random factor,
 * Voiculescu 1987, "Multiplication of certain noncommuting random variables", for the product. */
double rank_law(int D, int K, bool query_drawn, bool key_drawn);

#endif
