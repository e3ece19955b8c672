#include "model/form.h"

static void score_heads(AttnTrace *trace, const AttnShape *shape, const Mat *queries,
                        const Mat *keys, int query_width, bool keys_shared) {
    for (int h = 0; h < shape->H; h++) {
        Mat S = attn_head_scores(&trace->S, shape, h);
        Mat query = mat_cols(queries, h * query_width, query_width);
        Mat key = keys_shared ? *keys : mat_cols(keys, h * query_width, query_width);
        mat_mul_bt(&S, &query, &key, shape->score_factor);
    }
}

static void project_separate(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                             const Mat *x) {
    mat_mul(&trace->fused, x, &params->fused, 1);
    score_heads(trace, shape, &trace->Q, &trace->K, shape->K, false);
}

static void project_merged(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                           const Mat *x) {
    for (int h = 0; h < shape->H; h++) {
        Mat product = attn_head_product(&trace->W_QK, shape, h);
        Mat XW = mat_cols(&trace->XW, h * shape->D, shape->D);
        mat_mul(&XW, x, &product, 1);
    }
    score_heads(trace, shape, &trace->XW, x, shape->D, true);
    mat_mul(&trace->V, x, &params->p[ATTN_W_V], 1);
}

/* With n = D, m = K and p = T, one head. */
static Cost head_cost_separate(const AttnShape *shape) {
    long long n = shape->D, m = shape->K, p = shape->T;
    return (Cost){2 * n * m, 2 * p * n * m + p * p * m};
}

static Cost head_cost_merged(const AttnShape *shape) {
    long long n = shape->D, p = shape->T;
    return (Cost){n * n, p * n * n + p * p * n};
}

const FormRow FORMS[FORM_COUNT] = {
    [FORM_SEPARATE] = {{"separate", "Separate", "S = (X·W_Q)(X·W_K)ᵀ / √d_k",
                        "Queries and keys are made apart, d_k numbers a token each, and compared "
                        "by their dot product."},
                       project_separate,
                       head_cost_separate},
    [FORM_MERGED] = {{"merged", "Merged", "S = X·W_QK·Xᵀ / √d_k,  W_QK = W_Q·W_Kᵀ",
                      "One matrix of d_model × d_model in place of two: the same scores, because "
                      "only the product of W_Q and W_K ever meets X."},
                     project_merged,
                     head_cost_merged},
};

const Registry ATTN_FORMS = {"forms", "form", FORMS, sizeof(FormRow), FORM_COUNT};
