#include "ui/number_field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/label.h"
#include "ui/line_edit.h"
#include "ui/skin.h"

#define DRAG_PX    8.0f /* px of a drag that make one step */
#define FINE_PX    16.0f
#define SNAP_PX    24.0f
#define DRAG_SLACK 4 /* px that the pointer moves before a press becomes a drag */

static void typing_stop(Ui *ui) {
    ui->typing = 0;
    ui->again = true;
}

/* Stop in the field. If the user began with the pointer, return the keyboard to the picture. */
static void typing_end(Ui *ui) {
    typing_stop(ui);
    if (!ui->focus_visible)
        ui->focus = 0;
}

bool number_field_leave(Ui *ui) {
    if (ui->typing == 0 || ui->focus != ui->typing)
        return false;
    ui->focus = 0;
    ui->again = true;
    return true;
}

bool number_field_cancel(Ui *ui) {
    bool is_changed = ui->typing != 0 && ui->typed_is_changed;
    if (ui->typing != 0)
        (ui->focus == ui->typing ? typing_end : typing_stop)(ui);
    return is_changed;
}

/* Edit the field as text. Enter or leaving the field returns the text, if the user has changed it;
 * Escape discards it. */
static NumberChange field_typing(Ui *ui, UiId id, Rect rect, UiState state, Font font) {
    NumberChange change = {0};
    LineBuffer buffer = {ui->typed, ui->typed_copied, sizeof ui->typed, &ui->typed_edit};
    bool left = ui->focus != id, changed = false;
    LineAction action = left ? LINE_NONE : line_buffer_events(ui, &buffer, &changed);
    ui->typed_is_changed |= changed;
    if ((action == LINE_ENTER || left) && ui->typed_is_changed) {
        change.kind = NUMBER_TYPED;
        change.serial = ++ui->drag_serial;
        snprintf(change.text, sizeof change.text, "%s", ui->typed);
    }
    if (action == LINE_ENTER || action == LINE_ESCAPE)
        typing_end(ui);
    else if (left)
        typing_stop(ui);
    draw_fill(ui->list, rect, SKIN_RADIUS, ui->theme->hover);
    draw_ring(ui->list, rect, SKIN_RADIUS, 2, ui->theme->ring);
    line_edit_draw(ui, &ui->typed_edit, rect_inset(rect, 8, 0), state, font, SKIN_TEXT, ui->typed,
                   strlen(ui->typed));
    ui->cursor = state.hovered ? 1 : ui->cursor;
    return change;
}

/* Return the whole steps of a drag since the last pass. Shift makes the steps finer, Ctrl moves to
 * round values; both need a longer drag for each step. */
static int drag_steps(Ui *ui, UiState state, NumberPace *pace) {
    if (state.pressed)
        ui->drag_from = 0;
    if (!state.held || !ui->pointer_moved)
        return 0;
    bool fine = (ui->input->mods & KEY_MOD_SHIFT) != 0;
    bool snap = (ui->input->mods & KEY_MOD_COMMAND) != 0;
    float way = (ui->pointer.x - ui->press_at.x) - (ui->pointer.y - ui->press_at.y);
    float step_px = snap ? SNAP_PX : fine ? FINE_PX : DRAG_PX;
    if (fabsf(way) < DRAG_SLACK && ui->drag_from == 0)
        return 0;
    int steps = (int)((way - ui->drag_from) / step_px);
    ui->drag_from += (float)steps * step_px;
    *pace = snap ? NUMBER_SNAP : fine ? NUMBER_FINE : NUMBER_PLAIN;
    return steps;
}

static int wheel_steps(Ui *ui, UiId id, Rect rect, NumberPace *pace) {
    unsigned mods = 0;
    Vec2 wheel = ui_wheel(ui, id, rect, &mods);
    int steps = (int)lrintf(wheel.y != 0 ? wheel.y : wheel.x);
    if (steps != 0 && (mods & KEY_MOD_ALT) != 0)
        *pace = NUMBER_FINE;
    return (mods & KEY_MOD_SHIFT) != 0 ? steps * 10 : steps;
}

