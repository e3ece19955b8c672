/* params.h: the parameter table, which determines allocation, initialisation, statistics, file
 * names and lists. Pure. */
#ifndef HEADLIGHT_MODEL_ATTENTION_PARAMS_H
#define HEADLIGHT_MODEL_ATTENTION_PARAMS_H

#include "model/attention/attention.h"

/* One dimension of a parameter or of a matrix of a trace. AXIS_E: attn_input_width. AXIS_FUSED:
 * columns of AttnParams.fused. */
typedef enum ParamAxis {
    AXIS_ONE,
    AXIS_T,
    AXIS_D,
    AXIS_E,
    AXIS_H,
    AXIS_K,
    AXIS_HT,
    AXIS_HE,
    AXIS_HK,
    AXIS_HV,
    AXIS_FUSED,
} ParamAxis;

/* How a parameter is stored in memory and in files. */
typedef enum ParamLayout {
    /* Heads are blocks of columns: in memory (rows, H*width), in files (H, rows, width). */
    PARAM_HEADS_IN_COLUMNS,
    /* Heads are blocks of rows: in memory (H*height, cols), in files (H, height, cols). */
    PARAM_HEADS_IN_ROWS,
    PARAM_WHOLE, /* not divided into heads: the same shape in memory and in files */
} ParamLayout;

typedef struct ParamRow {
    Entry entry;
    struct {
        ParamAxis rows, cols; /* in AttnParams; a bias has AXIS_ONE rows */
        ParamLayout layout;
        /* W_Q, W_K, W_V or W_O: the weight whose scheme this parameter uses. */
        AttnParam like;
        unsigned needs; /* SHAPE_… bits: a shape with all of them has this parameter */
    };
} ParamRow;

extern const ParamRow PARAMS[ATTN_PARAM_COUNT];
extern const Registry PARAM_REGISTRY;

int param_axis_size(ParamAxis axis, const AttnShape *shape);

static inline bool param_used(AttnParam param, const AttnShape *shape) {
    return attn_shape_has(shape, PARAMS[param].needs);
}

static inline bool param_is_bias(AttnParam param) {
    return PARAMS[param].rows == AXIS_ONE;
}

#endif
