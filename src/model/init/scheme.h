/* scheme.h: initialisation schemes for W_Q, W_K, W_V and W_O. Pure. To add one, add a row to
 * SCHEMES; options, menus, lists and tests follow. */
#ifndef HEADLIGHT_MODEL_INIT_SCHEME_H
#define HEADLIGHT_MODEL_INIT_SCHEME_H

#include "model/attention/params.h"

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

/* For the density over a histogram, and for tests of the sampling: return the density at x. The
 * second function returns the probability of a value of at most x. NaN for DISTRIBUTION_NONE and
 * for a standard deviation that is 0 or NaN; at the border of a sphere in one or two dimensions the
 * density may be infinite. */
double distribution_density(Distribution d, double x);
double distribution_below(Distribution d, double x);

/* How a layer is sampled: a row of SCHEMES for each of W_Q, W_K, W_V and W_O. Other parameters use
 * the scheme of the one that PARAMS names in `like`. */
typedef struct SchemePlan {
    int scheme[ATTN_WEIGHT_COUNT];
    int depth; /* number of layers that a depth-aware scheme assumes, from 1 */
    uint64_t seed;
} SchemePlan;

/* The inputs of a scheme for one matrix that multiplies from the right, Q = X·W. fan_in is the
 * number of its rows, fan_out of its columns, with all heads. */
typedef struct SchemeInputs {
    AttnParam param;  /* W_Q, W_K, W_V or W_O */
    AttnParam stream; /* the parameter itself; it determines the random stream */
    int fan_in, fan_out, depth;
    uint64_t seed;
    const AttnShape *shape;
} SchemeInputs;

/* Properties of a scheme's entries that theory/expect.c needs. */
typedef enum SchemeLaw {
    SCHEME_CENTRED, /* random with mean 0, and no matrix depends on another */
    SCHEME_FIXED,   /* not random: the same in every matrix of one shape */
    SCHEME_PAIRED,  /* W_Q depends on W_K, and W_V on W_O */
} SchemeLaw;

typedef struct Scheme {
    Entry entry;
    const char *source;
    struct {
        SchemeLaw law;
        /* Kind of distribution of an entry; with std it is completely known. */
        DistributionKind distribution;
        /* Return the standard deviation of an entry of W. For SCHEME_FIXED, whose entries are not
         * random, return that over all entries of W. NaN if there is no closed form. */
        double (*std)(const SchemeInputs *inputs);
        /* Fill w (fan_in, fan_out) with this standard deviation. seed and stream determine the
         * random numbers, so schemes that differ only in scale use the same ones. May allocate
         * scratch memory. */
        bool (*fill)(Mat *w, const SchemeInputs *inputs, double std, Err *err);
        /* For SCHEME_PAIRED: fill W_Q and W_K, or W_V and W_O, together, with the numbers that
         * `fill` gives each. inputs may be those of either. NULL for other laws. */
        bool (*fill_pair)(Mat *first, Mat *second, const SchemeInputs *inputs, Err *err);
    };
} Scheme;

extern const Scheme SCHEMES[];
extern const Registry SCHEME_REGISTRY;

/* Return the plan that samples every parameter by one scheme. */
SchemePlan scheme_plan(int scheme, int depth, uint64_t seed);

/* Fill w, the whole matrix of a parameter, by the plan. Entry (i, j) uses random number i * cols +
 * j of the stream (seed, param), so a matrix never depends on others. Fails if memory runs out, and
 * for `mimetic` if d_model exceeds MIMETIC_D_MAX. */
bool scheme_draw_one(Mat *w, const AttnShape *shape, const SchemePlan *plan, AttnParam param,
                     Err *err);

/* Sample every parameter of params by the plan; biases are 0. In the nested form the products W_Q,
 * W_K and W_V are computed from sampled factors; for a scheme that pairs matrices, the factor of
 * each head is sampled and the factor that heads share is the identity. The free W_QK is normal;
 * its standard deviation is that of an entry of the plan's W_Q·W_Kᵀ, which is measured on one
 * sample if there is no closed form. Fails if scheme_draw_one does. */
bool scheme_draw(AttnParams *params, const AttnShape *shape, const SchemePlan *plan, Err *err);

/* Do what scheme_draw does, but leave the parameters that are `given` unchanged. */
bool scheme_draw_rest(AttnParams *params, const AttnShape *shape, const SchemePlan *plan,
                      const bool given[ATTN_PARAM_COUNT], Err *err);

/* Return the distribution of an entry of a parameter; DISTRIBUTION_NONE if it is not sampled, has
 * no closed form, or is a product of the nested form. */
Distribution scheme_distribution(const SchemePlan *plan, AttnParam param, const AttnShape *shape);

/* Return the expected standard deviation of an entry of a parameter, or NaN. */
double scheme_std(const SchemePlan *plan, AttnParam param, const AttnShape *shape);

/* Fill sigma with the E singular values of one head's free W_QK, largest first. Also fails if an
 * entry is not finite. */
bool scheme_free_spectrum(double *sigma, int head, const AttnShape *shape, const SchemePlan *plan,
                          Err *err);

#endif