static int key_steps(Ui *ui, UiState state, NumberPace *pace) {
    static const struct {
        unsigned mods;
        int steps;
        NumberPace pace;
    } keys[] = {{0, 1, NUMBER_PLAIN},
                {KEY_MOD_SHIFT, 10, NUMBER_PLAIN},
                {KEY_MOD_ALT, 1, NUMBER_FINE},
                {KEY_MOD_COMMAND, 1, NUMBER_SNAP}};
    int steps = 0;
    for (size_t i = 0; state.focused && i < sizeof keys / sizeof *keys; i++) {
        int pressed = ui_keys(ui, KEY_UP, keys[i].mods) - ui_keys(ui, KEY_DOWN, keys[i].mods);
        steps += pressed * keys[i].steps;
        *pace = pressed != 0 ? keys[i].pace : *pace;
    }
    if (state.focused)
        steps += 10 * (ui_keys(ui, KEY_PAGE_UP, 0) - ui_keys(ui, KEY_PAGE_DOWN, 0));
    return steps;
}

/* Handle Home and End. Not called while the user types, because then both keys move the caret. */
static NumberEvent key_end(Ui *ui, UiState state) {
    bool least = state.focused && ui_keys(ui, KEY_HOME, 0) > 0;
    bool most = state.focused && ui_keys(ui, KEY_END, 0) > 0;
    return most ? NUMBER_MOST : least ? NUMBER_LEAST : NUMBER_NONE;
}

static void typing_start(Ui *ui, UiId id, const char *text, bool selects) {
    ui->typing = id;
    ui->focus = id;
    ui->typed_is_changed = !selects;
    snprintf(ui->typed, sizeof ui->typed, "%s", text);
    ui->typed_edit = (LineEdit){0};
    if (selects)
        line_edit_select_all(&ui->typed_edit, strlen(ui->typed));
    else
        ui->typed_edit.caret = ui->typed_edit.anchor = strlen(ui->typed);
    ui->again = true;
}

/* Begin to edit the field if it shows its focus ring and a digit, "." or "-" is typed. The typed
 * character replaces the number. */
static void digit_start(Ui *ui, UiId id, UiState state) {
    static const char keys[] = "0123456789.-";
    for (size_t i = 0; state.focused && ui->focus_visible && i < sizeof keys - 1; i++)
        if (ui->typing != id && ui_key(ui, (uint32_t)keys[i], 0))
            typing_start(ui, id, (char[2]){keys[i], '\0'}, false);
}

static void field_draw(Ui *ui, UiId id, Rect rect, UiState state, Font font, const char *text,
                       bool wrong) {
    Rect inside = rect_inset(rect, 6, 0);
    draw_fill(ui->list, rect, SKIN_RADIUS, skin_ground(ui, id, state, ui->theme->raised));
    if (wrong)
        skin_wrong(ui, rect, &inside);
    LabelStyle style = {font, SKIN_TEXT, skin_ink(state, ui->theme->text_1), LABEL_CENTRE};
    label_draw(ui, inside, &style, text);
    ui_focus_ring(ui, id, rect, SKIN_RADIUS);
}

NumberChange number_field(Ui *ui, UiId id, Rect rect, const char *text, Font font, bool wrong) {
    NumberChange change = {0};
    if (ui->is_plain)
        return change;
    UiState state = ui_control(ui, id, rect, ui->typing == id ? UI_NO_KEYS | UI_TEXT : 0);
    /* A double click requests the default, so end the typing that its first click started. */
    bool twice = state.pressed && state.clicks == 2 && strcmp(ui->typed, text) == 0;
    if (ui->typing == id && !twice)
        return field_typing(ui, id, rect, state, font);
    if (ui->typing == id)
        typing_stop(ui);
    change.step = drag_steps(ui, state, &change.pace) + wheel_steps(ui, id, rect, &change.pace) +
                  key_steps(ui, state, &change.pace);
    change.serial = ui->drag_serial;
    change.kind = key_end(ui, state);
    if (change.step != 0)
        change.kind = NUMBER_STEP;
    if (state.pressed && state.clicks == 2)
        change.kind = NUMBER_DEFAULT;
    if (state.clicked && ui->drag_from == 0 && ui->press_clicks < 2)
        typing_start(ui, id, text, true);
    digit_start(ui, id, state);
    if (state.pressed)
        ui->press_clicks = state.clicks;
    if (state.held && ui->drag_from != 0)
        ui->cursor = 3;
    field_draw(ui, id, rect, state, font, text, wrong);
    return change;
}
