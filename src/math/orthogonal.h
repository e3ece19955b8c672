/* orthogonal.h: the orthogonal factor of a matrix, in steps between which a job may be told to
 * stop. Pure, in float; one thread. */
#ifndef HEADLIGHT_MATH_ORTHOGONAL_H
#define HEADLIGHT_MATH_ORTHOGONAL_H

#include "base/err.h"
#include "base/job.h"
#include "math/mat.h"

/* Replace m by the Q of m = Q·R with R's diagonal not negative, and where m is wider than tall by
 * the same of its transpose, turned back: then QᵀQ = I or QQᵀ = I, and Q of a normal draw is
 * uniform over such matrices. m must be finite. Fails for want of memory, and where watch, which
 * may be NULL and counts nothing here, says to stop: it is asked after every few of m's columns or
 * rows, where there are more than a hundred. Then m has no meaning.
 * Source: Mezzadri 2007, "How to generate random matrices from the classical compact groups". */
bool orthogonal_factor(Mat *m, const JobWatch *watch, Err *err);

#endif
