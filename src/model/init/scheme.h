/* scheme.h: initialisation schemes: how W_Q, W_K, W_V and W_O are drawn. Pure.
 * To add one, add a row to SCHEMES; options, menus, lists and tests follow. */
#ifndef HEADLIGHT_MODEL_INIT_SCHEME_H
#define HEADLIGHT_MODEL_INIT_SCHEME_H

#include "model/attention/params.h"
#include "model/init/distribution.h"

/* What a layer is drawn by: a row of SCHEMES for each of W_Q, W_K, W_V and W_O.
 * Other parameters are drawn as the one of them that PARAMS says they are like. */
typedef struct SchemePlan {
    int scheme[ATTN_WEIGHT_COUNT];
    int depth; /* layers that a depth-aware scheme assumes, from 1 */
    uint64_t seed;
    const JobWatch *watch; /* borrowed, or NULL: a draw fails once it says to stop */
} SchemePlan;

/* What a scheme may look at for one matrix that stands on the right, Q = X·W: fan_in is its rows,
 * fan_out its columns, of the whole matrix with all heads. */
typedef struct SchemeSite {
    AttnParam param;  /* W_Q, W_K, W_V or W_O */
    AttnParam stream; /* the parameter itself: its draws are its own */
    int fan_in, fan_out, depth;
    uint64_t seed;
    const JobWatch *watch;
    const AttnShape *shape;
} SchemeSite;

/* For draws that take long, between their parts. */
static inline bool scheme_goes_on(const JobWatch *watch, Err *err) {
    return job_goes_on(watch) || err_fail(err, "weights", "were stopped during initialisation");
}

/* What else is known of a scheme's entries; expect.c reasons from it. */
typedef enum SchemeLaw {
    SCHEME_CENTRED, /* mean 0, and no matrix depends on another */
    SCHEME_FIXED,   /* no draw: the same in every matrix of a shape */
    SCHEME_PAIRED,  /* W_Q depends on W_K, and W_V on W_O */
} SchemeLaw;

typedef struct Scheme {
    Entry entry;
    const char *source;
    SchemeLaw law;
    DistributionKind distribution; /* of an entry; with the deviation below it is the whole of it */
    /* The standard deviation of an entry of W, of all its entries as a set where the law is
     * SCHEME_FIXED; not a number where no closed form is known. */
    double (*deviation)(const SchemeSite *site);
    /* Fill w (fan_in, fan_out) given that deviation. seed and param choose the stream, so the
     * same draws underlie schemes that differ in scale alone. Allocates scratch where it has to. */
    bool (*fill)(Mat *w, const SchemeSite *site, double deviation, Err *err);
    /* Where the law is SCHEME_PAIRED: W_Q and W_K, or W_V and W_O, in one go and with the same
     * numbers; site is that of either. NULL elsewhere. */
    bool (*fill_pair)(Mat *first, Mat *second, const SchemeSite *site, Err *err);
} Scheme;

extern const Scheme SCHEMES[];
extern const Registry SCHEME_REGISTRY;

/* The plan that draws every parameter by one scheme. */
SchemePlan scheme_plan(int scheme, int depth, uint64_t seed);

/* Fill w, the whole matrix of that parameter, by the plan. Entry (i, j) of its draws is index
 * i * cols + j of the stream (seed, param), so one matrix never depends on another's having been
 * drawn. Fails only for want of memory, once the plan's watch says to stop, and for `mimetic` where
 * d_model is over MIMETIC_D_MAX. */
bool scheme_draw_one(Mat *w, const AttnShape *shape, const SchemePlan *plan, AttnParam param,
                     Err *err);

/* About how many steps (base/job.h) scheme_draw takes. */
double scheme_steps(const AttnShape *shape, const SchemePlan *plan);

/* Draw every parameter that params has by the plan; biases are 0. In the nested form W_Q, W_K and
 * W_V are not drawn, but folded from their factors; a scheme that pairs matrices draws the factor
 * of each head, and the full one is the identity. The free W_QK is normal with the deviation of an
 * entry of the plan's W_Q·W_Kᵀ, measured on one draw where theory gives none. Fails as
 * scheme_draw_one does. */
bool scheme_draw(AttnParams *params, const AttnShape *shape, const SchemePlan *plan, Err *err);

/* The same without the parameters that are given, which stay as they are. */
bool scheme_draw_rest(AttnParams *params, const AttnShape *shape, const SchemePlan *plan,
                      const bool given[ATTN_PARAM_COUNT], Err *err);

/* How an entry of that parameter is distributed; DISTRIBUTION_NONE where it is not drawn, or where
 * no closed form is known. Of the nested form's products nothing is said. */
Distribution scheme_distribution(const SchemePlan *plan, AttnParam param, const AttnShape *shape);

/* The expected standard deviation of an entry of that parameter, or not a number. */
double scheme_std(const SchemePlan *plan, AttnParam param, const AttnShape *shape);

#endif
