/* softmax_law.h: means of the softmax of n independent normal scores, by quadrature, without random
 * numbers. With p = softmax(σ·u), where u are n independent N(0,1), and Z = Σ e^(σ·u), a power of
 * 1/Z is an integral, 1/Z^k = ∫ t^k·e^(−tZ)/(k−1)! dt/t, and the mean of e^(−tZ) is a product of
 * means over single scores. So every mean here is a sum over t of sums over u. Pure. */
#ifndef HEADLIGHT_MODEL_THEORY_SOFTMAX_LAW_H
#define HEADLIGHT_MODEL_THEORY_SOFTMAX_LAW_H

#include "base/arena.h"

typedef struct SoftmaxLaw {
    double entropy;      /* −Σ p·ln p, nats */
    double largest;      /* max p */
    double squares;      /* Σ p²: 1 / the effective number of keys */
    double cubes;        /* Σ p³ */
    double fourths;      /* Σ p⁴ */
    double squares_both; /* (Σ p²)² */
    double along;        /* ū², where ū = Σ p·u: how far the weights prefer high scores */
    double own;          /* Σ p²·u² */
    double keys;         /* Σ_jk M_jk²·u_j², with M = diag(p) − p·pᵀ */
    double bent;         /* Σ p²·(u − ū)² */
    double spread_both;  /* (Σ p·(u − ū)²)² */
} SoftmaxLaw;

/* Largest standard deviation of the scores; one key then has nearly all weight. A larger one is
 * replaced by this number, so the means that involve M are then too large. */
#define SOFTMAX_LAW_STD_MAX 1e3

/* Fill out with the means for scores of this standard deviation, once for each number of keys in
 * keys[0..count), all at least 1. Relative errors are below 1e-4, those of the largest weight below
 * 1e-3. The mean of the largest weight is an integral over the largest score, with the other n − 1
 * scores below it. Source: the order statistics of David and Nagaraja 2003, section 2.1. */
void softmax_law(SoftmaxLaw *out, const int *keys, int count, double std);

/* Mean and variance of ln Z, where Z is the sum of e^(σ·u) over independent standard normal u.
 * Method: let E have the density e^(−x), independent of Z. The mean of e^(−tZ) is P(E > tZ), which
 * is P(ln E − ln Z > ln t). So these means for all t give the distribution of ln E − ln Z, and with
 * the known mean and variance of ln E those of ln Z. */
typedef struct SumLaw {
    double mean, variance;
} SumLaw;

/* Fill out for each number of scores in scores[0..count), all at least 1, with this standard
 * deviation. */
void softmax_sum_law(SumLaw *out, const int *scores, int count, double std);

/* Return the probability that one weight of such a softmax is at most x. others is the law of the
 * other scores. The logit of a weight is its own score minus ln Σ over the others; it is treated as
 * normal with its exact mean and variance. This is exact for two keys; for more, the error is below
 * SOFTMAX_WEIGHT_ERROR for every standard deviation. */
#define SOFTMAX_WEIGHT_ERROR 0.006
double softmax_weight_below(double x, const SumLaw *others, double std);

#endif
