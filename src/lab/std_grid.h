/* std_grid.h: attention as a function of the standard deviations of W_Q and W_K, on a grid of both,
 * from one draw that is scaled. Scores go by the product of the two alone, so one pass serves all
 * places of one product; of the gradients, that of W_Q grows with W_K's deviation and the other way
 * round. Pure, with memory of its own. The form is separate, without biases: nothing is
 * approximate. T tokens, D model width, H heads, K query/key and V value width, both per head. */
#ifndef HEADLIGHT_LAB_STD_GRID_H
#define HEADLIGHT_LAB_STD_GRID_H

#include "base/job.h"
#include "model/attention/backward.h"
#include "model/init/scheme.h"

#define STD_GRID_SIDE     33
#define STD_GRID_PRODUCTS (2 * STD_GRID_SIDE - 1)
#define STD_GRID_MIN      1e-3 /* the deviation at the grid's lower end; it rises by equal factors */
#define STD_GRID_MAX      10.0

typedef struct StdGridPlan {
    AttnShape shape;
    const Mat *x; /* (T, D) */
    Mask mask;
    SchemePlan plan; /* of all four matrices; W_Q and W_K are then scaled */
} StdGridPlan;

/* Entry [i][j] is at the i-th deviation of W_Q and the j-th of W_K. */
typedef struct StdGrid {
    Job job;
    Arena arena;
    StdGridPlan plan;  /* what it refers to is in the arena */
    AttnParams params; /* W_Q and W_K of deviation 1 */
    AttnTrace trace;
    AttnParams grads;
    AttnBack back;
    Mat G;              /* (T, D) */
    Mat dots;           /* (H*T, T): scores of deviations 1 */
    Mat weights;        /* (H*T, T): room for std_grid_weights, which nothing else here writes to */
    atomic_int done;    /* products, of STD_GRID_PRODUCTS; -1 before the weights are sampled */
    atomic_bool failed; /* err says why, once the job is done */
    Err err;
    float entropy[STD_GRID_SIDE][STD_GRID_SIDE];
    float gradient[STD_GRID_SIDE][STD_GRID_SIDE]; /* ‖∂L/∂(W_Q, W_K, W_V, W_O)‖, L = Σ G∘Y */
} StdGrid;

/* Return a grid whose job fills it, or NULL for want of memory. What the plan refers to is copied.
 * Owned: job_drop frees it. The places of the products that are done, and dots, may be read while
 * the job works. A job that was stopped continues if it is started again. */
StdGrid *std_grid_create(const StdGridPlan *plan, Err *err);

/* The deviation at a place of the grid, 0 to STD_GRID_SIDE - 1 and between. */
double std_grid_std(double at);
double std_grid_at(double deviation);

/* The weights A (H*T, T) where the deviations have that product; done must not be -1. */
void std_grid_weights(Mat *weights, const StdGrid *plane, double product);

#endif
