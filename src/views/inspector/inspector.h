/* inspector.h: where one number comes from: the focused cell, its score as a sum of products, its
 * weight as a share of the softmax, and its head's statistics. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H

#include "views/view.h"

void inspector_draw(const ViewContext *context, Rect area);

/* Two parts that other views' inspectors also use: everything about one cell, and a head's
 * statistics. Each takes its room from the top of *rest. */
void inspector_cell(const ViewContext *context, Rect *rest, AttnCell focus);
void inspector_head(const ViewContext *context, Rect *rest, int head);

#endif
