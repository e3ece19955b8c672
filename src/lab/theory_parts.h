/* theory_parts.h: the inner products of X's rows, in double, and the values that theory expects of
 * the softmax of a head's scores on these rows. Only for theory_on_input.c, except DrawRange.
 * Scores of similar keys are correlated, and no closed form is known for that, so the figures of
 * the softmax are means over random normal queries and keys with X's inner products. Pure, except
 * for memory. T tokens, K query/key width. */
#ifndef HEADLIGHT_LAB_THEORY_PARTS_H
#define HEADLIGHT_LAB_THEORY_PARTS_H

#include "lab/study_stats.h"

typedef struct Gram {
    int T;
    double *at;    /* (T, T), owned */
    double square; /* mean over rows of |x|² */
    double centre; /* |mean of x|² */
    /* Tr C²/(tr C)², where C is the second moment of the rows: 1 / the number of directions that
     * they use. */
    double share;
} Gram;

/* Fill gram from the first cols columns of m (T, cols or more); if apart, from the rows minus their
 * mean: the derivative of a softmax ignores what all rows have in common, and its rounding errors
 * would hide the differences of nearly equal rows. Return false if memory ran out; then there is
 * nothing to release. */
bool gram_make(Gram *gram, const Mat *m, int cols, bool apart);

void gram_release(Gram *gram);

static inline double gram_square(const Gram *gram, int i) {
    return gram->at[i * gram->T + i];
}

/* A range in a fixed list of random draws: fixed, so that a figure changes only if X or the scheme
 * changes. */
typedef struct DrawRange {
    int first, count;
} DrawRange;

/* Mean and standard deviation of one head's figure over the draws. */
typedef struct SoftmaxFigure {
    double mean, std;
} SoftmaxFigure;

/* Means over the rows, as in HeadStats. */
enum { SOFTMAX_ENTROPY, SOFTMAX_LARGEST, SOFTMAX_SATURATION, SOFTMAX_FIGURES };

/* Fill out for the layer's mask, rotation and form. x: Gram matrix of the attention's input;
 * scores: expect_scores. Return false if memory runs out. */
bool softmax_draws(SoftmaxFigure out[SOFTMAX_FIGURES], const Gram *x, const StudyLayer *layer,
                   double scores, DrawRange draws);

#endif
