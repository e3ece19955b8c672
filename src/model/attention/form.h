/* form.h: how the query and key weights are stored and scores computed, and the cost of a layer.
 * Pure. A row of FORMS holds all differences between the forms. To add a form, add a row to FORMS
 * and name its matrices in the tables of trace.c and params.h. */
#ifndef HEADLIGHT_MODEL_ATTENTION_FORM_H
#define HEADLIGHT_MODEL_ATTENTION_FORM_H

#include "model/attention/attention.h"
#include "model/attention/backward.h"

/* Number of weights and biases, and of multiply-adds in the matrix products from X to Y. A bias
 * counts as a weight that multiplies the constant 1. */
typedef struct Cost {
    long long parameters, multiply_adds;
} Cost;

/* Return the cost of the layer. Weights that heads share (AttnTraits) count once; their products
 * are computed for each head. */
Cost cost_of(const AttnShape *shape);

/* Return the cost of computing S from X, all heads together, which depends on the form. For one
 * head with n = D, m = K and p = T: separate has 2nm weights and 2pnm + p²m multiply-adds; merged,
 * rank and free have n² and pn² + p²n; nested adds D² for queries and D² for keys to separate,
 * shared by all heads. With rope, merged is computed and counted like separate. */
Cost cost_of_scores(const AttnShape *shape);

typedef struct FormRow {
    Entry entry;
    /* Differentiate step 2 of attn_forward: from the gradients of V and S, compute those of the
     * form's parameters and of the first D columns of the input (into back->X). */
    void (*project_back)(AttnParams *grads, AttnBack *back, const AttnShape *shape,
                         const AttnParams *params, const AttnTrace *trace);
    /* See attn_fold. Fails only in FORM_RANK. NULL: nothing to do. */
    bool (*fold)(AttnTrace *trace, const AttnShape *shape, AttnParams *params, Err *err);
    /* Count the weights of all heads' scores, and the multiply-adds from X to S. */
    Cost (*score_cost)(const AttnShape *shape);
} FormRow;

extern const FormRow FORMS[FORM_COUNT];

/* Return the largest difference in A that rounding can explain when two forms are compared. It
 * grows with the scores, because their rounding errors are relative. */
double form_rounding(const Mat *scores);

#endif
