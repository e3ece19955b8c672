/* softmax_draws.h: what theory expects of the softmax of a head's scores on a given X. Scores of
 * similar keys are correlated, and scores of equal tokens are equal. No closed form is known for
 * that, so the figures are means over random normal queries and keys with X's inner products. Pure,
 * except for scratch memory. T tokens, K query/key width. */
#ifndef HEADLIGHT_LAB_SOFTMAX_DRAWS_H
#define HEADLIGHT_LAB_SOFTMAX_DRAWS_H

#include "lab/gram.h"
#include "lab/study_stats.h"

/* Which draws to use. They are always the same, so that a figure changes only if X or the scheme
 * does. */
typedef struct DrawRange {
    int first, count;
} DrawRange;

/* Mean and standard deviation over draws, of one head. */
typedef struct SoftmaxFigure {
    double mean, std;
} SoftmaxFigure;

typedef struct SoftmaxDraws {
    SoftmaxFigure entropy, largest, saturation; /* each of the mean over rows, as in HeadStats */
} SoftmaxDraws;

/* Fill out for the layer's mask, rotation and form. x is the Gram matrix of the attention's input;
 * scores is the standard deviation of a score on unit X (expect_scores). Return false if memory
 * runs out. */
bool softmax_draws(SoftmaxDraws *out, const Gram *x, const StudyLayer *layer, double scores,
                   DrawRange draws);

#endif
