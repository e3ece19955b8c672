/* theory_on_input.h: the values that theory expects of a layer on its real X. model/theory/expect.h
 * assumes an X of independent entries with standard deviation 1 instead; the difference explains
 * why measured numbers differ from expect.h. The values of Q, K, V, S and the softmax follow from X
 * alone. The others are expected given earlier measurements: Z given A, Y given Z, gradients given
 * A, Z, Q and K. Pure, except for scratch memory. T tokens, D model width, H heads, K and V per
 * head. */
#ifndef HEADLIGHT_LAB_THEORY_ON_INPUT_H
#define HEADLIGHT_LAB_THEORY_ON_INPUT_H

#include "lab/study.h"
#include "lab/theory_parts.h"

/* Limit of tokens for sampling scores and comparing rows of A. With more tokens, the values that
 * need this are unknown. */
#define THEORY_TOKENS_MAX 64

typedef struct TheoryOnInput {
    double rms; /* root mean square of the attention's input */
    /* Mean product of the rows of two tokens, divided by their mean square: 0 if independent, 1 if
     * equal. */
    double common;
    double value[STUDY_STAT_COUNT]; /* expected value; NaN if unknown */
    /* Standard deviation of the value over draws of the weights; NaN if unknown. */
    double chance[STUDY_STAT_COUNT];
    bool starved; /* true if memory ran out, so some values are missing */
} TheoryOnInput;

/* Compute the values that theory expects of the layer, after its pass. expected: from study_expect.
 * draws: range of draws for the softmax. Values that depend on weights other than independent ones
 * of mean 0 are unknown.
 *
 * E is the mean over draws of the weights, G_ij = x_i·x_j the Gram matrix. Then E q_i² = σ_Q²·G_ii
 * and E s_ij·s_kl = c²·G_ik·G_jl, where c² = factor²·K·σ_Q²·σ_K². So the mean over all entries,
 * which a standard deviation excludes, is known, too. Source for the variance: 2·tr C², that of a
 * quadratic form of normals with covariance C. */
void theory_of_layer(TheoryOnInput *out, const StudyLayer *layer, const SchemePlan *draw,
                     const double expected[STUDY_STAT_COUNT], DrawRange draws);

/* Compute the expected standard deviation of one head's scores on the layer's X (value), and how
 * much it varies between draws of the weights (chance). expected: the value for an X of independent
 * entries of standard deviation 1. Both are NaN for more than THEORY_TOKENS_MAX tokens, and for
 * weights that are not random with mean 0. Return false if memory runs out. */
bool theory_of_head_scores(double *value, double *chance, const StudyLayer *layer,
                           const SchemePlan *draw, double expected);

/* Fill out (layers × STUDY_STAT_COUNT) for one scheme of the plan with theory_of_layer, averaged
 * over at most 16 seeds: standard deviations as roots of mean squares, as in expect.h, others as
 * means. NaN if unknown. Fails if study_forward fails or memory runs out. */
bool theory_on_study(double *out, StudyBench *bench, const StudyPlan *plan, int scheme, Err *err);

#endif
