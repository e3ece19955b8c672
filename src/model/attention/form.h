/* form.h: how the query and key weights are stored and scores computed. Pure. A row of FORMS holds
 * everything in which its form differs from the others; to add a form, add a row to FORMS and name
 * its matrices in the tables of trace.c and in the parameter table. */
#ifndef HEADLIGHT_MODEL_ATTENTION_FORM_H
#define HEADLIGHT_MODEL_ATTENTION_FORM_H

#include "model/attention/backward.h"
#include "model/attention/cost.h"

typedef struct FormRow {
    Entry entry;
    /* Do step 2 of attn_forward backward. Given the gradients of V and S, compute those of the
     * form's parameters, and of the first D columns of the input (into back->X). */
    void (*project_back)(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                         const AttnParams *params, const AttnTrace *trace);
    /* Compute everything that depends only on the parameters; see attn_fold. Fails only in
     * FORM_RANK. */
    bool (*fold)(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err);
    /* Count the weights that determine all heads' scores, and the multiply-adds from X to S. */
    Cost (*score_cost)(const AttnShape *shape);
} FormRow;

extern const FormRow FORMS[FORM_COUNT];

/* Return a bound for the rounding error in A when two forms are compared. It grows with the scores,
 * because their rounding errors are relative. */
double form_rounding(const Mat *scores);

#endif
