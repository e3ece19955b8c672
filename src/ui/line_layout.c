#include "ui/line_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/bidi.h"
#include "ui/label.h"
#include "ui/line_text.h"

#define LEVELS_MAX 8192
#define END_SIGN   "↵"
/* Most bytes of a right-to-left run, because each run is drawn in one piece. */
#define RTL_MAX 256

static size_t next_end(const LineLayout *l, size_t from, size_t to) {
    const char *end = memchr(l->text + from, '\n', to - from);
    return end != NULL ? (size_t)(end - l->text) : to;
}

/* Return the width of a piece, in which line ends are drawn as visible signs. */
static float width_of(const LineLayout *l, size_t from, size_t to) {
    float width = 0;
    for (size_t at = from; at < to; at++) {
        size_t end = next_end(l, at, to);
        width += (end > at ? label_width(l->ui, l->font, l->size, l->text + at, end - at) : 0) +
                 (end < to ? l->end_width : 0);
        at = end;
    }
    return width;
}

/* Return the end of the first part of a right-to-left run that is too long: after a blank if
 * possible. */
static size_t cut_of(const LineLayout *l, size_t from, size_t to) {
    if (to - from <= RTL_MAX)
        return to;
    for (size_t at = from + RTL_MAX; at > from + RTL_MAX / 2; at--)
        if (l->text[at - 1] == ' ')
            return at;
    return line_text_floor(l->text, to, from + RTL_MAX);
}

/* Find the runs in logical order, and their bidi levels. */
static void find_runs(LineLayout *l, uint8_t runs[LINE_RUNS_MAX], const uint8_t *levels) {
    for (size_t from = 0, to; from < l->bytes; from = to) {
        uint8_t level = levels[from];
        for (to = from; to < l->bytes && levels[to] == level;)
            to = utf8_next(l->text, l->bytes, to);
        bool is_last = l->count == LINE_RUNS_MAX - 1, is_rtl = level % 2 == 1 && !is_last;
        to = is_last ? l->bytes : is_rtl ? cut_of(l, from, to) : to;
        runs[l->count] = is_last ? 0 : level;
        l->runs[l->count++] =
            (LineRun){.from = from, .to = to, .width = width_of(l, from, to), .is_rtl = is_rtl};
    }
}

static void place_runs(LineLayout *l, const uint8_t levels[LINE_RUNS_MAX]) {
    LineRun written[LINE_RUNS_MAX];
    int order[LINE_RUNS_MAX];
    bidi_order(order, levels, l->count);
    for (int i = 0; i < l->count; i++)
        written[i] = l->runs[i];
    for (int i = 0; i < l->count; i++) {
        l->runs[i] = written[order[i]];
        l->runs[i].x = l->width;
        l->width += l->runs[i].width;
    }
}

void line_layout(LineLayout *l, Ui *ui, Font font, float size, const char *text, size_t bytes) {
    l->ui = ui;
    l->font = font;
    l->size = size;
    l->text = text;
    l->bytes = bytes;
    l->count = 0;
    l->width = 0;
    l->is_rtl = false;
    l->end_width = label_width(ui, font, size, END_SIGN, strlen(END_SIGN));
    if (bytes == 0)
        return;
    if (bytes > LEVELS_MAX || !bidi_is_needed(text, bytes)) {
        l->width = width_of(l, 0, bytes);
        l->runs[l->count++] = (LineRun){.to = bytes, .width = l->width};
        return;
    }
    uint8_t levels[LEVELS_MAX], run_levels[LINE_RUNS_MAX];
    l->is_rtl = bidi_levels(levels, text, bytes, TEXT_AUTO);
    find_runs(l, run_levels, levels);
    place_runs(l, run_levels);
}

/* Return the x of a boundary inside a run, measured from the line's left end. */
static float x_in(const LineLayout *l, const LineRun *run, size_t at) {
    float advance = fminf(width_of(l, run->from, at), run->width);
    return run->is_rtl ? run->x + run->width - advance : run->x + advance;
}

float line_layout_x(const LineLayout *l, size_t at, bool leads) {
    leads = (leads || at == 0) && at < l->bytes;
    for (int i = 0; i < l->count; i++) {
        const LineRun *run = &l->runs[i];
        if (leads ? at >= run->from && at < run->to : at > run->from && at <= run->to)
            return x_in(l, run, at);
    }
    return 0;
}

/* Return the boundary in a run nearest to x, by bisection. */
static size_t at_in(const LineLayout *l, const LineRun *run, float x) {
    size_t low = run->from, high = run->to;
    while (low < high) {
        size_t middle = utf8_floor(l->text, high, low + (high - low) / 2);
        size_t next = line_text_next(l->text, run->to, middle);
        float centre = (x_in(l, run, middle) + x_in(l, run, next)) / 2;
        if (run->is_rtl ? centre > x : centre < x)
            low = next;
        else if (middle < high)
            high = middle;
        else
            break;
    }
    return line_text_floor(l->text, run->to, low);
}

size_t line_layout_at(const LineLayout *l, float x, bool *leads) {
    *leads = false;
    if (l->count == 0)
        return 0;
    int i = 0;
    while (i + 1 < l->count && l->runs[i].x + l->runs[i].width <= x)
        i++;
    size_t at = at_in(l, &l->runs[i], x);
    *leads = at == l->runs[i].from && at > 0;
    return at;
}

bool line_layout_part(const LineLayout *l, const LineRun *run, size_t from, size_t to, float *x,
                      float *width) {
    from = from < run->from ? run->from : from;
    to = to > run->to ? run->to : to;
    if (from >= to)
        return false;
    float a = x_in(l, run, from), b = x_in(l, run, to);
    *x = fminf(a, b);
    *width = fabsf(a - b);
    return true;
}

/* Draw a piece of a run, or the sign of a line end. advance is the distance of its start from the
 * run's start. Return the distance of its end. */
static float draw_piece(const LineLayout *l, const LineRun *run, Vec2 at, float advance,
                        const char *piece, size_t bytes, Colour colour) {
    float width = label_width(l->ui, l->font, l->size, piece, bytes);
    float x = run->is_rtl ? run->x + run->width - advance - width : run->x + advance;
    DrawText text = {.at = {at.x + x, at.y},
                     .size = l->size,
                     .font = l->font,
                     .direction = run->is_rtl ? TEXT_RTL : TEXT_LTR,
                     .colour = colour};
    draw_text_run(l->ui->list, &text, piece, bytes);
    return advance + width;
}

void line_layout_draw(const LineLayout *l, Vec2 at, Colour colour, Colour sign) {
    for (int i = 0; i < l->count; i++) {
        const LineRun *run = &l->runs[i];
        float advance = 0;
        for (size_t from = run->from, end; from < run->to; from = end + 1) {
            end = next_end(l, from, run->to);
            if (end > from)
                advance = draw_piece(l, run, at, advance, l->text + from, end - from, colour);
            if (end < run->to)
                advance = draw_piece(l, run, at, advance, END_SIGN, strlen(END_SIGN), sign);
        }
    }
}
