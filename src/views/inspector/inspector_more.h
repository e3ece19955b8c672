/* inspector_more.h: what the inspector says besides a cell: several tokens together, what a head
 * mostly does; for inspector.c. Each takes its lines off the top of *rest. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_MORE_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_MORE_H

#include "views/view.h"

/* The selected queries' rows, or keys' columns, of the chosen head as their sum or mean. */
void inspector_selection(const ViewContext *context, Rect *rest);

/* What a head does, each figure with its chance level; nothing where the wall is not shown. */
void inspector_roles(const ViewContext *context, Rect *rest, int layer, int head);

/* What the wall shows of a cell, where that is not its weight. */
void inspector_shown(const ViewContext *context, Rect *rest, AttnCell spot);

/* The terms of a sum that weigh most, by their number from 1. */
void inspector_largest_terms(const ViewContext *context, Rect *rest, const float *terms, int count);

#endif
