/* std_grid.h: attention as a function of the standard deviations of W_Q and W_K, on a grid of both,
 * from one sample that is scaled. Scores depend on the product of the two only, so one pass serves
 * all points with the same product; the gradient of W_Q is proportional to W_K's standard deviation
 * and vice versa. Pure, with memory of its own. The form is separate, without biases: nothing is
 * approximated. T tokens, D model width, H heads, K query/key width and V value width, both per
 * head. */
#ifndef HEADLIGHT_LAB_STD_GRID_H
#define HEADLIGHT_LAB_STD_GRID_H

#include "base/job.h"
#include "model/attention/backward.h"
#include "model/init/scheme.h"

#define STD_GRID_SIDE     33
#define STD_GRID_PRODUCTS (2 * STD_GRID_SIDE - 1)
#define STD_GRID_MIN                                                                               \
    1e-3 /* standard deviation at the grid's lower end; it rises by equal factors */
#define STD_GRID_MAX 10.0

typedef struct StdGridPlan {
    AttnShape shape;
    const Mat *x; /* (T, D) */
    Mask mask;
    SchemePlan plan; /* of all four matrices; W_Q and W_K are then scaled */
} StdGridPlan;

/* Entry [i][j] belongs to the i-th standard deviation of W_Q and the j-th of W_K. */
typedef struct StdGrid {
    Job job;
    Arena arena;
    StdGridPlan plan;  /* what it refers to is in the arena */
    AttnParams params; /* W_Q and W_K with standard deviation 1 */
    AttnTrace trace;
    AttnParams grads;
    AttnBack back;
    Mat G;           /* (T, D) */
    Mat dots;        /* (H*T, T): scores at standard deviations 1 */
    Mat weights;     /* (H*T, T): scratch for std_grid_weights; nothing else writes to it */
    atomic_int done; /* number of finished products, of STD_GRID_PRODUCTS; -1 before the weights are
                        sampled */
    atomic_bool failed; /* err says why, after the job */
    Err err;
    float entropy[STD_GRID_SIDE][STD_GRID_SIDE];
    float gradient[STD_GRID_SIDE][STD_GRID_SIDE]; /* ‖∂L/∂(W_Q, W_K, W_V, W_O)‖, L = Σ G∘Y */
} StdGrid;

/* Return a grid whose job fills it, or NULL if memory runs out. What the plan refers to is copied.
 * Owned: free with job_drop. Points with finished products, and dots, may be read while the job
 * runs. A stopped job continues if it is started again. */
StdGrid *std_grid_create(const StdGridPlan *plan, Err *err);

/* Return the standard deviation at a position of the grid, 0 to STD_GRID_SIDE - 1 with fractions;
 * and the inverse. */
double std_grid_std(double at);
double std_grid_at(double deviation);

/* Fill weights A (H*T, T) for standard deviations with this product; done must not be -1. */
void std_grid_weights(Mat *weights, const StdGrid *plane, double product);

#endif
