/* inspector_parts.h: lines that several files of the inspector draw. Each function cuts its room
 * off the top of *rest. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_PARTS_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_PARTS_H

#include "ui/text.h"
#include "views/inspector/inspector.h"

#define INSPECTOR_LINE 30
#define INSPECTOR_BARS 84 /* height of a bar chart */

/* Draw a name at the left and a value at the right of one line. The name is drawn as prose. */
void inspector_pair(const ViewContext *context, Rect *rest, const char *name, const char *value);

/* Draw a section's heading with its formula at the right. */
void inspector_section(const ViewContext *context, Rect *rest, const char *name,
                       const char *formula);

/* Draw signed values as bars, coloured from -most to most; if most is 0, use the largest magnitude.
 * Return the bar under the pointer, or -1. */
int inspector_bars(const ViewContext *context, Rect *rest, const float *values, int count,
                   float most);

/* List the largest terms of a sum, each with its index, which counts from 1. */
void inspector_largest_terms(const ViewContext *context, Rect *rest, const float *terms, int count);

/* Show a note if a token's vector was borrowed from another word, or sampled. */
void inspector_token_note(const ViewContext *context, Rect *rest, int token);

#endif
