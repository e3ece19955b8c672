/* sentences.h: the matrices of the chosen head for the text and for a second sentence, side by
 * side, and their difference; also the field in which the user types the second sentence. */
#ifndef HEADLIGHT_VIEWS_HEADS_SENTENCES_H
#define HEADLIGHT_VIEWS_HEADS_SENTENCES_H

#include "views/view.h"

/* True if a second sentence is shown or its field is open. */
bool sentences_are_on(const ViewContext *context);

void sentences_draw(const ViewContext *context, Rect area);

#endif
