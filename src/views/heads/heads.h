/* heads.h: every head as a heatmap on a wall, and the chosen head as a graph next to it. */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_H

#include "views/view.h"

/* Handle Escape: end the selection or, with nothing pinned, return from one head to all. Return
 * false if there was nothing to do. */
bool heads_escape(const ViewContext *context);

/* Request gradients if they are shown, and the other form if it is subtracted. */
void heads_request(ResultsRequest *request, const Session *session, const Settings *settings,
                   const ViewMemory *memory);

void heads_frame(const ViewContext *context, Rect area);

#endif
