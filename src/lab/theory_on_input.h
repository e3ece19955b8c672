/* fixed_input.h: what theory expects of a layer on the X that it really has, beside what it expects
 * of an X of independent entries of deviation 1 (model/theory/expect.h), so that it can be said why
 * a number is another than that. Q, K, V and S follow from X; what comes after them is expected of
 * what this draw has made before it: the softmax's figures of how wide the scores of its rows are,
 * Z of A, Y of Z, and gradients of A and Z. Pure but for scratch memory. T tokens, D model width, H
 * heads, K and V per head. */
#ifndef HEADLIGHT_LAB_THEORY_ON_INPUT_H
#define HEADLIGHT_LAB_THEORY_ON_INPUT_H

#include "lab/study_stats.h"

/* Rows of A are read one against the other up to so many tokens; beyond, what needs that is not
 * known. */
#define THEORY_TOKENS_MAX 64

typedef struct TheoryOnInput {
    double rms;    /* the root of the mean square of an entry of what enters the attention */
    double common; /* mean product of two different tokens' rows over their mean square: 0 where
                      they are independent, 1 where they are all the same */
    double width;  /* the root of the mean over rows of the variance of a row's open scores */
    double value[STUDY_STAT_COUNT];  /* not a number where nothing is known */
    double chance[STUDY_STAT_COUNT]; /* how far one draw lies from it, as a deviation; likewise */
    bool starved;                    /* memory ran out, so that less is known than could be */
} TheoryOnInput;

/* What is expected of the layer after its pass, in the forms separate and merged; expected is what
 * expect.h has by study_expect.
 * Over draws of independent weights of mean 0, with the Gram matrix G_ij = x_i·x_j:
 *   E q_i² = σ²·G_ii, and E s_ij·s_kl = c²·G_ik·G_jl, c² = factor²·K·σ_Q²·σ_K²
 * so that a mean over all entries, which a deviation leaves out, is known as well.
 * What depends on weights that are not of that kind is not known.
 * Source for the chance: the variance of a quadratic form of normals, 2·tr C². */
void theory_of_layer(TheoryOnInput *out, const StudyLayer *layer, const SchemePlan *draw,
                     const double expected[STUDY_STAT_COUNT]);

/* The standard deviation of one head's scores, and how far one draw lies from it. expected is that
 * on unit X. Both are NaN beyond THEORY_TOKENS_MAX tokens, and for weights that are not random with
 * mean 0. Return false if memory ran out. */
bool theory_of_head_scores(double *value, double *chance, const StudyLayer *layer,
                           const SchemePlan *draw, double expected);

#endif
