/* product_step.h: one step of gradient descent on a head's two factors, compared with one step on
 * their product, from the same start. The step on the factors changes W by −η(G·R·Rᵀ + L·Lᵀ·G) +
 * η²·…, the step on the product by −η·G, where W = L·Rᵀ and G is the gradient of W. Pure. E input
 * width, m the head's width, T tokens. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_PRODUCT_STEP_H
#define HEADLIGHT_MODEL_ANALYSIS_PRODUCT_STEP_H

#include "model/analysis/head_product.h"

typedef struct ProductStep {
    Mat by_factors, by_product;        /* (E, E): the change of W by one step */
    Mat difference;                    /* (E, E): by_factors − by_product */
    double norm_factors, norm_product; /* Frobenius */
    double cosine;                     /* cosine between the two changes as vectors; or NaN */
    int rank_factors, rank_product;    /* numerical ranks of the changes; -1 if unknown */
    int rank_after_factors;            /* rank of W after the step by factors */
    int rank_after_product;            /* rank of W after the step by the product */
} ProductStep;

/* Return the bytes of the step itself. The second function returns the scratch bytes of
 * product_step. */
uint64_t product_step_bytes(int E);
uint64_t product_step_scratch_bytes(int T, int E, int m);
ProductStep product_step_push(Arena *arena, int E);

/* Gradients from a pass over T tokens, as products: that of W is left·rightᵀ, that of L is
 * left_in·left_byᵀ, that of R is right_in·right_byᵀ. left, right, left_in and right_in are (E, T),
 * left_by and right_by (m, T). If the factors act only through W, product_gradient_follow computes
 * the last four from left and right. With rope every distance has its own W. */
typedef struct ProductGradient {
    Mat left, right;
    Mat left_in, left_by, right_in, right_by;
} ProductGradient;

/* Push room for all matrices of the gradient; the arena needs product_gradient_bytes. */
uint64_t product_gradient_bytes(int T, int E, int m);
ProductGradient product_gradient_push(Arena *arena, int T, int E, int m);

/* Compute left_in, left_by, right_in and right_by from left and right. */
void product_gradient_follow(ProductGradient *gradient, const HeadProduct *product);

/* Take one step of gradient descent, with the factors and with their product. */
void product_step(ProductStep *out, const HeadProduct *product, const ProductGradient *gradient,
                  float rate, Arena *scratch);

#endif
