/* head_product.h: the two products in which a head's weights act: W_QK = W_Q·W_Kᵀ in its scores,
 * and W_OV = W_V·W_O in its output. Also the head's result, computed from a product in any form.
 * Pure; allocates from arenas only. Shapes are (rows, cols): T tokens, E the input's width
 * (d_model, plus one for the constant 1 if there are biases), m the head's own width, d_k or
 * d_v. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_HEAD_PRODUCT_H
#define HEADLIGHT_MODEL_ANALYSIS_HEAD_PRODUCT_H

#include "model/attention/attention.h"

/* Rows of the registry PRODUCTS in this order. */
typedef enum ProductKind { PRODUCT_QK, PRODUCT_OV, PRODUCT_COUNT } ProductKind;
extern const Registry PRODUCTS;

/* product = left·rightᵀ = u·Σ·vᵀ. With biases W_OV has b_V·W_O as its last row, and a last column
 * of 0. The free W_QK has no factors: left is W_QK itself, right the identity. An edited W_QK is no
 * longer left·rightᵀ, and may have a larger rank. */
typedef struct HeadProduct {
    ProductKind kind;
    bool has_factors;
    bool is_edited;  /* true if head_product_edit replaced the product */
    Mat left, right; /* (E, m); with rope, left is rotated by HeadChoice.offset */
    Mat product;     /* (E, E) */
    Mat u, v;        /* (E, count), or absent */
    double *sigma;   /* (count): largest first; the omitted ones are 0 */
    /* Number of singular values: min(E, m), or the numerical rank if edited. 0 before they are
     * computed, and if there are more than HEAD_PRODUCT_SIGMA_MAX. */
    int count;
    /* X·u and X·v·Σ, both (T, count); for W_OV, A·X·u (T, count) and v·Σ (E, count); or absent. The
     * outer products of their columns add up to the head's dot products; for W_OV, to its
     * output. */
    Mat row_parts, col_parts;
} HeadProduct;

typedef struct HeadChoice {
    ProductKind kind;
    int head;
    int offset; /* with rope: the distance i − j whose W_QK is meant */
} HeadChoice;

/* Limit of singular values: 4096 would take half a minute and more than a gigabyte. */
#define HEAD_PRODUCT_SIGMA_MAX 2048

/* Return m: K for PRODUCT_QK, V for PRODUCT_OV. */
int head_product_width(const AttnShape *shape, ProductKind kind);

uint64_t head_product_bytes(const AttnShape *shape, ProductKind kind);

/* Push the product of one head, without singular values. Fails if a weight is not finite; the arena
 * then keeps what was pushed. */
bool head_product_push(HeadProduct *out, Arena *arena, const AttnShape *shape,
                       const AttnParams *params, const HeadChoice *choice, Err *err);

/* Replace the product by W_QK (E, E) with its entries that were set by hand. */
void head_product_edit(HeadProduct *product, const Mat *used);

/* Push the singular values and vectors of the product, if there are at most HEAD_PRODUCT_SIGMA_MAX.
 * Fails if decompose_product does. */
uint64_t head_vectors_bytes(const HeadProduct *product);
bool head_vectors_push(HeadProduct *product, Arena *arena, Err *err);

/* The inputs of a head other than its weights; all borrowed. */
typedef struct HeadInputs {
    ProductKind kind;
    const Mat *input; /* (T, E) */
    const Mask *mask;
    const Mat *rotations; /* (T, m) rotations for rope; otherwise NULL */
    const Mat *A;         /* (T, T): attention weights; for W_OV */
    float score_factor;
} HeadInputs;

/* The result of a head. W_QK: scores S and weights A (T, T). W_OV: its contribution to the output,
 * in S (T, E), and no A. */
typedef struct HeadResult {
    Mat S, A;
} HeadResult;

/* Push row_parts and col_parts, which are computed from the vectors. With rope there are none,
 * because no single W_QK gives the scores. */
uint64_t head_spectrum_bytes(const HeadProduct *product, const HeadInputs *inputs);
void head_spectrum_push(HeadProduct *product, Arena *arena, const HeadInputs *inputs);

uint64_t head_result_bytes(int T, int E);
HeadResult head_result_push(Arena *arena, const HeadInputs *inputs);

/* Return scratch bytes that are enough for every function here and in rank_curve.h,
 * rope_offset_products.h, factor_transform.h and product_step.h. */
uint64_t head_scratch_bytes(int T, int E, int m);

/* Compute the result from the factors, as (X·left)·(X·right)ᵀ, or from the product (E, E), as
 * (X·product)·Xᵀ; with RoPE the product is not allowed. scratch is restored. */
void head_through_factors(HeadResult *out, const HeadInputs *inputs, const Mat *left,
                          const Mat *right, Arena *scratch);
void head_through_product(HeadResult *out, const HeadInputs *inputs, const Mat *product,
                          Arena *scratch);

/* Compute the result with the nearest product of rank at most `rank`, from row_parts and col_parts.
 * scratch is restored. */
void head_through_rank(HeadResult *out, const HeadInputs *inputs, const HeadProduct *product,
                       int rank, Arena *scratch);

/* Return A or, for W_OV, the output. */
static inline const Mat *head_result_shown(const HeadResult *result) {
    return result->A.rows > 0 ? &result->A : &result->S;
}

/* Return max|ΔS| over open keys if of_S, otherwise max|ΔA|; for W_OV max|ΔY| in both cases. NaN if
 * a matrix is missing or a difference is NaN. */
float head_result_difference(const HeadResult *a, const HeadResult *b, const Mask *mask, bool of_S);

/* Return max|S| over open keys; for W_OV, max|Y| over finite entries of the output Y. */
float head_result_largest(const HeadResult *a, const Mask *mask);

/* Fill out (E, E) with the nearest matrix of rank at most `rank`. */
void head_product_truncate(Mat *out, const HeadProduct *product, int rank, Arena *scratch);

/* Split w (E, E) into (w + wᵀ)/2 and (w − wᵀ)/2. Return the symmetric part's share of Σ w², 0 to 1;
 * NaN if w is 0. */
double head_product_parts(Mat *symmetric, Mat *antisymmetric, const Mat *w);

#endif
