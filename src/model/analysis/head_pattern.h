/* head_pattern.h: measures how far one head follows each of several patterns, compared with chance.
 * A head gets the label of the pattern that exceeds chance most (head_pattern_excess), or none if
 * that excess is below PATTERN_EXCESS_MIN. Pure; computed in double. T tokens. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_HEAD_PATTERN_H
#define HEADLIGHT_MODEL_ANALYSIS_HEAD_PATTERN_H

#include "base/registry.h"
#include "math/mat.h"
#include "model/attention/mask.h"

/* Rows of the registry HEAD_PATTERNS in this order. All use only the rows i with n_i >= 2 open
 * keys, because a row with a single key has no choice.
 * - previous: mean of A[i][i−1] over i ≥ 1 with i−1 open
 * - self: mean of A[i][i] over i with i open
 * - first: mean of A[i][0] over i ≥ 1 with 0 open
 * - induction: mean of A[i][j+1], j < i−1 the last token equal to i, over i with such a j+1 open
 * - spread: mean of H(A[i])/ln n_i, H the entropy
 * - content: correlation of n_i·A[i][j] with the cosine of rows i and j of X over the m open pairs
 *   i ≠ j
 *
 * The chance level is two standard deviations above the mean of the measure, if each row is sampled
 * uniformly from all rows that sum to 1. Then a weight of a row with n open keys has mean 1/n and
 * variance (n − 1)/(n²(n + 1)). The row's entropy has mean Σ_{k=2}^n 1/k and variance
 * 2/(n + 1)·ψ₁(2) − ψ₁(n + 1), where ψ₁ is the trigamma function. The correlation has mean 0 and
 * standard deviation 1/√(m − 1). Source: Wolpert and Wolf 1995, "Estimating functions of
 * probability distributions from a finite set of samples", for the entropy's moments. */
typedef enum HeadPatternKind {
    PATTERN_PREVIOUS,
    PATTERN_SELF,
    PATTERN_FIRST,
    PATTERN_INDUCTION,
    PATTERN_SPREAD,
    PATTERN_CONTENT,
    PATTERN_COUNT
} HeadPatternKind;
extern const Registry HEAD_PATTERNS;

#define PATTERN_MIXED (-1) /* no pattern exceeds chance by PATTERN_EXCESS_MIN */
/* smallest head_pattern_excess of a label */
#define PATTERN_EXCESS_MIN 0.05

/* A measured value and its chance level. Both are NaN if no row can be measured; for content also
 * with fewer than three pairs, or if the weights or the cosines do not vary. */
typedef struct HeadPatternMeasure {
    double value, chance;
} HeadPatternMeasure;

typedef struct HeadPattern {
    HeadPatternMeasure of[PATTERN_COUNT];
    int kind; /* the pattern with the largest head_pattern_excess ≥ PATTERN_EXCESS_MIN, or
                 PATTERN_MIXED */
} HeadPattern;

/* Return (value − chance)/(1 − chance): 0 at chance, 1 at the maximum; NaN if either is NaN or
 * chance ≥ 1. */
double head_pattern_excess(const HeadPatternMeasure *measure);

/* True if at least one pattern could exceed chance. With very few tokens or open keys none could.
 */
bool head_pattern_can_tell(const HeadPattern *role);

/* Measure one head's weights (T, T), 0 at closed pairs. similarity (T, T): cosines between the rows
 * of X, from similarity.h. word has T numbers, equal for equal tokens. */
void head_pattern_of(HeadPattern *out, const Mat *weights, const Mask *mask, const Mat *similarity,
                     const int *word);

#endif
