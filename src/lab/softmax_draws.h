/* softmax_draws.h: what the softmax of a head's scores is expected to be on a given X. Scores of
 * similar keys rise and fall together, and those of equal tokens are equal; for that no closed form
 * is known, so the figures are means over draws of normal queries and keys with X's inner products.
 * Pure but for scratch memory. T tokens, K query/key width. */
#ifndef HEADLIGHT_LAB_SOFTMAX_DRAWS_H
#define HEADLIGHT_LAB_SOFTMAX_DRAWS_H

#include "lab/gram.h"
#include "lab/study_stats.h"

/* Which draws: always the same ones, so that a figure changes only if X or the scheme does. */
typedef struct DrawRange {
    int first, count;
} DrawRange;

/* Over one head's draws. */
typedef struct SoftmaxFigure {
    double mean, deviation;
} SoftmaxFigure;

typedef struct SoftmaxDraws {
    SoftmaxFigure entropy, largest, saturation; /* each a mean over rows, as in HeadStats */
} SoftmaxDraws;

/* Fill out for the layer's mask, rotation and form. x is the Gram matrix of what enters the
 * attention; scores is the standard deviation of a score on unit X (expect_scores). Return false if
 * memory ran out. */
bool softmax_draws(SoftmaxDraws *out, const Gram *x, const StudyLayer *layer, double scores,
                   DrawRange draws);

#endif
