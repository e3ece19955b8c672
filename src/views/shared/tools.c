#include "views/shared/tools.h"

#include <math.h>
#include <string.h>

#include "ui/button.h"
#include "ui/text.h"

#define LABEL_GAP    10
#define SEGMENTS_MAX 8

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

static const OptionRow *option_of(const char *key) {
    return option_find(&PICTURE_OPTIONS, key, strlen(key));
}

static int chosen_row(const ViewContext *c, const OptionRow *row) {
    int chosen;
    memcpy(&chosen, (const char *)c->settings + row->offset, sizeof chosen);
    return chosen;
}

/* Write the labels of the first rows of a registry. Return their number. */
static int labels_of(const char *out[SEGMENTS_MAX], const Registry *registry) {
    int count = registry->count < SEGMENTS_MAX ? registry->count : SEGMENTS_MAX;
    for (int i = 0; i < count; i++)
        out[i] = registry_entry(registry, i)->label;
    return count;
}

float tool_segments_width(const ViewContext *c, const char *key) {
    const char *labels[SEGMENTS_MAX];
    int count = labels_of(labels, option_of(key)->choices);
    return segmented_width(c->ui, labels, count);
}

static void set_choice(const ViewContext *c, const OptionRow *row, UiId id, int picked) {
    if (picked >= 0)
        view_set(c, row->entry.id, option_choice_text(row, picked), ui_wheel_serial(c->ui, id));
}

void tool_segments(const ViewContext *c, Rect place, const char *key) {
    const OptionRow *row = option_of(key);
    const char *labels[SEGMENTS_MAX];
    int count = labels_of(labels, row->choices);
    UiId id = ui_id(key, 0);
    place.w = fminf(place.w, segmented_width(c->ui, labels, count));
    set_choice(c, row, id, segmented(c->ui, id, place, labels, count, chosen_row(c, row)));
}

void tool_menu(const ViewContext *c, Rect place, const char *key) {
    const OptionRow *row = option_of(key);
    DropdownChoices choices = {.registry = row->choices};
    UiId id = ui_id(key, 1);
    set_choice(c, row, id, dropdown(c->ui, id, place, &choices, chosen_row(c, row)));
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
