/* steps.h: the Steps view: one number of the output followed back through the layer, X → Q K V → S
 * → A → Z → Y. Each of the six steps has a card with its inputs, equation and result. */
#ifndef HEADLIGHT_VIEWS_STEPS_STEPS_H
#define HEADLIGHT_VIEWS_STEPS_STEPS_H

#include "views/view.h"

void steps_frame(const ViewContext *context, Rect area);
bool steps_press(const ViewContext *context, TransportButton button);
bool steps_results(const ViewContext *context, ViewResult result,
                   TextOut *out); /* writes CSV or JSON */
void steps_release(StepsMemory *memory);

#endif
