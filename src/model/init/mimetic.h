/* mimetic.h: weights whose products resemble those of trained layers. Pure, with scratch memory.
 * Source: Trockman and Kolter 2023, "Mimetic initialization of self-attention layers". */
#ifndef HEADLIGHT_MODEL_INIT_MIMETIC_H
#define HEADLIGHT_MODEL_INIT_MIMETIC_H

#include "model/init/scheme.h"

/* The largest d_model. Each head needs the singular vectors of a (D, D) matrix, so wider layers
 * would take minutes. */
#define MIMETIC_D_MAX 1024

/* Fill W_Q and W_K, or W_V and W_O, completely; either may be NULL. N (D, D) has independent normal
 * entries of variance 1/D. W_Q·W_Kᵀ of each head is the best approximation, of rank d_k, of 0.7·N +
 * 0.7·I, with another N for each head. W_V·W_O of all heads together is the best approximation, of
 * rank h·d_v, of 0.4·N − 0.4·I. Each is split evenly, into U·√Σ and V·√Σ. Limits: if d_k < D a head
 * has only the d_k directions of the largest singular values, so its product is near 0.7·I only in
 * these. Only the sum of W_V·W_O over the heads is near −0.4·I, not the part of a single head. If
 * d_k or h·d_v exceeds D the remaining columns are 0. Fails if memory runs out, and for D >
 * MIMETIC_D_MAX. */
bool mimetic_fill_pair(Mat *first, Mat *second, const SchemeInputs *inputs, Err *err);

/* Fill one matrix of a pair. It gets the same numbers as if both were filled. */
bool mimetic_fill(Mat *w, const SchemeInputs *inputs, double std, Err *err);

#endif
