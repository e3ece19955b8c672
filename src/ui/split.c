#include "ui/split.h"

#include <math.h>

#include "ui/tween.h"

#define REACH    28 /* px across the border in which the pointer grabs it */
#define GRIP     36
#define KEY_STEP 24.0f
#define GRIP_TAG 0x2545F491u

static float held_in(float share, float room, float least) {
    float edge = room > 2 * least ? least / room : 0.5f;
    return fminf(fmaxf(share, edge), 1 - edge);
}

static void keys(Ui *ui, bool upright, float room, float *share) {
    uint32_t less = upright ? KEY_LEFT : KEY_UP, more = upright ? KEY_RIGHT : KEY_DOWN;
    *share += (float)(ui_keys(ui, more, 0) - ui_keys(ui, less, 0)) * KEY_STEP / room;
    if (ui_keys(ui, KEY_HOME, 0) > 0)
        *share = 0;
    if (ui_keys(ui, KEY_END, 0) > 0)
        *share = 1;
}

static void divide(Rect area, bool upright, float at, Rect *first, Rect *second) {
    *second = area;
    *first = upright ? rect_cut_left(second, at) : rect_cut_top(second, at);
    if (upright)
        rect_cut_left(second, SPLIT_GAP);
    else
        rect_cut_top(second, SPLIT_GAP);
}

static void grip_draw(Ui *ui, UiId id, Rect border, UiState state, bool upright) {
    Vec2 c = rect_centre(border);
    Rect grip = upright ? (Rect){c.x - 2, c.y - GRIP / 2, 4, GRIP}
                        : (Rect){c.x - GRIP / 2, c.y - 2, GRIP, 4};
    Colour ink = state.held || state.hovered ? ui->theme->text_2 : ui->theme->control;
    draw_fill(ui->list, grip, 2,
              ui_tween_colour(ui, id ^ GRIP_TAG, state.disabled ? colour_fade(ink, 0.45f) : ink,
                              MOTION_HOVER));
    ui_focus_ring(ui, id, grip, 2);
}

bool split_pane(Ui *ui, UiId id, Rect area, const SplitPane *pane, float *share, Rect *first,
                Rect *second) {
    float was = *share, room = fmaxf((pane->upright ? area.w : area.h) - SPLIT_GAP, 1);
    float start = pane->upright ? area.x : area.y;
    float at = held_in(*share, room, pane->least) * room + start;
    Rect border = pane->upright ? (Rect){at, area.y, SPLIT_GAP, area.h}
                                : (Rect){area.x, at, area.w, SPLIT_GAP};
    float more = (REACH - SPLIT_GAP) / 2.0f;
    Rect reach = pane->upright ? rect_inset(border, -more, 0) : rect_inset(border, 0, -more);
    UiState state = ui_control(ui, id, reach, UI_NO_KEYS | UI_NO_HAND);
    float pointer = pane->upright ? ui->pointer.x : ui->pointer.y;
    if (state.pressed)
        ui->drag_from = pointer - at;
    if (state.held && !state.pressed)
        *share = (pointer - ui->drag_from - start) / room;
    if (state.pressed && state.clicks == 2)
        *share = pane->standard;
    if (state.focused)
        keys(ui, pane->upright, room, share);
    if (*share != was)
        *share = held_in(*share, room, pane->least);
    if ((state.hovered || state.held) && pane->upright)
        ui->cursor = 3;
    divide(area, pane->upright, held_in(*share, room, pane->least) * room, first, second);
    border = pane->upright ? (Rect){rect_right(*first), area.y, SPLIT_GAP, area.h}
                           : (Rect){area.x, rect_bottom(*first), area.w, SPLIT_GAP};
    grip_draw(ui, id, border, state, pane->upright);
    return *share != was;
}
