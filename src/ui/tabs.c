#include "ui/tabs.h"

#include <string.h>

#include "ui/label.h"
#include "ui/skin.h"
#include "ui/tween.h"

#define PAD      14
#define LINE     3
#define LINE_TAG 0x68E31DA4u

static float title_width(const Ui *ui, const char *title) {
    return label_width(ui, FONT_SANS_BOLD, SKIN_TEXT, title, strlen(title)) + 2 * PAD;
}

static bool title_draw(Ui *ui, UiId id, Rect part, UiState whole, const char *title, bool open) {
    bool over = whole.hovered && rect_contains(part, ui->pointer);
    UiState state = {
        .hovered = over && !open, .held = over && whole.held, .disabled = whole.disabled};
    draw_fill(ui->list, rect_inset(part, 2, 3), 6, skin_ground(ui, id, state, COLOUR_CLEAR));
    LabelStyle style = {open ? FONT_SANS_BOLD : FONT_SANS, SKIN_TEXT,
                        skin_ink(whole, open ? ui->theme->text_1 : ui->theme->text_2),
                        LABEL_CENTRE};
    label_draw(ui, part, &style, title);
    return over && whole.clicked;
}

int tabs(Ui *ui, UiId id, Rect rect, const char *const *titles, int count, int open) {
    Rect rest = rect;
    UiState whole = ui_control(ui, id, rect, UI_NO_KEYS);
    int result = ui_choice_keys(ui, whole, count, open);
    Rect line = {0, rect.h - LINE, 0, LINE};
    for (int i = 0; i < count; i++) {
        Rect part = rect_cut_left(&rest, title_width(ui, titles[i]));
        if (i == open)
            line = (Rect){part.x - rect.x + PAD, rect.h - LINE, part.w - 2 * PAD, LINE};
        if (title_draw(ui, id + 1 + (UiId)i, part, whole, titles[i], i == open))
            result = i;
    }
    line = ui_tween_rect(ui, id ^ LINE_TAG, line, MOTION_VIEW);
    line.x += rect.x;
    line.y += rect.y;
    draw_fill(ui->list, line, LINE / 2.0f, skin_ink(whole, ui->theme->fill));
    ui_focus_ring(ui, id, (Rect){rect.x, rect.y, rest.x - rect.x, rect.h}, 6);
    return result == open ? -1 : result;
}
