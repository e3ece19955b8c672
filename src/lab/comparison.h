/* comparison.h: compares schemes in columns, all with one seed. A column has one layer: its
 * statistics, forward and backward, and a histogram of one quantity (ComparisonSpread). A is the
 * only matrix of the layer that is kept. Pure, with memory of its own. T tokens, D model width, H
 * heads. */
#ifndef HEADLIGHT_LAB_COMPARISON_H
#define HEADLIGHT_LAB_COMPARISON_H

#include "base/job.h"
#include "lab/study.h"
#include "lab/theory_on_input.h"

#define COMPARISON_MAX  8
#define COMPARISON_BINS 46

/* Number of points of a curve, evenly spaced from the start of the first bin to the end of the
 * last. */
#define COMPARISON_PLACES 97

typedef enum ComparisonSpread {
    SPREAD_S,
    SPREAD_A,
    SPREAD_Q,
    SPREAD_K,
    SPREAD_W_Q,
    SPREAD_W_K,
    SPREAD_W_V,
    SPREAD_W_O,
    SPREAD_COUNT
} ComparisonSpread;
extern const Registry SPREADS;

/* A histogram of values; for S and A, only of open pairs. The range is ±2.2 expected standard
 * deviations for a uniform distribution, which ends at ±1.7, and ±3.2 for others, or wider if
 * values lie outside, up to 5 measured standard deviations. Weights of A are counted by their
 * logarithm, from about a thousandth of an even share to 1. */
typedef struct ComparisonCounts {
    float counts[COMPARISON_BINS], lo, hi;
    bool is_log;  /* bins are equally wide on a logarithmic scale */
    long all;     /* number of values; 0 if the form has no such matrix */
    long outside; /* values outside the range or not finite */
    /* Expected distribution. Weights: the scheme's. Q, K and S, which are sums of many products:
     * normal with the expected standard deviation. DISTRIBUTION_NONE for A, and if unknown. */
    Distribution expected;
    /* Expected count in a bin around each point. For A it follows from the softmax of normal scores
     * (model/theory/softmax_law.h) over each row's open keys. */
    float curve[COMPARISON_PLACES];
    bool has_curve;
} ComparisonCounts;

typedef struct Comparison {
    /* The plan. Its borrowed pointers may be invalid by now. */
    StudyPlan plan;
    ComparisonSpread spread;
    Mat weights[COMPARISON_MAX]; /* (H*T, T): see comparison_keep_weights */
    float values[COMPARISON_MAX][STUDY_STAT_COUNT];
    /* Expectations for an X of independent entries of standard deviation 1; NaN if unknown. */
    double expected[COMPARISON_MAX][STUDY_STAT_COUNT];
    TheoryOnInput theory[COMPARISON_MAX]; /* expectations for this X */
    ComparisonCounts counts[COMPARISON_MAX];
    float largest_A; /* largest weight in all columns */

    /* The largest difference between ∂L/∂W_Q of the first head and of any other, as a share of the
     * largest entry; NaN with one head, or without W_Q. */
    float heads_apart[COMPARISON_MAX];

    Arena weights_arena;
    /* Scratch memory of the column that is being computed. */
    StudyBench bench;
} Comparison;

/* Compute a column for each scheme of the study (at most COMPARISON_MAX), which has one layer and
 * one seed. Return false on failure, or soon after job (may be NULL) is stopped; then there are no
 * columns (plan.scheme_count is 0). */
bool comparison_make(Comparison *comparison, const StudyPlan *study, ComparisonSpread spread,
                     const Job *job, Err *err);
void comparison_release(Comparison *comparison);

/* Copy A (H*T, T) for drawing: closed pairs become −INFINITY. */
void comparison_keep_weights(Mat *out, const Mat *A, const Mask *mask);

Mat comparison_weights(const Comparison *comparison, int column, int head);

#endif
