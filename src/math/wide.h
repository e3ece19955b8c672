/* wide.h: products in double, with vectors as wide as the machine has: OpenBLAS 0.3.21 has 256 bits
 * on machines that it does not know, and then takes 1.8 times as long (Zen 5, 1,024 columns). For
 * what is beside it in this folder. Pure, one thread. Matrices of doubles lie column by column, as
 * LAPACK has them. */
#ifndef HEADLIGHT_MATH_WIDE_H
#define HEADLIGHT_MATH_WIDE_H

#include <stdbool.h>
#include <stddef.h>

/* One side of a product: its entry in row i and so deep is at i * across + p * deep of floats or,
 * where that is NULL, of doubles. */
typedef struct WideSide {
    const float *floats;
    const double *doubles;
    ptrdiff_t across, deep;
} WideSide;

typedef struct WidePlan {
    int rows, cols, depth;
    double factor;
    bool lower; /* of a square the lower triangle alone; what lies above it is then of no meaning */
} WidePlan;

/* Doubles of scratch that the product takes. */
size_t wide_scratch(const WidePlan *plan);

/* Add factor * left * rightᵀ to out (rows, cols), whose columns lie stride apart. A plan with lower
 * has rows == cols. */
void wide_add(double *out, ptrdiff_t stride, const WideSide *left, const WideSide *right,
              const WidePlan *plan, double *scratch);

#endif
