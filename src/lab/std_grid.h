/* std_grid.h: attention as a function of the standard deviations of W_Q and W_K, on a grid of both,
 * from one sample that is scaled. Scores depend only on the product of the two, so one pass serves
 * all points with the same product. At these points the gradient of W_Q is proportional to the
 * standard deviation of W_K, and vice versa.
 *
 * Pure, with memory of its own. The form is separate, without biases, so the scaling is exact. T
 * tokens, D model width, H heads, K query/key width and V value width, both per head. */
#ifndef HEADLIGHT_LAB_STD_GRID_H
#define HEADLIGHT_LAB_STD_GRID_H

#include "lab/study.h"

#define STD_GRID_SIDE     33
#define STD_GRID_PRODUCTS (2 * STD_GRID_SIDE - 1)
/* Smallest and largest standard deviation of the grid; neighbours have a constant ratio. */
#define STD_GRID_MIN 1e-3
#define STD_GRID_MAX 10.0

/* Entry [i][j] belongs to the i-th standard deviation of W_Q and the j-th of W_K. */
typedef struct StdGrid {
    Job job;
    Arena arena;
    StudyPlan plan;   /* one layer and one scheme; its borrowed data are copied to the arena */
    StudyBench bench; /* its W_Q and W_K have standard deviation 1 */
    Mat dots;         /* (H*T, T): scores at standard deviations 1 */
    Mat weights;      /* (H*T, T): scratch memory of std_grid_weights */
    /* Number of finished products of standard deviations, up to STD_GRID_PRODUCTS; -1 before the
     * weights are sampled. */
    atomic_int done;
    atomic_bool failed; /* if set, the job failed; err says why */
    Err err;
    float entropy[STD_GRID_SIDE][STD_GRID_SIDE];
    float gradient[STD_GRID_SIDE][STD_GRID_SIDE]; /* ‖∂L/∂(W_Q, W_K, W_V, W_O)‖, L = Σ G∘Y */
} StdGrid;

/* Return a grid for the first scheme of the plan; its job fills the grid. Return NULL if memory
 * runs out. The plan's borrowed data are copied. Owned: free it with job_drop. While the job runs,
 * finished products and `dots` may be read. A stopped job continues if it is started again. */
StdGrid *std_grid_create(const StudyPlan *plan, Err *err);

/* Return the standard deviation at a position of the grid, from 0 to STD_GRID_SIDE - 1, fractions
 * allowed. std_grid_at is the inverse. */
double std_grid_std(double at);
double std_grid_at(double std);

/* Fill weights with A (H*T, T) for a product of the two standard deviations; done must not be -1.
 */
void std_grid_weights(Mat *weights, const StdGrid *grid, double product);

#endif
