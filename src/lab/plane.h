/* plane.h: attention as a function of the standard deviations of W_Q and W_K, on a grid of both,
 * from one draw that is scaled. Scores go by the product of the two alone, so one pass serves all
 * places of one product; of the gradients, that of W_Q grows with W_K's deviation and the other way
 * round. Pure, with memory of its own. The form is separate, without biases: nothing is
 * approximate. T tokens, D model width, H heads, K query/key and V value width, both per head. */
#ifndef HEADLIGHT_LAB_PLANE_H
#define HEADLIGHT_LAB_PLANE_H

#include <stdatomic.h>

#include "model/backward.h"
#include "model/scheme.h"

#define PLANE_SIDE     33
#define PLANE_PRODUCTS (2 * PLANE_SIDE - 1)
#define PLANE_LEAST    1e-3 /* the deviation at the grid's lower end; it rises by equal factors */
#define PLANE_MOST     10.0

typedef struct PlanePlan {
    AttnShape shape;
    const Mat *x; /* (T, D) */
    Mask mask;
    SchemePlan plan; /* of all four matrices; W_Q and W_K are then scaled */
} PlanePlan;

/* Entry [i][j] is at the i-th deviation of W_Q and the j-th of W_K. */
typedef struct Plane {
    Arena arena;
    PlanePlan plan;    /* what it refers to is in the arena */
    AttnParams params; /* W_Q and W_K of deviation 1 */
    AttnTrace trace;
    AttnParams grads;
    AttnBack back;
    Mat G;           /* (T, D) */
    Mat dots;        /* (H*T, T): scores of deviations 1 */
    Mat weights;     /* (H*T, T): room for plane_weights, which nothing else here writes to */
    atomic_int done; /* products, of PLANE_PRODUCTS; -1 before anything is drawn */
    float entropy[PLANE_SIDE][PLANE_SIDE];
    float gradient[PLANE_SIDE][PLANE_SIDE]; /* ‖∂L/∂(W_Q, W_K, W_V, W_O)‖, L = Σ G∘Y */
} Plane;

/* Nothing drawn yet; what the plan refers to is copied. Fails for want of memory; then there is
 * nothing to release. */
bool plane_init(Plane *plane, const PlanePlan *plan, Err *err);
void plane_release(Plane *plane);

/* Draw what the plane is made from, or then fill in the places of one product more, where any is
 * left. Whoever reads what is done meanwhile, dots included, may be in another thread. Fails as
 * scheme_draw does, and once watch, which may be NULL, says to stop; then it may be called again.
 */
bool plane_step(Plane *plane, JobWatch *watch, Err *err);

/* About how many steps (base/job.h) all of it takes. */
double plane_steps(const PlanePlan *plan);

/* The deviation at a place of the grid, 0 to PLANE_SIDE - 1 and between. */
double plane_deviation(double at);
double plane_at(double deviation);

/* The weights A (H*T, T) where the deviations have that product; done must not be -1. */
void plane_weights(Mat *weights, const Plane *plane, double product);

#endif
