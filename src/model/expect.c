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

/* What the mask alone says: means over rows of 1/n and ln n, n the keys that a row may read. A row
 * without any reads nothing, and has no part in the entropy. */
typedef struct Openness {
    double share, entropy, largest;
} Openness;

static Openness openness_of(const AttnShape *shape, const Mask *mask) {
    Openness sum = {0};
    int rows = 0;
    for (int i = 0; i < shape->T; i++) {
        int open = mask != NULL ? mask_open_keys(mask, i) : shape->T;
        if (open == 0)
            continue;
        sum.share += 1.0 / open;
        sum.entropy += log(open);
        rows++;
    }
    double part = rows > 0 ? 1.0 / rows : 0;
    return (Openness){sum.share / shape->T, sum.entropy * part, sum.share * part};
}

static bool is_centred(const SchemePlan *plan, AttnParam param) {
    return SCHEMES[plan->scheme[param]].law == SCHEME_CENTRED;
}

/* What a block makes of `attention`, the deviation of a signal whose sum with one of deviation 1 it
 * takes; 0 is known to be 0. */
static double with_residual(double attention, const AttnShape *shape, const SchemePlan *plan) {
    if (shape->block == BLOCK_ATTENTION)
        return attention;
    bool independent = is_centred(plan, ATTN_W_V) || is_centred(plan, ATTN_W_O);
    return attention == 0 || independent ? sqrt(1 + attention * attention) : NAN;
}

static double expected_output(double Z, double rms_O, const AttnShape *shape,
                              const SchemePlan *plan) {
    double attention = rms_O == 0 || Z == 0 ? 0 : Z * rms_O * sqrt(shape->H * shape->V);
    if (shape->block == BLOCK_POST_NORM)
        return shape->D > 1 ? 1 : 0;
    return with_residual(attention, shape, plan);
}

/* A normalisation changes gradients on their way as no formula here has it; what is 0 stays so. */
static void expect_gradients(Expected *e, const double *rms, const AttnShape *shape,
                             const SchemePlan *plan, double share) {
    bool plain = shape->block == BLOCK_ATTENTION || shape->block == BLOCK_RESIDUAL;
    bool nothing = rms[ATTN_W_V] == 0 || rms[ATTN_W_O] == 0;
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        e->grad_W[p] = NAN;
    e->grad_X = NAN;
    if (nothing || rms[ATTN_W_K] == 0)
        e->grad_W[ATTN_W_Q] = 0;
    if (nothing || rms[ATTN_W_Q] == 0)
        e->grad_W[ATTN_W_K] = 0;
    if (e->Z == 0)
        e->grad_W[ATTN_W_O] = 0;
    else if (plain)
        e->grad_W[ATTN_W_O] = sqrt(shape->T) * e->Z;
    if (rms[ATTN_W_O] == 0)
        e->grad_W[ATTN_W_V] = 0;
    else if (plain && e->S == 0)
        e->grad_W[ATTN_W_V] = sqrt(shape->T * share * shape->D) * rms[ATTN_W_O];
    double width = sqrt(share * shape->D * shape->H * shape->V);
    if (nothing && shape->block != BLOCK_POST_NORM)
        e->grad_X = with_residual(0, shape, plan);
    else if (plain && e->S == 0)
        e->grad_X = with_residual(width * rms[ATTN_W_O] * rms[ATTN_W_V], shape, plan);
}

static double keep_zero(double value) {
    return value == 0 ? 0 : NAN;
}

/* Above the lowest layer. */
static void forget_input(Expected *e, const AttnShape *shape, const SchemePlan *plan) {
    bool normalised =
        shape->D > 1 && (shape->block == BLOCK_PRE_NORM || shape->block == BLOCK_POST_NORM);
    bool query = normalised && is_centred(plan, ATTN_W_Q);
    bool key = normalised && is_centred(plan, ATTN_W_K);
    e->Q = query ? e->Q : keep_zero(e->Q);
    e->K = key ? e->K : keep_zero(e->K);
    e->V = normalised && is_centred(plan, ATTN_W_V) ? e->V : keep_zero(e->V);
    e->S = query && key ? e->S : keep_zero(e->S);
    e->Z = keep_zero(e->Z);
    e->Y = shape->block == BLOCK_POST_NORM ? e->Y : keep_zero(e->Y);
    e->grad_W[ATTN_W_V] = keep_zero(e->grad_W[ATTN_W_V]);
    e->grad_W[ATTN_W_O] = keep_zero(e->grad_W[ATTN_W_O]);
}

/* Below the highest layer. */
static void forget_gradient(Expected *e) {
    e->grad_X = keep_zero(e->grad_X);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        e->grad_W[p] = keep_zero(e->grad_W[p]);
}

Expected expect_in_stack(const AttnShape *shape, const SchemePlan *plan, const Mask *mask,
                         StackPlace place) {
    Expected e = {.Z = NAN, .entropy = NAN, .largest = NAN};
    double rms[ATTN_WEIGHT_COUNT];
    Openness open = openness_of(shape, mask);
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
        e.Z = e.V * sqrt(open.share);
    if (e.S == 0) {
        e.entropy = open.entropy;
        e.largest = open.largest;
    }
    e.Y = expected_output(e.Z, rms[ATTN_W_O], shape, plan);
    expect_gradients(&e, rms, shape, plan, open.share);
    if (place.layer > 0)
        forget_input(&e, shape, plan);
    if (place.layer < place.layers - 1)
        forget_gradient(&e);
    return e;
}

Expected expect(const AttnShape *shape, const SchemePlan *plan, const Mask *mask) {
    return expect_in_stack(shape, plan, mask, (StackPlace){.layer = 0, .layers = 1});
}
