/* comparison.h: schemes compared on the input of a Results, computed on request. The columns are
 * schemes that the user chose, schemes for a fused matrix of W_Q, W_K and W_V, or a broken
 * initialisation next to the intended one. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_COMPARISON_H
#define HEADLIGHT_RESULTS_COMPARISON_H

#include <stdatomic.h>

#include "lab/comparison.h"
#include "results/results.h"

typedef enum ComparisonKind {
    COMPARISON_NONE,
    COMPARISON_COLUMNS, /* schemes that the user chose, also for single matrices */
    COMPARISON_CASES,   /* schemes for a fused matrix of W_Q, W_K and W_V */
    /* Two columns: an initialisation as intended, and with a fault. Theory is for the intended
     * one. */
    COMPARISON_BROKEN
} ComparisonKind;

/* Zeroed: no request. */
typedef struct ComparisonRequest {
    ComparisonKind kind;
    OptionList schemes;                /* rows of SCHEMES, at most COMPARISON_MAX */
    OptionList own[ATTN_WEIGHT_COUNT]; /* for COMPARISON_COLUMNS: schemes for single matrices, by
                                          matrix and column: rows of SCHEMES, or -1 */
    int bug;                           /* row of BROKEN_INITS */
    ComparisonSpread spread;
} ComparisonRequest;

struct ComparisonResults {
    ComparisonRequest request; /* what was computed; of kind COMPARISON_NONE at first */
    Comparison comparison;
    uint64_t pass;     /* ResultsCache.pass when it was computed */
    atomic_int owners; /* number of Results that share the comparison */
};

bool comparison_request_same(const ComparisonRequest *a, const ComparisonRequest *b);

/* Return the plan of a study of the requested columns on the session of the Results, which the plan
 * borrows from. The caller may change the plan's layers, seeds and parts. */
StudyPlan results_comparison_plan(const Results *run, const ComparisonRequest *request,
                                  unsigned parts);

/* Compute run->comparison as requested. Other Results that share the previous comparison keep that.
 * run must be valid and have a token. Fails if the comparison takes too much memory, or if the job,
 * which may be NULL, is cancelled; then run has no comparison. */
bool results_compare(Results *run, const ComparisonRequest *request, const Job *job, Err *err);

/* True if run->comparison was computed from the current Results, even if for another request. */
bool results_comparison_is_current(const Results *run);

/* Add or remove an owner of run->comparison. Only for results.c. */
void results_comparison_share(Results *run);
void results_comparison_release(Results *run);

#endif
