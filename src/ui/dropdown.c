#include "ui/dropdown.h"

#include "ui/formula.h"
#include "ui/icon.h"
#include "ui/prose.h"

#define ROW_HEIGHT   36
#define ROW_LEAST    24 /* beside the button; lower than that, the list covers it */
#define LIST_WIDTH   380
#define HELP_HEIGHT  104 /* four lines */
#define FORMULA_H    34
#define FORMULA_SIZE 20
#define TEXT_SIZE    18
#define LIST_PAD     6

static const char *choice_label(const DropdownChoices *choices, int row) {
    return row < 0 ? choices->absent : registry_entry(choices->registry, row)->label;
}

static const char *button_label(const DropdownChoices *choices, int chosen) {
    return choices->label != NULL ? choices->label : choice_label(choices, chosen);
}

float dropdown_width(const Ui *ui, const DropdownChoices *choices, int chosen) {
    const char *label = button_label(choices, chosen);
    LabelStyle style = {.font = FONT_SANS, .size = TEXT_SIZE};
    return prose_width(ui, &style, label) + 48;
}

/* What stands under the rows: a sentence, and a formula where any choice has one. */
static float notes_height(const DropdownChoices *choices) {
    bool any = false;
    for (int i = 0; i < choices->registry->count; i++)
        any |= registry_entry(choices->registry, i)->formula[0] != '\0';
    return HELP_HEIGHT + (any ? FORMULA_H : 0);
}

/* As high as the rows can be between the button and the end of the window, on its roomier side;
 * where that is too little, between both ends of the window. */
static float row_height(const Ui *ui, Rect button, int rows, float notes_h) {
    float under = ui->list->height - rect_bottom(button), margin = 8 + notes_h + 2 * LIST_PAD;
    float beside = ((under > button.y ? under : button.y) - margin) / (float)rows;
    float most = beside < ROW_LEAST ? (ui->list->height - margin) / (float)rows : beside;
    return most > ROW_HEIGHT ? ROW_HEIGHT : most;
}

/* Where the list goes: under the button, or above it where there is more room. */
static Rect list_place(const Ui *ui, Rect button, float width, float height) {
    Rect list = {button.x, rect_bottom(button) + 4, width, height};
    if (rect_bottom(list) > ui->list->height - 4 && button.y > ui->list->height / 2)
        list.y = button.y - 4 - height;
    if (rect_right(list) > ui->list->width - 4)
        list.x = ui->list->width - 4 - width;
    if (rect_bottom(list) > ui->list->height - 4)
        list.y = ui->list->height - 4 - height;
    list.x = list.x < 4 ? 4 : list.x;
    list.y = list.y < 4 ? 4 : list.y;
    return list;
}

static void list_ground(Ui *ui, Rect list) {
    for (int i = 3; i >= 1; i--) {
        float grow = (float)i * 5;
        Rect shadow = {list.x - grow, list.y - grow + 8, list.w + 2 * grow, list.h + 2 * grow};
        draw_fill(ui->list, shadow, 8 + grow, 0x0000001Eu);
    }
    draw_fill(ui->list, list, 8, ui->theme->raised);
    draw_ring(ui->list, list, 8, 1, ui->theme->hover);
}

/* Arrows, Home, End and the wheel move the lit row. */
static void list_keys(Ui *ui, int first, int count) {
    int step = ui_key(ui, KEY_DOWN, 0) - ui_key(ui, KEY_UP, 0);
    if (ui_key(ui, KEY_HOME, 0))
        ui->popup_at = first;
    if (ui_key(ui, KEY_END, 0))
        ui->popup_at = count - 1;
    if (step != 0) {
        ui->popup_at += step;
        ui->again = true;
    }
    ui->popup_at = ui->popup_at < first ? first : ui->popup_at >= count ? count - 1 : ui->popup_at;
}

static bool list_row(Ui *ui, UiId id, Rect rect, const char *label, int row, bool chosen) {
    UiState state = ui_control(ui, id, rect, UI_NO_FOCUS);
    if (state.hovered && ui->pointer_moved && row != ui->popup_at) {
        ui->popup_at = row;
        ui->again = true;
    }
    if (row == ui->popup_at)
        draw_fill(ui->list, rect, 6, ui->theme->hover);
    LabelStyle style = {chosen ? FONT_SANS_BOLD : FONT_SANS, TEXT_SIZE,
                        chosen ? ui->theme->text_1 : ui->theme->text_2, LABEL_LEFT};
    Rect words = rect_inset(rect, 10, 0);
    Rect mark = rect_cut_right(&words, 18);
    prose_draw(ui, words, &style, label);
    if (chosen)
        icon_draw(ui, ICON_TICK, rect_centre(mark), 14, ui->theme->text_1);
    return state.clicked;
}

