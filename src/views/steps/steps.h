/* steps.h: the Steps view: one output number followed back through the layer, X → Q K V → S → A → Z
 * → Y, with a card for each of the six steps: inputs, equation, result. */
#ifndef HEADLIGHT_VIEWS_STEPS_STEPS_H
#define HEADLIGHT_VIEWS_STEPS_STEPS_H

#include "views/view.h"

void steps_frame(const ViewContext *context, Rect area);
bool steps_press(const ViewContext *context, TransportButton button);
bool steps_results(const ViewContext *context, ViewResult result, TextOut *out); /* CSV, JSON */
void steps_release(StepsMemory *memory);

#endif
