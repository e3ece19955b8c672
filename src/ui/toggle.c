#include "ui/toggle.h"

#include <string.h>

#include "ui/icon.h"
#include "ui/label.h"
#include "ui/skin.h"
#include "ui/tween.h"

#define TRACK_W  44
#define TRACK_H  24
#define KNOB     18
#define GAP      12
#define SIDE_TAG 0x7F4A7C15u

float toggle_width(const Ui *ui, const char *label) {
    return TRACK_W + GAP + label_width(ui, FONT_SANS, SKIN_TEXT, label, strlen(label)) + 2;
}

/* Draw the switch. The place of the knob and a tick also show that it is on, for users who do not
 * see colours well. */
static void track_draw(Ui *ui, UiId id, Rect rect, UiState state, bool on) {
    Rect track = {rect.x, rect.y + (rect.h - TRACK_H) / 2, TRACK_W, TRACK_H};
    float side = ui_tween(ui, id ^ SIDE_TAG, on ? 1 : 0, MOTION_PIN);
    float margin = (TRACK_H - KNOB) / 2.0f, way = TRACK_W - TRACK_H;
    Rect knob = {track.x + margin + way * side, track.y + margin, KNOB, KNOB};
    Colour ground = on ? ui->theme->fill : skin_ground(ui, id, (UiState){0}, ui->theme->raised);
    draw_fill(ui->list, track, TRACK_H / 2, skin_ink(state, ground));
    Colour edge = state.hovered || state.held ? ui->theme->text_1 : ui->theme->control;
    draw_ring(ui->list, track, TRACK_H / 2, 1.5f, skin_ink(state, edge));
    draw_fill(ui->list, knob, KNOB / 2,
              skin_ink(state, on ? ui->theme->text_on_fill : ui->theme->text_2));
    if (on)
        icon_draw(ui, ICON_TICK, (Vec2){track.x + 13, track.y + TRACK_H / 2}, 10,
                  skin_ink(state, ui->theme->text_on_fill));
    ui_focus_ring(ui, id, track, TRACK_H / 2);
}

bool toggle(Ui *ui, UiId id, Rect rect, const char *label, bool on) {
    if (ui->is_plain)
        return false;
    UiState state = ui_control(ui, id, rect, 0);
    LabelStyle style = {FONT_SANS, SKIN_TEXT, skin_ink(state, ui->theme->text_1), LABEL_LEFT};
    track_draw(ui, id, rect, state, on);
    rect_cut_left(&rect, TRACK_W + GAP);
    label_draw(ui, rect, &style, label);
    bool left = state.focused && ui_key(ui, KEY_LEFT, 0);
    bool right = state.focused && ui_key(ui, KEY_RIGHT, 0);
    return state.clicked || (left && on) || (right && !on);
}
