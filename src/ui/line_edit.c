#include "ui/line_edit.h"

#include <math.h>
#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "ui/label.h"

#define SHOWN_MAX    4096 /* bytes of text measured and drawn about the caret */
#define BLINK_S      0.53 /* seconds that the caret is shown, then hidden */
#define BLINK_STOP_S 10.0 /* after which it stays, so that an idle window draws nothing */

static size_t low_end(const LineEdit *e) {
    return e->caret < e->anchor ? e->caret : e->anchor;
}

static size_t high_end(const LineEdit *e) {
    return e->caret < e->anchor ? e->anchor : e->caret;
}

/* One step to the right over a whole grapheme, so that a letter keeps its marks. */
static size_t grapheme_next(const char *text, size_t size, size_t at) {
    size_t length;
    int32_t state = 0;
    if (at >= size)
        return size;
    int32_t before = (int32_t)utf8_decode(text, size, at, &length);
    at += length;
    while (at < size) {
        int32_t after = (int32_t)utf8_decode(text, size, at, &length);
        if (utf8proc_grapheme_break_stateful(before, after, &state))
            break;
        before = after;
        at += length;
    }
    return at;
}

/* The last border below at: graphemes are found forwards from at most 64 bytes back. */
static size_t grapheme_previous(const char *text, size_t size, size_t at) {
    size_t start = at > 64 ? utf8_floor(text, size, at - 64) : 0, last = start;
    if (at == 0)
        return 0;
    for (size_t next = start; next < at && next < size; next = grapheme_next(text, size, next))
        last = next;
    return last;
}

/* The last border at or below at. */
static size_t grapheme_floor(const char *text, size_t size, size_t at) {
    return at < size ? grapheme_previous(text, size, at + 1) : size;
}

/* Blanks, word characters and the rest: a word movement stops where the kind changes. */
static int kind_at(const char *text, size_t at) {
    unsigned char c = (unsigned char)text[at];
    if (c == ' ' || c == '\t' || c == '\n')
        return 0;
    bool letter = c >= 0x80 || (c | 0x20) >= 'a' ? (c >= 0x80 || (c | 0x20) <= 'z') : false;
    return letter || (c >= '0' && c <= '9') || c == '_' || c == '\'' ? 1 : 2;
}

static size_t word_next(const char *text, size_t size, size_t at) {
    if (at < size)
        for (int kind = kind_at(text, at); at < size && kind_at(text, at) == kind;)
            at = utf8_next(text, size, at);
    while (at < size && kind_at(text, at) == 0)
        at++;
    return at;
}

static size_t word_previous(const char *text, size_t size, size_t at) {
    while (at > 0 && kind_at(text, at - 1) == 0)
        at--;
    if (at > 0)
        for (int kind = kind_at(text, at - 1); at > 0 && kind_at(text, at - 1) == kind;)
            at = utf8_previous(text, size, at);
    return at;
}

/* Where a movement key leads from at; false where the key is none. */
static bool move_target(Ui *ui, unsigned mods, const char *text, size_t size, size_t at,
                        size_t *to) {
    const unsigned command = mods | KEY_MOD_COMMAND, alt = mods | KEY_MOD_ALT;
    if (ui_key(ui, KEY_LEFT, mods))
        *to = grapheme_previous(text, size, at);
    else if (ui_key(ui, KEY_RIGHT, mods))
        *to = grapheme_next(text, size, at);
    else if (ui_key(ui, KEY_LEFT, command) || ui_key(ui, KEY_LEFT, alt))
        *to = word_previous(text, size, at);
    else if (ui_key(ui, KEY_RIGHT, command) || ui_key(ui, KEY_RIGHT, alt))
        *to = word_next(text, size, at);
    else if (ui_key(ui, KEY_HOME, mods) || ui_key(ui, KEY_HOME, command) ||
             ui_key(ui, KEY_UP, mods))
        *to = 0;
    else if (ui_key(ui, KEY_END, mods) || ui_key(ui, KEY_END, command) ||
             ui_key(ui, KEY_DOWN, mods))
        *to = size;
    else
        return false;
    return true;
}

/* An arrow without Shift lets go of a selection at that end of it. */
static bool line_collapse(Ui *ui, LineEdit *e) {
    size_t low = low_end(e), high = high_end(e);
    if (low == high)
        return false;
    bool left = ui_key(ui, KEY_LEFT, 0);
    if (!left && !ui_key(ui, KEY_RIGHT, 0))
        return false;
    e->caret = e->anchor = left ? low : high;
    return true;
}

