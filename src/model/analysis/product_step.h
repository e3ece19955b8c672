/* product_step.h: one step of gradient descent on a head's two factors, compared with one step on
 * their product, from the same start. The step on the factors changes W by −η(G·R·Rᵀ + L·Lᵀ·G) +
 * η²·…, the step on the product by −η·G, where W = L·Rᵀ and G is the gradient of W. With rope W is
 * the matrix of one distance, and L and R are shared by all distances. Pure. E input width, T
 * tokens. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_PRODUCT_STEP_H
#define HEADLIGHT_MODEL_ANALYSIS_PRODUCT_STEP_H

#include "model/analysis/head_product.h"
#include "model/attention/backward.h"

typedef struct ProductStep {
    Mat by_factors, by_product;        /* (E, E): the change of W by one step */
    Mat difference;                    /* (E, E): by_factors − by_product */
    double norm_factors, norm_product; /* Frobenius norms */
    double cosine;                     /* between the two changes as vectors, or NaN */
    int rank_factors, rank_product;    /* of the changes; -1 if unknown */
    int rank_after_factors;            /* of W after the step on the factors */
    int rank_after_product;            /* of W after the step on the product */
} ProductStep;

/* A forward pass and its gradients; all borrowed. */
typedef struct StepInputs {
    const AttnShape *shape;
    const HeadChoice *choice;
    const HeadInputs *inputs;
    const AttnBack *back;
    const Mat *G; /* (T, D): gradient of Y */
} StepInputs;

/* Take both steps and fill out, with matrices in the arena. */
void product_step_push(ProductStep *out, Arena *arena, const HeadProduct *product,
                       const StepInputs *of, float rate, Arena *scratch);

#endif
