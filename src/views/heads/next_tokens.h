/* next_tokens.h: under the tokens' column of the arcs: what a checkpoint's model expects after the
 * last token, and what it would expect without edits. */
#ifndef HEADLIGHT_VIEWS_HEADS_NEXT_TOKENS_H
#define HEADLIGHT_VIEWS_HEADS_NEXT_TOKENS_H

#include "views/view.h"

/* Cut the list's room off the bottom of *area and draw it there. Does nothing if the weights are no
 * model with an unembedding, or area is too low for both. */
void next_tokens_draw(const ViewContext *context, Rect *area);

#endif
