/* form.h: how the query and key weights are held, and so how scores are made. Pure.
 * What differs between forms is in one row; to add a form, add a row to FORMS and name its matrices
 * in the trace's table in attention.c and in the parameter table. */
#ifndef HEADLIGHT_MODEL_FORM_H
#define HEADLIGHT_MODEL_FORM_H

#include "model/attention.h"
#include "model/cost.h"

typedef struct FormRow {
    Entry entry;
    /* Fill S, V and what lies between trace->input and them. */
    void (*project)(AttnTrace *trace, const AttnShape *shape, const AttnParams *params);
    /* What follows from the parameters alone; see attn_fold. */
    bool (*fold)(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err);
    /* The weights the scores of all heads come from, and the multiply-adds from X to S. */
    Cost (*score_cost)(const AttnShape *shape);
} FormRow;

extern const FormRow FORMS[FORM_COUNT];

#endif
