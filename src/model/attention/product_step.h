/* product_step.h: one step of gradient descent on a head's two factors beside one on their product,
 * from the same start: the first moves W by −η(G·R·Rᵀ + L·Lᵀ·G) + η²·…, the second by −η·G, with
 * W = L·Rᵀ and G = ∂L/∂W. Pure. E input width, m the head's width, T tokens. */
#ifndef HEADLIGHT_MODEL_ATTENTION_PRODUCT_STEP_H
#define HEADLIGHT_MODEL_ATTENTION_PRODUCT_STEP_H

#include "model/analysis/head_product.h"

typedef struct ProductStep {
    Mat by_factors, by_product;        /* (E, E): what one step adds to W */
    Mat difference;                    /* (E, E): by_factors − by_product */
    double norm_factors, norm_product; /* Frobenius */
    double cosine;                     /* of the angle between the two, as vectors; or NaN */
    int rank_factors, rank_product;    /* numerical ranks of the steps; -1 where not found */
    int rank_after_factors;            /* of W after its step by factors */
    int rank_after_product;            /* and by its product */
} ProductStep;

/* The room for the step itself, and what product_step takes from scratch for a moment. */
size_t product_step_bytes(int E);
size_t product_step_scratch_bytes(int T, int E, int m);
ProductStep product_step_push(Arena *arena, int E);

/* Gradients as a pass of T tokens makes them: ∂L/∂W = left·rightᵀ with both (E, T), and
 * ∂L/∂L = left_in·left_byᵀ and ∂L/∂R = right_in·right_byᵀ with the first of each (E, T) and the
 * second (m, T). Where W is all that the factors make these follow from the first, by
 * product_gradient_follow; with rope every distance has a W of its own. */
typedef struct ProductGradient {
    Mat left, right;
    Mat left_in, left_by, right_in, right_by;
} ProductGradient;

/* Room for all of it, in an arena that gives product_gradient_bytes. */
size_t product_gradient_bytes(int T, int E, int m);
ProductGradient product_gradient_push(Arena *arena, int T, int E, int m);

/* Fill left_in, left_by, right_in and right_by from left and right. */
void product_gradient_follow(ProductGradient *gradient, const HeadProduct *product);

/* Fails once watch, which may be NULL, says to stop. */
bool product_step(ProductStep *out, const HeadProduct *product, const ProductGradient *gradient,
                  float rate, JobWatch *watch, Arena *scratch, Err *err);

#endif
