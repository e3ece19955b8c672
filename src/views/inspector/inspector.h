/* inspector.h: where one number comes from: the focused cell, its score as a sum of products, its
 * weight as a share of the softmax, its inputs, and its head's statistics. Functions with a *rest
 * take their room from its top. */
#ifndef HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H
#define HEADLIGHT_VIEWS_INSPECTOR_INSPECTOR_H

#include "views/view.h"

void inspector_draw(const ViewContext *context, Rect area);

/* Parts that other views' inspectors also use: everything about one cell, and a head's
 * statistics. */
void inspector_cell(const ViewContext *context, Rect *rest, AttnCell focus);
void inspector_head(const ViewContext *context, Rect *rest, int head);

/* Draw the dot of a head at the left of a line. Return the rest of the line. */
Rect inspector_head_line(const ViewContext *context, Rect *rest, int head);

/* Draw a token's name in a style of ui/text.h, with a tooltip if it is cut. Return its width. */
float inspector_token(const ViewContext *context, Rect rect, unsigned style, int token);

/* Write the formula of a score; name is its left side. x is a row of the layer's input: of X, or x'
 * if the input is normalised or extended by the constant 1. */
void inspector_score_formula(char *out, size_t capacity, const Session *session,
                             const CellStory *story, const char *name);

/* The inputs of a cell's weight, each a chip that leads to it. Vectors are shown in the inspector
 * itself, back to the word vector and its position; matrices in their own views. Draw the chips, if
 * there is room. */
void provenance_chips(const ViewContext *context, Rect *rest, AttnCell cell);

/* Show the chosen vector of the cell and the way back. Return false if none is chosen. */
bool provenance_piece(const ViewContext *context, Rect *rest, AttnCell cell);

/* Return to the first number. Return false if it is already shown. */
bool provenance_end(const ViewContext *context);

#endif
