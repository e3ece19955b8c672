/* softmax_law.h: what the softmax of n independent normal scores is on average, by quadrature.
 * With p = softmax(σ·u), u of n independent N(0,1), and Z = Σ e^(σ·u), a power of 1/Z is an
 * integral, 1/Z^k = ∫ t^k·e^(−tZ)/(k−1)! dt/t, whose mean over u falls apart into means over one
 * score: E[Π …] = Π E[…]. So every mean here is one sum over t of sums over u, and no draw is made.
 * Pure. */
#ifndef HEADLIGHT_MODEL_THEORY_SOFTMAX_LAW_H
#define HEADLIGHT_MODEL_THEORY_SOFTMAX_LAW_H

#include "base/arena.h"

/* Means over draws of the scores. */
typedef struct SoftmaxLaw {
    double entropy;      /* −Σ p·ln p, nats */
    double largest;      /* max p */
    double squares;      /* Σ p²: one over the keys that are read in effect */
    double cubes;        /* Σ p³ */
    double fourths;      /* Σ p⁴ */
    double squares_both; /* (Σ p²)² */
    double along; /* ū², ū = Σ p·u: how far the weights lean to where the scores come from */
    double own;   /* Σ p²·u² */
    double keys;  /* Σ_jk M_jk²·u_j², with M = diag(p) − p·pᵀ */
    double bent;  /* Σ p²·(u − ū)² */
    double spread_both; /* (Σ p·(u − ū)²)² */
} SoftmaxLaw;

/* A larger standard deviation is replaced by this one: the softmax is one key's alone. Means of
 * what still passes are then too large. */
#define SOFTMAX_LAW_DEVIATION_MAX 1e3

/* Means for scores of this standard deviation over each number of keys in keys, from 1. What the
 * counts have in common is computed once. Relative errors are below 1e-4, those of the largest
 * weight below 1e-3. The mean of the largest weight is taken over the score that is the largest,
 * with its n − 1 companions each below it. Source: the order statistics of David and Nagaraja 2003,
 * section 2.1. */
void softmax_law(SoftmaxLaw *out, const int *keys, int count, double deviation);

/* ln Σ e^(σ·u) over some independent N(0,1), in its mean and variance, by the same quadrature: with
 * E of density e^(−x), the chance that E > tZ is the mean of e^(−tZ), so that over ln t it is the
 * distribution of ln E − ln Z, and mean and variance of ln E are known. */
typedef struct SumLaw {
    double mean, variance;
} SumLaw;

/* For each number of scores in scores, from 1, with this standard deviation. */
void softmax_sum_law(SumLaw *out, const int *scores, int count, double deviation);

/* The probability that one weight of such a softmax is at most x; others is the law of the other
 * scores. The logit of a weight, its own score less ln Σ of the others, is taken as normal with its
 * exact mean and variance. With two keys it is normal; with more, the probability is within
 * SOFTMAX_WEIGHT_ERROR of the true one for every standard deviation. */
#define SOFTMAX_WEIGHT_ERROR 0.006
double softmax_weight_below(double x, const SumLaw *others, double deviation);

#endif
