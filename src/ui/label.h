/* label.h: draws, measures, wraps and shortens text. In prose, mathematical names such as d_model
 * or W_QK are drawn as formulas; so is prose of a single letter. */
#ifndef HEADLIGHT_UI_LABEL_H
#define HEADLIGHT_UI_LABEL_H

#include "ui/ui.h"

#define LABEL_LINE 1.45f /* line height as a multiple of the letter size */

/* LABEL_PROSE, for prose, is added to an alignment. It is only for the program's own texts: in a
 * user's text or a path an underscore is only an underscore. */
enum { LABEL_LEFT, LABEL_CENTRE, LABEL_RIGHT, LABEL_PROSE = 4 };

typedef struct LabelStyle {
    Font font;
    float size;
    Colour colour;
    int align;
} LabelStyle;

/* Return the width in logical pixels. */
float label_width(const Ui *ui, Font font, float size, const char *text, size_t bytes);
float label_text_width(const Ui *ui, const LabelStyle *style, const char *text);

/* Draw text in rect, centred vertically by its capitals and aligned horizontally. Text that is too
 * wide is drawn slightly smaller or, if that is not enough, cut with an ellipsis. Return the width
 * drawn. */
float label_draw(Ui *ui, Rect rect, const LabelStyle *style, const char *text);
float label_draw_bytes(Ui *ui, Rect rect, const LabelStyle *usual, const char *text, size_t bytes);

/* Return a slightly smaller letter size, so that text that needs `wanted` at `size` fits into
 * width: a reader prefers small text to cut text. Return size if that is not enough. */
float label_shrunk(float size, float wanted, float width);

/* Return text that fits into width at the size of the style: text itself, or a copy in `room`, cut
 * with an ellipsis. *bytes: the length of text on entry, and of the result on return; 0 if nothing
 * fits. */
#define LABEL_CUT_MAX 512
const char *label_fit(const Ui *ui, char room[LABEL_CUT_MAX], const LabelStyle *style,
                      const char *text, size_t *bytes, float width);

/* Draw text that begins, is centred or ends (style->align) at a point of its baseline; never cut.
 * Return its width. */
float label_at(Ui *ui, Vec2 at, const LabelStyle *style, const char *text);

/* Draw text from a point, on a baseline that is rotated about the point. */
void label_turned(Ui *ui, Vec2 at, float angle_rad, const LabelStyle *style, const char *text);

/* Draw text in several lines from the top of rect, broken at blanks, or inside a word wider than a
 * line. Return the height used. Right-to-left text is aligned to the right instead of the left. */
float label_wrap(Ui *ui, Rect rect, const LabelStyle *usual, const char *text);

/* Return the number of lines that label_wrap would draw at this width. */
int label_lines(const Ui *ui, const LabelStyle *style, const char *text, float width);

/* Make the letters smaller, down to 6 px, until text fits this width and height. Return the height
 * that label_wrap would use. */
float label_shrink(const Ui *ui, LabelStyle *style, const char *text, float width, float height);

#endif
