#include "model/expect.h"

#include <math.h>

/* Of a nested W_Q, whose entries are sums of D products of independent entries, and so for W_K and
 * W_V; elsewhere the scheme's own. */
static double entry_deviation(const SchemePlan *plan, AttnParam param, const AttnShape *shape) {
    static const AttnParam factors[][2] = {[ATTN_W_Q] = {ATTN_W_Q_FULL, ATTN_W_Q_HEAD},
                                           [ATTN_W_K] = {ATTN_W_K_FULL, ATTN_W_K_HEAD},
                                           [ATTN_W_V] = {ATTN_W_V_FULL, ATTN_W_V_HEAD}};
    if (shape->form != FORM_NESTED || param == ATTN_W_O)
        return scheme_deviation(plan, param, shape);
    if (SCHEMES[plan->scheme[param]].law != SCHEME_CENTRED)
        return NAN;
    return sqrt(shape->D) * scheme_deviation(plan, factors[param][0], shape) *
           scheme_deviation(plan, factors[param][1], shape);
}

/* The root of the mean square of W's entries. A fixed matrix is the identity, cut to shape: its
 * mean is not 0. */
static double root_mean_square(const SchemePlan *plan, AttnParam param, const AttnShape *shape) {
    if (SCHEMES[plan->scheme[param]].law != SCHEME_FIXED)
        return entry_deviation(plan, param, shape);
    int rows = param_axis_size(PARAMS[param].rows, shape);
    int cols = param_axis_size(PARAMS[param].cols, shape);
    return sqrt(1.0 / fmax(rows, cols));
}

static double expected_scores(const Expected *e, const AttnShape *shape, const SchemePlan *plan) {
    if (e->Q == 0 || e->K == 0)
        return 0;
    if (shape->form == FORM_RANK && shape->rank < shape->K)
        return NAN;
    bool fixed = SCHEMES[plan->scheme[ATTN_W_Q]].law == SCHEME_FIXED &&
                 SCHEMES[plan->scheme[ATTN_W_K]].law == SCHEME_FIXED;
    bool whole = shape->form == FORM_SEPARATE || shape->form == FORM_MERGED;
    return fixed || !whole ? NAN : (double)shape->score_factor * sqrt(shape->K) * e->Q * e->K;
}

/* The mean over rows of 1/n, n the keys that a row may read; a row without any is all 0. */
static double share_of_each(const AttnShape *shape, const Mask *mask) {
    double sum = 0;
    for (int i = 0; i < shape->T; i++) {
        int open = mask != NULL ? mask_open_keys(mask, i) : shape->T;
        sum += open > 0 ? 1.0 / open : 0;
    }
    return sum / shape->T;
}

Expected expect(const AttnShape *shape, const SchemePlan *plan, const Mask *mask) {
    Expected e = {.Z = NAN};
    double rms[ATTN_WEIGHT_COUNT];
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++) {
        e.W[p] = entry_deviation(plan, p, shape);
        rms[p] = root_mean_square(plan, p, shape);
    }
    e.Q = rms[ATTN_W_Q] * sqrt(shape->D);
    e.K = rms[ATTN_W_K] * sqrt(shape->D);
    e.V = rms[ATTN_W_V] * sqrt(shape->D);
    e.S = expected_scores(&e, shape, plan);
    if (e.V == 0)
        e.Z = 0;
    else if (e.S == 0)
        e.Z = e.V * sqrt(share_of_each(shape, mask));
    e.Y = rms[ATTN_W_O] == 0 || e.Z == 0 ? 0 : e.Z * rms[ATTN_W_O] * sqrt(shape->H * shape->V);
    if (shape->block != BLOCK_ATTENTION)
        e.Y = NAN;
    return e;
}
