#include "results/request.h"

#include "results/by_hand.h"
#include "results/layer.h"
#include "results/layer_map.h"
#include "results/model_output.h"

static bool same_product(const ProductRequest *a, const ProductRequest *b) {
    return a->layer == b->layer && a->choice.kind == b->choice.kind &&
           a->choice.head == b->choice.head && a->choice.offset == b->choice.offset &&
           a->rank == b->rank && a->transform.is_rotation == b->transform.is_rotation &&
           a->transform.turn == b->transform.turn && a->transform.seed == b->transform.seed &&
           a->rate == b->rate && a->step == b->step && a->nested == b->nested &&
           a->parts == b->parts && a->cut == b->cut && a->free == b->free && a->all == b->all &&
           a->follows == b->follows;
}

bool results_request_same(const ResultsRequest *a, const ResultsRequest *b) {
    return a->gradient == b->gradient && a->checked_gradient == b->checked_gradient &&
           a->check == b->check && a->follows == b->follows && a->next_tokens == b->next_tokens &&
           a->layer_map == b->layer_map && a->rollout == b->rollout &&
           a->has_product == b->has_product &&
           (!a->has_product || same_product(&a->analysis, &b->analysis)) &&
           comparison_request_same(&a->comparison, &b->comparison);
}

ResultsRequest results_request_first(const ResultsRequest *request) {
    ResultsRequest first = *request;
    first.follows = first.next_tokens = first.analysis.follows = false;
    return first;
}

/* True if Compare can be drawn. While new schemes are computed, the columns of the previous ones
 * may be shown, but not those of another kind of comparison or of another broken initialisation. */
static bool has_comparison(const Results *run, const ComparisonRequest *request) {
    return request->kind == COMPARISON_NONE ||
           (results_comparison_is_current(run) && run->comparison->request.kind == request->kind &&
            run->comparison->request.bug == request->bug);
}

bool results_request_is_drawable(const Results *run, const ResultsRequest *request) {
    for (int i = 0; i < run->layer_count; i++) {
        const LayerResults *layer = &run->layers[i];
        bool checks = layer->checked != FORM_UNCHECKED;
        if (checks && request->check && !layer->has_trace[layer->checked])
            return false;
        if ((request->gradient && layer->gradient.G.rows == 0) ||
            (checks && request->checked_gradient && layer->checked_gradient.G.rows == 0))
            return false;
    }
    return (!request->layer_map || run->map.layers > 0) &&
           (!request->rollout || run->map.rollout.rows > 0) &&
           (!request->has_product || product_analysis_is_current(run)) &&
           has_comparison(run, &request->comparison);
}

static bool goes_on(const Job *job, Err *err) {
    return job_goes_on(job) || err_fail(err, "computing", "was stopped");
}

bool results_request_meet(Results *run, const ResultsRequest *request, const Job *job, Err *err) {
    bool checks = request->check || request->checked_gradient || request->follows;
    for (int i = 0; checks && i < run->layer_count; i++)
        if (!results_check(run, i, err) || !goes_on(job, err))
            return false;
    if (checks)
        results_hand_compare(run, job);
    if ((request->layer_map || request->rollout) &&
        !results_layer_map(run, request->rollout, job, err))
        return false;
    if (request->next_tokens && !results_next_tokens(run, job, err))
        return false;
    const bool wanted[GRADIENT_COUNT] = {
        [GRADIENT_USED] = request->gradient, [GRADIENT_CHECKED] = request->checked_gradient};
    for (GradientOf of = 0; of < GRADIENT_COUNT; of++)
        for (int i = 0; wanted[of] && i < run->layer_count; i++)
            if (!results_gradient_make(run, i, of, err) || !goes_on(job, err))
                return false;
    return (!request->has_product || results_product(run, &request->analysis, job, err)) &&
           (request->comparison.kind == COMPARISON_NONE ||
            results_compare(run, &request->comparison, job, err));
}