static void list_help(Ui *ui, Rect rect, const DropdownChoices *choices) {
    if (ui->popup_at < 0)
        return;
    const Entry *entry = registry_entry(choices->registry, ui->popup_at);
    LabelStyle style = {FONT_SANS, 15, ui->theme->text_2, LABEL_LEFT};
    Rect words = rect_inset(rect, 10, 8);
    draw_fill(ui->list, (Rect){rect.x + 10, rect.y, rect.w - 20, 1}, 0, ui->theme->hover);
    FormulaStyle formula = {.size = FORMULA_SIZE, .colour = ui->theme->text_1};
    if (entry->formula[0] != '\0')
        formula_label(ui, rect_cut_top(&words, FORMULA_H), &formula, entry->formula);
    prose_wrap(ui, words, &style, entry->help);
}

static int list_show(Ui *ui, UiId id, Rect button, const DropdownChoices *choices, int chosen) {
    int first = choices->absent != NULL ? -1 : 0, count = choices->registry->count;
    float width = button.w > LIST_WIDTH ? button.w : LIST_WIDTH;
    float notes_h = notes_height(choices);
    float row_h = row_height(ui, button, count - first, notes_h);
    float height = row_h * (float)(count - first) + notes_h + 2 * LIST_PAD;
    Rect list = list_place(ui, button, width, height), rest = rect_inset(list, LIST_PAD, LIST_PAD);
    int result = DROPDOWN_UNCHANGED;
    list_keys(ui, first, count);
    list_ground(ui, list);
    ui_cover(ui, list);
    for (int row = first; row < count; row++) {
        Rect place = rect_cut_top(&rest, row_h);
        if (list_row(ui, id + (UiId)(row + 2), place, choice_label(choices, row), row,
                     row == chosen))
            result = row;
    }
    list_help(ui, rest, choices);
    if (ui_key(ui, KEY_ENTER, 0) || ui_key(ui, ' ', 0))
        result = ui->popup_at;
    bool outside = ui_pressed_outside(ui, list);
    if (result != DROPDOWN_UNCHANGED || outside || ui_key(ui, KEY_ESCAPE, 0) ||
        ui_key(ui, KEY_TAB, 0)) {
        ui->popup = 0;
        ui->again = true;
    }
    return result;
}

static void dropdown_button(Ui *ui, UiId id, Rect rect, UiState state,
                            const DropdownChoices *choices, int chosen) {
    bool lit = state.hovered || ui->popup == id;
    draw_fill(ui->list, rect, 8, lit ? ui->theme->hover : ui->theme->raised);
    Rect words = rect_inset(rect, 12, 0);
    Rect mark = rect_cut_right(&words, 16);
    LabelStyle style = {FONT_SANS, TEXT_SIZE, ui->theme->text_1, LABEL_LEFT};
    prose_draw(ui, words, &style, button_label(choices, chosen));
    icon_draw(ui, ICON_CHEVRON, rect_centre(mark), 11, ui->theme->text_2);
    ui_focus_ring(ui, id, rect, 8);
}

int dropdown(Ui *ui, UiId id, Rect rect, const DropdownChoices *choices, int chosen) {
    int result = DROPDOWN_UNCHANGED, first = choices->absent != NULL ? -1 : 0;
    if (ui->popup == id) {
        int layer = ui->list->layer;
        Rect clip = ui->list->clip;
        ui->list->layer = UI_LAYER_POPUP;
        ui->list->clip = (Rect){0, 0, ui->list->width, ui->list->height};
        result = list_show(ui, id, rect, choices, chosen);
        ui->list->layer = layer;
        ui->list->clip = clip;
        dropdown_button(ui, id, rect, (UiState){0}, choices, chosen);
        return result;
    }
    UiState state = ui_control(ui, id, rect, 0);
    if (state.clicked) {
        ui->popup = id;
        ui->popup_at = chosen;
        ui->again = true;
    }
    if (state.focused && ui_key(ui, KEY_DOWN, 0) && chosen + 1 < choices->registry->count)
        result = chosen + 1;
    if (state.focused && ui_key(ui, KEY_UP, 0) && chosen > first)
        result = chosen - 1;
    dropdown_button(ui, id, rect, state, choices, chosen);
    return result;
}
