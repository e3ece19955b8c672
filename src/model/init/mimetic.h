/* mimetic.h: weights whose products resemble those of trained layers. Pure, with scratch memory.
 * Source: Trockman and Kolter 2023, "Mimetic initialization of self-attention layers". */
#ifndef HEADLIGHT_MODEL_INIT_MIMETIC_H
#define HEADLIGHT_MODEL_INIT_MIMETIC_H

#include "model/init/scheme.h"

/* Largest d_model. Each head needs the singular vectors of a (D, D) matrix, so wider layers would
 * take minutes. */
#define MIMETIC_D_MAX 1024

/* Fill W_Q and W_K, or W_V and W_O; either may be NULL. Fails if memory runs out, and for D >
 * MIMETIC_D_MAX.
 *
 * N (D, D) has independent normal entries of variance 1/D. W_Q·W_Kᵀ of each head is the best
 * approximation of rank d_k of 0.7·N + 0.7·I, with another N for each head. W_V·W_O of all heads
 * together is the best approximation of rank h·d_v of 0.4·N − 0.4·I. Each approximation U·Σ·Vᵀ is
 * split into U·√Σ and V·√Σ. So if d_k < D, a head's product is near 0.7·I only in d_k directions.
 * If d_k or h·d_v exceeds D, the remaining columns are 0. */
bool mimetic_fill_pair(Mat *first, Mat *second, const SchemeInputs *inputs, Err *err);

/* Fill one matrix of a pair with the numbers that mimetic_fill_pair gives it. */
bool mimetic_fill(Mat *w, const SchemeInputs *inputs, double std, Err *err);

#endif
