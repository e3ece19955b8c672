/* distribution.h: distributions of sampled entries, for the density over a histogram and for tests
 * of the sampling. Pure. */
#ifndef HEADLIGHT_MODEL_INIT_DISTRIBUTION_H
#define HEADLIGHT_MODEL_INIT_DISTRIBUTION_H

typedef enum DistributionKind {
    DISTRIBUTION_NONE,    /* the matrix is not sampled, or the distribution has no closed form */
    DISTRIBUTION_UNIFORM, /* on ±√3·σ */
    DISTRIBUTION_NORMAL,
    /* One coordinate of a point uniform on the unit sphere in n dimensions, σ = 1/√n, like an entry
     * of a random orthogonal matrix. The density of the angle θ = asin x is proportional to
     * cosⁿ⁻²θ. Source: Muirhead 1982, "Aspects of multivariate statistical theory", theorem
     * 1.5.7. */
    DISTRIBUTION_SPHERE,
} DistributionKind;

/* A distribution with mean 0 and standard deviation std. */
typedef struct Distribution {
    DistributionKind kind;
    double std;
} Distribution;

/* Return the density at x. The second function returns the probability of a value of at most x. NaN
 * for DISTRIBUTION_NONE and for a standard deviation that is 0 or NaN; at the border of a sphere in
 * one or two dimensions the density may be infinite. */
double distribution_density(Distribution d, double x);
double distribution_below(Distribution d, double x);

#endif
