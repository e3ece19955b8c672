#include "ui/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ui/formula.h"

#define SMALLER      3
#define FORMULA_MORE 2 /* px added to the size of a formula, because STIX has small letters */

typedef enum Ink { INK_BRIGHT, INK_DIM } Ink;

static const struct {
    Font font;
    float size, line;
    Ink ink;
    bool is_formula;
} STYLES[TEXT_STYLES] = {
    [TEXT_TITLE] = {FONT_SANS_BOLD, 26, 40, INK_BRIGHT, false},
    [TEXT_HEADING] = {FONT_SANS_BOLD, 20, 30, INK_BRIGHT, false},
    [TEXT_STRONG] = {FONT_SANS_BOLD, 18, 30, INK_BRIGHT, false},
    [TEXT_BODY] = {FONT_SANS, 18, 28, INK_DIM, false},
    [TEXT_CAPTION] = {FONT_SANS, 16, 24, INK_DIM, false},
    [TEXT_NOTE] = {FONT_SANS, 15, 22, INK_DIM, false},
    [TEXT_NUMBER] = {FONT_MONO, 18, 28, INK_BRIGHT, false},
    [TEXT_COUNT] = {FONT_MONO, 15, 22, INK_DIM, false},
    [TEXT_FORMULA] = {FONT_MATH, 20, 30, INK_BRIGHT, true},
    [TEXT_NAME] = {FONT_MATH, 22, 30, INK_BRIGHT, true},
};

static unsigned row_of(unsigned style) {
    return style & 0xFF;
}

LabelStyle text_style(const Ui *ui, unsigned style) {
    const Theme *t = ui->theme;
    Colour usual = STYLES[row_of(style)].ink == INK_BRIGHT ? t->text_1 : t->text_2;
    Font font = STYLES[row_of(style)].font;
    float size = style >> 24 > 0 ? (float)(style >> 24) : STYLES[row_of(style)].size;
    if (style & TEXT_BOLD)
        font = font == FONT_MONO ? FONT_MONO_BOLD : FONT_SANS_BOLD;
    return (LabelStyle){.font = font,
                        .size = size - (style & TEXT_SMALL ? SMALLER : 0),
                        .colour = style & TEXT_BRIGHT    ? t->text_1
                                  : style & TEXT_DIM     ? t->text_2
                                  : style & TEXT_FAINT   ? t->text_3
                                  : style & TEXT_WARN    ? t->warn
                                  : style & TEXT_GOOD    ? t->ok
                                  : style & TEXT_ON_FILL ? t->text_on_fill
                                                         : usual,
                        .align = style & TEXT_RIGHT    ? LABEL_RIGHT
                                 : style & TEXT_CENTRE ? LABEL_CENTRE
                                                       : LABEL_LEFT};
}

float text_height(unsigned style) {
    return STYLES[row_of(style)].line - (style & TEXT_SMALL ? SMALLER : 0);
}

static bool is_number(unsigned style) {
    return row_of(style) == TEXT_NUMBER || row_of(style) == TEXT_COUNT;
}

static bool is_formula(unsigned style, const char *text) {
    return STYLES[row_of(style)].is_formula || (is_number(style) && strchr(text, '^') != NULL);
}

static FormulaStyle formula_style(const LabelStyle *style) {
    float more = style->font == FONT_MATH ? 0 : FORMULA_MORE;
    return (FormulaStyle){
        .size = style->size + more, .colour = style->colour, .align = style->align % LABEL_PROSE};
}

static LabelStyle label_of(const Ui *ui, unsigned style) {
    LabelStyle label = text_style(ui, style);
    label.align += is_number(style) || style & TEXT_PLAIN ? 0 : LABEL_PROSE;
    return label;
}

static float width_of(const Ui *ui, unsigned style, const char *text) {
    LabelStyle label = label_of(ui, style);
    return is_formula(style, text) ? formula_width(ui, formula_style(&label).size, text)
                                   : label_text_width(ui, &label, text);
}

/* Return the first form in text that fits into width, else the last one. Splits text in place. */
static const char *form_that_fits(const Ui *ui, unsigned style, char *text, float width) {
    for (char *next; (next = strchr(text, '\n')) != NULL; text = next + 1) {
        *next = '\0';
        if (width_of(ui, style, text) <= width)
            break;
    }
    return text;
}

static float draw(Ui *ui, Rect rect, unsigned style, char *forms) {
    LabelStyle label = label_of(ui, style);
    const char *text = form_that_fits(ui, style, forms, rect.w);
    FormulaStyle formula = formula_style(&label);
    return is_formula(style, text) ? formula_label(ui, rect, &formula, text)
                                   : label_draw(ui, rect, &label, text);
}

#define FORMAT(text, format)                                                                       \
    char text[TEXT_MAX];                                                                           \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    vsnprintf(text, sizeof(text), format, list);                                                   \
    va_end(list)

float text_width(const Ui *ui, unsigned style, const char *format, ...) {
    FORMAT(text, format);
    text[strcspn(text, "\n")] = '\0';
    return width_of(ui, style, text);
}

float text_in(Ui *ui, Rect rect, unsigned style, const char *format, ...) {
    FORMAT(text, format);
    return draw(ui, rect, style, text);
}

