/* theory_on_input.h: what theory expects of a layer on its real X. model/theory/expect.h assumes an
 * X of independent entries with standard deviation 1; the difference between the two explains why
 * measured numbers differ from expect.h. Q, K, V, S and the figures of the softmax follow from X
 * alone. Later figures are expected given the measured earlier ones: Z given A, Y given Z, and
 * gradients given A and Z. Pure, except for scratch memory. T tokens, D model width, H heads, K and
 * V per head. */
#ifndef HEADLIGHT_LAB_THEORY_ON_INPUT_H
#define HEADLIGHT_LAB_THEORY_ON_INPUT_H

#include "lab/study.h"
#include "lab/theory_parts.h"

/* The largest number of tokens for which scores are sampled and rows of A are compared with each
 * other. With more tokens, the figures that need this are unknown. */
#define THEORY_TOKENS_MAX 64

typedef struct TheoryOnInput {
    double rms; /* root mean square of the entries of the attention's input */
    /* Mean product of the rows of two tokens, divided by their mean square: 0 if independent, 1 if
     * equal. */
    double common;
    double value[STUDY_STAT_COUNT]; /* expected value; NaN if unknown */
    /* Standard deviation of the value over draws of weights; NaN if unknown. */
    double chance[STUDY_STAT_COUNT];
    bool starved; /* true if memory ran out, so that some figures are missing */
} TheoryOnInput;

/* Compute what theory expects of the layer after its pass. expected: the values for an X of
 * independent entries of standard deviation 1, from study_expect. The expectations are over draws
 * of independent weights of mean 0. With the Gram matrix G_ij = x_i·x_j, E q_i² = σ²·G_ii and E
 * s_ij·s_kl = c²·G_ik·G_jl, where c² = factor²·K·σ_Q²·σ_K². So theory also knows the mean over all
 * entries, which a standard deviation excludes. Figures that depend on other kinds of weights are
 * unknown. draws: the range of draws for the softmax's figures. Source for the variance: that of a
 * quadratic form of normals, 2·tr C². */
void theory_of_layer(TheoryOnInput *out, const StudyLayer *layer, const SchemePlan *draw,
                     const double expected[STUDY_STAT_COUNT], DrawRange draws);

/* Compute the standard deviation that theory expects of one head's scores on the layer's own X
 * (value), and how much it varies from one draw of the weights to another (chance). expected: the
 * standard deviation for an X whose entries are independent and have standard deviation 1. Both
 * results are NaN for more than THEORY_TOKENS_MAX tokens, and for weights that are not random with
 * mean 0. Return false if memory runs out. */
bool theory_of_head_scores(double *value, double *chance, const StudyLayer *layer,
                           const SchemePlan *draw, double expected);

/* Fill out (layers × STUDY_STAT_COUNT) for one scheme of the plan. Q, K, V, S and the softmax's
 * figures of the lowest layer follow from X. The other figures are expected given the measured
 * earlier ones of each draw (theory_of_layer), and averaged over at most 16 seeds: standard
 * deviations as roots of mean squares, as in expect.h, others as means. NaN if unknown. Fails if
 * study_forward fails. */
bool theory_on_study(double *out, StudyBench *bench, const StudyPlan *plan, int scheme, Err *err);

#endif
