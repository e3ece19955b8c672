/* comparison.h: a few schemes side by side on one seed: each one's whole layer, forward and
 * backward, and what is said of it in numbers and counts, to be drawn as columns. Of a layer only
 * what is drawn is kept: its weights A and what was counted. Pure, with memory of its own. T
 * tokens, D model width, H heads. */
#ifndef HEADLIGHT_LAB_COMPARISON_H
#define HEADLIGHT_LAB_COMPARISON_H

#include "base/job.h"
#include "lab/study.h"
#include "lab/theory_on_input.h"

#define COMPARISON_MAX  8
#define COMPARISON_BINS 46

/* Where a curve over the bins has its points: even from the first bin's start to the last one's
 * end. */
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

/* Of the values, of S and A those of open pairs: the range is ±3.2 expected deviations, wider where
 * values lie beyond, up to 5 measured ones; for a uniform a little more than its own. Weights of A
 * are counted over their logarithm, from about a thousandth of what an even row has to 1. */
typedef struct ComparisonCounts {
    float counts[COMPARISON_BINS], lo, hi;
    bool is_log;  /* bins are even in the logarithm */
    long all;     /* 0 where the form has no such matrix */
    long outside; /* of the range, or not finite */
    /* How the values are expected to lie: a weight as its scheme draws it; Q, K and S, which are
     * sums of many products, as a normal with the deviation that theory expects.
     * DISTRIBUTION_NONE where nothing is known, and for A. */
    Distribution expected;
    /* What that would count in a bin about each place; for A what the softmax of such normal scores
     * would (model/theory/softmax_law.h), over as many keys as each row has open. */
    float curve[COMPARISON_PLACES];
    bool has_curve;
} ComparisonCounts;

/* The share of all weights in a bin about each place. */
typedef struct ComparisonShares {
    uint64_t of; /* a hash of what it depends on; 0 for nothing */
    float at[COMPARISON_PLACES];
} ComparisonShares;

typedef struct Comparison {
    StudyPlan plan; /* of one layer and one seed; what it borrows may be gone */
    ComparisonSpread spread;
    Mat weights[COMPARISON_MAX]; /* (H*T, T): A of each column */
    float values[COMPARISON_MAX][STUDY_STAT_COUNT];
    double expected[COMPARISON_MAX][STUDY_STAT_COUNT]; /* by theory, or not numbers */
    TheoryOnInput given[COMPARISON_MAX];               /* by theory on this X */
    ComparisonCounts counts[COMPARISON_MAX];
    float largest_A; /* of all columns */

    /* The largest entry by which ∂L/∂W_Q of a head differs from that of the first, as a share of the
     * largest gradient; NaN with one head, or without W_Q. */
    float heads_apart[COMPARISON_MAX];

    Arena weights_arena, drawn_arena;
    StudyBench bench;                 /* in which one column after the other is computed */
    StudyPlan bench_plan;             /* that it has room for */
    AttnParams drawn[COMPARISON_MAX]; /* kept for the next time, if they are not too large */
    uint64_t
        drawn_of[COMPARISON_MAX]; /* a hash of what they depend on; 0 where they are not kept */
    AttnShape drawn_shape;        /* that drawn has room for */
    uint64_t expected_of[COMPARISON_MAX];    /* a hash of what that depends on */
    ComparisonShares shares[COMPARISON_MAX]; /* expected of A */
} Comparison;

/* What is to be made: schemes of plan, at most COMPARISON_MAX, of one layer and one seed, on what
 * the plan borrows; given is NULL, or has for each column the parameters to take in place of drawn
 * ones, or NULL. */
typedef struct ComparisonPlan {
    const StudyPlan *study;
    ComparisonSpread spread;
    const AttnParams *const *given;
} ComparisonPlan;

/* Compute the columns. What was drawn before is not drawn again. False where that failed, or soon
 * after the job, which may be NULL, was told to stop: then there are no columns,
 * plan.scheme_count being 0. */
bool comparison_make(Comparison *comparison, const ComparisonPlan *plan, const Job *job, Err *err);
void comparison_release(Comparison *comparison);

/* A of one head, (T, T). */
Mat comparison_weights(const Comparison *comparison, int column, int head);

#endif
