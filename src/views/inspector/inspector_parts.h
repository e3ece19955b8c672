/* inspector_parts.h: how the inspector's lines look; for the files of the inspector. Each takes its
 * room off the top of *rest. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_PARTS_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_PARTS_H

#include "ui/label.h"
#include "views/view.h"

#define INSPECTOR_BODY  18
#define INSPECTOR_SMALL 15
#define INSPECTOR_LINE  30

LabelStyle inspector_words(const ViewContext *context);
LabelStyle inspector_numbers(const ViewContext *context);

/* A name at the left and a value at the right of one line; the name is prose. */
void inspector_pair(const ViewContext *context, Rect *rest, const char *name, const char *value);

/* The heading of a section, with its formula at the right. */
void inspector_section(const ViewContext *context, Rect *rest, const char *name,
                       const char *formula);

/* Draw a token's name as label_draw does, with a tooltip where it is cut; returns its width. */
float inspector_token(const ViewContext *context, Rect rect, const LabelStyle *style, int token);

/* With three decimals, or from 1,000 up none. */
void inspector_number(char *out, size_t capacity, double value);

/* The name of a number, a formula, and what it is computed as; in two lines where one is too short.
 */
void inspector_equation(const ViewContext *context, Rect *rest, const char *name, const char *text);

/* Signed values as bars from -most to most. Returns the one under the pointer, or -1. */
int inspector_bars(const ViewContext *context, Rect *rest, const float *values, int count,
                   float most);

/* The largest magnitude of those that are finite. */
float inspector_largest(const float *values, int count);

/* Where a token's vector was borrowed or drawn, say so. */
void inspector_token_note(const ViewContext *context, Rect *rest, int token);

#endif
