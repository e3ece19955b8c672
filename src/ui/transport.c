#include "ui/transport.h"

#include "ui/icon.h"
#include "ui/skin.h"
#include "ui/tooltip.h"

#define SMALL      40
#define LARGE      48
#define GAP        10
#define GAP_LARGE  12 /* px next to the play button */
#define ICON_SMALL 16
#define ICON_LARGE 20
#define RADIUS     14

static const Icon ICONS[TRANSPORT_COUNT] = {[TRANSPORT_FIRST] = ICON_FIRST,
                                            [TRANSPORT_BACK] = ICON_BACK,
                                            [TRANSPORT_PLAY] = ICON_PLAY,
                                            [TRANSPORT_FORWARD] = ICON_FORWARD,
                                            [TRANSPORT_LAST] = ICON_LAST};

Rect transport_card(Ui *ui, Rect rect) {
    if (!ui->is_plain)
        draw_fill(ui->list, rect, RADIUS, ui->theme->chrome);
    return rect_inset(rect, TRANSPORT_PAD, 0);
}

float transport_width(const Transport *t) {
    return 3 * SMALL + LARGE + GAP + 2 * GAP_LARGE + (t->with_last ? SMALL + GAP : 0);
}

static bool is_disabled(const Transport *t, TransportButton which) {
    return which < TRANSPORT_PLAY ? t->at_first : which > TRANSPORT_PLAY && t->at_last;
}

static Colour ground_of(Ui *ui, UiId id, UiState state, bool is_main) {
    Colour rest = is_main ? ui->theme->fill : ui->theme->raised;
    if (!is_main)
        return skin_ground(ui, id, state, rest);
    if (state.hovered || state.held)
        rest = colour_mix(rest, ui->theme->control, state.held ? 0.35f : 0.18f);
    return skin_ink(state, rest);
}

static bool button(Ui *ui, UiId id, Rect rect, const Transport *t, TransportButton which) {
    bool is_main = which == TRANSPORT_PLAY;
    Icon icon = is_main && t->plays ? ICON_PAUSE : ICONS[which];
    bool was = ui_disable(ui, ui->disabled || is_disabled(t, which));
    UiState state = ui_control(ui, id, rect, UI_NO_KEYS);
    bool keyed =
        state.focused && (ui_key(ui, KEY_ENTER, 0) || (ui->focus_visible && ui_key(ui, ' ', 0)));
    draw_fill(ui->list, rect, rect.w / 2, ground_of(ui, id, state, is_main));
    Colour ink = is_main ? ui->theme->text_on_fill : ui->theme->text_1;
    icon_draw(ui, icon, rect_centre(rect), is_main ? ICON_LARGE : ICON_SMALL, skin_ink(state, ink));
    ui_focus_ring(ui, id, rect, rect.w / 2);
    if (t->words[which] != NULL)
        tooltip(ui, id, rect, NULL, t->words[which]);
    ui_disable(ui, was);
    return state.clicked || keyed;
}

TransportButton transport(Ui *ui, UiId id, Rect rect, const Transport *t) {
    TransportButton clicked = TRANSPORT_NONE;
    if (ui->is_plain)
        return clicked;
    for (TransportButton which = TRANSPORT_FIRST; which < TRANSPORT_COUNT; which++) {
        bool is_main = which == TRANSPORT_PLAY;
        float side = is_main ? LARGE : SMALL;
        if (which == TRANSPORT_LAST && !t->with_last)
            break;
        Rect place = rect_cut_left(&rect, side);
        place.y += (place.h - side) / 2;
        place.h = side;
        if (button(ui, is_main ? id : id + (UiId)which, place, t, which))
            clicked = which;
        rect_cut_left(&rect, is_main || which == TRANSPORT_BACK ? GAP_LARGE : GAP);
    }
    return clicked;
}
