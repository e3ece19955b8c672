/* comparison.h: schemes compared on the input of a Results, computed on request: the columns that
 * the user chose, the cases of the fused matrix, or a broken initialisation next to the intended
 * one. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_COMPARISON_H
#define HEADLIGHT_RESULTS_COMPARISON_H

#include <stdatomic.h>

#include "lab/comparison.h"
#include "results/results.h"

typedef enum ComparisonKind {
    COMPARISON_NONE,
    COMPARISON_COLUMNS, /* schemes, with schemes for single matrices */
    COMPARISON_CASES,   /* schemes, without any of those */
    COMPARISON_BROKEN   /* the intended and the broken one; theory is of the intended */
} ComparisonKind;

/* A request. All zero requests nothing. */
typedef struct ComparisonRequest {
    ComparisonKind kind;
    OptionList schemes; /* rows of SCHEMES, at most COMPARISON_MAX */
    OptionList
        own[ATTN_WEIGHT_COUNT]; /* for COMPARISON_COLUMNS, by column: rows of SCHEMES, or -1 */
    int bug;                    /* row of BROKEN_INITS */
    ComparisonSpread spread;
} ComparisonRequest;

struct ComparisonResults {
    ComparisonRequest
        request; /* the request it was computed for; of kind COMPARISON_NONE if there is none */
    Comparison comparison;
    uint64_t pass;     /* the pass of the Results that it was computed from */
    atomic_int owners; /* number of Results that share it */
};

bool comparison_request_same(const ComparisonRequest *a, const ComparisonRequest *b);

/* Return the plan of a study of the requested columns on the Results' session. The caller may
 * change layers, seeds and parts. It borrows from the Results. */
StudyPlan results_comparison_plan(const Results *run, const ComparisonRequest *request,
                                  unsigned parts);

/* Compute run->comparison as requested; other Results keep the one they share. run must be valid
 * and have a token. Fails if it takes too much memory, or if the job, which may be NULL, is
 * cancelled; then there is no comparison. */
bool results_compare(Results *run, const ComparisonRequest *request, const Job *job, Err *err);

/* True if run->comparison was computed from the current Results, even if for an earlier request. */
bool results_comparison_is_current(const Results *run);

/* For results.c: add and remove an owner of run->comparison. */
void results_comparison_share(Results *run);
void results_comparison_release(Results *run);

#endif
