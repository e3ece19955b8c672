/* distribution.h: how the entries of a drawn matrix are distributed, for the density drawn over a
 * histogram and for the tests of the draws. Pure. */
#ifndef HEADLIGHT_MODEL_INIT_DISTRIBUTION_H
#define HEADLIGHT_MODEL_INIT_DISTRIBUTION_H

typedef enum DistributionKind {
    DISTRIBUTION_NONE,    /* no draw, or no closed form */
    DISTRIBUTION_UNIFORM, /* on ±√3·σ */
    DISTRIBUTION_NORMAL,
    /* One coordinate of a point uniform on the unit sphere in n dimensions, σ = 1/√n: what an entry
     * of a random orthogonal matrix is. Its angle asin x has a density like cosⁿ⁻² of it.
     * Source: Muirhead 1982, "Aspects of multivariate statistical theory", theorem 1.5.7. */
    DISTRIBUTION_SPHERE,
} DistributionKind;

/* Of mean 0 and this standard deviation. */
typedef struct Distribution {
    DistributionKind kind;
    double deviation;
} Distribution;

/* The density at x, and the chance of a value of at most x. Not numbers for DISTRIBUTION_NONE and
 * for a deviation that is 0 or not a number; the density may be infinite at the border of a sphere
 * in one or two dimensions. */
double distribution_density(Distribution d, double x);
double distribution_below(Distribution d, double x);

#endif
