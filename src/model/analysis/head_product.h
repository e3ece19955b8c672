/* head_product.h: the two products in which a head's weights act: W_QK = W_Q·W_Kᵀ in its scores and
 * W_OV = W_V·W_O in its output, and what the head computes from them in any form. Pure; allocates
 * from arenas only. Shapes are (rows, cols): T tokens, E the input's width (d_model, plus one for
 * the constant 1 if there are biases), m the head's own width, d_k or d_v. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_HEAD_PRODUCT_H
#define HEADLIGHT_MODEL_ANALYSIS_HEAD_PRODUCT_H

#include "model/attention/attention.h"

/* Rows of the registry PRODUCTS in this order. */
typedef enum ProductKind { PRODUCT_QK, PRODUCT_OV, PRODUCT_COUNT } ProductKind;
extern const Registry PRODUCTS;

/* product = left·rightᵀ = u·Σ·vᵀ. In W_OV of a layer with biases the last row is b_V·W_O and the
 * last column is 0. The free W_QK has no factors: left is the matrix itself and right the identity.
 * A W_QK that is edited is no longer left·rightᵀ, and may have a larger rank. */
typedef struct HeadProduct {
    ProductKind kind;
    bool has_factors;
    bool is_edited;  /* entries of product were set by hand, after the product or its cut */
    Mat left, right; /* (E, m); with rope, left is rotated by the offset */
    Mat product;     /* (E, E) */
    Mat u, v;        /* (E, count), or absent */
    double *sigma;   /* (count), largest first; all further singular values are 0 */
    int count;       /* min(E, m), or the rank if edited; 0 if min(E, m), or E if edited, exceeds
                      * HEAD_PRODUCT_SIGMA_MAX, or before they are computed */
    Mat row_parts, col_parts; /* X·u (T, count) and X·v·Σ (T, count); for W_OV A·X·u and v·Σ (E,
                                 count); or absent. Σ of the outer products of their columns is the
                                 head's dot products or output */
} HeadProduct;

typedef struct HeadChoice {
    ProductKind kind;
    int head;
    int offset; /* with rope: the distance i − j that this matrix belongs to */
} HeadChoice;

/* The largest number of singular values that is computed. Twice as many would take eight times as
 * long (half a minute) and more than a gigabyte. */
#define HEAD_PRODUCT_SIGMA_MAX 2048

/* Return m for a shape. */
int head_product_width(const AttnShape *shape, ProductKind kind);

/* Return the bytes that head_product_push allocates. */
uint64_t head_product_bytes(const AttnShape *shape, ProductKind kind);

/* Push the product of one head, without singular values. Fails if a weight is not finite; the arena
 * then keeps what was pushed. */
bool head_product_push(HeadProduct *out, Arena *arena, const AttnShape *shape,
                       const AttnParams *params, const HeadChoice *choice, Err *err);

/* Replace the product by the W_QK (E, E) that the head uses, in which entries are set by hand. */
void head_product_edit(HeadProduct *product, const Mat *used);

/* Push its singular values and vectors, if there are at most HEAD_PRODUCT_SIGMA_MAX. Fails as
 * decompose_product does. */
uint64_t head_vectors_bytes(const HeadProduct *product);
bool head_vectors_push(HeadProduct *product, Arena *arena, Err *err);

/* The inputs of a head, without its weights; all borrowed. */
typedef struct HeadInputs {
    ProductKind kind;
    const Mat *input; /* (T, E) */
    const Mask *mask;
    const Mat *rotations; /* (T, m) rotations for rope; otherwise NULL */
    const Mat *A;         /* (T, T): the weights that W_OV is applied with */
    float score_factor;
} HeadInputs;

/* A head's result from a product. W_QK: scores S and weights A (T, T). W_OV: its part of the output
 * in S (T, E), and no A. */
typedef struct HeadResult {
    Mat S, A;
} HeadResult;

/* Push the parts, from the vectors. With rope there are none, because no single W_QK gives the
 * scores. */
uint64_t head_spectrum_bytes(const HeadProduct *product, const HeadInputs *inputs);
void head_spectrum_push(HeadProduct *product, Arena *arena, const HeadInputs *inputs);

uint64_t head_result_bytes(int T, int E);
HeadResult head_result_push(Arena *arena, const HeadInputs *inputs);

/* Return the scratch bytes of the two functions below. */
uint64_t head_scratch_bytes(int T, int E, int m);

/* Compute the result through the factors, as (X·left)·(X·right)ᵀ, like separate; or through the
 * product (E, E), as (X·product)·Xᵀ, like merged, which is undefined with RoPE. scratch is
 * restored. */
void head_through_factors(HeadResult *out, const HeadInputs *inputs, const Mat *left,
                          const Mat *right, Arena *scratch);
void head_through_product(HeadResult *out, const HeadInputs *inputs, const Mat *product,
                          Arena *scratch);

/* Compute the result through the nearest product of rank at most `rank`, from the parts. scratch is
 * restored. */
void head_through_rank(HeadResult *out, const HeadInputs *inputs, const HeadProduct *product,
                       int rank, Arena *scratch);

/* Return the matrix that comparisons use: A, or the output for W_OV. */
static inline const Mat *head_result_shown(const HeadResult *result) {
    return result->A.rows > 0 ? &result->A : &result->S;
}

/* Return max|ΔS| if of_S, otherwise the largest difference between the matrices of
 * head_result_shown. Scores are compared over open keys only. NaN if one is missing or any
 * difference is NaN. */
float head_result_difference(const HeadResult *a, const HeadResult *b, const Mask *mask, bool of_S);

/* Return max|S| over open keys; for W_OV, of the output. */
float head_result_largest(const HeadResult *a, const Mask *mask);

/* Fill out (E, E) with the nearest matrix of rank at most `rank`. scratch holds (E, count). */
void head_product_truncate(Mat *out, const HeadProduct *product, int rank, Arena *scratch);

/* Split w (E, E) into (w + wᵀ)/2 and (w − wᵀ)/2. Return the symmetric part's share of Σ w², 0 to 1;
 * NaN if w is 0. */
double head_product_parts(Mat *symmetric, Mat *antisymmetric, const Mat *w);

#endif
