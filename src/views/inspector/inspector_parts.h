/* inspector_parts.h: the lines of the inspector. Each function takes its room from the top of
 * *rest. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_PARTS_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_PARTS_H

#include "ui/text.h"
#include "views/view.h"

#define INSPECTOR_LINE 30

/* Draw a name at the left and a value at the right of one line; the name is prose. */
void inspector_pair(const ViewContext *context, Rect *rest, const char *name, const char *value);

/* Draw a section's heading with its formula at the right. */
void inspector_section(const ViewContext *context, Rect *rest, const char *name,
                       const char *formula);

/* Draw the dot of a head at the left of a line. Return the rest of the line. */
Rect inspector_head_line(const ViewContext *context, Rect *rest, int head);

/* Draw a token's name in a style of ui/text.h, with a tooltip if it is cut. Return its width. */
float inspector_token(const ViewContext *context, Rect rect, unsigned style, int token);

/* Draw a number's name, formula and value; in two lines if one is too short. */
void inspector_equation(const ViewContext *context, Rect *rest, const char *name, const char *text);

/* Draw signed values as bars from -most to most. Return the bar under the pointer, or -1. */
int inspector_bars(const ViewContext *context, Rect *rest, const float *values, int count,
                   float most);

/* Return the largest finite magnitude. */
float inspector_largest(const float *values, int count);

/* Show a note if a token's vector was borrowed from another word or sampled. */
void inspector_token_note(const ViewContext *context, Rect *rest, int token);

#endif
