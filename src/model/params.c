#include "model/params.h"

#include <assert.h>

#include "base/util.h"

const ParamRow PARAMS[ATTN_PARAM_COUNT] = {
    [ATTN_W_Q] = {{"W_Q", "W_Q", "Q = X·W_Q",
                   "Query weights: turn a token's vector into what it looks for."},
                  AXIS_D,
                  AXIS_HK,
                  false},
    [ATTN_W_K] = {{"W_K", "W_K", "K = X·W_K",
                   "Key weights: turn a token's vector into what it can be found by."},
                  AXIS_D,
                  AXIS_HK,
                  false},
    [ATTN_W_V] = {{"W_V", "W_V", "V = X·W_V",
                   "Value weights: turn a token's vector into what it hands on when it is read."},
                  AXIS_D,
                  AXIS_HV,
                  false},
    [ATTN_W_O] = {{"W_O", "W_O", "Y = concat(Z)·W_O",
                   "Output weights: mix what the heads have read back into one vector a token."},
                  AXIS_HV,
                  AXIS_D,
                  true},
};

const Registry PARAM_REGISTRY = {"parameters", "parameter", PARAMS, sizeof(ParamRow),
                                 ATTN_PARAM_COUNT};

int param_axis_size(ParamAxis axis, const AttnShape *shape) {
    const int sizes[] = {
        [AXIS_D] = shape->D, [AXIS_HK] = shape->H * shape->K, [AXIS_HV] = shape->H * shape->V};
    assert(axis < ARRAY_COUNT(sizes));
    return sizes[axis];
}
