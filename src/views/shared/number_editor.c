#include "views/shared/number_editor.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "results/by_hand.h"
#include "ui/button.h"
#include "ui/skin.h"
#include "ui/slider.h"
#include "ui/text.h"
#include "ui/text_field.h"
#include "ui/tooltip.h"

#define CARD_W     512
#define PAD        20
#define FIELD_W    120
#define FIELD_H    48
#define RANGE      5    /* end of the slider, unless twice the number's magnitude is larger */
#define MARK_SHARE 0.4f /* side of an edited cell's triangle, as a share of the cell's side */
#define MARK_LEAST 6
#define MARK_MOST  10
#define CELL_LEAST 5 /* px: a cell smaller than this has no triangle */
#define NAME_BYTES 18

static UiId field_id(void) {
    return ui_id("number editor", 0);
}

void number_name(char out[NUMBER_NAME_MAX], const ViewContext *c, const HandNumber *n) {
    bool is_there = n->row < c->run->T && (n->name == HAND_X || n->col < c->run->T);
    if (n->name == HAND_SIGMA) {
        snprintf(out, NUMBER_NAME_MAX, "σ %d of W_QK, head %d", n->row + 1, n->head + 1);
    } else if (n->name >= HAND_GAIN) {
        snprintf(out, NUMBER_NAME_MAX, "%s of head %d", hand_name_id(n->name), n->head + 1);
    } else if (n->name >= HAND_X &&
               !is_there) { /* the results on screen may belong to another text */
        hand_number_write(out, n);
    } else if (n->name == HAND_S) {
        snprintf(out, NUMBER_NAME_MAX, "score of %s, head %d",
                 PAIR_NAME(c, n->row, n->col, NAME_BYTES), n->head + 1);
    } else if (n->name == HAND_X) {
        snprintf(out, NUMBER_NAME_MAX, "X of %s, feature %d", TOKEN_NAME(c, n->row, NAME_BYTES),
                 n->col + 1);
    } else if (hand_name_has_heads(n->name)) {
        snprintf(out, NUMBER_NAME_MAX, "%s of head %d, row %d, column %d", hand_name_id(n->name),
                 n->head + 1, n->row + 1, n->col + 1);
    } else {
        snprintf(out, NUMBER_NAME_MAX, "%s, row %d, column %d", hand_name_id(n->name), n->row + 1,
                 n->col + 1);
    }
}

void number_name_brief(char out[NUMBER_NAME_MAX], const HandNumber *n) {
    const char *id = hand_name_id(n->name);
    if (n->name == HAND_SIGMA)
        snprintf(out, NUMBER_NAME_MAX, "σ %d, head %d", n->row + 1, n->head + 1);
    else if (hand_name_has_heads(n->name))
        snprintf(out, NUMBER_NAME_MAX, "%s, head %d (%d, %d)", id, n->head + 1, n->row + 1,
                 n->col + 1);
    else
        snprintf(out, NUMBER_NAME_MAX, "%s (%d, %d)", id, n->row + 1, n->col + 1);
}

static void set_text(NumberEditorMemory *m, float value) {
    number_format_fixed(m->text, sizeof m->text, (double)value, fabsf(value) < 0.1f ? 4 : 2);
    line_edit_select_all(&m->edit, strlen(m->text));
    m->wrong = NULL;
}

/* Return why the number cannot be changed; NULL if it can. */
static const char *stuck(const NumberEditorMemory *m) {
    return m->number.name == HAND_SIGMA && m->computed == 0
               ? "This singular value is 0 in these weights, and no factor makes 0 larger."
               : NULL;
}

static float weight_of(const ViewContext *c, const HandNumber *n) {
    Mat A = results_weights(c->run, 0, n->head);
    return mat_row(&A, n->row)[n->col];
}

void number_editor_open(const ViewContext *c, HandNumber place, Rect cell, Rect row) {
    NumberEditorMemory *m = &c->memory->editor;
    place.value = results_hand_value(c->run, &place);
    if (!isfinite(place.value))
        return;
    bool was_set = hand_set_find(c->session->hand, &place) != NULL;
    *m = (NumberEditorMemory){.offer = m->offer,
                              .is_open = true,
                              .was_set = was_set,
                              .number = place,
                              .computed = was_set ? NAN : place.value,
                              .cell = cell,
                              .row = row,
                              .serial = ++c->ui->drag_serial,
                              .frame = c->ui->frame};
    if (place.name == HAND_S) {
        Arena scratch = *c->scratch;
        AttnCell cell_of = {0, place.head, place.row, place.col};
        CellStory story = cell_story(c->run, cell_of, -1, &scratch);
        m->computed = (float)story.computed;
        m->weight_was = story.weight;
    }
    set_text(m, place.value);
    m->wrong = stuck(m);
    ui_focus(c->ui, field_id());
}

