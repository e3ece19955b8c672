/* theory_on_input.h: what theory expects of a layer on the X that it really has.
 * model/theory/expect.h assumes an X of independent entries with standard deviation 1; the
 * difference explains measured numbers that differ from its values. Q, K, V, S and the softmax's
 * figures follow from X alone. Later figures are expected given what this draw computed before: Z
 * given A, Y given Z, and gradients given A and Z. Pure, except for scratch memory. T tokens, D
 * model width, H heads, K and V per head. */
#ifndef HEADLIGHT_LAB_THEORY_ON_INPUT_H
#define HEADLIGHT_LAB_THEORY_ON_INPUT_H

#include "lab/study.h"
#include "lab/theory_parts.h"

/* The largest number of tokens for which scores are sampled and rows of A compared with each other.
 * With more tokens, the figures that need these are unknown. */
#define THEORY_TOKENS_MAX 64

typedef struct TheoryOnInput {
    double rms;    /* root of the mean square of an entry of the attention's input */
    double common; /* mean product of two tokens' rows over their mean square: 0 if independent, 1
                      if equal */
    double value[STUDY_STAT_COUNT];  /* expected value; NaN if unknown */
    double chance[STUDY_STAT_COUNT]; /* standard deviation over draws; NaN if unknown */
    bool starved;                    /* memory ran out, so that some figures are missing */
} TheoryOnInput;

/* Compute what theory expects of the layer after its pass. expected: values for unit X, from
 * study_expect. Over draws of independent weights of mean 0, with the Gram matrix G_ij = x_i·x_j:
 *   E q_i² = σ²·G_ii, and E s_ij·s_kl = c²·G_ik·G_jl, c² = factor²·K·σ_Q²·σ_K²
 * so the mean over all entries, which a standard deviation leaves out, is known as well. What
 * depends on other kinds of weights is unknown. draws: for the softmax's figures.
 * Source for the variance: that of a quadratic form of normals, 2·tr C². */
void theory_of_layer(TheoryOnInput *out, const StudyLayer *layer, const SchemePlan *draw,
                     const double expected[STUDY_STAT_COUNT], DrawRange draws);

/* Compute the expected standard deviation of one head's scores, and how much that varies over
 * draws. expected: its value for unit X. Both are NaN beyond THEORY_TOKENS_MAX tokens, and for
 * weights that are not random with mean 0. Return false if memory runs out. */
bool theory_of_head_scores(double *value, double *chance, const StudyLayer *layer,
                           const SchemePlan *draw, double expected);

/* Fill out (layers × STUDY_STAT_COUNT) for one scheme of the plan. Q, K, V, S and the softmax's
 * figures of the lowest layer follow from X. The other figures are expected given what each draw
 * computed before them (theory_of_layer), and averaged over the first seeds as roots of mean
 * squares, as in expect.h. NaN if unknown. Fails as study_compute does. */
bool theory_on_study(double *out, StudyBench *bench, const StudyPlan *plan, int scheme, Err *err);

#endif
