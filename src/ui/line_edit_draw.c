/* The line of a text field on screen: its characters in either direction, placed as runs of one
 * direction in visual order; the caret, the selection, the composition and the mouse. Lengths in a
 * line are logical pixels from its left end. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/bidi.h"
#include "ui/label.h"
#include "ui/line_edit.h"
#include "ui/line_text.h"

#define SHOWN_MAX 4096 /* maximum bytes of a long text that are laid out around the caret */
/* Minimum number of bytes that are laid out on each side of the caret, unless the text ends there;
 * wider than any field. */
#define SHOWN_MARGIN 1024
/* The caret blinks: it is visible for this number of seconds, then hidden for the same time. */
#define BLINK_S 0.53
/* Seconds after which the caret stops blinking, so that an idle window draws nothing. */
#define BLINK_STOP_S 10.0
#define DRAG_S       0.03 /* seconds between two scroll steps while a drag is outside the field */
#define EDGE         8    /* px of space after the caret */
#define END_SIGN     "↵"
/* Most bytes of a right-to-left run; a longer one is cut. gfx/text.h lays out at most
 * ITEMIZE_CLUSTERS of a text at a time, so a longer run would be out of order. */
#define RTL_MAX 256
/* maximum number of runs; the last one takes all remaining text, from left to right */
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

static void line_layout(LineLayout *l, Ui *ui, Font font, float size, const char *text,
                        size_t bytes) {
    *l = (LineLayout){.ui = ui, .font = font, .size = size, .text = text, .bytes = bytes};
    l->end_width = label_width(ui, font, size, END_SIGN, strlen(END_SIGN));
    if (bytes > 0 && !bidi_is_needed(text, bytes)) {
        l->width = width_of(l, 0, bytes);
        l->runs[l->count++] = (LineRun){.to = bytes, .width = l->width};
    }
    if (bytes == 0 || l->count > 0)
        return;
    uint8_t levels[SHOWN_MAX + LINE_COMPOSING_MAX], run_levels[LINE_RUNS_MAX];
    l->is_rtl = bidi_levels(levels, text, bytes, TEXT_AUTO);
    find_runs(l, run_levels, levels);
    place_runs(l, run_levels);
}

static float x_in(const LineLayout *l, const LineRun *run, size_t at) {
    float advance = fminf(width_of(l, run->from, at), run->width);
    return run->is_rtl ? run->x + run->width - advance : run->x + advance;
}

/* Return the x of a caret at a character boundary: the end of the character before the caret or, if
 * leads, the start of the character after it. They differ at a change of direction. */
