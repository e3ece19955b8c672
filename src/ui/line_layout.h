/* line_layout.h: where the characters of one line of text stand, in either direction: the runs of
 * one direction, in the order they are seen. Lengths are logical pixels from the line's left end.
 */
#ifndef HEADLIGHT_UI_LINE_LAYOUT_H
#define HEADLIGHT_UI_LINE_LAYOUT_H

#include "ui/ui.h"

#define LINE_RUNS_MAX 256 /* what is more is one run, from left to right */

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
    float width, end_width; /* of the line, and of a line end's sign in it */
    bool is_rtl;            /* the line as a whole */
} LineLayout;

void line_layout(LineLayout *l, Ui *ui, Font font, float size, const char *text, size_t bytes);

/* Of a caret at a character border. Where the direction changes it stands at the end of the
 * character before, or with leads at the start of the one behind. */
float line_layout_x(const LineLayout *layout, size_t at, bool leads);

/* The nearest grapheme border to x, and to which side it belongs. */
size_t line_layout_at(const LineLayout *layout, float x, bool *leads);

/* What of run lies between two borders; false where nothing does. */
bool line_layout_part(const LineLayout *layout, const LineRun *run, size_t from, size_t to,
                      float *x, float *width);

/* Draw with the baseline's left end at a point, line ends as a sign in a colour of its own. */
void line_layout_draw(const LineLayout *layout, Vec2 at, Colour colour, Colour sign);

#endif
