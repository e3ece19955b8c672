/* request.h: what a view requests from a Results in addition to the parts that every Results has.
 * Short computations run within the frame, long ones as a job. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_REQUEST_H
#define HEADLIGHT_RESULTS_REQUEST_H

#include "results/comparison.h"
#include "results/product_analysis.h"

/* Zeroed: no request. */
typedef struct ResultsRequest {
    bool gradient;         /* gradients of every layer: see results_gradient */
    bool checked_gradient; /* gradients of every layer in its checked form, if it has one */
    bool check;            /* compute the checked form: see results_check */
    bool follows;          /* like check, but the picture can be drawn before the result */
    /* Next tokens: see results_next_tokens. The picture can be drawn without them. */
    bool next_tokens;
    bool layer_map; /* see results_layer_map */
    bool rollout;   /* the layer map also has means and rollouts */
    bool has_product;
    ProductRequest analysis;      /* see results_product */
    ComparisonRequest comparison; /* see results_compare; kind COMPARISON_NONE: no comparison */
} ResultsRequest;

bool results_request_same(const ResultsRequest *a, const ResultsRequest *b);

/* Return the part of the request without which the picture cannot be drawn. */
ResultsRequest results_request_first(const ResultsRequest *request);

/* True if everything that the picture needs was computed from the current Results, though perhaps
 * for another request. */
bool results_request_is_drawable(const Results *run, const ResultsRequest *request);

/* Compute what is requested. run must be valid and have a token. Fails if one of the computations
 * fails, or if the job (may be NULL) is cancelled. */
bool results_request_meet(Results *run, const ResultsRequest *request, const Job *job, Err *err);

#endif
