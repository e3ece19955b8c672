/* comparison.h: schemes compared on the input of a Results, made on request: the columns that a
 * person chose, the cases of the fused matrix, or a broken initialisation and the intended one. No
 * I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_COMPARISON_H
#define HEADLIGHT_RESULTS_COMPARISON_H

#include <stdatomic.h>

#include "lab/comparison.h"
#include "results/results.h"

typedef enum ComparisonKind {
    COMPARISON_NONE,
    COMPARISON_COLUMNS, /* schemes, with the session's and then the columns' own for single matrices
                         */
    COMPARISON_CASES,   /* schemes, and nothing else but them */
    COMPARISON_BROKEN   /* as it was meant, and as it was drawn; theory speaks of what was meant */
} ComparisonKind;

/* What is asked for. All zero is nothing. */
typedef struct ComparisonRequest {
    ComparisonKind kind;
    OptionList schemes; /* rows of SCHEMES, at most COMPARISON_MAX */
    OptionList
        own[ATTN_WEIGHT_COUNT]; /* of COMPARISON_COLUMNS, by column: rows of SCHEMES, or -1 */
    int bug;                    /* row of BROKEN_INITS */
    ComparisonSpread spread;
} ComparisonRequest;

struct ComparisonResults {
    ComparisonRequest
        request; /* the comparison that was made; its kind is COMPARISON_NONE if there is none */
    Comparison comparison;
    uint64_t pass;     /* of the Results that it was made of */
    atomic_int owners; /* Runs that have it */
};

bool comparison_request_same(const ComparisonRequest *a, const ComparisonRequest *b);

/* A study of the session that the Results is made of, for what is wished for: more layers, seeds or
 * parts may be put in. What it borrows is the Results's. */
StudyPlan results_comparison_plan(const Results *run, const ComparisonRequest *request,
                                  unsigned parts);

/* Make run->comparison what is wished for; other Runs keep the one that they had. run must be valid
 * and have a token. Fails if it takes too much memory, or if the job, which may be NULL, is to
 * stop; then there is nothing. */
bool results_compare(Results *run, const ComparisonRequest *request, const Job *job, Err *err);

/* Whether there is one of the Results as it stands, though perhaps of another wish. */
bool results_comparison_is_current(const Results *run);

/* For run.c: one owner more of run->comparison, and one less. */
void results_comparison_share(Results *run);
void results_comparison_release(Results *run);

#endif
