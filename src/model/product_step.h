/* product_step.h: one step of gradient descent on a head's two factors beside one on their product,
 * from the same start: the first moves W by −η(G·R·Rᵀ + L·Lᵀ·G) + η²·…, the second by −η·G, with
 * W = L·Rᵀ and G = ∂L/∂W. Pure. E input width, m the head's width, T tokens. */
#ifndef HEADLIGHT_MODEL_PRODUCT_STEP_H
#define HEADLIGHT_MODEL_PRODUCT_STEP_H

#include "model/head_product.h"

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

/* ∂L/∂W = left·rightᵀ, given as its factors (E, T), as a pass of T tokens makes it. Where W is not
 * all that the factors make, as with rope, whose every distance has a W of its own, by_left and
 * by_right (E, m) are ∂L/∂left and ∂L/∂right of all of it; else they have no rows, and follow. */
typedef struct ProductGradient {
    Mat left, right, by_left, by_right;
} ProductGradient;

/* Fails once watch, which may be NULL, says to stop. */
bool product_step(ProductStep *out, const HeadProduct *product, const ProductGradient *gradient,
                  float rate, JobWatch *watch, Arena *scratch, Err *err);

/* About how many steps (base/job.h) that takes. */
double product_step_steps(int T, int E, int m);

#endif
