/* lineup.h: a few schemes side by side on one seed: each one's whole layer, forward and backward,
 * and what is said of it in numbers, to be drawn as columns.
 * Pure, with memory of its own. T tokens, D model width, H heads. */
#ifndef HEADLIGHT_LAB_LINEUP_H
#define HEADLIGHT_LAB_LINEUP_H

#include "lab/study.h"

#define LINEUP_MAX 8

typedef struct Lineup {
    StudyPlan plan; /* of one layer and one seed; what it borrows must last as long */
    StudyBench bench[LINEUP_MAX];
    int benches; /* that there is room in, for plan.shape */
    float values[LINEUP_MAX][STUDY_STAT_COUNT];
    double expected[LINEUP_MAX][STUDY_STAT_COUNT]; /* by theory, or not numbers */
    uint64_t expected_of[LINEUP_MAX];              /* a hash of what that depends on */
    float largest_A;                               /* of all columns */
} Lineup;

/* Compute the plan's schemes, at most LINEUP_MAX, of one layer and one seed. given is NULL, or has
 * for each column the parameters to take in place of drawn ones, or NULL. Memory is kept while
 * the shape is the same. On failure there are no columns: plan.scheme_count is 0. */
bool lineup_make(Lineup *lineup, const StudyPlan *plan, const AttnParams *const *given, Err *err);
void lineup_release(Lineup *lineup);

static inline const AttnTrace *lineup_trace(const Lineup *lineup, int column) {
    return &lineup->bench[column].trace[0];
}
static inline const AttnParams *lineup_params(const Lineup *lineup, int column) {
    return &lineup->bench[column].params[0];
}

/* A quantity whose values are shown as a histogram. */
typedef enum LineupSpread {
    SPREAD_S,
    SPREAD_A,
    SPREAD_Q,
    SPREAD_K,
    SPREAD_W_Q,
    SPREAD_W_K,
    SPREAD_W_V,
    SPREAD_W_O,
    SPREAD_COUNT
} LineupSpread;
extern const Registry SPREADS;

/* How the values are expected to be distributed: a weight as its scheme draws it; Q, K and S, which
 * are sums of many products, as a normal with the deviation that theory expects.
 * DISTRIBUTION_NONE where nothing is known. */
Distribution lineup_expected(const Lineup *lineup, int column, LineupSpread spread);

/* The range that shows the values: ±3.2 expected deviations, wider where values lie beyond, up to 5
 * measured ones; for a uniform a little more than its own, and 0 to 1 for weights of A. */
void lineup_range(float *lo, float *hi, const Lineup *lineup, int column, LineupSpread spread);

/* Count the values into bins of lo..hi, of S and A those of open pairs. *outside gets how many lie
 * beyond or are not finite. Returns how many there are in all; 0 where the form has no such
 * matrix. */
long lineup_count(float *counts, int bins, float lo, float hi, long *outside, const Lineup *lineup,
                  int column, LineupSpread spread);

#endif
