/* rope_offset_products.h: the scores of a head with rope as they are when it is merged: no single
 * W_QK, but one for each distance i − j, W_Q·B(i−j)·W_Kᵀ with B the turn by that distance. Pure. T
 * tokens, E input width, m the head's width, c = min(E, m). */
#ifndef HEADLIGHT_MODEL_ANALYSIS_ROPE_OFFSET_PRODUCTS_H
#define HEADLIGHT_MODEL_ANALYSIS_ROPE_OFFSET_PRODUCTS_H

#include "model/analysis/head_product.h"

/* True if all 2·T − 1 matrices of such a head can be decomposed in a few seconds and a quarter of a
 * gigabyte. */
bool rope_offset_products_fit(int T, int E, int m);

/* The room that rope_offset_products_terms takes, and what each function below takes from scratch
 * for a moment. */
size_t rope_offset_products_bytes(int T, int E, int m);
size_t rope_offset_products_scratch_bytes(int T, int E, int m);

/* Through the matrices themselves: dots_ij = x_i·W(i−j)·x_jᵀ (T, T), which score_factor makes
 * scores. input (T, E); left and right (E, m) are W_Q and W_K before any turn. False once watch,
 * which may be NULL, says to stop. */
bool rope_offset_products_through(Mat *dots, const Mat *input, const Mat *left, const Mat *right,
                                  JobWatch *watch, Arena *scratch);

/* Row i·T + j of *terms (T·T, c) gets what each singular value of W(i−j), the largest first, brings
 * to dots_ij: σ·(x_i·u)·(x_j·v). Fails as decompose_product does. */
bool rope_offset_products_terms(Mat *terms, Arena *arena, const Mat *input, const Mat *left,
                                const Mat *right, JobWatch *watch, Arena *scratch, Err *err);

/* Add to S (T, T) factor times what the singular values from..to-1 of every matrix bring. */
void rope_offset_products_add(Mat *S, const Mat *terms, int from, int to, float factor);

#endif
