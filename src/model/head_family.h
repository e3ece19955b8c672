/* head_family.h: the scores of a head with rope as they are when it is merged: no single W_QK, but
 * one for each distance i − j, W_Q·B(i−j)·W_Kᵀ with B the turn by that distance. Pure.
 * T tokens, E input width, m the head's width, c = min(E, m). */
#ifndef HEADLIGHT_MODEL_HEAD_FAMILY_H
#define HEADLIGHT_MODEL_HEAD_FAMILY_H

#include "model/head_product.h"

/* True if all 2·T − 1 matrices of such a head can be decomposed in a few seconds and a quarter of a
 * gigabyte. */
bool head_family_fits(int T, int E, int m);

/* The room that head_family_terms takes, and what each function below takes from scratch for a
 * moment. */
size_t head_family_bytes(int T, int E, int m);
size_t head_family_scratch_bytes(int T, int E, int m);

/* Through the matrices themselves: dots_ij = x_i·W(i−j)·x_jᵀ (T, T), which score_factor makes
 * scores. input (T, E); left and right (E, m) are W_Q and W_K before any turn. False once watch,
 * which may be NULL, says to stop. */
bool head_family_through(Mat *dots, const Mat *input, const Mat *left, const Mat *right,
                         JobWatch *watch, Arena *scratch);

/* Row i·T + j of *terms (T·T, c) gets what each singular value of W(i−j), the largest first, brings
 * to dots_ij: σ·(x_i·u)·(x_j·v). Fails as decompose_product does. */
bool head_family_terms(Mat *terms, Arena *arena, const Mat *input, const Mat *left,
                       const Mat *right, JobWatch *watch, Arena *scratch, Err *err);

/* Add to S (T, T) factor times what the singular values from..to-1 of every matrix bring. */
void head_family_add(Mat *S, const Mat *terms, int from, int to, float factor);

#endif
