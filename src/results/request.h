/* request.h: what a view requests of a Results in addition to what every Results has: made within
 * the frame if it is short, and as a job if it is long. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_REQUEST_H
#define HEADLIGHT_RESULTS_REQUEST_H

#include "results/comparison.h"
#include "results/product_analysis.h"

/* All zero wishes for nothing. */
typedef struct ResultsRequest {
    bool gradient;         /* of every layer: see results_gradient */
    bool checked_gradient; /* the same for the form that the one in use is checked against, if there
                              is one */
    bool check;            /* the form that is checked: see results_check */
    bool follows;          /* that too, if the picture does without it */
    bool has_merge;
    ProductRequest merge;         /* see results_product */
    ComparisonRequest comparison; /* see results_compare; kind COMPARISON_NONE for none */
} ResultsRequest;

bool results_request_same(const ResultsRequest *a, const ResultsRequest *b);

/* What the picture needs of it; what follows the picture is left out. */
ResultsRequest results_request_first(const ResultsRequest *request);

/* Whether what is wished for was made of the Results as it stands, though perhaps with other
 * numbers: then a picture can be drawn of it, and only then. */
bool results_request_is_drawable(const Results *run, const ResultsRequest *request);

/* Make it. run must be valid and have a token. Fails as results_gradient, results_product and
 * results_compare do.
 */
bool results_request_meet(Results *run, const ResultsRequest *request, const Job *job, Err *err);

#endif
