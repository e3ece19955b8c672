/* mimetic.h: weights whose products resemble those of trained layers. Pure, with scratch memory.
 * Source: Trockman and Kolter 2023, "Mimetic initialization of self-attention layers". */
#ifndef HEADLIGHT_MODEL_INIT_MIMETIC_H
#define HEADLIGHT_MODEL_INIT_MIMETIC_H

#include "model/init/scheme.h"

/* Each head needs the singular vectors of a (D, D) matrix, so wider layers would take minutes. */
#define MIMETIC_D_MAX 1024

/* Fill W_Q and W_K, or W_V and W_O, whole; either may be NULL. With Z (D, D) of entries N(0, 1/D),
 * a new one for each head:
 *   W_Q W_Kᵀ is the best approximation of rank d_k of 0.7·Z + 0.7·I, head by head;
 *   W_V W_O, all heads together, is that of rank h·d_v of 0.4·Z − 0.4·I.
 * Each is split evenly, U·√Σ and V·√Σ. Limits: with d_k < D a head keeps only the d_k directions
 * of the largest singular values, so that its product is near 0.7·I in those alone; and what a
 * single head's slice of W_V W_O does is not −I, only their sum is. With d_k or h·d_v over D the
 * columns that are left are 0. Fails for want of memory, and for D > MIMETIC_D_MAX. */
bool mimetic_fill_pair(Mat *first, Mat *second, const SchemeSite *site, Err *err);

/* Fill one matrix of a pair with the numbers it would have together with the other. */
bool mimetic_fill(Mat *w, const SchemeSite *site, double deviation, Err *err);

#endif
