/* heads.h: every head as a heatmap, and the chosen head as a graph next to the heatmaps. */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_H

#include "views/view.h"

/* Handle Escape: end the selection or, with nothing pinned, return from one head, or from the map
 * of all layers, to all heads. Return false if there was nothing to do. */
bool heads_escape(const ViewContext *context);

/* Request what the view shows in addition to the layer: gradients, the second form (if its matrices
 * are subtracted from those shown) and, for a checkpoint, the map of all layers, rollout and the
 * next tokens. */
void heads_request(ResultsRequest *request, const Session *session, const Settings *settings);

void heads_frame(const ViewContext *context, Rect area);

#endif
