/* product_analysis.h: the analysis of one head's product, W_QK or W_OV, computed on request: its
 * factors and singular values; and the head in each form, with the product cut to a rank, with an R
 * between its factors, and after one step of training. Each part is cached until its inputs change.
 * No I/O, no clock. T tokens, E input width, m the head's own width. */
#ifndef HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_H
#define HEADLIGHT_RESULTS_PRODUCT_ANALYSIS_H

#include "model/analysis/factor_transform.h"
#include "model/analysis/nested_reading.h"
#include "model/analysis/product_step.h"
#include "model/analysis/rank_curve.h"
#include "results/results.h"

typedef struct ProductRequest {
    int layer;
    /* choice.offset (RoPE: the distance i − j) is limited to the distances in the text. */
    HeadChoice choice;
    int rank; /* number of singular values that the cut keeps, from 1 */
    FactorTransform transform;
    float rate;               /* learning rate of the training step */
    bool step, nested, parts; /* also compute ProductStep, NestedReading, and the symmetric and
                                 antisymmetric part */
    bool cut;                 /* compute the product cut to `rank`, and the head with it */
    bool free;                /* compute the singular values of a W_QK sampled in the free form */
    bool all;                 /* compute the largest differences between the forms over all heads */
    bool follows;             /* also compute the parts that the picture does not need */
} ProductRequest;

/* HeadResults and matrices that do not apply have rows == 0; differences that do not apply are NaN.
 */
struct ProductAnalysis {
    /* The request that was computed; choice.offset is clamped to the distances in the text. */
    ProductRequest request;
    HeadProduct product;
    HeadInputs inputs;
    /* The head's result through the factors (separate) and through their product (merged). With
     * RoPE, merged uses the products of all distances, if these are few enough. */
    HeadResult separate, merged;
    /* separate or merged, as the layer computes it: merged if there are no factors or W_QK is
     * edited. */
    const HeadResult *full;
    /* max|ΔS| and max|ΔA| between separate and merged; for W_OV both are max|ΔY|. */
    float form_S, form_A;
    bool has_family; /* with RoPE: false while dots and terms are still to be computed */
    /* PRODUCT_PART_ROWS lists which of the fields below are cleared with a part. */
    Mat dots, terms; /* with rope: see rope_offset_products.h */
    RankCurve curve;
    HeadResult cut_result; /* the head with its product (RoPE: the products of all distances) cut to
                              request.rank */
    float cut_S, cut_A, cut_KL;
    double cut_loss;                         /* ‖W_r − W‖ / ‖W‖; NaN without a cut */
    Mat cut;                                 /* (E, E): the best approximation, if requested */
    Mat frame, framed_left, framed_right;    /* (m, m), (E, m) twice: see factor_transform.h */
    Mat transformed_left, transformed_right; /* (E, m): left·R, right·R⁻ᵀ */
    double moved_left, moved_right;
    HeadResult transformed;
    float transformed_S, transformed_A;
    ProductStep step; /* by_factors.rows == 0 if not computed; with RoPE for the requested offset */
    NestedReading nested; /* full.rows == 0 if not computed */
    Mat symmetric, antisymmetric;
    double symmetric_share; /* share of Σ w² in the symmetric part */
    float all_S, all_A;     /* the largest form_S, form_A over all heads; NaN if not computed */
    /* free_count singular values, largest first, of a W_QK sampled in the form free. */
    const double *free_sigma;
    int free_count;
};

/* Replace run->analysis by the requested analysis. run must be valid and have a token. Fails if the
 * analysis takes too much memory, if a weight is not finite, or if the job, which may be NULL, is
 * cancelled; then run->analysis is unchanged. */
bool results_product(Results *run, const ProductRequest *request, const Job *job, Err *err);

/* True if run->analysis was computed from the current Results, even if for another request. */
bool product_analysis_is_current(const Results *run);

#endif
