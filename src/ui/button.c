#include "ui/button.h"

#include <string.h>

#include "ui/label.h"

#define SEGMENT_PAD 14
#define TEXT_SIZE   18

static void button_ground(Ui *ui, UiId id, Rect rect, UiState state, bool bare) {
    Colour ground = state.held      ? ui->theme->control
                    : state.hovered ? ui->theme->hover
                    : bare          ? COLOUR_CLEAR
                                    : ui->theme->raised;
    draw_fill(ui->list, rect, 8, ground);
    ui_focus_ring(ui, id, rect, 8);
}

bool button_text(Ui *ui, UiId id, Rect rect, const char *text) {
    UiState state = ui_control(ui, id, rect, 0);
    button_ground(ui, id, rect, state, false);
    LabelStyle style = {FONT_SANS, TEXT_SIZE, ui->theme->text_1, LABEL_CENTRE};
    label_draw(ui, rect_inset(rect, 8, 0), &style, text);
    return state.clicked;
}

bool button_icon(Ui *ui, UiId id, Rect rect, Icon icon) {
    UiState state = ui_control(ui, id, rect, 0);
    button_ground(ui, id, rect, state, true);
    icon_draw(ui, icon, rect_centre(rect), 18, ui->theme->text_1);
    return state.clicked;
}

float segmented_width(const Ui *ui, const char *const *labels, int count) {
    float width = 0;
    for (int i = 0; i < count; i++)
        width += label_width(ui, FONT_SANS_BOLD, TEXT_SIZE, labels[i], strlen(labels[i])) +
                 2 * SEGMENT_PAD;
    return width;
}

int segmented(Ui *ui, UiId id, Rect rect, const char *const *labels, int count, int chosen) {
    int result = -1;
    Rect rest = rect;
    UiState whole = ui_control(ui, id, rect, UI_NO_KEYS);
    draw_fill(ui->list, rect, 8, ui->theme->raised);
    for (int i = 0; i < count; i++) {
        float text = label_width(ui, FONT_SANS_BOLD, TEXT_SIZE, labels[i], strlen(labels[i]));
        Rect part = i == count - 1 ? rest : rect_cut_left(&rest, text + 2 * SEGMENT_PAD);
        bool over = whole.hovered && rect_contains(part, ui->pointer);
        if (over && whole.clicked)
            result = i;
        if (i == chosen)
            draw_fill(ui->list, rect_inset(part, 2, 2), 6, ui->theme->fill);
        else if (over)
            draw_fill(ui->list, rect_inset(part, 2, 2), 6, ui->theme->hover);
        LabelStyle style = {i == chosen ? FONT_SANS_BOLD : FONT_SANS, TEXT_SIZE,
                            i == chosen ? ui->theme->text_on_fill : ui->theme->text_2,
                            LABEL_CENTRE};
        label_draw(ui, part, &style, labels[i]);
    }
    ui_focus_ring(ui, id, rect, 8);
    if (whole.focused && ui_key(ui, KEY_RIGHT, 0) && chosen + 1 < count)
        result = chosen + 1;
    if (whole.focused && ui_key(ui, KEY_LEFT, 0) && chosen > 0)
        result = chosen - 1;
    return result;
}
