#include "ui/button.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "ui/label.h"
#include "ui/skin.h"
#include "ui/tween.h"

#define SEGMENT_PAD 14
#define CHOSEN_TAG  0x3C6EF372u

UiState button_ground(Ui *ui, UiId id, Rect rect, float radius, Colour rest) {
    UiState state = ui_control(ui, id, rect, 0);
    draw_fill(ui->list, rect, radius, skin_ground(ui, id, state, rest));
    ui_focus_ring(ui, id, rect, radius);
    return state;
}

bool button_text(Ui *ui, UiId id, Rect rect, const char *text) {
    if (ui->is_plain)
        return false;
    UiState state = button_ground(ui, id, rect, SKIN_RADIUS, ui->theme->raised);
    LabelStyle style = {FONT_SANS, SKIN_TEXT, skin_ink(state, ui->theme->text_1), LABEL_CENTRE};
    label_draw(ui, rect_inset(rect, 8, 0), &style, text);
    return state.clicked;
}

bool button_main(Ui *ui, UiId id, Rect rect, const char *text) {
    if (ui->is_plain)
        return false;
    UiState state = ui_control(ui, id, rect, 0);
    Colour lit = colour_mix(ui->theme->fill, ui->theme->control, state.held ? 0.35f : 0.18f);
    Colour ground = state.hovered || state.held ? lit : ui->theme->fill;
    ground = ui_tween_colour(ui, id, ground, state.held ? MOTION_NONE : MOTION_HOVER);
    LabelStyle style = {FONT_SANS_BOLD, SKIN_TEXT, ui->theme->text_on_fill, LABEL_CENTRE};
    draw_fill(ui->list, rect, SKIN_RADIUS, skin_ink(state, ground));
    label_draw(ui, rect_inset(rect, 8, 0), &style, text);
    ui_focus_ring(ui, id, rect, SKIN_RADIUS);
    return state.clicked;
}

bool button_icon(Ui *ui, UiId id, Rect rect, Icon icon) {
    if (ui->is_plain)
        return false;
    static const char *const NAMES[] = {
        [ICON_DICE] = "Reroll", [ICON_CLOSE] = "Close", [ICON_PLAY] = "Play",
        [ICON_PAUSE] = "Pause", [ICON_STOP] = "Stop",   [ICON_MENU] = "More"};
    UiState state = button_ground(ui, id, rect, SKIN_RADIUS, COLOUR_CLEAR);
    if ((size_t)icon < ARRAY_COUNT(NAMES) && NAMES[icon] != NULL)
        ui_name(ui, id, NAMES[icon]);
    icon_draw(ui, icon, rect_centre(rect), 18, skin_ink(state, ui->theme->text_1));
    return state.clicked;
}

static float segment_width(const Ui *ui, const char *label) {
    LabelStyle style = {FONT_SANS_BOLD, SKIN_TEXT, COLOUR_CLEAR, LABEL_CENTRE | LABEL_PROSE};
    return label_text_width(ui, &style, label) + 2 * SEGMENT_PAD;
}

float segmented_width(const Ui *ui, const char *const *labels, int count) {
    float width = 0;
    for (int i = 0; i < count; i++)
        width += segment_width(ui, labels[i]);
    return width;
}

static Rect segment_rect(const Ui *ui, Rect rect, const char *const *labels, int count, int i) {
    for (int before = 0; before < i; before++)
        rect_cut_left(&rect, segment_width(ui, labels[before]));
    return i == count - 1 ? rect : rect_cut_left(&rect, segment_width(ui, labels[i]));
}

static int segmented_wheel(Ui *ui, UiId id, Rect rect, int count, int chosen) {
    int steps = chosen >= 0 && count > 1 ? ui_wheel_choice(ui, id, rect) : 0;
    int wanted = chosen + steps < 0 ? 0 : chosen + steps;
    wanted = wanted >= count ? count - 1 : wanted;
    return steps == 0 || wanted == chosen ? -1 : wanted;
}

int segmented(Ui *ui, UiId id, Rect rect, const char *const *labels, int count, int chosen) {
    if (ui->is_plain)
        return -1;
    UiState whole = ui_control(ui, id, rect, UI_NO_KEYS);
    int keyed = ui_choice_keys(ui, whole, count, chosen);
    int result = keyed >= 0 ? keyed : segmented_wheel(ui, id, rect, count, chosen);
    draw_fill(ui->list, rect, SKIN_RADIUS, skin_ink(whole, ui->theme->raised));
    if (chosen >= 0 && chosen < count) {
        /* Slide the fill to the chosen segment. The motion is relative to the control, because the
         * control moves when the window is resized. */
        Rect fill = rect_inset(segment_rect(ui, rect, labels, count, chosen), 2, 2);
        fill.x -= rect.x;
        fill.y -= rect.y;
        fill = ui_tween_rect(ui, id ^ CHOSEN_TAG, fill, MOTION_VIEW);
        fill.x += rect.x;
        fill.y += rect.y;
        draw_fill(ui->list, fill, 6, skin_ink(whole, ui->theme->fill));
    }
    for (int i = 0; i < count; i++) {
        Rect part = segment_rect(ui, rect, labels, count, i);
        bool over = whole.hovered && rect_contains(part, ui->pointer);
        UiState state = {.hovered = over, .held = over && whole.held, .disabled = whole.disabled};
        if (over && whole.clicked)
            result = i;
        if (i != chosen)
            draw_fill(ui->list, rect_inset(part, 2, 2), 6,
                      skin_ground(ui, id + 1 + (UiId)i, state, COLOUR_CLEAR));
        float lit = ui_tween(ui, id + 101 + (UiId)i, i == chosen ? 1 : 0, MOTION_VIEW);
        Colour ink = colour_mix(ui->theme->text_2, ui->theme->text_on_fill, lit);
        LabelStyle style = {i == chosen ? FONT_SANS_BOLD : FONT_SANS, SKIN_TEXT,
                            skin_ink(whole, ink), LABEL_CENTRE | LABEL_PROSE};
        label_draw(ui, part, &style, labels[i]);
    }
    ui_focus_ring(ui, id, rect, SKIN_RADIUS);
    return result;
}