static bool line_move(Ui *ui, LineEdit *e, const char *text, size_t size) {
    size_t to;
    bool moved = line_collapse(ui, e);
    if (!moved && move_target(ui, 0, text, size, e->caret, &to)) {
        e->caret = e->anchor = to;
        moved = true;
    } else if (!moved && move_target(ui, KEY_MOD_SHIFT, text, size, e->caret, &to)) {
        e->caret = to;
        moved = true;
    }
    e->word_serial += moved;
    ui->again |= moved;
    return moved;
}

static bool line_delete(Ui *ui, LineEdit *e, const char *text, size_t size, LineChange *out) {
    size_t from = low_end(e), to = high_end(e);
    bool any = from != to;
    if (ui_key(ui, KEY_BACKSPACE, 0) || ui_key(ui, KEY_BACKSPACE, KEY_MOD_SHIFT))
        from = any ? from : grapheme_previous(text, size, e->caret);
    else if (ui_key(ui, KEY_DELETE, 0))
        to = any ? to : grapheme_next(text, size, e->caret);
    else if (ui_key(ui, KEY_BACKSPACE, KEY_MOD_COMMAND) || ui_key(ui, KEY_BACKSPACE, KEY_MOD_ALT))
        from = any ? from : word_previous(text, size, e->caret);
    else if (ui_key(ui, KEY_DELETE, KEY_MOD_COMMAND) || ui_key(ui, KEY_DELETE, KEY_MOD_ALT))
        to = any ? to : word_next(text, size, e->caret);
    else
        return false;
    *out = (LineChange){from, to, "", 0, e->word_serial};
    return true;
}

static void line_copy(Ui *ui, const LineEdit *e, const char *text) {
    size_t bytes = high_end(e) - low_end(e);
    ui->copied = bytes > 0 ? text + low_end(e) : NULL;
    ui->copied_bytes = bytes;
}

static LineAction line_clipboard(Ui *ui, LineEdit *e, const char *text, size_t size,
                                 LineChange *out) {
    if (ui_key(ui, 'a', KEY_MOD_COMMAND))
        line_edit_select_all(e, size);
    if (ui_key(ui, 'c', KEY_MOD_COMMAND))
        line_copy(ui, e, text);
    if (ui_key(ui, 'v', KEY_MOD_COMMAND))
        return LINE_PASTE;
    if (ui_key(ui, 'x', KEY_MOD_COMMAND) && low_end(e) != high_end(e)) {
        line_copy(ui, e, text);
        *out = (LineChange){low_end(e), high_end(e), "", 0, ++e->word_serial};
        return LINE_CHANGE;
    }
    return LINE_NONE;
}

/* Typed text, or the clipboard's. A blank ends the undo step of the word before it. */
static bool line_insert(Ui *ui, LineEdit *e, LineChange *out) {
    const InputEvent *event = ui_take(ui, INPUT_TEXT);
    bool pasted = event == NULL;
    if (pasted)
        event = ui_take(ui, INPUT_PASTE);
    if (event == NULL || event->text_bytes == 0)
        return false; /* an empty clipboard replaces nothing */
    bool blank = event->text_bytes > 0 && kind_at(event->text, 0) == 0;
    if (blank || pasted)
        e->word_serial++;
    *out = (LineChange){low_end(e), high_end(e), event->text, event->text_bytes, e->word_serial};
    if (pasted)
        e->word_serial++;
    return true;
}

static void line_compose(Ui *ui, LineEdit *e) {
    const InputEvent *event;
    while ((event = ui_take(ui, INPUT_COMPOSE)) != NULL) {
        size_t repairs, bytes = utf8_repair(e->composing, sizeof e->composing - 1, event->text,
                                            event->text_bytes, &repairs);
        e->composing[bytes] = '\0';
    }
}

/* What one event asks for. */
static LineAction line_event(Ui *ui, LineEdit *e, const char *text, size_t size, LineChange *out) {
    line_compose(ui, e);
    if (line_insert(ui, e, out))
        return LINE_CHANGE;
    if (e->composing[0] != '\0' || line_move(ui, e, text, size))
        return LINE_NONE;
    if (line_delete(ui, e, text, size, out))
        return LINE_CHANGE;
    LineAction action = line_clipboard(ui, e, text, size, out);
    if (action != LINE_NONE)
        return action;
    if (ui_key(ui, KEY_ENTER, 0))
        return LINE_ENTER;
    return ui_key(ui, KEY_ESCAPE, 0) ? LINE_ESCAPE : LINE_NONE;
}

