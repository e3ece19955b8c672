/* next_tokens.h: a list below the graph of a head: the words that a checkpoint's model expects
 * after the last token, and those that it would expect without numbers set by hand. */
#ifndef HEADLIGHT_VIEWS_HEADS_NEXT_TOKENS_H
#define HEADLIGHT_VIEWS_HEADS_NEXT_TOKENS_H

#include "views/view.h"

/* Cut the list's room off the bottom of *area and draw it there. Does nothing if the weights are
 * not a model with an unembedding, or if area is too low for the list and the arcs. */
void next_tokens_draw(const ViewContext *context, Rect *area);

#endif
