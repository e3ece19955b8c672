#include "lab/race_weights.h"

#include <assert.h>
#include <string.h>

#include "base/util.h"
#include "model/form.h"
#include "model/params.h"

/* The matrices that a step changes. Elsewhere than in the nested form, W_Q, W_K and W_V and their
 * biases are columns of one, or W_V's alone are. */
#define TRAINED_MAX ATTN_PARAM_COUNT
static int trained(Mat out[TRAINED_MAX], const AttnParams *params, const AttnShape *shape) {
    static const AttnParam nested[] = {ATTN_W_Q_FULL, ATTN_W_K_FULL, ATTN_W_V_FULL,
                                       ATTN_W_Q_HEAD, ATTN_W_K_HEAD, ATTN_W_V_HEAD,
                                       ATTN_B_Q,      ATTN_B_K,      ATTN_B_V};
    static const AttnParam alone[] = {ATTN_W_QK, ATTN_W_O, ATTN_B_O};
    int count = 0;
    if (shape->form != FORM_NESTED)
        out[count++] = params->fused;
    for (size_t i = 0; shape->form == FORM_NESTED && i < ARRAY_COUNT(nested); i++)
        if (params->p[nested[i]].rows > 0)
            out[count++] = params->p[nested[i]];
    for (size_t i = 0; i < ARRAY_COUNT(alone); i++)
        if (params->p[alone[i]].rows > 0)
            out[count++] = params->p[alone[i]];
    for (int i = 0; i < count; i++)
        out[i] = mat_gapless(&out[i]);
    return count;
}

size_t race_weights_bytes(const AttnShape *shape, OptimiserKind optimiser) {
    size_t one = attn_params_bytes(shape), bytes = one;
    for (int i = 0; i < OPTIMISERS[optimiser].moments; i++)
        bytes = mat_bytes_add(bytes, one);
    return bytes;
}

RaceWeights race_weights_push(Arena *arena, const AttnShape *shape, OptimiserKind optimiser) {
    RaceWeights weights = {.params = attn_params_push(arena, shape)};
    for (int i = 0; i < OPTIMISERS[optimiser].moments; i++)
        weights.moments[i] = attn_params_push(arena, shape);
    return weights;
}

/* Parameters as the plan's own form has them. */
static bool draw_params(AttnParams *out, const RacePlan *plan, int column, JobWatch *watch,
                        Err *err) {
    SchemePlan scheme = plan->schemes[column];
    bool given[ATTN_PARAM_COUNT];
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        given[p] = out->p[p].rows > 0 && plan->given[p].rows > 0;
        if (given[p])
            mat_copy(&out->p[p], &plan->given[p]);
    }
    scheme.watch = watch;
    return scheme_draw_rest(out, &plan->shape, &scheme, given, err);
}

/* W_QK from the factors of the merged form, and all else as they are. */
static bool draw_product(AttnParams *out, const RacePlan *plan, int column, JobWatch *watch,
                         Err *err) {
    Arena arena = {0};
    if (!arena_reserve(&arena, attn_params_bytes(&plan->shape), err))
        return false;
    AttnParams factors = attn_params_push(&arena, &plan->shape);
    AttnTrace product = {.W_QK = out->p[ATTN_W_QK]};
    bool drawn = draw_params(&factors, plan, column, watch, err) &&
                 attn_fold_watched(&product, &plan->shape, &factors, watch, err);
    for (AttnParam p = 0; drawn && p < ATTN_PARAM_COUNT; p++)
        if (out->p[p].rows > 0 && factors.p[p].rows > 0)
            mat_copy(&out->p[p], &factors.p[p]);
    arena_release(&arena);
    return drawn;
}

static void clear(const AttnParams *params, const AttnShape *shape) {
    Mat mats[TRAINED_MAX];
    int count = trained(mats, params, shape);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < mats[k].rows; i++)
            memset(mat_row(&mats[k], i), 0, (size_t)mats[k].cols * sizeof *mats[k].at);
}

bool race_weights_draw(RaceWeights *out, const Race *race, int column, JobWatch *watch, Err *err) {
    const RacePlan *plan = &race->plan;
    for (int i = 0; i < OPTIMISERS[plan->optimiser].moments; i++)
        clear(&out->moments[i], &race->shape);
    return (plan->shape.form == FORM_MERGED ? draw_product : draw_params)(&out->params, plan,
                                                                          column, watch, err);
}

static void copy_params(const AttnParams *to, const AttnParams *from, const AttnShape *shape) {
    Mat into[TRAINED_MAX], of[TRAINED_MAX];
    int count = trained(into, to, shape);
    trained(of, from, shape);
    for (int k = 0; k < count; k++)
        mat_copy(&into[k], &of[k]);
}

void race_weights_copy(RaceWeights *to, const RaceWeights *from, const AttnShape *shape) {
    copy_params(&to->params, &from->params, shape);
    for (int i = 0; i < OPTIMISER_MOMENTS_MAX && from->moments[i].fused.rows > 0; i++)
        copy_params(&to->moments[i], &from->moments[i], shape);
}

void race_weights_step(RaceWeights *weights, const AttnShape *shape, const AttnParams *grads,
                       OptimiserKind optimiser, float rate, int number) {
    Mat w[TRAINED_MAX], g[TRAINED_MAX], moments[OPTIMISER_MOMENTS_MAX][TRAINED_MAX];
    const OptimiserStep step = optimiser_step(optimiser, rate, number);
    int count = trained(w, &weights->params, shape), kept = OPTIMISERS[optimiser].moments;
    trained(g, grads, shape);
    for (int i = 0; i < kept; i++)
        trained(moments[i], &weights->moments[i], shape);
    for (int k = 0; k < count; k++) {
        Mat m[OPTIMISER_MOMENTS_MAX] = {{0}};
        for (int i = 0; i < kept; i++)
            m[i] = moments[i][k];
        optimiser_take(&w[k], m, &g[k], optimiser, &step);
    }
}

size_t race_weights_count(const AttnShape *shape) {
    size_t count = 0;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (PARAMS[p].used(shape) && !(shape->form == FORM_NESTED && p <= ATTN_W_V))
            count += (size_t)param_axis_size(PARAMS[p].rows, shape) *
                     (size_t)param_axis_size(PARAMS[p].cols, shape);
    return count;
}
