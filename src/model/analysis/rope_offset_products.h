/* rope_offset_products.h: the merged form of a head with RoPE, which has one W_QK for each distance
 * i − j: W(i−j) = W_Q·B(i−j)·W_Kᵀ with B the rotation by that distance. Pure. T tokens, E input
 * width, m the head's width, c = min(E, m). */
#ifndef HEADLIGHT_MODEL_ANALYSIS_ROPE_OFFSET_PRODUCTS_H
#define HEADLIGHT_MODEL_ANALYSIS_ROPE_OFFSET_PRODUCTS_H

#include "model/analysis/head_product.h"

/* True if all 2·T − 1 matrices can be decomposed in about 20 seconds, and their terms take at most
 * a quarter of a gigabyte. */
bool rope_offset_products_fit(int T, int E, int m);

/* Return the bytes that rope_offset_products_terms allocates. */
uint64_t rope_offset_products_bytes(int T, int E, int m);

/* Fill dots (T, T) with x_i·W(i−j)·x_jᵀ, without score_factor. input (T, E); left and right (E, m)
 * are W_Q and W_K before rotation. */
void rope_offset_products_through(Mat *dots, const Mat *input, const Mat *left, const Mat *right,
                                  Rope rope, Arena *scratch);

/* Fill row i·T + j of *terms (T·T, c) with the terms σ·(x_i·u)·(x_j·v) of dots_ij, one for each
 * singular value of W(i−j), largest first. Fails if decompose_product does. */
bool rope_offset_products_terms(Mat *terms, Arena *arena, const Mat *input, const Mat *left,
                                const Mat *right, Rope rope, Arena *scratch, Err *err);

/* Add to S (T, T) factor times the terms with the indices `from` to `to` − 1, counted from 0. */
void rope_offset_products_add(Mat *S, const Mat *terms, int from, int to, float factor);

#endif