LineAction line_edit_next(Ui *ui, LineEdit *e, const char *text, size_t size, LineChange *out) {
    LineAction action = LINE_NONE;
    for (int event = 1; action == LINE_NONE && ui_narrow(ui, event); event++)
        action = line_event(ui, e, text, size, out);
    ui_narrow(ui, 0);
    return action;
}

void line_edit_changed(LineEdit *e, const LineChange *change) {
    e->caret = e->anchor = change->from + change->bytes;
}

void line_edit_clamp(LineEdit *e, const char *text, size_t size) {
    e->caret = utf8_floor(text, size, e->caret);
    e->anchor = utf8_floor(text, size, e->anchor);
}

void line_edit_select_all(LineEdit *e, size_t size) {
    e->anchor = 0;
    e->caret = size;
    e->word_serial++;
}

/* The part of a long text that is measured: whole when short, else about the caret. */
typedef struct Shown {
    size_t from, to;
} Shown;

static Shown shown_part(const LineEdit *e, const char *text, size_t size) {
    if (size <= SHOWN_MAX)
        return (Shown){0, size};
    size_t from = e->caret > SHOWN_MAX / 2 ? e->caret - SHOWN_MAX / 2 : 0;
    from = from > size - SHOWN_MAX ? size - SHOWN_MAX : from;
    return (Shown){utf8_floor(text, size, from), utf8_floor(text, size, from + SHOWN_MAX)};
}

/* What line_edit_draw works on. */
typedef struct LinePlace {
    Ui *ui;
    Rect rect;
    Font font;
    float size;
    const char *text;
    Shown shown;
} LinePlace;

static float x_of(const LinePlace *p, size_t at) {
    return label_width(p->ui, p->font, p->size, p->text + p->shown.from, at - p->shown.from);
}

/* The border nearest to an x within the shown text, by halving. */
static size_t at_x(const LinePlace *p, float x) {
    size_t low = p->shown.from, high = p->shown.to;
    while (low < high) {
        size_t middle = utf8_floor(p->text, high, low + (high - low) / 2);
        size_t next = grapheme_next(p->text, p->shown.to, middle);
        if ((x_of(p, middle) + x_of(p, next)) / 2 < x)
            low = next;
        else if (middle < high)
            high = middle;
        else
            break;
    }
    return grapheme_floor(p->text, p->shown.to, low);
}

/* What a click at at selects: nothing, its word, or everything. */
static void unit_at(size_t *from, size_t *to, int unit, const char *text, size_t size, size_t at) {
    *from = unit == 3 ? 0 : at;
    *to = unit == 3 ? size : at;
    if (unit != 2 || size == 0)
        return;
    size_t probe = at < size ? at : utf8_previous(text, size, size);
    int kind = kind_at(text, probe);
    for (*from = probe; *from > 0 && kind_at(text, *from - 1) == kind;)
        *from = utf8_previous(text, size, *from);
    for (*to = probe; *to < size && kind_at(text, *to) == kind;)
        *to = utf8_next(text, size, *to);
}

/* A drag by words or of everything keeps what it began with selected. */
static void select_unit(LineEdit *e, const char *text, size_t size, size_t at) {
    size_t first_from, first_to, from, to, first = utf8_floor(text, size, e->drag_anchor);
    unit_at(&first_from, &first_to, e->drag_unit, text, size, first);
    unit_at(&from, &to, e->drag_unit, text, size, at);
    bool back = at < first;
    e->caret = back ? from : to;
    if (e->drag_unit > 1)
        e->anchor = back ? first_to : first_from;
}

static void line_mouse(const LinePlace *p, LineEdit *e, UiState state, size_t size) {
    Ui *ui = p->ui;
    if (!state.pressed && (!state.held || e->drag_unit == 0))
        return;
    size_t at = at_x(p, ui->pointer.x - p->rect.x + e->scroll);
    if (state.pressed) {
        e->drag_unit = state.clicks > 3 ? 3 : state.clicks > 1 ? state.clicks : 1;
        e->drag_anchor = at;
        e->word_serial++;
        if ((state.mods & KEY_MOD_SHIFT) == 0)
            e->anchor = at;
    }
    select_unit(e, p->text, size, at);
}

