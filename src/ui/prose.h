/* prose.h: text with mathematical names such as d_model or W_QK, which are drawn as formulas; so is
 * a text of a single letter. Only for the program's own texts: in a user's text or a path an
 * underscore is only an underscore. */
#ifndef HEADLIGHT_UI_PROSE_H
#define HEADLIGHT_UI_PROSE_H

#include "ui/label.h"

/* Return the width in logical pixels. */
float prose_width(const Ui *ui, const LabelStyle *style, const char *text);

/* Draw text like label_draw. The second function draws it like label_wrap. */
float prose_draw(Ui *ui, Rect rect, const LabelStyle *style, const char *text);
float prose_wrap(Ui *ui, Rect rect, const LabelStyle *style, const char *text);

/* Return the number of lines that prose_wrap draws at this width. */
int prose_lines(const Ui *ui, const LabelStyle *style, const char *text, float width);

/* Take a line of this height from the top of *rest and draw text in it. A text that is too long is
 * wrapped and takes more lines. */
void prose_heading(Ui *ui, Rect *rest, const LabelStyle *style, float height, const char *text);

#endif
