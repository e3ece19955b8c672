/* tall.h: the triangle of a tall matrix from the Cholesky factor of its Gram matrix, in a quarter
 * of the time that Householder's reflections take with their columns. For product_*.c alone.
 * Pure, in double; one thread. Matrices lie column by column.
 * With m = Q·R the columns Q = m·R⁻¹ are orthonormal to ε·cond(m)², and R is as near to the exact
 * one: both to 1e-7 at worst, as cond(m)² is at most 1e8, and a weight matrix drawn at random has
 * 10 to 1e4. Source: Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015, "Roundoff error analysis of
 * the CholeskyQR2 algorithm", section 3. */
#ifndef HEADLIGHT_MATH_TALL_H
#define HEADLIGHT_MATH_TALL_H

#include <stdbool.h>
#include <stddef.h>

/* upper (n, n) with mᵀ·m = upperᵀ·upper, 0 below the diagonal, of the finite m (rows, n), rows >= n
 * > 0. False where cond(m)² is or may be above 1e8; upper is then of no meaning. scratch has the
 * doubles below. */
bool tall_triangle(double *upper, const double *m, int rows, int n, double *scratch);
size_t tall_scratch(int rows, int n);

#endif