bool number_editor_offer(const ViewContext *c, UiState state, HandNumber place, Rect cell,
                         Rect row) {
    bool is_asked = state.pressed && state.clicks == 2;
    bool is_offered = !is_asked && ui_pressed_right(c->ui, state);
    if (is_asked)
        number_editor_open(c, place, cell, row);
    if (is_offered)
        c->memory->editor.offer = (NumberOffer){place, cell, row, c->ui->frame};
    return is_asked || is_offered;
}

static void put(const ViewContext *c, float value) {
    const NumberEditorMemory *m = &c->memory->editor;
    HandNumber number = m->number;
    number.value = value;
    HandPaint paint = hand_paint_of(&number, true);
    edit_push_hand(c->edits, &paint, m->serial);
}

static void compute_again(const ViewContext *c) {
    HandPaint paint = hand_paint_of(&c->memory->editor.number, false);
    edit_push_hand(c->edits, &paint, c->memory->editor.serial);
}

static void leave(const ViewContext *c) {
    c->memory->editor.is_open = false;
    c->ui->focus = 0;
    c->ui->again = true;
}

static void restore(const ViewContext *c) {
    if (c->memory->editor.was_set)
        put(c, c->memory->editor.number.value);
    else
        compute_again(c);
    leave(c);
}

static float least_of(const NumberEditorMemory *m) {
    return m->number.name == HAND_SIGMA ? 0 : -FLT_MAX;
}

/* Read the text of the field. If the number cannot have this value, show why and return false. */
static bool read_text(NumberEditorMemory *m, float *value) {
    double number;
    bool is_number = number_parse_real(&number, m->text, strlen(m->text));
    *value = is_number ? (float)number : NAN;
    m->wrong = stuck(m) != NULL       ? stuck(m)
               : !is_number           ? "Type a finite number, such as −0.5."
               : !isfinite(*value)    ? "Type a number that float32 can hold."
               : *value < least_of(m) ? "A singular value is 0 or more."
                                      : NULL;
    return m->wrong == NULL;
}

/* Change the number by this many units of its last digit or, if it is written with an exponent, by
 * this many tenths of its value; but not below least_of. */
static void step(const ViewContext *c, int units) {
    NumberEditorMemory *m = &c->memory->editor;
    float value;
    if (units == 0 || !read_text(m, &value))
        return;
    const char *point = strchr(m->text, '.'), *power = strpbrk(m->text, "e×");
    int decimals = point != NULL && power == NULL ? (int)strlen(point) - 1 : 0;
    double by = power != NULL ? (double)value / 10 : pow(10, -decimals);
    double changed = fmax((double)value + units * by, (double)least_of(m));
    if (power == NULL)
        number_format_fixed(m->text, sizeof m->text, changed, decimals);
    else
        set_text(m, (float)changed);
    m->edit.caret = m->edit.anchor = strlen(m->text);
    put(c, read_text(m, &value) ? value : (float)changed);
}

static void field(const ViewContext *c, Rect place) {
    NumberEditorMemory *m = &c->memory->editor;
    Ui *ui = c->ui;
    unsigned mods;
    float value;
    if (ui->focus == field_id())
        step(c, ui_keys(ui, KEY_UP, 0) - ui_keys(ui, KEY_DOWN, 0));
    step(c, (int)lrintf(ui_wheel(ui, field_id(), place, &mods).y));
    TextField box = {.buffer = {m->text, m->copied, sizeof m->text, &m->edit},
                     .hint = "a number",
                     .wrong = m->wrong};
    switch (text_field(ui, field_id(), place, &box)) {
    case TEXT_FIELD_NONE:
        break;
    case TEXT_FIELD_CHANGED:
        if (read_text(m, &value))
            put(c, value);
        ui->again = true;
        break;
    case TEXT_FIELD_ENTER:
        if (m->wrong == NULL)
            leave(c);
        break;
    case TEXT_FIELD_ESCAPE:
        restore(c);
        break;
    }
}

