/* heads.h: every head at once as a wall of heatmaps, and the chosen one as a graph beside it. */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_H

#include "views/view.h"

/* How many tokens are selected, as queries or as keys. */
int heads_selected(const ViewContext *context);

/* What Escape does here: end the selection, or go back from one head to all. False where there is
 * neither. */
bool heads_escape(const ViewContext *context);

/* The gradients, where they are what is shown. */
void heads_request(ResultsRequest *request, const Session *session, const Settings *settings,
                   const ViewMemory *memory);

void heads_frame(const ViewContext *context, Rect area);

#endif
