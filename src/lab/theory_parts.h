/* theory_parts.h: the inner products of X's rows, in double, and the values that theory expects of
 * the softmax of a head's scores on these rows. Only for theory_on_input.c, except DrawRange.
 * Scores of similar keys are correlated, and no closed form is known for that, so the values for
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
    /* tr C²/(tr C)², where C is the second moment of the rows: 1 / the number of directions that
     * the rows use. */
    double share;
} Gram;

/* Fill gram from the first cols columns of m (T, cols or more). If apart, subtract the mean of the
 * rows first: the derivative of a softmax ignores what all rows have in common, and the rounding
 * errors of this part would hide the differences of nearly equal rows. Return false if memory ran
 * out; then there is nothing to release. */
bool gram_make(Gram *gram, const Mat *m, int cols, bool apart);

void gram_release(Gram *gram);

static inline double gram_square(const Gram *gram, int i) {
    return gram->at[i * gram->T + i];
}

/* A range in a list of random draws. The list is fixed, so that a value changes only if X or the
 * scheme changes. */
typedef struct DrawRange {
    int first, count;
} DrawRange;

/* Mean and standard deviation of a value of one head over the draws. */
typedef struct SoftmaxFigure {
    double mean, std;
} SoftmaxFigure;

/* Values of one head: means over the rows, as in HeadStats. */
enum { SOFTMAX_ENTROPY, SOFTMAX_LARGEST, SOFTMAX_SATURATION, SOFTMAX_FIGURES };

/* Fill out for the layer's mask, rotation and form. x: Gram matrix of the attention's input;
 * scores: expect_scores. Return false if memory runs out. */
bool softmax_draws(SoftmaxFigure out[SOFTMAX_FIGURES], const Gram *x, const StudyLayer *layer,
                   double scores, DrawRange draws);

#endif
