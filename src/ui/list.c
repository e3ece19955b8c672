#include "ui/list.h"

#include "ui/icon.h"
#include "ui/label.h"
#include "ui/skin.h"

static Rect row_rect(const ScrollArea *area, int row) {
    return (Rect){area->content.x, area->content.y + LIST_ROW_HEIGHT * (float)row, area->content.w,
                  LIST_ROW_HEIGHT};
}

static int keys(Ui *ui, float height, int count, int chosen) {
    int page = (int)(height / LIST_ROW_HEIGHT) - 1, wanted = chosen;
    wanted += ui_keys(ui, KEY_DOWN, 0) - ui_keys(ui, KEY_UP, 0);
    wanted += (page > 1 ? page : 1) * (ui_keys(ui, KEY_PAGE_DOWN, 0) - ui_keys(ui, KEY_PAGE_UP, 0));
    wanted = wanted < 0 ? 0 : wanted >= count ? count - 1 : wanted;
    if (ui_keys(ui, KEY_HOME, 0) > 0)
        wanted = 0;
    if (ui_keys(ui, KEY_END, 0) > 0)
        wanted = count - 1;
    return wanted == chosen ? -1 : wanted;
}

static void row_draw(Ui *ui, UiId id, Rect rect, UiState whole, const char *label, bool chosen) {
    bool over = whole.hovered && rect_contains(rect, ui->pointer);
    UiState state = {.hovered = over, .held = over && whole.held, .disabled = whole.disabled};
    Colour rest = chosen ? ui->theme->raised : COLOUR_CLEAR;
    draw_fill(ui->list, rect_inset(rect, 2, 1), 6, skin_ground(ui, id, state, rest));
    Rect words = rect_inset(rect, 12, 0), mark = rect_cut_right(&words, 18);
    LabelStyle style = {chosen ? FONT_SANS_BOLD : FONT_SANS, SKIN_TEXT,
                        skin_ink(whole, chosen ? ui->theme->text_1 : ui->theme->text_2),
                        LABEL_LEFT};
    label_draw(ui, words, &style, label);
    if (chosen)
        icon_draw(ui, ICON_TICK, rect_centre(mark), 14, skin_ink(whole, ui->theme->text_1));
}

int list_rows(Ui *ui, UiId id, Rect rect, const ListRows *rows, int chosen, Scroll *scroll) {
    UiState state = ui_control(ui, id, rect, UI_NO_KEYS | UI_NO_POINTER);
    int wanted = state.focused ? keys(ui, rect.h, rows->count, chosen) : -1;
    Vec2 size = {0, LIST_ROW_HEIGHT * (float)rows->count};
    /* The list is one stop of Tab, so its scroll area takes no focus. */
    ScrollArea area = scroll_begin_silent(ui, id + 1, rect, scroll, size);
    UiState pointer = ui_control(ui, id + 4, area.inside, UI_NO_FOCUS);
    if (pointer.pressed)
        ui->focus = id;
    pointer.disabled = state.disabled;
    int first = (int)((rect.y - area.content.y) / LIST_ROW_HEIGHT);
    for (int row = first < 0 ? 0 : first; row < rows->count; row++) {
        Rect at = row_rect(&area, row);
        if (at.y > rect_bottom(rect))
            break;
        row_draw(ui, id + 8 + (UiId)row, at, pointer, rows->label(rows->data, row), row == chosen);
        if (pointer.clicked && rect_contains(at, ui->pointer))
            wanted = row;
    }
    if (wanted >= 0 && state.focused)
        scroll_show(ui, &area, row_rect(&area, wanted));
    scroll_end(ui, &area);
    ui_focus_ring(ui, id, rect_inset(rect, 2, 2), 6);
    return wanted == chosen ? -1 : wanted;
}
