/* form.h: how the query and key weights are held, and so how scores are made. Pure.
 * All that differs between forms is in one row; to add a form, add a row to FORMS and name its
 * matrices in the trace's table in attention.c. */
#ifndef HEADLIGHT_MODEL_FORM_H
#define HEADLIGHT_MODEL_FORM_H

#include "model/attention.h"
#include "model/cost.h"

typedef struct FormRow {
    Entry entry;
    /* Fill S, V and what lies between X and them. */
    void (*project)(AttnTrace *trace, const AttnShape *shape, const AttnParams *params,
                    const Mat *x);
    /* The weights one head's scores come from, and the multiply-adds from X to its S. */
    Cost (*head_cost)(const AttnShape *shape);
} FormRow;

extern const FormRow FORMS[FORM_COUNT];

#endif
