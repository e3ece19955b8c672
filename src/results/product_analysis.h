/* product_analysis.h: what follows from a Results about one head's product, W_QK or W_OV, made on
 * request: its factors and singular values; the head in each form, cut to a rank, with an R between
 * its factors, after one step of training. Each part is cached until its source changes. No I/O, no
 * clock. T tokens, E input width, m the head's own width. */
#ifndef HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_H
#define HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_H

#include "model/analysis/factor_transform.h"
#include "model/analysis/nested_reading.h"
#include "model/analysis/product_step.h"
#include "model/analysis/rank_curve.h"
#include "results/results.h"

/* What is asked for. */
typedef struct ProductRequest {
    int layer;
    HeadChoice choice; /* an offset beyond the text is answered by the last there is */
    int rank;          /* of the cut, from 1 */
    FactorTransform gauge;
    float rate;               /* of the step of training */
    bool step, nested, parts; /* whether these are wanted too */
    bool cut;                 /* and the product cut to the rank */
    bool free;                /* and the singular values of a W_QK drawn whole */
    bool all;                 /* and what the forms differ by over all heads */
    bool follows; /* and what the picture does without: the matrices of all distances, all, free */
} ProductRequest;

typedef struct ProductCache ProductCache;

/* Results and matrices that do not apply have rows == 0; differences then are not numbers. */
struct ProductAnalysis {
    ProductRequest request; /* as answered */
    HeadProduct product;
    HeadInputs site;
    HeadResult separate, merged; /* by the factors, by the whole product, which with rope is one for
                                    each distance, if they are not too many */
    Mat dots, terms;             /* with rope: see rope_offset_products.h */
    const HeadResult *full;      /* separate, or merged if there are no factors */
    float form_S, form_A;        /* max|ΔS|, max|ΔA| of the two over this head; of W_OV the
                                    output's, in both */
    float all_S, all_A; /* the largest of them over all heads; not numbers where not made */
    bool has_family;    /* with rope: dots and terms are there, or never will be */
    RankCurve curve;
    Mat cut;               /* (E, E): the nearest of that rank; where it is wished for */
    HeadResult cut_result; /* by it; with rope where the matrices of all distances are cut so */
    float cut_S, cut_A, cut_KL;
    double cut_loss; /* ‖W_r − W‖ / ‖W‖; not a number without a cut */
    Mat frame, framed_left, framed_right; /* (m, m), (E, m) twice: see factor_transform.h */
    Mat turned_left, turned_right;        /* (E, m): left·R, right·R⁻ᵀ */
    HeadResult turned;
    float turned_S, turned_A;
    double moved_left, moved_right;
    ProductStep step; /* by_factors.rows == 0 where not made; with rope of the wish's offset */
    Mat symmetric, antisymmetric;
    double symmetric_share;   /* of Σ w² */
    const double *free_sigma; /* free_count, largest first: of the W_QK that the form free would
                                 draw; 0 before they are made */
    int free_count;
    NestedReading nested; /* full.rows == 0 where not made */
    ProductCache *cache;
};

/* Put a ProductAnalysis with what is wished for in place of run->merge, which other Runs may still
 * have. run must be valid and have a token. Fails if it takes too much memory, if a weight is not
 * finite, or if the job, which may be NULL, is to stop; then run->merge is as it was. */
bool results_product(Results *run, const ProductRequest *request, const Job *job, Err *err);

/* Whether run->merge is of the Results as it stands, though perhaps of another wish. */
bool product_analysis_is_current(const Results *run);

/* For run.c: one owner more of run->merge, and one less. */
void product_analysis_share(Results *run);
void product_analysis_release(Results *run);

#endif
