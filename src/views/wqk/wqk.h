/* wqk.h: the W_QK view, which shows why a head has two matrices although only their product is
 * used. */
#ifndef HEADLIGHT_VIEWS_WQK_WQK_H
#define HEADLIGHT_VIEWS_WQK_WQK_H

#include "views/view.h"

/* Choices in the view: rows of WQK_AGAINST, WQK_DELTAS and WQK_PAGES, in this order. */
typedef enum WqkAgainst {
    AGAINST_MERGED,
    AGAINST_RANK,
    AGAINST_TRANSFORM,
    AGAINST_COUNT
} WqkAgainst;
typedef enum WqkDelta { DELTA_SAME, DELTA_MAGNIFIED } WqkDelta;

typedef enum WqkPage {
    PAGE_RANK,
    PAGE_COST,
    PAGE_TRAINING,
    PAGE_PARTS,
    PAGE_NESTED,
    PAGE_PLAIN,
    PAGE_TRANSFORM,
    PAGE_COUNT
} WqkPage;
extern const Registry WQK_AGAINST, WQK_DELTAS, WQK_PAGES, WQK_TRANSFORMS;

void wqk_frame(const ViewContext *context, Rect area);
void wqk_inspector(const ViewContext *context, Rect area);
uint64_t wqk_scratch_bytes(const Results *run);

/* Write the numbers of the view: the product, the factors and the singular values. Return false if
 * they are not computed yet. */
bool wqk_results(const ViewContext *context, ViewResult result, TextOut *out);

/* Request the view's data, which are those of the first layer only. */
void wqk_request(ResultsRequest *request, const Session *session, const Settings *settings);

#endif
