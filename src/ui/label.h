/* label.h: one line of words or numbers, placed, measured and shortened. */
#ifndef HEADLIGHT_UI_LABEL_H
#define HEADLIGHT_UI_LABEL_H

#include "ui/ui.h"

#define LABEL_LINE 1.45f /* line height over size */

typedef enum LabelAlign { LABEL_LEFT, LABEL_CENTRE, LABEL_RIGHT } LabelAlign;

typedef struct LabelStyle {
    Font font;
    float size;
    Colour colour;
    LabelAlign align;
} LabelStyle;

/* Width in logical pixels. */
float label_width(const Ui *ui, Font font, float size, const char *text, size_t bytes);

/* Draw text centred on the middle of rect's height by its capitals, aligned in its width; where it
 * is too wide a little smaller, and where that is not enough cut with an ellipsis. Returns the
 * width drawn. */
float label_draw(Ui *ui, Rect rect, const LabelStyle *style, const char *text);
float label_draw_bytes(Ui *ui, Rect rect, const LabelStyle *usual, const char *text, size_t bytes);

/* The size at which what is `wanted` wide at a size fits width: a little smaller, since a word that
 * is cut says less than a small one; the size itself where that is not enough. */
float label_shrunk(float size, float wanted, float width);

/* The text as it is shown in that width at its size: itself, or cut into room with an ellipsis.
 * *bytes goes in as the text's length and comes out as the result's; 0 where nothing fits. */
#define LABEL_CUT_MAX 512
const char *label_fit(const Ui *ui, char room[LABEL_CUT_MAX], const LabelStyle *style,
                      const char *text, size_t *bytes, float width);

/* Draw text with its baseline's left end at a point; never cut. Returns its width. */
float label_at(Ui *ui, Vec2 at, const LabelStyle *style, const char *text);

/* Sentences in several lines, broken at blanks and, where a word is wider than a line, within it,
 * from rect's top; returns the height used. What reads from right to left keeps right, not left. */
float label_wrap(Ui *ui, Rect rect, const LabelStyle *usual, const char *text);

/* How many lines label_wrap would draw in that width. */
int label_lines(const Ui *ui, const LabelStyle *style, const char *text, float width);

/* The bytes of text's first line of that width, of words as wide as measure says: as many words as
 * fit, or of one that does not what does, one character at least. */
typedef float LabelMeasure(const Ui *ui, const LabelStyle *style, const char *text, size_t bytes);
size_t label_line_bytes(const Ui *ui, const LabelStyle *style, LabelMeasure *measure,
                        const char *text, float width);

#endif
