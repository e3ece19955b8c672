#include "ui/number_field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/label.h"
#include "ui/line_edit.h"

#define TEXT_SIZE  18
#define DRAG_PX    8 /* of a drag to one step */
#define DRAG_SLACK 4 /* before a press is a drag */

/* Put the change into the field's own text. */
static void typed_apply(Ui *ui, const LineChange *change) {
    char *text = ui->typed;
    size_t size = strlen(text), tail = size - change->to;
    size_t room = sizeof ui->typed - 1 - (size - (change->to - change->from));
    LineChange fit = *change;
    char clean[sizeof ui->typed];
    size_t repairs;
    fit.bytes = utf8_repair(clean, room, change->insert, change->bytes, &repairs);
    fit.insert = clean;
    memmove(text + fit.from + fit.bytes, text + fit.to, tail + 1);
    memcpy(text + fit.from, fit.insert, fit.bytes);
    line_edit_changed(&ui->typed_edit, &fit);
}

/* What a cut takes out of the field is still to reach the clipboard. */
static void keep_copied(Ui *ui) {
    if (ui->copied < ui->typed || ui->copied >= ui->typed + sizeof ui->typed)
        return;
    memcpy(ui->typed_copied, ui->copied, ui->copied_bytes);
    ui->copied = ui->typed_copied;
}

static void typing_stop(Ui *ui) {
    ui->typing = 0;
    ui->again = true;
}

/* The field as a text field. Enter or leaving it hands the text over; Escape drops it. */
static NumberChange field_typing(Ui *ui, UiId id, Rect rect, UiState state, Font font) {
    NumberChange change = {0};
    LineChange line;
    LineAction action = LINE_NONE;
    bool left = ui->focus != id;
    while (!left && (action = line_edit_next(ui, &ui->typed_edit, ui->typed, strlen(ui->typed),
                                             &line)) == LINE_CHANGE) {
        keep_copied(ui);
        typed_apply(ui, &line);
    }
    ui->wants_paste |= action == LINE_PASTE;
    if (action == LINE_ENTER || left) {
        change.kind = NUMBER_TYPED;
        change.serial = ++ui->drag_serial;
        snprintf(change.text, sizeof change.text, "%s", ui->typed);
    }
    if (action == LINE_ENTER || action == LINE_ESCAPE || left)
        typing_stop(ui);
    draw_fill(ui->list, rect, 8, ui->theme->hover);
    draw_ring(ui->list, rect, 8, 2, ui->theme->ring);
    line_edit_draw(ui, &ui->typed_edit, rect_inset(rect, 8, 0), state, font, TEXT_SIZE, ui->typed,
                   strlen(ui->typed));
    ui->cursor = state.hovered ? 1 : ui->cursor;
    return change;
}

static void typing_start(Ui *ui, UiId id, const char *text) {
    ui->typing = id;
    ui->focus = id;
    snprintf(ui->typed, sizeof ui->typed, "%s", text);
    ui->typed_edit = (LineEdit){0};
    line_edit_select_all(&ui->typed_edit, strlen(ui->typed));
    ui->again = true;
}

/* Whole steps of a drag since the last pass. */
static int drag_steps(Ui *ui, UiState state) {
    if (state.pressed)
        ui->drag_from = 0;
    if (!state.held)
        return 0;
    float way = (ui->pointer.x - ui->press_at.x) - (ui->pointer.y - ui->press_at.y);
    if (fabsf(way) < DRAG_SLACK && ui->drag_from == 0)
        return 0;
    int steps = (int)((way - ui->drag_from) / DRAG_PX);
    ui->drag_from += (float)(steps * DRAG_PX);
    ui->cursor = 3;
    return steps;
}

static int wheel_steps(Ui *ui, UiId id, Rect rect) {
    unsigned mods = 0;
    Vec2 wheel = ui_wheel(ui, id, rect, &mods);
    int steps = (int)lrintf(wheel.y != 0 ? wheel.y : wheel.x);
    return (mods & KEY_MOD_SHIFT) != 0 ? steps * 10 : steps;
}

static int key_steps(Ui *ui, UiState state) {
    if (!state.focused)
        return 0;
    int steps = ui_key(ui, KEY_UP, 0) - ui_key(ui, KEY_DOWN, 0);
    return steps + 10 * (ui_key(ui, KEY_UP, KEY_MOD_SHIFT) - ui_key(ui, KEY_DOWN, KEY_MOD_SHIFT));
}

NumberChange number_field(Ui *ui, UiId id, Rect rect, const char *text, Font font, bool wrong) {
    NumberChange change = {0};
    UiState state = ui_control(ui, id, rect, ui->typing == id ? UI_NO_KEYS : 0);
    /* The first click of a double click has begun to type. */
    bool twice = state.pressed && state.clicks == 2 && strcmp(ui->typed, text) == 0;
    if (ui->typing == id && !twice)
        return field_typing(ui, id, rect, state, font);
    if (ui->typing == id)
        typing_stop(ui);
    int dragged = drag_steps(ui, state);
    change.step = dragged + wheel_steps(ui, id, rect) + key_steps(ui, state);
    change.serial = ui->drag_serial;
    if (change.step != 0)
        change.kind = NUMBER_STEP;
    if (state.pressed && state.clicks == 2)
        change.kind = NUMBER_DEFAULT;
    if (state.clicked && ui->drag_from == 0 && ui->press_clicks < 2)
        typing_start(ui, id, text);
    if (state.pressed)
        ui->press_clicks = state.clicks;
    draw_fill(ui->list, rect, 8,
              state.hovered || state.held ? ui->theme->hover : ui->theme->raised);
    if (wrong)
        draw_ring(ui->list, rect, 8, 2, ui->theme->warn);
    LabelStyle style = {font, TEXT_SIZE, ui->theme->text_1, LABEL_CENTRE};
    label_draw(ui, rect_inset(rect, 6, 0), &style, text);
    ui_focus_ring(ui, id, rect, 8);
    return change;
}