static void line_scroll(const LinePlace *p, LineEdit *e, float caret_x, float text_width) {
    float most = fmaxf(text_width + 8 - p->rect.w, 0);
    if (caret_x - e->scroll > p->rect.w - 8)
        e->scroll = caret_x - p->rect.w + 8;
    if (caret_x - e->scroll < 8)
        e->scroll = caret_x - 8;
    e->scroll = fminf(fmaxf(e->scroll, 0), most);
}

static void draw_caret(const LinePlace *p, float x, double time_s, double shown_since_s) {
    double phase = time_s - shown_since_s;
    bool still = p->ui->reduced_motion || phase > BLINK_STOP_S;
    /* A frame at the very time that was asked for is after the change, whatever the rounding. */
    double half = floor(phase / BLINK_S + 1e-6);
    if (!still)
        ui_wake(p->ui, shown_since_s + (half + 1) * BLINK_S);
    if (!still && fmod(half, 2) != 0)
        return;
    Rect caret = {draw_snap(p->ui->list, x), p->rect.y + (p->rect.h - p->size * 1.4f) / 2, 2,
                  p->size * 1.4f};
    draw_fill(p->ui->list, caret, 0, p->ui->theme->ring);
}

static void draw_selection(const LinePlace *p, const LineEdit *e, float left) {
    size_t from = low_end(e), to = high_end(e);
    from = from < p->shown.from ? p->shown.from : from;
    to = to > p->shown.to ? p->shown.to : to;
    if (from >= to)
        return;
    Rect rect = {left + x_of(p, from), p->rect.y + (p->rect.h - p->size * 1.5f) / 2,
                 x_of(p, to) - x_of(p, from), p->size * 1.5f};
    draw_fill(p->ui->list, rect, 2, colour_mix(p->ui->theme->raised, p->ui->theme->text_3, 0.45f));
}

/* The input method's text stands at the caret, underlined; what follows moves to its right. */
static float draw_pieces(const LinePlace *p, const LineEdit *e, float left) {
    LabelStyle style = {p->font, p->size, p->ui->theme->text_1, LABEL_LEFT};
    size_t split = e->caret > p->shown.to ? p->shown.to : e->caret;
    size_t pending = strlen(e->composing);
    if (pending == 0)
        split = p->shown.to;
    float caret_x = left + x_of(p, pending == 0 ? e->caret : split), shift = 0;
    Rect line = {left, p->rect.y, 1e6f, p->rect.h};
    label_draw_bytes(p->ui, line, &style, p->text + p->shown.from, split - p->shown.from);
    if (pending == 0)
        return caret_x;
    shift = label_width(p->ui, p->font, p->size, e->composing, pending);
    line.x = caret_x;
    label_draw_bytes(p->ui, line, &style, e->composing, pending);
    Rect under = {caret_x, p->rect.y + p->rect.h / 2 + p->size * 0.6f, shift, 1.5f};
    draw_fill(p->ui->list, under, 0, p->ui->theme->text_2);
    line.x = caret_x + shift;
    label_draw_bytes(p->ui, line, &style, p->text + split, p->shown.to - split);
    return caret_x + shift;
}

void line_edit_draw(Ui *ui, LineEdit *e, Rect rect, UiState state, Font font, float font_size,
                    const char *text, size_t size) {
    LinePlace p = {ui, rect, font, font_size, text, shown_part(e, text, size)};
    line_mouse(&p, e, state, size);
    p.shown = shown_part(e, text, size);
    line_scroll(&p, e, x_of(&p, e->caret), x_of(&p, p.shown.to));
    Rect clip = draw_clip(ui->list, (Rect){rect.x - 2, rect.y, rect.w + 4, rect.h});
    float left = rect.x - e->scroll;
    draw_selection(&p, e, left);
    float caret_x = draw_pieces(&p, e, left);
    bool moved = e->caret != e->drawn_caret || size != e->drawn_size;
    if (moved || state.pressed || e->shown_since_s > ui->time_s)
        e->shown_since_s = ui->time_s;
    e->drawn_caret = e->caret;
    e->drawn_size = size;
    if (state.focused) {
        draw_caret(&p, caret_x, ui->time_s, e->shown_since_s);
        ui->wants_text = true;
        ui->caret = (Rect){caret_x, rect.y, 2, rect.h};
    }
    draw_clip_restore(ui->list, clip);
}
