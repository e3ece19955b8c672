/* scheme.h: initialisation schemes for W_Q, W_K, W_V and W_O. Pure. To add a scheme, add a row to
 * SCHEMES. */
#ifndef HEADLIGHT_MODEL_INIT_SCHEME_H
#define HEADLIGHT_MODEL_INIT_SCHEME_H

#include "model/attention/params.h"

typedef enum DistributionKind {
    DISTRIBUTION_NONE,    /* not sampled, or no closed form is known */
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

/* Return the density at x, or the probability of a value of at most x. NaN for DISTRIBUTION_NONE,
 * and for a standard deviation that is 0 or NaN. At ±1, the density of DISTRIBUTION_SPHERE in one
 * or two dimensions may be infinite. */
double distribution_density(Distribution d, double x);
double distribution_below(Distribution d, double x);

/* How a layer is sampled. scheme: rows of SCHEMES for W_Q, W_K, W_V and W_O. Other parameters use
 * the scheme of the weight that PARAMS names in `like`. */
typedef struct SchemePlan {
    int scheme[ATTN_WEIGHT_COUNT];
    int depth; /* number of layers that depth-aware schemes assume, from 1 */
    uint64_t seed;
} SchemePlan;

/* The inputs of a scheme for one matrix W, with Q = X·W. fan_in and fan_out are the numbers of rows
 * and columns of W with all heads. */
typedef struct SchemeInputs {
    AttnParam param;  /* W_Q, W_K, W_V or W_O */
    AttnParam stream; /* the parameter itself, which determines the random stream */
    int fan_in, fan_out, depth;
    uint64_t seed;
    const AttnShape *shape;
} SchemeInputs;

/* What theory/expect.c needs to know of a scheme's entries. */
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
        /* The distribution of an entry, apart from its scale. */
        DistributionKind distribution;
        /* Return the standard deviation of an entry; for SCHEME_FIXED, that of all entries of W.
         * NULL: it is fixed_std, which is NaN if there is no closed form. */
        double (*std)(const SchemeInputs *inputs);
        double fixed_std;
        /* Fill w (fan_in, fan_out) with this standard deviation. Schemes that differ only in scale
         * use the same random numbers. May allocate scratch memory. */
        bool (*fill)(Mat *w, const SchemeInputs *inputs, double std, Err *err);
        /* For SCHEME_PAIRED, otherwise NULL: fill both W_Q and W_K, or both W_V and W_O, with the
         * same numbers as `fill`. inputs may be those of either matrix. */
        bool (*fill_pair)(Mat *first, Mat *second, const SchemeInputs *inputs, Err *err);
    };
} Scheme;

extern const Scheme SCHEMES[];
extern const Registry SCHEME_REGISTRY;

/* Return the plan that samples every parameter by one scheme. */
SchemePlan scheme_plan(int scheme, int depth, uint64_t seed);

/* Fill w, the whole matrix of a parameter. Entry (i, j) uses random number i*cols + j of the stream
 * (seed, param), so no matrix depends on other samples. Fails if memory runs out, and for `mimetic`
 * if d_model exceeds MIMETIC_D_MAX. */
bool scheme_draw_one(Mat *w, const AttnShape *shape, const SchemePlan *plan, AttnParam param,
                     Err *err);

/* Sample every parameter by the plan; biases are 0. In the nested form W_Q, W_K and W_V are
 * products of sampled factors; if the scheme pairs matrices, the factor that heads share is the
 * identity. The free W_QK is normal, with the standard deviation of an entry of the plan's
 * W_Q·W_Kᵀ, which is measured on one sample if there is no closed form. Fails if scheme_draw_one
 * does. */
bool scheme_draw(AttnParams *params, const AttnShape *shape, const SchemePlan *plan, Err *err);

/* Like scheme_draw, but leave the parameters that are `given` unchanged. */
bool scheme_draw_rest(AttnParams *params, const AttnShape *shape, const SchemePlan *plan,
                      const bool given[ATTN_PARAM_COUNT], Err *err);

/* Return the distribution of an entry of a parameter; DISTRIBUTION_NONE for a parameter that is not
 * sampled or has no closed form, and for products of the nested form. */
Distribution scheme_distribution(const SchemePlan *plan, AttnParam param, const AttnShape *shape);

/* Return the expected standard deviation of an entry; NaN if unknown. */
double scheme_std(const SchemePlan *plan, AttnParam param, const AttnShape *shape);

/* Fill sigma with the E singular values of one head's free W_QK, largest first. Fails if memory
 * runs out or an entry is not finite. */
bool scheme_free_spectrum(double *sigma, int head, const AttnShape *shape, const SchemePlan *plan,
                          Err *err);

#endif