#define SWITCH_W   44
#define SWITCH_H   24
#define KNOB       18
#define SWITCH_GAP 12
#define SIDE_TAG   0x7F4A7C15u

float toggle_width(const Ui *ui, const char *label) {
    return SWITCH_W + SWITCH_GAP + label_width(ui, FONT_SANS, SKIN_TEXT, label, strlen(label)) + 2;
}

/* The place of the knob and the tick show the state to users who do not see colours well. */
static void switch_draw(Ui *ui, UiId id, Rect rect, UiState state, bool on) {
    Rect track = {rect.x, rect.y + (rect.h - SWITCH_H) / 2, SWITCH_W, SWITCH_H};
    float side = ui_tween(ui, id ^ SIDE_TAG, on ? 1 : 0, MOTION_PIN);
    float margin = (SWITCH_H - KNOB) / 2.0f, way = SWITCH_W - SWITCH_H;
    Rect knob = {track.x + margin + way * side, track.y + margin, KNOB, KNOB};
    Colour ground = on ? ui->theme->fill : skin_ground(ui, id, (UiState){0}, ui->theme->raised);
    draw_fill(ui->list, track, SWITCH_H / 2, skin_ink(state, ground));
    Colour edge = state.hovered || state.held ? ui->theme->text_1 : ui->theme->control;
    draw_ring(ui->list, track, SWITCH_H / 2, 1.5f, skin_ink(state, edge));
    draw_fill(ui->list, knob, KNOB / 2,
              skin_ink(state, on ? ui->theme->text_on_fill : ui->theme->text_2));
    if (on)
        icon_draw(ui, ICON_TICK, (Vec2){track.x + 13, track.y + SWITCH_H / 2}, 10,
                  skin_ink(state, ui->theme->text_on_fill));
    ui_focus_ring(ui, id, track, SWITCH_H / 2);
}

bool button_toggle(Ui *ui, UiId id, Rect rect, const char *label, bool on) {
    if (ui->is_plain)
        return false;
    UiState state = ui_control(ui, id, rect, 0);
    LabelStyle style = {FONT_SANS, SKIN_TEXT, skin_ink(state, ui->theme->text_1), LABEL_LEFT};
    switch_draw(ui, id, rect, state, on);
    rect_cut_left(&rect, SWITCH_W + SWITCH_GAP);
    label_draw(ui, rect, &style, label);
    bool left = state.focused && ui_key(ui, KEY_LEFT, 0);
    bool right = state.focused && ui_key(ui, KEY_RIGHT, 0);
    return state.clicked || (left && on) || (right && !on);
}

#define PROGRESS_BAR 6
#define STOP_W       72
#define NUMBER_W     60
#define PROGRESS_GAP 14

bool button_progress(Ui *ui, UiId id, Rect rect, const char *what, float share) {
    LabelStyle words = {FONT_SANS, SKIN_TEXT, ui->theme->text_1, LABEL_LEFT};
    LabelStyle number = {FONT_MONO, SKIN_TEXT, ui->theme->text_1, LABEL_RIGHT};
    float done = fminf(fmaxf(share, 0), 1); /* NaN, an unknown share, becomes 0 */
    Rect stop = rect_cut_right(&rect, STOP_W);
    rect_cut_right(&rect, PROGRESS_GAP);
    char text[16] = "…";
    if (!isnan(share))
        snprintf(text, sizeof text, "%d %%", (int)(done * 100));
    label_draw(ui, rect_cut_right(&rect, NUMBER_W), &number, text);
    rect_cut_right(&rect, PROGRESS_GAP);
    float width = label_text_width(ui, &words, what) + 1;
    label_draw(ui, rect_cut_left(&rect, fminf(width, rect.w * 0.6f)), &words, what);
    rect_cut_left(&rect, PROGRESS_GAP);
    Rect bar = {rect.x, rect.y + (rect.h - PROGRESS_BAR) / 2, rect.w, PROGRESS_BAR};
    draw_fill(ui->list, bar, PROGRESS_BAR / 2, ui->theme->hover);
    bar.w *= done;
    draw_fill(ui->list, bar, fminf(PROGRESS_BAR / 2, bar.w / 2), ui->theme->beam);
    return button_text(ui, id, stop, "Stop");
}
