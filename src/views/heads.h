/* heads.h: every head at once as a wall of heatmaps, and the chosen one as a graph beside it. */
#ifndef HEADLIGHT_VIEWS_HEADS_H
#define HEADLIGHT_VIEWS_HEADS_H

#include "views/view.h"

void heads_frame(const ViewContext *context, Rect area);

#endif
