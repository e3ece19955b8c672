#include "views/shared/tools.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define LABEL_GAP    10
#define SEGMENTS_MAX 8
#define COUNT_W      76
#define TOOL_ID      1000 /* added to the ids of these controls; the App uses smaller numbers */

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

/* Draw a label, "" for none, and return the next free place after it. */
static Rect place_named(const ViewContext *c, Tools *t, const char *label, float width) {
    float label_w = label[0] != '\0' ? text_width(c->ui, TEXT_BODY, "%s", label) + LABEL_GAP : 0;
    Rect place = tools_place(t, label_w + width), name = rect_cut_left(&place, label_w);
    if (!t->is_dry && label_w > 0)
        text_in(c->ui, name, TEXT_BODY | TEXT_FAINT, "%s", label);
    return place;
}

int tool_dropdown(const ViewContext *c, Tools *t, UiId id, const char *label,
                  const DropdownChoices *choices, int chosen) {
    Rect place = place_named(c, t, label, dropdown_width(c->ui, choices, chosen));
    return t->is_dry ? DROPDOWN_UNCHANGED : dropdown(c->ui, id, place, choices, chosen);
}

/* An option, its value and the labels of its rows. */
typedef struct Choice {
    const OptionRow *row;
    int value; /* the option's value: the chosen row or, for a number, the number */
    int count;
    const char *labels[SEGMENTS_MAX];
    DropdownChoices choices;
    UiId id;
} Choice;

static Choice choice_of(const ViewContext *c, const char *key) {
    const OptionRow *row = option_find(&PICTURE_OPTIONS, key, strlen(key));
    const void *values = c->settings;
    if (row == NULL) {
        row = option_find(&STATE_OPTIONS, key, strlen(key));
        values = &c->session->options;
    }
    Choice choice = {.row = row, .choices = {.registry = row->choices}, .id = ui_id(key, TOOL_ID)};
    memcpy(&choice.value, (const char *)values + row->offset, sizeof choice.value);
    for (int i = 0; row->choices != NULL && i < row->choices->count && i < SEGMENTS_MAX; i++)
        choice.labels[choice.count++] = registry_entry(row->choices, i)->label;
    return choice;
}

static bool choice_set(const ViewContext *c, const Choice *choice, int picked) {
    if (picked >= 0)
        view_set(c, choice->row->entry.id, option_choice_text(choice->row, picked),
                 ui_wheel_serial(c->ui, choice->id));
    return picked >= 0;
}

void tool_menu(const ViewContext *c, Rect place, const char *key) {
    Choice choice = choice_of(c, key);
    /* another id than that of segments for the same option, which may be on screen, too */
    choice.id = ui_id(key, TOOL_ID + 1);
    choice_set(c, &choice, dropdown(c->ui, choice.id, place, &choice.choices, choice.value));
}

float tool_menu_width(const ViewContext *c, const char *key) {
    Choice choice = choice_of(c, key);
    return dropdown_width(c->ui, &choice.choices, choice.value);
}

static bool segments_draw(const ViewContext *c, Rect place, const Choice *choice) {
    place.w = fminf(place.w, segmented_width(c->ui, choice->labels, choice->count));
    return choice_set(
        c, choice,
        segmented(c->ui, choice->id, place, choice->labels, choice->count, choice->value));
}

bool tool_segments(const ViewContext *c, Rect place, const char *key) {
    Choice choice = choice_of(c, key);
    return segments_draw(c, place, &choice);
}

float tool_segments_some(const ViewContext *c, Rect place, const char *key, int count) {
    Choice choice = choice_of(c, key);
    choice.count = count;
    choice.value = choice.value < count ? choice.value : 0;
    place.w = fminf(place.w, segmented_width(c->ui, choice.labels, count));
    segments_draw(c, place, &choice);
    tooltip(c->ui, choice.id, place, NULL, registry_entry(choice.row->choices, choice.value)->help);
    return place.w;
}

float tool_segments_width(const ViewContext *c, const char *key) {
    Choice choice = choice_of(c, key);
    return segmented_width(c->ui, choice.labels, choice.count);
}

void tool_choice(const ViewContext *c, Tools *t, const char *key, const char *label) {
    Choice choice = choice_of(c, key);
    choice_set(c, &choice, tool_dropdown(c, t, choice.id, label, &choice.choices, choice.value));
}

bool tool_switch(const ViewContext *c, Tools *t, const char *key, const char *label) {
    Choice choice = choice_of(c, key);
    float width = segmented_width(c->ui, choice.labels, choice.count);
    Rect place = place_named(c, t, label, width);
    return !t->is_dry && segments_draw(c, place, &choice);
}

NumberChange tool_number(const ViewContext *c, Tools *t, const char *key, const char *label,
                         const char *text, float width) {
    Rect place = place_named(c, t, label, width);
    return t->is_dry ? (NumberChange){.kind = NUMBER_NONE}
                     : number_field(c->ui, ui_id(key, TOOL_ID), place, text, FONT_MONO, false);
}

void tool_count(const ViewContext *c, Tools *t, const char *key, const char *label) {
    int value = choice_of(c, key).value;
    NumberChange change = tool_number(c, t, key, label, PRINT("%d", value), COUNT_W);
    view_take_number(c, key, &change, value + change.step);
}

/* The rows that copy, in the order of ViewResult, then those that save. */
static const Entry RESULTS[] = {
    {"copy-csv", "Copy numbers as CSV", "",
     "A row for each scheme and statistic, or for each step of the training."},
    {"copy-json", "Copy numbers as JSON", "", "The same numbers as JSON, with the state."},
    {"copy-pytorch", "Copy schemes as PyTorch", "",
     "Three lines of PyTorch for each scheme, to paste into a script."},
    {"save-csv", "Save numbers as CSV…", "", "Choose the name of the file."},
    {"save-json", "Save numbers as JSON…", "", "Choose the name of the file."},
    {"save-pytorch", "Save schemes as PyTorch…", "", "Choose the name of the file."},
    {"save-png", "Save picture as PNG…", "", "The window as you see it."},
    {"save-svg", "Save picture as SVG…", "", "As lines and text, for print."},
};
static const Registry RESULT_REGISTRY = REGISTRY("results", "result", RESULTS);
static const DropdownChoices RESULT_CHOICES = {.registry = &RESULT_REGISTRY, .label = "Results"};

float results_menu_width(const ViewContext *c) {
    return dropdown_width(c->ui, &RESULT_CHOICES, 0);
}

void results_menu_draw(const ViewContext *c, Rect place) {
    const int copies = RESULT_PYTORCH - RESULT_CSV + 1;
    TextOut *copy = &c->memory->copy;
    int picked = dropdown(c->ui, ui_id("results menu", 0), place, &RESULT_CHOICES, -1);
    if (picked >= copies)
        *c->save = (ViewResult)(RESULT_CSV + picked - copies);
    if (picked < 0 || picked >= copies)
        return;
    text_out_reset(copy);
    if (!VIEWS[c->settings->view].results(c, (ViewResult)(RESULT_CSV + picked), copy))
        return;
    c->ui->copied = copy->at;
    c->ui->copied_bytes = copy->used;
}
