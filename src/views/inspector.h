/* inspector.h: where one number comes from: the cell that is looked at, its score as a sum of
 * products, its weight as a share of a softmax, and its head. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_H
#define HEADLIGHT_VIEWS_INSPECTOR_H

#include "views/view.h"

void inspector_draw(const ViewContext *context, Rect area);

#endif
