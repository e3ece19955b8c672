/* inspector.h: where one number comes from: the cell that is looked at, its score as a sum of
 * products, its weight as a share of a softmax, and its head. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H

#include "views/view.h"

void inspector_draw(const ViewContext *context, Rect area);

/* Its parts, for the inspectors of other views; each takes its room from the top of *rest: all
 * about one cell, and the numbers of a head. */
void inspector_cell(const ViewContext *context, Rect *rest, AttnCell focus);
void inspector_head(const ViewContext *context, Rect *rest, int head);

#endif
