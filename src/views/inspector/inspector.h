/* inspector.h: explains where one number comes from: the focused cell, its score as a sum of
 * products, its weight as a share of the softmax, its inputs, and its head's statistics. A function
 * with the parameter `rest` cuts the room that it uses off the top of *rest. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H

#include "ui/text.h"
#include "views/view.h"

void inspector_draw(const ViewContext *context, Rect area);

/* Draw everything about one cell. inspector_head draws a head's statistics. The inspectors of other
 * views use both. */
void inspector_cell(const ViewContext *context, Rect *rest, AttnCell focus);
void inspector_head(const ViewContext *context, Rect *rest, int head);

/* Take a line of text from the top of *rest and draw the head's coloured dot at its left. Return
 * the part right of the dot. */
Rect inspector_head_line(const ViewContext *context, Rect *rest, int head);

/* Draw a token's name in a style of ui/text.h, with a tooltip if the name is cut. Return its
 * width. */
float inspector_token(const ViewContext *context, Rect rect, unsigned style, int token);

/* Write the formula of a score; name is its left side. In a form with W_QK, the formula names a row
 * of X: x, or x' if the layer normalises the row or extends it by the constant 1. */
void inspector_score_formula(char *out, size_t capacity, const Session *session,
                             const CellStory *story, const char *name);

/* Draw buttons (chips) for the inputs of a cell's weight, if there is room. A click shows the
 * input: a vector in the inspector itself, a matrix in its own view. */
void provenance_chips(const ViewContext *context, Rect *rest, AttnCell cell);

/* If the user has chosen a vector of this cell, show it, with a button that leads back to the cell.
 * Return false if none is chosen. */
bool provenance_piece(const ViewContext *context, Rect *rest, AttnCell cell);

/* Show the cell again instead of one of its vectors. Return false if it is already shown. */
bool provenance_end(const ViewContext *context);

/* Lines and sections that all files of this folder draw. */

#define INSPECTOR_LINE 30
#define INSPECTOR_BARS 84 /* px: height of a bar chart */

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
