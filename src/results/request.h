/* request.h: what a view requests of a Results in addition to what every Results has. Short
 * computations run within the frame, long ones as a job. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_REQUEST_H
#define HEADLIGHT_RESULTS_REQUEST_H

#include "results/comparison.h"
#include "results/product_analysis.h"

/* A request. All zero requests nothing. */
typedef struct ResultsRequest {
    bool gradient;         /* gradients of every layer: see results_gradient */
    bool checked_gradient; /* gradients of every layer in its checked form, if it has one */
    bool check;            /* the checked form's pass: see results_check */
    bool follows;          /* the same, if the picture can be drawn without it */
    bool next_tokens;      /* see results_next_tokens; the picture can be drawn without it */
    bool layer_map;        /* see results_layer_map */
    bool rollout;          /* the same map with means and rollouts */
    bool has_product;
    ProductRequest analysis;      /* see results_product */
    ComparisonRequest comparison; /* see results_compare; kind COMPARISON_NONE for none */
} ResultsRequest;

bool results_request_same(const ResultsRequest *a, const ResultsRequest *b);

/* Return the part of the request that the picture cannot be drawn without. */
ResultsRequest results_request_first(const ResultsRequest *request);

/* True if a picture can be drawn: everything requested was computed from the current Results, even
 * if for other numbers. */
bool results_request_is_drawable(const Results *run, const ResultsRequest *request);

/* Compute what is requested. run must be valid and have a token. Fails as results_gradient,
 * results_product and results_compare do. */
bool results_request_meet(Results *run, const ResultsRequest *request, const Job *job, Err *err);

#endif