static void knob(const ViewContext *c, Rect place) {
    NumberEditorMemory *m = &c->memory->editor;
    float value = results_hand_value(c->run, &m->number);
    float size = fmaxf(fabsf(m->number.value), isfinite(m->computed) ? fabsf(m->computed) : 0);
    float most = fmaxf(RANGE, 2 * size);
    float least = fmaxf(-most, least_of(m));
    SliderRange range = {.lo = least, .hi = most, .standard = m->computed};
    value = isfinite(value) ? value : 0;
    if (isfinite(m->computed)) { /* mark the value that the layer computes */
        float x = place.x + 9 + (place.w - 18) * (m->computed - least) / (most - least);
        draw_fill(c->ui->list, (Rect){x - 1, place.y + 2, 2, place.h - 4}, 0,
                  c->ui->theme->control);
    }
    if (!slider(c->ui, ui_id("number slider", 0), place, &range, &value))
        return;
    number_format_fixed(m->text, sizeof m->text, (double)value, 2);
    if (read_text(m, &value))
        put(c, value);
}

/* Return how many numbers this use of the editor has changed, or NULL if none yet or if this is
 * unknown. */
static const ResultsChange *change_of(const ViewContext *c) {
    NumberEditorMemory *m = &c->memory->editor;
    const HandNumber *set = hand_set_find(results_session(c->run)->hand, &m->number);
    bool is_edited = m->was_set ? set == NULL || set->value != m->number.value : set != NULL;
    int head = c->session->options.head - 1;
    if (!is_edited || c->before == NULL)
        return NULL;
    if (m->change_from != c->before->revision || m->change_to != c->run->revision ||
        m->change_head != head) {
        m->change = results_change(c->before, c->run, head);
        m->change_from = c->before->revision;
        m->change_to = c->run->revision;
        m->change_head = head;
    }
    return &m->change;
}

static void effect(const ViewContext *c, Rect *rest) {
    const NumberEditorMemory *m = &c->memory->editor;
    const ResultsChange *change = change_of(c);
    Rect line = rect_cut_top(rest, 28);
    if (m->number.name == HAND_S) {
        text_left(c->ui, &line, TEXT_NAME, "a_{%d,%d}", m->number.row + 1, m->number.col + 1);
        text_left(c->ui, &line, TEXT_NUMBER, "%s → %s", FIXED((double)m->weight_was, 3),
                  FIXED((double)weight_of(c, &m->number), 3));
    }
    if (change != NULL)
        text_left(c->ui, &line, TEXT_BODY,
                  "%s of %s weights of head %d changed\n%s of %s weights changed",
                  GROUPED(change->weights), GROUPED(change->weights_all), c->session->options.head,
                  GROUPED(change->weights), GROUPED(change->weights_all));
}

/* Draw buttons that set the number's row, column or head to 0. Numbers that form a list, not a
 * matrix, have only the last button. */
static void zero_buttons(const ViewContext *c, Rect *line) {
    static const char *const names[] = {"Zero row", "Zero column", "Zero head"};
    const HandNumber *n = &c->memory->editor.number;
    int rows, cols;
    hand_name_size(&rows, &cols, n->name, &c->run->layers[0].shape[c->run->form]);
    HandPaint all = {
        .first = {n->name, n->head, 0, 0, 0}, .rows = rows, .cols = cols, .keep = true};
    for (int i = hand_name_is_list(n->name) ? 2 : 0; i < 3; i++) {
        HandPaint paint = all;
        if (i == 0)
            paint.first.row = n->row, paint.rows = 1;
        else if (i == 1)
            paint.first.col = n->col, paint.cols = 1;
        const char *name = i == 2 && !hand_name_has_heads(n->name) ? "Zero all" : names[i];
        Rect place = rect_cut_left(line, text_width(c->ui, TEXT_BODY, "%s", name) + 24);
        rect_cut_left(line, 8);
        bool fits = (long long)paint.rows * paint.cols <= HAND_SET_MAX && rows > 1;
        bool was = ui_disable(c->ui, !fits);
        if (button_text(c->ui, ui_id("zero", i), place, name)) {
            edit_push_hand(c->edits, &paint, 0);
            leave(c);
        }
        ui_disable(c->ui, was);
    }
}

static void reset_button(const ViewContext *c, Rect *line) {
    NumberEditorMemory *m = &c->memory->editor;
    Rect place = rect_cut_right(line, 80);
    bool is_set = hand_set_find(c->session->hand, &m->number) != NULL;
    bool was = ui_disable(c->ui, !is_set);
    if (button_text(c->ui, ui_id("number reset", 0), place, "Reset")) {
        compute_again(c);
        m->rereads = true;
    }
    ui_disable(c->ui, was);
    tooltip(c->ui, ui_id("number reset", 0), place, "Reset",
            "Restore the computed or learned value of this number.");
}

