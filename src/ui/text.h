/* text.h: draws text in named styles, in a rectangle or in a part cut off it. Texts are the
 * program's own sentences: names such as W_QK or 10^{−6} in them are drawn as formulas (label.h); a
 * text that is a number with a power of ten is drawn as one formula. If a function draws one line
 * in a given width, shorter forms may follow the text, separated by "\n". The first form that fits
 * is drawn, or the last one, made smaller or cut (label.h). */
#ifndef HEADLIGHT_UI_TEXT_H
#define HEADLIGHT_UI_TEXT_H

#include "base/number.h"
#include "ui/label.h"
#include "ui/slider.h"

/* The style of a text: its weight, its size in px and the theme's text colour. Flags, and
 * TEXT_PX(px) for another size, may be added. */
enum {
    TEXT_TITLE,   /* bold 26 */
    TEXT_HEADING, /* bold 20 */
    TEXT_STRONG,  /* bold 18 */
    TEXT_BODY,    /* 18, secondary */
    TEXT_CAPTION, /* 16, secondary */
    TEXT_NOTE,    /* 15, secondary */
    TEXT_NUMBER,  /* mono 18 */
    TEXT_COUNT,   /* mono 15, secondary */
    TEXT_FORMULA, /* a formula in the notation of formula.h, 20 px */
    TEXT_NAME,    /* a formula in the notation of formula.h, 22 px */
    TEXT_STYLES,
    TEXT_RIGHT = 0x100,
    TEXT_CENTRE = 0x200,
    TEXT_PLAIN = 0x400, /* text of the user, or a path: no names in it are drawn as formulas */
    TEXT_BRIGHT = 0x800,
    TEXT_DIM = 0x1000,   /* secondary */
    TEXT_FAINT = 0x2000, /* tertiary */
    TEXT_WARN = 0x4000,
    TEXT_GOOD = 0x8000,
    TEXT_SMALL = 0x10000, /* 3 px smaller */
    TEXT_BOLD = 0x20000,
    TEXT_ON_FILL = 0x40000, /* the colour of text on theme->fill */
};
#define TEXT_PX(px) ((unsigned)(px) << 24)

#define TEXT_GAP 8 /* px between two texts in a line */
#define TEXT_MAX 512

#if defined(__GNUC__)
#define TEXT_FORMAT(at, first) __attribute__((format(printf, at, first)))
#else
#define TEXT_FORMAT(at, first)
#endif

/* Return a style's font, size, colour and alignment. */
LabelStyle text_style(const Ui *ui, unsigned style);

/* Return the height that text_line gives a line. */
float text_height(unsigned style);

/* Return the width of a text; of forms separated by "\n", the width of the first. */
TEXT_FORMAT(3, 4) float text_width(const Ui *ui, unsigned style, const char *format, ...);

/* Draw text in rect, centred vertically. Return the width drawn. */
TEXT_FORMAT(4, 5) float text_in(Ui *ui, Rect rect, unsigned style, const char *format, ...);

/* Draw text whose baseline begins, is centred or ends at a point; never cut. Return its width. */
TEXT_FORMAT(4, 5) float text_at(Ui *ui, Vec2 at, unsigned style, const char *format, ...);

/* Cut one line off the top of *rest and draw text in it. */
TEXT_FORMAT(4, 5) float text_line(Ui *ui, Rect *rest, unsigned style, const char *format, ...);

/* Draw text at the left (or, in the second function, the right) end of *line, and cut it off *line
 * together with TEXT_GAP. */
TEXT_FORMAT(4, 5) void text_left(Ui *ui, Rect *line, unsigned style, const char *format, ...);
TEXT_FORMAT(4, 5) void text_right(Ui *ui, Rect *line, unsigned style, const char *format, ...);

/* Draw text in several lines and cut them off *rest; text_wrap_height only returns their height. */
void text_wrap(Ui *ui, Rect *rest, unsigned style, const char *text);
float text_wrap_height(const Ui *ui, unsigned style, const char *text, float width);

/* Cut a line of this height off *rest and draw text in it. If text wraps, also cut its other lines
 * off *rest. */
void text_heading(Ui *ui, Rect *rest, unsigned style, float height, const char *text);

/* Draw a name at the left and a value (TEXT_NUMBER) at the right of a line. */
TEXT_FORMAT(4, 5) void text_pair(Ui *ui, Rect line, const char *name, const char *format, ...);

/* Cut a line of `height` off *rest and draw a heading in it, with a formula at its right (NULL for
 * none). Return the free space between them. */
Rect text_section(Ui *ui, Rect *rest, float height, const char *name, const char *formula);

/* The arguments of a row with a slider: a letter or a name, its meaning or NULL, the slider, and
 * the value as text. slider_row draws it and returns true if *value changed. */
typedef struct SliderRow {
    const char *name, *meaning, *shown;
    /* Widths that are equal in all rows of a group, so that sliders align. */
    float name_w, meaning_w, shown_w;
    SliderRange range;
} SliderRow;
bool slider_row(Ui *ui, UiId id, Rect line, const SliderRow *row, float *value);

/* A table: a name at the left of each row, and right-aligned texts in the other columns. The first
 * row contains the columns' names; cells[0][0] is not drawn. */
#define TEXT_TABLE_ROWS    8
#define TEXT_TABLE_COLUMNS 6
typedef struct TextTable {
    char cells[TEXT_TABLE_ROWS][TEXT_TABLE_COLUMNS][NUMBER_TEXT];
    int rows, columns, marked; /* marked: index of a column with a raised background, 0 for none */
    bool is_small;
} TextTable;

float text_table_width(const Ui *ui, const TextTable *table);

/* Cut the table off the top of *rest, with lines of this height, and draw it. */
void text_table(Ui *ui, Rect *rest, const TextTable *table, float line_h);

#endif
