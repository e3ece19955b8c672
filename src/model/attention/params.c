#include "model/attention/params.h"

#include <assert.h>

#include "base/util.h"

const ParamRow PARAMS[ATTN_PARAM_COUNT] = {
    [ATTN_W_Q] = {{"W_Q", "W_Q", "Q = X·W_Q",
                   "Query weights: turn a token's vector into what it looks for."},
                  {AXIS_D, AXIS_HK, PARAM_HEADS_IN_COLUMNS, ATTN_W_Q, SHAPE_PAIR}},
    [ATTN_W_K] = {{"W_K", "W_K", "K = X·W_K",
                   "Key weights: turn a token's vector into what other tokens can find it by."},
                  {AXIS_D, AXIS_HK, PARAM_HEADS_IN_COLUMNS, ATTN_W_K, SHAPE_PAIR}},
    [ATTN_W_V] = {{"W_V", "W_V", "V = X·W_V",
                   "Value weights: turn a token's vector into what it passes on to tokens that "
                   "attend to it."},
                  {AXIS_D, AXIS_HV, PARAM_HEADS_IN_COLUMNS, ATTN_W_V, 0}},
    [ATTN_W_O] = {{"W_O", "W_O", "Y = concat(Z)·W_O",
                   "Output weights: mix the outputs of the heads into one vector for each token."},
                  {AXIS_HV, AXIS_D, PARAM_WHOLE, ATTN_W_O, 0}},
    [ATTN_B_Q] = {{"b_Q", "b_Q", "Q = X·W_Q + b_Q", "Query bias: what every token looks for."},
                  {AXIS_ONE, AXIS_HK, PARAM_HEADS_IN_COLUMNS, ATTN_W_Q,
                   SHAPE_PAIR | SHAPE_INNER_BIAS}},
    [ATTN_B_K] = {{"b_K", "b_K", "K = X·W_K + b_K",
                   "Key bias: it adds the same to all scores of a query, so without RoPE it "
                   "changes no weight."},
                  {AXIS_ONE, AXIS_HK, PARAM_HEADS_IN_COLUMNS, ATTN_W_K,
                   SHAPE_PAIR | SHAPE_INNER_BIAS}},
    [ATTN_B_V] = {{"b_V", "b_V", "V = X·W_V + b_V", "Value bias: what every token passes on."},
                  {AXIS_ONE, AXIS_HV, PARAM_HEADS_IN_COLUMNS, ATTN_W_V, SHAPE_INNER_BIAS}},
    [ATTN_B_O] = {{"b_O", "b_O", "Y = concat(Z)·W_O + b_O",
                   "Output bias: added to every row of the output."},
                  {AXIS_ONE, AXIS_D, PARAM_WHOLE, ATTN_W_O, SHAPE_OUTER_BIAS}},
    [ATTN_W_Q_FULL] =
        {{"W_Q_full", "W^Q", "W_Q = W^Q·W_i^Q",
          "The query weights that all heads share. Each head's own weights follow them."},
         {AXIS_D, AXIS_D, PARAM_WHOLE, ATTN_W_Q, SHAPE_NESTED}},
    [ATTN_W_K_FULL] =
        {{"W_K_full", "W^K", "W_K = W^K·W_i^K",
          "The key weights that all heads share. Each head's own weights follow them."},
         {AXIS_D, AXIS_D, PARAM_WHOLE, ATTN_W_K, SHAPE_NESTED}},
    [ATTN_W_V_FULL] =
        {{"W_V_full", "W^V", "W_V = W^V·W_i^V",
          "The value weights that all heads share. Each head's own weights follow them."},
         {AXIS_D, AXIS_D, PARAM_WHOLE, ATTN_W_V, SHAPE_NESTED}},
    [ATTN_W_Q_HEAD] = {{"W_Q_head", "W_i^Q", "W_Q = W^Q·W_i^Q", "Each head's own query weights."},
                       {AXIS_D, AXIS_HK, PARAM_HEADS_IN_COLUMNS, ATTN_W_Q, SHAPE_NESTED}},
    [ATTN_W_K_HEAD] = {{"W_K_head", "W_i^K", "W_K = W^K·W_i^K", "Each head's own key weights."},
                       {AXIS_D, AXIS_HK, PARAM_HEADS_IN_COLUMNS, ATTN_W_K, SHAPE_NESTED}},
    [ATTN_W_V_HEAD] = {{"W_V_head", "W_i^V", "W_V = W^V·W_i^V", "Each head's own value weights."},
                       {AXIS_D, AXIS_HV, PARAM_HEADS_IN_COLUMNS, ATTN_W_V, SHAPE_NESTED}},
    [ATTN_W_QK] = {{"W_QK", "W_QK", "S = X·W_QK·Xᵀ",
                    "One matrix of full rank for each head, which compares queries with keys."},
                   {AXIS_HE, AXIS_E, PARAM_HEADS_IN_ROWS, ATTN_W_Q, SHAPE_FREE}},
};

const Registry PARAM_REGISTRY = REGISTRY("parameters", "parameter", PARAMS);

int param_axis_size(ParamAxis axis, const AttnShape *shape) {
    int H = shape->H, E = attn_input_width(shape),
        pair = shape->form == FORM_FREE ? 0 : 2 * H * shape->K;
    const int sizes[] = {[AXIS_ONE] = 1,
                         [AXIS_T] = shape->T,
                         [AXIS_D] = shape->D,
                         [AXIS_E] = E,
                         [AXIS_H] = H,
                         [AXIS_K] = shape->K,
                         [AXIS_HT] = H * shape->T,
                         [AXIS_HE] = H * E,
                         [AXIS_HK] = H * shape->K,
                         [AXIS_HV] = H * shape->V,
                         [AXIS_FUSED] = pair + H * shape->V};
    assert(axis < ARRAY_COUNT(sizes));
    return sizes[axis];
}