static float layout_x(const LineLayout *l, size_t at, bool leads) {
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

/* Return the grapheme boundary nearest to x. *leads: true if the caret belongs to the character
 * after it. */
static size_t layout_at(const LineLayout *l, float x, bool *leads) {
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

/* Set *x and *width to the extent of run between two boundaries. Return false if that is empty. */
static bool layout_part(const LineLayout *l, const LineRun *run, size_t from, size_t to, float *x,
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

/* Draw a piece of a run, or the sign of a line end. advance is the distance from the run's start to
 * the start of the piece. Return the distance to the end of the piece. */
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

static void layout_draw(const LineLayout *l, Vec2 at, Colour colour, Colour sign) {
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

/* The part of the text that is laid out: all of a short text, else the part around the caret, with
 * the composition inserted at the caret. */
typedef struct LinePlace {
    Ui *ui;
    Rect rect;
    const char *text;
    size_t size, from, to;
    size_t low, high; /* the part of the selection that is laid out */
    size_t pending;   /* bytes of the composition */
    LineLayout line;
    char room[SHOWN_MAX + LINE_COMPOSING_MAX];
} LinePlace;

/* Choose from and to, the ends of the part of the text that is laid out. They stay the same until
 * the caret comes close to one of them. */
static void place_shown(LinePlace *p, const LineEdit *e) {
    size_t from = e->shown_from, last = p->size > SHOWN_MAX ? p->size - SHOWN_MAX : 0;
    bool before = from > 0 && e->caret < from + SHOWN_MARGIN;
    bool behind = from < last && e->caret + SHOWN_MARGIN > from + SHOWN_MAX;
    if (before || behind)
        from = e->caret > SHOWN_MAX / 2 ? e->caret - SHOWN_MAX / 2 : 0;
    from = from < last ? from : last;
    p->from = utf8_floor(p->text, p->size, from);
    if (p->from < from)
        p->from = utf8_next(p->text, p->size, p->from);
    p->to = utf8_floor(p->text, p->size, from + SHOWN_MAX < p->size ? from + SHOWN_MAX : p->size);
}

static size_t within(const LinePlace *p, size_t at) {
    return at < p->from ? p->from : at > p->to ? p->to : at;
}

/* Lay out the part of the text; a composition takes the place of the selection. */
static void place_line(LinePlace *p, const LineEdit *e, Font font, float size) {
    const char *shown = p->text + p->from;
    size_t bytes = p->to - p->from;
    p->pending = strlen(e->composing);
    p->low = within(p, e->caret < e->anchor ? e->caret : e->anchor);
    p->high = within(p, e->caret < e->anchor ? e->anchor : e->caret);
    if (p->pending > 0) {
        size_t before = p->low - p->from, after = p->to - p->high;
        memcpy(p->room, shown, before);
        memcpy(p->room + before, e->composing, p->pending);
        memcpy(p->room + before + p->pending, p->text + p->high, after);
        shown = p->room;
        bytes = before + p->pending + after;
    }
    line_layout(&p->line, p->ui, font, size, shown, bytes);
}

static float caret_in_line(const LinePlace *p, const LineEdit *e) {
    if (p->pending == 0)
        return layout_x(&p->line, e->caret - p->from, e->leads);
    return layout_x(&p->line, p->low - p->from + e->compose_caret, false);
}

/* Lay out the line. If another part of a long text is chosen and the caret was in the old part,
 * keep the caret at its place on screen. */
static void place(LinePlace *p, LineEdit *e, Font font, float size) {
    place_shown(p, e);
    size_t from = p->from, to = p->to, was = e->shown_from;
    bool moves = was != from && was <= e->caret && e->caret <= was + SHOWN_MAX && was < p->size;
    if (moves) {
        p->from = utf8_floor(p->text, p->size, was);
        p->to = utf8_floor(p->text, p->size, was + SHOWN_MAX < p->size ? was + SHOWN_MAX : p->size);
        place_line(p, e, font, size);
        e->scroll -= caret_in_line(p, e);
        p->from = from;
        p->to = to;
    }
    place_line(p, e, font, size);
    if (moves)
        e->scroll += caret_in_line(p, e);
    e->shown_from = from;
}

/* Return the text's left end. Right-to-left text that fits is aligned to the field's right end. */
static float left_of(const LinePlace *p, const LineEdit *e) {
    float spare = p->rect.w - p->line.width;
    return p->rect.x - e->scroll + (p->line.is_rtl && spare > 0 ? spare : 0);
}

/* Set the range that a click at `at` selects: nothing, a word or everything, by unit. */
static void unit_at(size_t *from, size_t *to, int unit, const char *text, size_t size, size_t at) {
    *from = unit == 3 ? 0 : at;
    *to = unit == 3 ? size : at;
    if (unit == 2)
        line_text_word_at(from, to, text, size, at);
}

/* Extend the selection to `at`. If the drag began with a double or triple click, the word, or all
 * the text, that the click selected stays selected. */
static void select_unit(LineEdit *e, const char *text, size_t size, size_t at) {
    size_t first_from, first_to, from, to, first = utf8_floor(text, size, e->drag_anchor);
    unit_at(&first_from, &first_to, e->drag_unit, text, size, first);
    unit_at(&from, &to, e->drag_unit, text, size, at);
    bool back = at < first;
    e->caret = back ? from : to;
    if (e->drag_unit > 1)
        e->anchor = back ? first_to : first_from;
}

static bool is_outside(const LinePlace *p) {
    return p->ui->pointer.x < p->rect.x || p->ui->pointer.x > rect_right(p->rect);
}

/* Continue to scroll while a drag is held outside the field, until the caret reaches an end of the
 * text. */
static void drag_on(const LinePlace *p, LineEdit *e, double next_s) {
    bool ends = e->caret == 0 || e->caret == p->size;
    e->drag_next_s = next_s;
    e->drag_x = p->ui->pointer.x;
    if (is_outside(p) && !ends)
        ui_wake(p->ui, next_s);
}

static void line_mouse(const LinePlace *p, LineEdit *e, UiState state) {
    if (p->pending > 0)
        /* A press inside the composition starts no drag, because it is not part of the text. */
        e->drag_unit = 0;
    if (!state.held && !state.pressed) {
        /* Put the text that the drag selected into the primary selection, which the middle button
         * pastes in any program. */
        size_t low = e->caret < e->anchor ? e->caret : e->anchor;
        size_t high = e->caret < e->anchor ? e->anchor : e->caret;
        if (e->drag_unit != 0 && low != high) {
            p->ui->selected = p->text + low;
            p->ui->selected_bytes = high - low;
        }
        e->drag_unit = 0;
    }
    if (!state.pressed && !state.pasted && e->drag_unit == 0)
        return;
    bool waits = !state.pressed && is_outside(p) && p->ui->pointer.x == e->drag_x &&
                 p->ui->time_s < e->drag_next_s - 1e-6;
    if (!p->ui->first_pass || (waits && !state.pasted)) {
        drag_on(p, e, e->drag_next_s);
        return;
    }
    bool leads;
    size_t at = p->from + layout_at(&p->line, p->ui->pointer.x - left_of(p, e), &leads);
    if (state.pasted) {
        e->caret = e->anchor = at;
        e->leads = leads;
        e->word_serial++;
        p->ui->wants_selection = true;
        return;
    }
    if (state.pressed) {
        e->drag_unit = state.clicks > 3 ? 3 : state.clicks > 1 ? state.clicks : 1;
        e->drag_anchor = at;
        e->word_serial++;
        if ((state.mods & KEY_MOD_SHIFT) == 0)
            e->anchor = at;
    }
    e->leads = leads && e->drag_unit == 1;
    select_unit(e, p->text, p->size, at);
    drag_on(p, e, p->ui->time_s + DRAG_S);
}

static void line_scroll(const LinePlace *p, LineEdit *e, float caret_x) {
    float most = fmaxf(p->line.width + EDGE - p->rect.w, 0);
    if (caret_x - e->scroll > p->rect.w - EDGE)
        e->scroll = caret_x - p->rect.w + EDGE;
    if (caret_x - e->scroll < EDGE)
        e->scroll = caret_x - EDGE;
    e->scroll = fminf(fmaxf(e->scroll, 0), most);
}

static void draw_caret(const LinePlace *p, float x, double time_s, double shown_since_s) {
    double phase = time_s - shown_since_s;
    bool still = p->ui->reduced_motion || phase > BLINK_STOP_S;
    /* Show the caret in the first half of each period. The tolerance ensures that a frame at
     * exactly the requested time shows the change. */
    double half = floor(phase / BLINK_S + 1e-6);
    if (!still)
        ui_wake(p->ui, shown_since_s + (half + 1) * BLINK_S);
    if (!still && fmod(half, 2) != 0)
        return;
    Rect caret = {draw_snap(p->ui->list, x), p->rect.y + (p->rect.h - p->line.size * 1.4f) / 2, 2,
                  p->line.size * 1.4f};
    draw_fill(p->ui->list, caret, 0, p->ui->theme->ring);
}

static void draw_spans(const LinePlace *p, size_t from, size_t to, Vec2 at, float height,
                       float radius, Colour colour) {
    float x, width;
    for (int i = 0; i < p->line.count; i++)
        if (layout_part(&p->line, &p->line.runs[i], from, to, &x, &width))
            draw_fill(p->ui->list, (Rect){at.x + x, at.y, width, height}, radius, colour);
}

/* Underline the composition; the clause that the user is choosing gets a thicker line. */
static void draw_composing(const LinePlace *p, const LineEdit *e, float left) {
    size_t start = p->low - p->from;
    Vec2 at = {left, draw_snap(p->ui->list, p->rect.y + p->rect.h / 2 + p->line.size * 0.6f)};
    bool has_clause = e->clause_to > e->clause_from && e->clause_to - e->clause_from < p->pending;
    if (p->pending == 0)
        return;
    draw_spans(p, start, start + p->pending, at, 1.5f, 0, p->ui->theme->text_2);
    if (has_clause)
        draw_spans(p, start + e->clause_from, start + e->clause_to, at, 3, 0, p->ui->theme->text_1);
}

static void draw_words(const LinePlace *p, float left) {
    const TextMeasure *measure = p->ui->measure;
    float scale = p->ui->list->scale;
    FontMetrics m = measure->metrics(measure->context, p->line.font, p->line.size * scale);
    Vec2 at = {left, p->rect.y + p->rect.h / 2 + m.cap_height / scale / 2};
    layout_draw(&p->line, at, p->ui->theme->text_1, p->ui->theme->text_3);
}

static void draw_focus(const LinePlace *p, LineEdit *e, UiState state, float caret_x) {
    Ui *ui = p->ui;
    bool moved = e->caret != e->drawn_caret || p->size != e->drawn_size || p->pending > 0;
    if (moved || state.pressed || e->shown_since_s > ui->time_s)
        e->shown_since_s = ui->time_s;
    e->drawn_caret = e->caret;
    e->drawn_size = p->size;
    if (!state.focused)
        return;
    draw_caret(p, caret_x, ui->time_s, e->shown_since_s);
    ui->wants_text = !e->restarts;
    ui->caret = (Rect){caret_x, p->rect.y, 2, p->rect.h};
    if (e->restarts)
        ui_wake(ui, ui->time_s);
}

void line_edit_draw(Ui *ui, LineEdit *e, Rect rect, UiState state, Font font, float font_size,
                    const char *text, size_t size) {
    LinePlace p = {.ui = ui, .rect = rect, .text = text, .size = size};
    place(&p, e, font, font_size);
    line_mouse(&p, e, state);
    place(&p, e, font, font_size);
    line_scroll(&p, e, caret_in_line(&p, e));
    Rect clip = draw_clip(ui->list, (Rect){rect.x - 2, rect.y, rect.w + 4, rect.h});
    float left = left_of(&p, e);
    Colour colour = colour_mix(p.ui->theme->raised, p.ui->theme->text_3, 0.45f);
    float height = p.line.size * 1.5f;
    Vec2 at = {left, p.rect.y + (p.rect.h - height) / 2};
    if (p.pending == 0)
        draw_spans(&p, p.low - p.from, p.high - p.from, at, height, 2, colour);
    draw_words(&p, left);
    draw_composing(&p, e, left);
    draw_focus(&p, e, state, left + caret_in_line(&p, e));
    draw_clip_restore(ui->list, clip);
}
