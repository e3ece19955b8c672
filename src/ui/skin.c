#include "ui/skin.h"

#include "ui/label.h"
#include "ui/tween.h"

#define GROUND_TAG 0x51A7B3D9u
#define SIGN_W     20
#define SHADOWS    8
#define SHADOW     0x00000009u

Colour skin_ground(Ui *ui, UiId id, UiState state, Colour rest) {
    Colour none = rest == COLOUR_CLEAR ? colour_fade(ui->theme->hover, 0) : rest;
    Colour wanted = state.held      ? colour_mix(ui->theme->hover, ui->theme->control, 0.5f)
                    : state.hovered ? ui->theme->hover
                                    : none;
    Motion motion = state.held ? MOTION_NONE : MOTION_HOVER;
    return skin_ink(state, ui_tween_colour(ui, id ^ GROUND_TAG, wanted, motion));
}

Colour skin_ink(UiState state, Colour colour) {
    return state.disabled ? colour_fade(colour, SKIN_DISABLED) : colour;
}

void skin_wrong(Ui *ui, Rect rect, Rect *inside) {
    LabelStyle sign = {FONT_SANS_BOLD, SKIN_TEXT, ui->theme->warn, LABEL_CENTRE};
    draw_ring(ui->list, rect, SKIN_RADIUS, 2, ui->theme->warn);
    label_draw(ui, rect_cut_right(inside, SIGN_W), &sign, "!");
}

void skin_raise(Ui *ui, Rect rect, float radius, Colour ground, Colour edge) {
    for (int i = SHADOWS; i >= 1; i--) {
        float grow = (float)i * 3;
        Rect shadow = {rect.x - grow, rect.y - grow + 8, rect.w + 2 * grow, rect.h + 2 * grow};
        draw_fill(ui->list, shadow, radius + grow, SHADOW);
    }
    draw_fill(ui->list, rect, radius, ground);
    draw_ring(ui->list, rect, radius, 1, edge);
}
