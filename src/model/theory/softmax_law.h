/* softmax_law.h: means of the softmax of n independent normal scores, by quadrature. With p =
 * softmax(σ·u), where u are n independent N(0,1), and Z = Σ e^(σ·u), a power of 1/Z is an integral,
 * 1/Z^k = ∫ t^k·e^(−tZ)/(k−1)! dt/t. Its mean over u is a product of means over single scores: E[Π
 * …] = Π E[…]. So every mean here is one sum over t of sums over u. Random numbers are not used.
 * Pure. */
#ifndef HEADLIGHT_MODEL_THEORY_SOFTMAX_LAW_H
#define HEADLIGHT_MODEL_THEORY_SOFTMAX_LAW_H

#include "base/arena.h"

/* Means over draws of the scores. */
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

/* Largest standard deviation of the scores, with which one key has nearly all weight. A larger one
 * is replaced by this number. Then the means that involve M are too large, because they would fall
 * further. */
#define SOFTMAX_LAW_STD_MAX 1e3

/* Compute means for scores of this standard deviation, once for each number of keys in `keys`, all
 * at least 1. Work that they have in common is done once. Relative errors are below 1e-4, those of
 * the largest weight below 1e-3. The mean of the largest weight is an integral over the largest
 * score, with the other n − 1 scores below it. Source: the order statistics of David and Nagaraja
 * 2003, section 2.1. */
void softmax_law(SoftmaxLaw *out, const int *keys, int count, double std);

/* Mean and variance of ln Σ e^(σ·u) over independent N(0,1), by the same quadrature. If E has the
 * density e^(−x), P(E > tZ) is the mean of e^(−tZ), which as a function of ln t is the distribution
 * of ln E − ln Z; mean and variance of ln E are known. */
typedef struct SumLaw {
    double mean, variance;
} SumLaw;

/* Compute the law for each number of scores in `scores`, all at least 1, with this standard
 * deviation. */
void softmax_sum_law(SumLaw *out, const int *scores, int count, double std);

/* Return the probability that one weight of such a softmax is at most x. others is the law of the
 * other scores. The logit of a weight is its own score minus ln Σ of the others; it is treated as
 * normal with its exact mean and variance. With two keys it is normal; with more, the probability
 * is within SOFTMAX_WEIGHT_ERROR of the exact one for every standard deviation. */
#define SOFTMAX_WEIGHT_ERROR 0.006
double softmax_weight_below(double x, const SumLaw *others, double std);

#endif
