#include "views/shared/tools.h"

#include <math.h>
#include <string.h>

#include "ui/button.h"
#include "ui/text.h"

#define LABEL_GAP 10

Tools tools_in(Rect area, float gap) {
    return (Tools){.area = area, .x = area.x, .y = area.y, .gap = gap};
}

void tools_keep(Tools *t, float width) {
    if (t->x > t->area.x && t->x + width > rect_right(t->area)) {
        t->x = t->area.x;
        t->y += TOOL_ROW;
    }
}

Rect tools_place(Tools *t, float width) {
    tools_keep(t, width);
    Rect place = {t->x, t->y, fminf(width, t->area.w), BUTTON_HEIGHT};
    t->x += place.w + t->gap;
    return place;
}

Rect tools_place_named(const ViewContext *c, Tools *t, const char *label, float width) {
    float label_w = label[0] != '\0' ? text_width(c->ui, TEXT_BODY, "%s", label) + LABEL_GAP : 0;
    Rect place = tools_place(t, label_w + width), name = rect_cut_left(&place, label_w);
    if (!t->is_dry && label_w > 0)
        text_in(c->ui, name, TEXT_BODY | TEXT_FAINT, "%s", label);
    return place;
}

int tool_dropdown(const ViewContext *c, Tools *t, UiId id, const char *label,
                  const DropdownChoices *choices, int chosen) {
    Rect place = tools_place_named(c, t, label, dropdown_width(c->ui, choices, chosen));
    return t->is_dry ? DROPDOWN_UNCHANGED : dropdown(c->ui, id, place, choices, chosen);
}

void tool_choice(const ViewContext *c, Tools *t, const char *key, const char *label, int chosen) {
    const OptionRow *row = option_find(&PICTURE_OPTIONS, key, strlen(key));
    DropdownChoices choices = {.registry = row->choices};
    UiId id = ui_id(key, 0);
    int picked = tool_dropdown(c, t, id, label, &choices, chosen);
    if (picked != DROPDOWN_UNCHANGED)
        view_set(c, key, registry_entry(row->choices, picked)->id, ui_wheel_serial(c->ui, id));
}

NumberChange tool_number(const ViewContext *c, Tools *t, const char *key, const char *label,
                         const char *text, float width) {
    Rect place = tools_place_named(c, t, label, width);
    return t->is_dry ? (NumberChange){.kind = NUMBER_NONE}
                     : number_field(c->ui, ui_id(key, 0), place, text, FONT_MONO, false);
}

static DropdownChoices results_choices(const Registry *rows) {
    return (DropdownChoices){.registry = rows, .label = "Results"};
}

float results_menu_width(const ViewContext *c, const Registry *rows) {
    DropdownChoices choices = results_choices(rows);
    return dropdown_width(c->ui, &choices, 0);
}

void results_menu_draw(const ViewContext *c, UiId id, Rect place, const Registry *rows,
                       bool (*results)(const ViewContext *, ViewResult, TextOut *), TextOut *copy) {
    const int copies = RESULT_PYTORCH - RESULT_CSV + 1;
    DropdownChoices choices = results_choices(rows);
    int picked = dropdown(c->ui, id, place, &choices, -1);
    if (picked >= copies)
        *c->save = (ViewResult)(RESULT_CSV + picked - copies);
    if (picked < 0 || picked >= copies)
        return;
    text_out_reset(copy);
    if (!results(c, (ViewResult)(RESULT_CSV + picked), copy))
        return;
    c->ui->copied = copy->at;
    c->ui->copied_bytes = copy->used;
}