static void head_line(const ViewContext *c, Rect line) {
    const NumberEditorMemory *m = &c->memory->editor;
    char name[NUMBER_NAME_MAX];
    number_name(name, c, &m->number);
    name[0] = (char)(name[0] == 's' ? 'S' : name[0]);
    if (m->number.name == HAND_S && isfinite(m->computed))
        text_right(c->ui, &line, TEXT_NOTE, "q · k gives %s", FIXED((double)m->computed, 2));
    else if (isfinite(m->computed))
        text_right(c->ui, &line, TEXT_NOTE, "was %s", FIXED((double)m->computed, 4));
    text_in(c->ui, line, TEXT_STRONG, "%s", name);
}

static void reread(const ViewContext *c) {
    NumberEditorMemory *m = &c->memory->editor;
    if (!m->rereads || hand_set_find(results_session(c->run)->hand, &m->number) != NULL)
        return;
    m->rereads = false;
    float value = results_hand_value(c->run, &m->number);
    if (isfinite(value))
        set_text(m, value);
}

void number_editor_draw(const ViewContext *c) {
    NumberEditorMemory *m = &c->memory->editor;
    Ui *ui = c->ui;
    if (!m->is_open)
        return;
    /* the layer no longer has this number */
    if (!isfinite(results_hand_value(c->run, &m->number))) {
        leave(c);
        return;
    }
    reread(c);
    UiPlace below = ui_raise(ui, UI_LAYER_POPUP);
    Rect card = tooltip_place(ui, m->row, CARD_W, NUMBER_EDITOR_H);
    Vec2 cell = rect_centre(m->cell);
    float y = card.y > cell.y ? card.y : rect_bottom(card);
    if (m->cell.w > 0)
        draw_fill(ui->list, (Rect){cell.x - 0.75f, fminf(cell.y, y), 1.5f, fabsf(cell.y - y)}, 0,
                  ui->theme->ring);
    skin_raise(ui, card, 14, ui->theme->chrome, ui->theme->control);
    ui_cover(ui, card);
    Rect rest = rect_inset(card, PAD, PAD - 4);
    head_line(c, rect_cut_top(&rest, 30));
    rect_cut_top(&rest, 8);
    Rect line = rect_cut_top(&rest, FIELD_H);
    field(c, rect_cut_left(&line, FIELD_W));
    rect_cut_left(&line, 16);
    knob(c, rect_inset(line, 0, (FIELD_H - SLIDER_HEIGHT) / 2));
    rect_cut_top(&rest, 8);
    effect(c, &rest);
    rect_cut_top(&rest, 6);
    line = rect_cut_top(&rest, BUTTON_HEIGHT);
    zero_buttons(c, &line);
    reset_button(c, &line);
    text_in(ui, rest, TEXT_NOTE, "Enter keeps the new value. Esc restores the old one.");
    if (m->is_open && m->frame != ui->frame && ui_pressed_outside(ui, card))
        leave(c);
    ui_lower(ui, below);
}

void number_mark_draw(const ViewContext *c, Rect cell) {
    float side = fminf(fmaxf(MARK_SHARE * cell.w, MARK_LEAST), MARK_MOST);
    side = fminf(side, fminf(cell.w, cell.h));
    Vec2 corner = {rect_right(cell), cell.y};
    const Colour colours[] = {c->ui->theme->casing, c->ui->theme->ring};
    for (int i = 0; i < 2; i++) { /* two colours, so that one is visible on any cell */
        float reach = i == 0 ? fminf(side + 3, fminf(cell.w, cell.h)) : side;
        draw_fill_triangle(c->ui->list, (Vec2){corner.x - reach, corner.y}, corner,
                           (Vec2){corner.x, corner.y + reach}, colours[i]);
    }
}

void number_marks_draw(const ViewContext *c, const NumberMarks *m) {
    HandNumbers numbers = results_trace(c->run, 0)->hand;
    int rows, cols;
    hand_name_size(&rows, &cols, m->name, &c->run->layers[0].shape[c->run->form]);
    for (int i = 0; i < numbers.count && fminf(m->cell.x, m->cell.y) >= CELL_LEAST; i++) {
        const HandNumber *n = &numbers.at[i];
        if (n->name != m->name || n->row >= rows || n->col >= cols ||
            (n->head != m->head && hand_name_has_heads(n->name)))
            continue;
        float row = (float)(m->rows_at != NULL ? m->rows_at[n->row] : n->row);
        float col = (float)(m->cols_at != NULL ? m->cols_at[n->col] : n->col);
        Vec2 at = m->is_transposed ? (Vec2){row, col} : (Vec2){col, row};
        number_mark_draw(c, (Rect){m->rect.x + at.x * m->cell.x, m->rect.y + at.y * m->cell.y,
                                   m->cell.x, m->cell.y});
    }
}
