/* line_layout.h: places the characters of one line of text in either direction, as runs of one
 * direction in visual order. Lengths are logical pixels from the left end of the line. */
#ifndef HEADLIGHT_UI_LINE_LAYOUT_H
#define HEADLIGHT_UI_LINE_LAYOUT_H

#include "ui/ui.h"

/* most runs; the last one takes all remaining text, from left to right */
#define LINE_RUNS_MAX 256

typedef struct LineRun {
    size_t from, to;
    float x, width;
    bool is_rtl;
} LineRun;

typedef struct LineLayout {
    Ui *ui;
    Font font;
    float size;
    const char *text; /* borrowed */
    size_t bytes;
    LineRun runs[LINE_RUNS_MAX];
    int count;
    float width, end_width; /* width of the line; width of the sign that marks a line end */
    bool is_rtl;            /* true if the line as a whole reads from right to left */
} LineLayout;

void line_layout(LineLayout *l, Ui *ui, Font font, float size, const char *text, size_t bytes);

/* Return the x of a caret at a character boundary. At a change of direction the caret is at the end
 * of the character before it, or, with leads, at the start of the one after it. */
float line_layout_x(const LineLayout *layout, size_t at, bool leads);

/* Return the grapheme boundary nearest to x. *leads: true if the caret belongs to the character
 * after it. */
size_t line_layout_at(const LineLayout *layout, float x, bool *leads);

/* Set *x and *width to the extent of the part of run between two boundaries. Return false if it is
 * empty. */
bool line_layout_part(const LineLayout *layout, const LineRun *run, size_t from, size_t to,
                      float *x, float *width);

/* Draw with the baseline's left end at a point. Line ends are drawn as a sign in the colour
 * `sign`. */
void line_layout_draw(const LineLayout *layout, Vec2 at, Colour colour, Colour sign);

#endif
