/* inspector_more.h: the parts of the inspector after the cell: a selection of tokens, a head's
 * patterns; for inspector.c. Each function takes its lines from the top of *rest. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_MORE_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_MORE_H

#include "views/view.h"

/* Show the sum or mean of the selected queries' rows, or keys' columns, of the chosen head. */
void inspector_selection(const ViewContext *context, Rect *rest);

/* Show a head's patterns, each with the value that chance rarely exceeds; nothing if the wall is
 * not shown. */
void inspector_roles(const ViewContext *context, Rect *rest, int layer, int head);

/* If the weights are from a file, show a head's standard deviations next to those that the scheme
 * would give it. */
void inspector_untrained(const ViewContext *context, Rect *rest, int head);

/* Show the value of a cell on the wall, unless the wall shows weights. */
void inspector_shown(const ViewContext *context, Rect *rest, AttnCell cell);

/* List the largest terms of a sum, each with its index from 1. */
void inspector_largest_terms(const ViewContext *context, Rect *rest, const float *terms, int count);

#endif
