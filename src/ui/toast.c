#include "ui/toast.h"

#include <math.h>
#include <string.h>

#include "ui/button.h"
#include "ui/label.h"
#include "ui/skin.h"
#include "ui/tween.h"

#define ABOVE_TAG    0x7A31C5E9u
#define ACTION_TAG   0x51D09A47u
#define LEAST_H      36
#define MARGIN       16 /* px between a toast and the left and right edge of its area */
#define PAD          8
#define MARK_W       32
#define CLOSE_ICON_H 30 /* height of the close button if the icon has its default size */
#define CLOSE_W      36
#define STACKED_W    560
#define ACTION_PAD   10
#define LINE_MOST    960 /* px: longest line of a wrapped text that is easy to read */
#define RISE         8   /* px by which a toast rises while it fades in */

static float scale_factor(const Toast *t) {
    return t->size > 0 ? t->size / SKIN_TEXT : 1;
}

static float words_size(const Toast *t) {
    return SKIN_TEXT * scale_factor(t);
}

static float least_h(const Toast *t) {
    return LEAST_H * scale_factor(t);
}

static float opacity_of(Ui *ui, const Toast *t) {
    if (!t->passes || ui->reduced_motion)
        return 1;
    float coming = (float)((ui->time_s - t->since_s) / (double)MOTIONS[MOTION_VIEW].duration_s);
    float going = (float)((t->until_s - ui->time_s) / TOAST_LEAVES_S);
    ui_wake(ui, coming < 1 || going < 1 ? ui->time_s : t->until_s - TOAST_LEAVES_S);
    float come = easing_at(MOTIONS[MOTION_VIEW].easing, coming);
    return fminf(come, fminf(fmaxf(going, 0), 1));
}

static float action_width(const Ui *ui, const Toast *t) {
    return t->action != NULL
               ? label_width(ui, FONT_SANS, words_size(t), t->action, strlen(t->action)) +
                     2 * ACTION_PAD
               : 0;
}

/* True if the action button is below the text, because the area is narrow. */
static bool is_stacked(Rect area, const Toast *t) {
    return t->action != NULL && area.w < STACKED_W;
}

static Rect place(Ui *ui, Rect area, const LabelStyle *style, const Toast *t, float bottom) {
    float buttons = t->passes ? CLOSE_W * scale_factor(t) + PAD : 2 * PAD;
    bool stacked = is_stacked(area, t);
    float frame = MARK_W * scale_factor(t) + buttons + (stacked ? 0 : action_width(ui, t));
    float room = fmaxf(area.w - 2 * MARGIN - frame, 40);
    float width = label_text_width(ui, style, t->text) + 1;
    room = width <= room ? room : fminf(room, LINE_MOST);
    int lines = width <= room ? 1 : label_lines(ui, style, t->text, room);
    float height = (float)lines * style->size * LABEL_LINE + 2 * PAD;
    height = (lines == 1 ? least_h(t) : height) + (stacked ? least_h(t) : 0);
    height = fminf(height, bottom - area.y);
    return (Rect){area.x + MARGIN, bottom - height, fminf(width, room) + frame, height};
}

static void words_draw(Ui *ui, Rect line, const LabelStyle *style, const Toast *t) {
    Rect clip = draw_clip(ui->list, line);
    if (line.h <= least_h(t)) {
        label_draw(ui, line, style, t->text);
    } else {
        line.y += PAD;
        label_wrap(ui, line, style, t->text);
    }
    draw_clip_restore(ui->list, clip);
}

static bool close_draw(Ui *ui, UiId id, Rect rect, float opacity) {
    UiState state = button_ground(ui, id, rect, SKIN_RADIUS, COLOUR_CLEAR);
    ui_name(ui, id, "Close");
    Colour ink = skin_ink(state, ui->theme->text_1);
    icon_draw(ui, ICON_CLOSE, rect_centre(rect), 18 * rect.h / CLOSE_ICON_H,
              colour_fade(ink, opacity));
    return state.clicked;
}

static bool action_draw(Ui *ui, UiId id, Rect rect, const Toast *t, float opacity) {
    UiState state = ui_control(ui, id, rect, 0);
    LabelStyle style = {FONT_SANS, words_size(t), colour_fade(ui->theme->text_1, opacity),
                        LABEL_CENTRE};
    float lit = state.held ? 0.4f : state.hovered ? 0.25f : 0;
    Colour ground = colour_mix(ui->theme->hover, ui->theme->control, lit);
    draw_fill(ui->list, rect, SKIN_RADIUS, colour_fade(ground, opacity));
    label_draw(ui, rect, &style, t->action);
    ui_focus_ring(ui, id, rect, SKIN_RADIUS);
    return state.clicked;
}

static void ground_draw(Ui *ui, Rect box, Rect mark, const Toast *t, float opacity) {
    const Theme *theme = ui->theme;
    LabelStyle sign = {FONT_SANS_BOLD, 20 * scale_factor(t),
                       colour_fade(t->warning ? theme->warn : theme->text_2, opacity),
                       LABEL_CENTRE};
    Colour edge = t->warning ? theme->warn : theme->control;
    draw_fill(ui->list, box, SKIN_RADIUS, colour_fade(theme->raised, opacity));
    draw_ring(ui->list, box, SKIN_RADIUS, 1, colour_fade(edge, opacity));
    label_draw(ui, mark, &sign, t->warning ? "!" : "i");
}

ToastState toast(Ui *ui, UiId id, Rect area, const Toast *t) {
    ToastState result = {.held = false};
    float opacity = opacity_of(ui, t);
    float above = ui_tween(ui, id ^ ABOVE_TAG, t->above, MOTION_PIN);
    LabelStyle style = {FONT_SANS, words_size(t), colour_fade(ui->theme->text_1, opacity),
                        t->is_prose ? LABEL_PROSE : LABEL_LEFT};
    Rect box = place(ui, area, &style, t, rect_bottom(area) - above);
    result.rect = box;
    box.y += (1 - opacity) * RISE;
    Rect line = box, mark = rect_cut_left(&line, MARK_W * scale_factor(t));
    mark.h = least_h(t);
    ground_draw(ui, box, mark, t, opacity);
    if (t->passes) {
        result.close = rect_cut_right(&line, CLOSE_W * scale_factor(t));
        result.close.h = least_h(t);
        result.close = rect_inset(result.close, 3, 3);
    }
    if (t->action != NULL) {
        float width = action_width(ui, t);
        Rect action =
            is_stacked(area, t) ? rect_cut_bottom(&line, least_h(t)) : rect_cut_right(&line, width);
        action = rect_inset((Rect){action.x, action.y, width, least_h(t)}, 0, 3);
        result.acted = action_draw(ui, id ^ ACTION_TAG, action, t, opacity);
    }
    rect_cut_right(&line, PAD);
    words_draw(ui, line, &style, t);
    result.closed = t->passes && close_draw(ui, id, result.close, opacity);
    result.held = t->passes && (ui_over(ui, box) || (ui->focus == id && ui->focus_visible));
    return result;
}