float text_at(Ui *ui, Vec2 at, unsigned style, const char *format, ...) {
    FORMAT(text, format);
    LabelStyle label = text_style(ui, style);
    return label_at(ui, at, &label, text);
}

float text_line(Ui *ui, Rect *rest, unsigned style, const char *format, ...) {
    FORMAT(text, format);
    return draw(ui, rect_cut_top(rest, text_height(style)), style, text);
}

void text_left(Ui *ui, Rect *line, unsigned style, const char *format, ...) {
    FORMAT(text, format);
    rect_cut_left(line, draw(ui, *line, style, text) + TEXT_GAP);
}

void text_right(Ui *ui, Rect *line, unsigned style, const char *format, ...) {
    FORMAT(text, format);
    rect_cut_right(line, draw(ui, *line, style | TEXT_RIGHT, text) + TEXT_GAP);
}

void text_wrap(Ui *ui, Rect *rest, unsigned style, const char *text) {
    LabelStyle label = label_of(ui, style);
    rect_cut_top(rest, label_wrap(ui, *rest, &label, text));
}

float text_wrap_height(const Ui *ui, unsigned style, const char *text, float width) {
    LabelStyle label = label_of(ui, style);
    return (float)label_lines(ui, &label, text, width) * label.size * LABEL_LINE;
}

void text_heading(Ui *ui, Rect *rest, unsigned style, float height, const char *text) {
    LabelStyle label = label_of(ui, style);
    float wanted = label_text_width(ui, &label, text);
    bool fits = wanted <= rest->w || label_shrunk(label.size, wanted, rest->w) < label.size;
    int more = fits ? 0 : label_lines(ui, &label, text, rest->w) - 1;
    Rect lines = rect_cut_top(rest, height + (float)more * label.size * LABEL_LINE);
    if (fits) {
        label_draw(ui, lines, &label, text);
        return;
    }
    lines.y += (height - label.size * LABEL_LINE) / 2;
    label_wrap(ui, lines, &label, text);
}

void text_pair(Ui *ui, Rect line, const char *name, const char *format, ...) {
    FORMAT(text, format);
    line.w -= draw(ui, line, TEXT_NUMBER | TEXT_RIGHT, text) + TEXT_GAP;
    text_in(ui, line, TEXT_BODY, "%s", name);
}

Rect text_section(Ui *ui, Rect *rest, float height, const char *name, const char *formula) {
    Rect line = rect_cut_top(rest, height);
    text_left(ui, &line, TEXT_HEADING, "%s", name);
    rect_cut_left(&line, TEXT_GAP);
    if (formula != NULL)
        text_right(ui, &line, TEXT_FORMULA | TEXT_DIM, "%s", formula);
    return line;
}

bool slider_row(Ui *ui, UiId id, Rect line, const SliderRow *row, float *value) {
    text_in(ui, rect_cut_left(&line, row->name_w), TEXT_NAME, "%s", row->name);
    if (row->meaning != NULL)
        text_in(ui, rect_cut_left(&line, row->meaning_w), TEXT_BODY, "%s", row->meaning);
    text_in(ui, rect_cut_right(&line, row->shown_w), TEXT_NUMBER | TEXT_RIGHT, "%s", row->shown);
    return slider(ui, id, line, &row->range, value);
}

#define COLUMN_GAP   20
#define COLUMN_SPARE 40 /* px by which a column may be wider than it needs */

typedef struct TableSize {
    float names_w, column_w;
} TableSize;

static unsigned cell_style(const TextTable *t, int row, int column) {
    unsigned size = t->is_small ? TEXT_SMALL : 0;
    return column == 0 ? TEXT_BODY | size
                       : (row == 0 ? TEXT_BODY : TEXT_NUMBER) | TEXT_RIGHT | size;
}

static TableSize table_size(const Ui *ui, const TextTable *t) {
    TableSize size = {0};
    for (int r = 0; r < t->rows; r++)
        for (int c = 0; c < t->columns; c++) {
            float *most = c == 0 ? &size.names_w : &size.column_w;
            *most = fmaxf(*most, text_width(ui, cell_style(t, r, c), "%s", t->cells[r][c]));
        }
    size.names_w += TEXT_GAP;
    size.column_w += COLUMN_GAP;
    return size;
}

float text_table_width(const Ui *ui, const TextTable *t) {
    TableSize size = table_size(ui, t);
    return size.names_w + (float)(t->columns - 1) * size.column_w;
}

void text_table(Ui *ui, Rect *rest, const TextTable *t, float line_h) {
    TableSize size = table_size(ui, t);
    Rect table = rect_cut_top(rest, (float)t->rows * line_h);
    float each =
        fminf((table.w - size.names_w) / (float)(t->columns - 1), size.column_w + COLUMN_SPARE);
    float marked_x = table.x + size.names_w + each * (float)(t->marked - 1);
    if (t->marked > 0 && t->marked < t->columns)
        draw_fill(ui->list, (Rect){marked_x + 6, table.y, each + 4, table.h}, 6, ui->theme->raised);
    for (int r = 0; r < t->rows; r++) {
        Rect line = rect_cut_top(&table, line_h);
        for (int c = 0; c < t->columns; c++)
            text_in(ui, rect_cut_left(&line, c == 0 ? size.names_w : each), cell_style(t, r, c),
                    "%s", t->cells[r][c]);
    }
}
