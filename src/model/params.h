/* params.h: the parameter table, which drives allocation, initialisation, statistics, file names
 * and lists. Pure. */
#ifndef HEADLIGHT_MODEL_PARAMS_H
#define HEADLIGHT_MODEL_PARAMS_H

#include "model/attention.h"

/* One dimension of a parameter as the contract names it. */
typedef enum ParamAxis { AXIS_D, AXIS_HK, AXIS_HV } ParamAxis;

typedef struct ParamRow {
    Entry entry;          /* id "W_Q", label "W_Q", formula, help */
    ParamAxis rows, cols; /* as held in AttnParams */
    bool heads_in_rows;   /* W_O; the others have them in columns */
} ParamRow;

extern const ParamRow PARAMS[ATTN_PARAM_COUNT];
extern const Registry PARAM_REGISTRY;

int param_axis_size(ParamAxis axis, const AttnShape *shape);

#endif
