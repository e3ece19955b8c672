/* form.h: how the query and key weights are held, and so how scores are made. Pure.
 * What differs between forms is in one row; to add a form, add a row to FORMS and name its matrices
 * in the tables of trace.c and in the parameter table. */
#ifndef HEADLIGHT_MODEL_ATTENTION_FORM_H
#define HEADLIGHT_MODEL_ATTENTION_FORM_H

#include "model/analysis/cost.h"
#include "model/attention/backward.h"

typedef struct FormRow {
    Entry entry;
    /* Step 2 of attn_forward, backward: from the gradients of V and S to those of its parameters,
     * and of the input's first D columns, into back->X. */
    void (*project_back)(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                         const AttnParams *params, const AttnTrace *trace);
    /* What follows from the parameters alone; see attn_fold_watched. */
    bool (*fold)(AttnTrace *trace, const AttnShape *shape, AttnParams *params, JobWatch *watch,
                 Err *err);
    /* The weights the scores of all heads come from, and the multiply-adds from X to S. */
    Cost (*score_cost)(const AttnShape *shape);
} FormRow;

extern const FormRow FORMS[FORM_COUNT];

/* Return the largest difference of A between two forms that rounding alone makes. It grows with the
 * scores, whose own rounding error is a share of their size. */
double form_rounding(const Mat *scores);

#endif
