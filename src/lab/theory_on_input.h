/* theory_on_input.h: what theory expects of a layer on the X that it really has.
 * model/theory/expect.h assumes an X of independent entries with standard deviation 1; the
 * difference explains a measured number that is not the expected one. Q, K, V, S and the softmax's
 * figures follow from X. What comes later is expected from what this draw computed before it: Z
 * from A, Y from Z, and gradients from A and Z. Pure but for scratch memory. T tokens, D model
 * width, H heads, K and V per head. */
#ifndef HEADLIGHT_LAB_THEORY_ON_INPUT_H
#define HEADLIGHT_LAB_THEORY_ON_INPUT_H

#include "lab/softmax_draws.h"

/* The largest number of tokens for which scores are sampled and rows of A compared with each other.
 * With more tokens, what needs that is unknown. */
#define THEORY_TOKENS_MAX 64

typedef struct TheoryOnInput {
    double rms;    /* the root of the mean square of an entry of what enters the attention */
    double common; /* mean product of two different tokens' rows over their mean square: 0 where
                      they are independent, 1 where they are all the same */
    double value[STUDY_STAT_COUNT];  /* not a number where nothing is known */
    double chance[STUDY_STAT_COUNT]; /* the standard deviation over draws; likewise */
    bool starved;                    /* memory ran out, so that less is known than could be */
} TheoryOnInput;

/* What is expected of the layer after its pass; expected is what expect.h has by study_expect.
 * Over draws of independent weights of mean 0, with the Gram matrix G_ij = x_i·x_j:
 *   E q_i² = σ²·G_ii, and E s_ij·s_kl = c²·G_ik·G_jl, c² = factor²·K·σ_Q²·σ_K²
 * so that a mean over all entries, which a deviation leaves out, is known as well.
 * What depends on weights that are not of that kind is not known. draws: for the softmax's figures.
 * Source for the chance: the variance of a quadratic form of normals, 2·tr C². */
void theory_of_layer(TheoryOnInput *out, const StudyLayer *layer, const SchemePlan *draw,
                     const double expected[STUDY_STAT_COUNT], DrawRange draws);

/* The standard deviation of one head's scores, and how far one draw lies from it. expected is that
 * on unit X. Both are NaN beyond THEORY_TOKENS_MAX tokens, and for weights that are not random with
 * mean 0. Return false if memory ran out. */
bool theory_of_head_scores(double *value, double *chance, const StudyLayer *layer,
                           const SchemePlan *draw, double expected);

#endif
