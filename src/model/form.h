/* form.h: how the query and key weights are held, and so how scores are made. Pure.
 * What differs between forms is in one row; to add a form, add a row to FORMS and name its matrices
 * in the tables of trace.c and in the parameter table. */
#ifndef HEADLIGHT_MODEL_FORM_H
#define HEADLIGHT_MODEL_FORM_H

#include "model/backward.h"
#include "model/cost.h"
#include "model/weigh.h"

typedef struct FormRow {
    Entry entry;
    /* Fill V and what lies between trace->input and S, row by row. */
    void (*project)(AttnTrace *trace, const AttnShape *shape, const AttnParams *params);
    /* The other way: from the gradients of V and S to those of the input's first D columns, into
     * back->X, and of the parameters that project takes. False once watch, which may be NULL and
     * counts nothing here, says to stop. */
    bool (*project_back)(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                         const AttnParams *params, const AttnTrace *trace, JobWatch *watch);
    /* What follows from the parameters alone; see attn_fold_watched. */
    bool (*fold)(AttnTrace *trace, const AttnShape *shape, AttnParams *params, JobWatch *watch,
                 Err *err);
    /* The weights the scores of all heads come from, and the multiply-adds from X to S. */
    Cost (*score_cost)(const AttnShape *shape);
} FormRow;

extern const FormRow FORMS[FORM_COUNT];

/* The scores of these queries and keys, from what project left, and their dot products where the
 * trace keeps them; S has the same bits either way. */
void form_scores(AttnTrace *trace, const AttnShape *shape, AttnSpan queries, AttnSpan keys);

/* The dot products of these keys with the queries before them, to the end of the tail; see weigh.h.
 */
void form_tail(AttnTrace *trace, const AttnShape *shape, const Mask *mask, AttnSpan keys);

/* The same as form_scores from the dot products that the trace keeps. */
void form_scale(AttnTrace *trace, const AttnShape *shape, AttnSpan queries, AttnSpan keys);

#endif
