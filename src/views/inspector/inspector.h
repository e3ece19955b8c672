/* inspector.h: where one number comes from: the focused cell, its score as a sum of products, its
 * weight as a share of the softmax, and its head's statistics. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H

#include "views/view.h"

void inspector_draw(const ViewContext *context, Rect area);

/* Parts for the inspectors of other views: everything about one cell, and the statistics of a head.
 * Each takes its room from the top of *rest. */
void inspector_cell(const ViewContext *context, Rect *rest, AttnCell focus);
void inspector_head(const ViewContext *context, Rect *rest, int head);

#endif
