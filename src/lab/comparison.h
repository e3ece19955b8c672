/* comparison.h: a few schemes in columns, on one seed: the layer of each, forward and backward, as
 * numbers and histograms. Of each layer only the weights A and the counts are kept. Pure, with
 * memory of its own. T tokens, D model width, H heads. */
#ifndef HEADLIGHT_LAB_COMPARISON_H
#define HEADLIGHT_LAB_COMPARISON_H

#include "base/job.h"
#include "lab/study.h"
#include "lab/theory_on_input.h"

#define COMPARISON_MAX  8
#define COMPARISON_BINS 46

/* Number of points of a curve over the bins, evenly spaced from the first bin's start to the last
 * one's end. */
#define COMPARISON_PLACES 97

/* A quantity whose values are shown as a histogram. */
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

/* A histogram of values; for S and A, of open pairs only. The range is ±3.2 expected standard
 * deviations, wider if values lie beyond, up to 5 measured ones; for a uniform distribution
 * slightly more than its range. Weights of A are counted by their logarithm, from about a
 * thousandth of an even share to 1. */
typedef struct ComparisonCounts {
    float counts[COMPARISON_BINS], lo, hi;
    bool is_log;  /* bins are even in the logarithm */
    long all;     /* number of values; 0 if the form has no such matrix */
    long outside; /* values outside the range, or not finite */
    /* Expected distribution: of a weight, as its scheme samples it; of Q, K and S, which are sums
     * of many products, normal with the standard deviation that theory expects. DISTRIBUTION_NONE
     * if unknown, and for A. */
    Distribution expected;
    /* Expected count in a bin around each point. For A it follows from the softmax of such normal
     * scores (model/theory/softmax_law.h) over each row's number of open keys. */
    float curve[COMPARISON_PLACES];
    bool has_curve;
} ComparisonCounts;

typedef struct Comparison {
    StudyPlan plan; /* the plan for one layer and one seed; what it borrowed may no longer exist */
    ComparisonSpread spread;
    Mat weights[COMPARISON_MAX]; /* (H*T, T): A of each column, as comparison_keep_weights sets it
                                  */
    float values[COMPARISON_MAX][STUDY_STAT_COUNT];
    double expected[COMPARISON_MAX][STUDY_STAT_COUNT]; /* expected by theory for unit X, or NaN */
    TheoryOnInput theory[COMPARISON_MAX];              /* expected by theory on this X */
    ComparisonCounts counts[COMPARISON_MAX];
    float largest_A; /* largest weight of all columns */

    /* The largest difference between an entry of ∂L/∂W_Q of a head and of the first head, as a
     * share of the largest gradient; NaN with one head, or without W_Q. */
    float heads_apart[COMPARISON_MAX];

    Arena weights_arena, drawn_arena;
    StudyBench bench;                  /* scratch for computing the columns one after the other */
    AttnParams drawn[COMPARISON_MAX];  /* kept to be used again, if they are not too large */
    uint64_t drawn_of[COMPARISON_MAX]; /* hash of their inputs; 0 if they are not kept */
    AttnShape drawn_shape;             /* the shape that drawn has room for */
    uint64_t expected_of[COMPARISON_MAX]; /* hash of the inputs of expected and shares; or 0 */
    /* Expected share of all weights of A in a bin around each point; NaN if unknown. */
    float shares[COMPARISON_MAX][COMPARISON_PLACES];
} Comparison;

/* Arguments: at most COMPARISON_MAX schemes of the study's plan, with one layer and one seed. given
 * is NULL, or has for each column the parameters to use instead of sampled ones, or NULL. */
typedef struct ComparisonPlan {
    const StudyPlan *study;
    ComparisonSpread spread;
    const AttnParams *const *given;
} ComparisonPlan;

/* Compute the columns; parameters sampled before are reused. Return false on failure, or soon after
 * job (may be NULL) was asked to stop; then there are no columns (plan.scheme_count is 0). */
bool comparison_make(Comparison *comparison, const ComparisonPlan *plan, const Job *job, Err *err);
void comparison_release(Comparison *comparison);

/* Copy A (H*T, T) as it is drawn: closed pairs are −INFINITY. */
void comparison_keep_weights(Mat *out, const Mat *A, const Mask *mask);

/* Return A of one head, (T, T). */
Mat comparison_weights(const Comparison *comparison, int column, int head);

#endif
