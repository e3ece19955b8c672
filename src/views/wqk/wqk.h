/* wqk.h: the W_QK view: why there are two matrices where only their product is ever used. */
#ifndef HEADLIGHT_VIEWS_WQK_WQK_H
#define HEADLIGHT_VIEWS_WQK_WQK_H

#include "views/view.h"

/* What stands at the right of the product and what is below it; rows of the registries in these
 * orders. */
typedef enum WqkAgainst { AGAINST_MERGED, AGAINST_RANK, AGAINST_GAUGE, AGAINST_COUNT } WqkAgainst;
typedef enum WqkPage {
    PAGE_RANK,
    PAGE_COST,
    PAGE_TRAINING,
    PAGE_PARTS,
    PAGE_NESTED,
    PAGE_PLAIN,
    PAGE_GAUGE,
    PAGE_COUNT
} WqkPage;
extern const Registry WQK_AGAINST, WQK_PAGES, WQK_GAUGES;

void wqk_frame(const ViewContext *context, Rect area);
void wqk_inspector(const ViewContext *context, Rect area);
size_t wqk_scratch_bytes(const Results *run);

/* What the view shows of the first layer, which is the one that is explained. */
void wqk_request(ResultsRequest *request, const Session *session, const Settings *settings,
                 const ViewMemory *memory);

#endif
