/* head_product.h: the two products in which a head's weights ever meet: W_QK = W_Q·W_Kᵀ in its
 * scores and W_OV = W_V·W_O in its output; and what the head computes from them, in whatever form
 * they are held. Pure; pushes to arenas alone.
 * Shapes are (rows, cols): T tokens, E the width of the layer's input (d_model, and one for the
 * constant 1 where there are biases), m the head's own width, d_k or d_v. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_HEAD_PRODUCT_H
#define HEADLIGHT_MODEL_ANALYSIS_HEAD_PRODUCT_H

#include "base/job.h"
#include "model/attention/attention.h"

/* Rows of the registry PRODUCTS in this order. */
typedef enum ProductKind { PRODUCT_QK, PRODUCT_OV, PRODUCT_COUNT } ProductKind;
extern const Registry PRODUCTS;

/* product = left·rightᵀ = u·Σ·vᵀ. In W_OV of a layer with biases the last row is b_V·W_O and the
 * last column 0. The free W_QK has no factors: left is the matrix itself and right the identity. */
typedef struct HeadProduct {
    ProductKind kind;
    bool has_factors;
    Mat left, right; /* (E, m); with rope left is turned by the offset */
    Mat product;     /* (E, E) */
    Mat u, v;        /* (E, count), or absent */
    double *sigma;   /* count, largest first; the other singular values are 0 */
    int count;       /* min(E, m); 0 where that is over HEAD_PRODUCT_SIGMA_MAX, or not found yet */
    Mat row_parts, col_parts; /* X·u (T, count) and X·v·Σ (T, count), or of W_OV A·X·u and v·Σ
                                 (E, count); or absent. The sum over r of column r of the one times
                                 that of the other is what the head makes of the product, but for
                                 the factor of scores */
} HeadProduct;

typedef struct HeadChoice {
    ProductKind kind;
    int head;
    int offset; /* with rope: the distance i - j whose matrix it is */
} HeadChoice;

/* The most singular values that are found: twice as many take eight times as long, half a minute,
 * and more than a gigabyte. */
#define HEAD_PRODUCT_SIGMA_MAX 2048

/* m for that shape. */
int head_product_width(const AttnShape *shape, ProductKind kind);

/* min(E, m), or 0 where that is more singular values than are found. */
int head_product_count(const AttnShape *shape, ProductKind kind);

/* Bytes that head_product_push takes; SIZE_MAX where that does not fit. */
size_t head_product_bytes(const AttnShape *shape, ProductKind kind);

/* The product of one head, without its singular values. Fails where a weight is not finite; then
 * the arena has what was pushed. */
bool head_product_push(HeadProduct *out, Arena *arena, const AttnShape *shape,
                       const AttnParams *params, const HeadChoice *choice, Err *err);

/* Its singular values and vectors, if there are not too many. Fails as decompose_product does. */
size_t head_vectors_bytes(const AttnShape *shape, ProductKind kind);
bool head_vectors_push(HeadProduct *product, Arena *arena, Err *err);

/* What a head is given beside its weights; all borrowed. */
typedef struct HeadInputs {
    ProductKind kind;
    const Mat *input; /* (T, E) */
    const Mask *mask;
    const Mat *turn; /* (T, m) for rope; NULL else */
    const Mat *A;    /* (T, T): what W_OV is read through */
    float score_factor;
} HeadInputs;

/* What a head makes of a product: scores S and weights A (T, T) of W_QK; of W_OV its part of the
 * output, in S (T, E), and no A. */
typedef struct HeadResult {
    Mat S, A;
} HeadResult;

/* The parts, from the vectors; none with rope, because no single W_QK gives the scores then. */
size_t head_spectrum_bytes(const AttnShape *shape, ProductKind kind);
void head_spectrum_push(HeadProduct *product, Arena *arena, const HeadInputs *site);

size_t head_result_bytes(int T, int E);
HeadResult head_result_push(Arena *arena, const HeadInputs *site);

/* The room that the two below take from scratch for a moment. */
size_t head_scratch_bytes(int T, int E, int m);

/* Through the factors, as separate does: (X·left)·(X·right)ᵀ; or through the product (E, E), as
 * merged does: (X·product)·Xᵀ, which with rope has no meaning. Whatever scratch had is kept. */
void head_through_factors(HeadResult *out, const HeadInputs *site, const Mat *left,
                          const Mat *right, Arena *scratch);
void head_through_product(HeadResult *out, const HeadInputs *site, const Mat *product,
                          Arena *scratch);

/* Through the nearest product of rank at most `rank`, from the parts. Whatever scratch had is kept.
 */
void head_through_rank(HeadResult *out, const HeadInputs *site, const HeadProduct *product,
                       int rank, Arena *scratch);

/* What is compared of a result: A, or of W_OV the output. */
static inline const Mat *head_result_shown(const HeadResult *result) {
    return result->A.rows > 0 ? &result->A : &result->S;
}

/* max|ΔS|, or else that of what is compared; of scores over open keys alone: what is closed is
 * never looked at. Not a number where either is not there, or any difference is not. */
float head_result_difference(const HeadResult *a, const HeadResult *b, const Mask *mask, bool of_S);

/* max|S| in the same way; of W_OV that of the output. */
float head_result_largest(const HeadResult *a, const Mask *mask);

/* out (E, E) = the nearest matrix of rank at most `rank`. scratch gives (E, count). */
void head_product_truncate(Mat *out, const HeadProduct *product, int rank, Arena *scratch);

/* Split w (E, E) into (w + wᵀ)/2 and (w − wᵀ)/2; returns the symmetric part's share of Σ w², 0 to
 * 1, or not a number for a w of 0. */
double head_product_parts(Mat *symmetric, Mat *antisymmetric, const Mat *w);

#endif
