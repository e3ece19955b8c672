/* prose.h: words with names of mathematics in them, such as d_model or W_QK, which are set as
 * formulas, and so is a letter that is all there is. For sentences of ours alone: in a person's
 * text or a path an underscore is just that. */
#ifndef HEADLIGHT_UI_PROSE_H
#define HEADLIGHT_UI_PROSE_H

#include "ui/label.h"

/* Width in logical pixels. */
float prose_width(const Ui *ui, const LabelStyle *style, const char *text);

/* As label_draw and label_wrap. */
float prose_draw(Ui *ui, Rect rect, const LabelStyle *style, const char *text);
float prose_wrap(Ui *ui, Rect rect, const LabelStyle *style, const char *text);

/* How many lines prose_wrap takes in that width. */
int prose_lines(const Ui *ui, const LabelStyle *style, const char *text, float width);

/* A line of that height taken off *rest with the text in it; or more of them, where it needs more
 * to be shown whole. */
void prose_heading(Ui *ui, Rect *rest, const LabelStyle *style, float height, const char *text);

#endif
