#include "app/chrome.h"
#include "app/sheets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "ui/button.h"
#include "ui/dropdown.h"
#include "ui/label.h"
#include "ui/number_field.h"
#include "ui/slider.h"
#include "ui/tooltip.h"

#define SEGMENTS   2  /* number of forms with a segment of their own; the others are in a list */
#define STEP_TRIES 64 /* number of values that are tried, to find the next valid value */
/* Number of values that are tried, to find the valid one nearest to an end of the range. */
#define END_TRIES    4096
#define SLIDER_W     120
#define REAL_STEP    0.05
#define FINE_STEP    0.01
#define SLIDER_LEAST 0.1f
#define SLIDER_MOST  10.0f
#define NUMBER_W     60 /* px: smallest width of a number field */
#define NUMBER_GAP   8

/* The parts of a control with ids of their own. */
enum { PART_MAIN, PART_SLIDER, PART_NUMBER, PART_SEGMENTS, PARTS };

/* Return the id of a part of the control. It depends on the UI layer, because the sheet of settings
 * repeats controls of the state row. */
static UiId part_id(const App *app, const OptionRow *row, int part) {
    return ui_id(row->entry.id, app->ui.list->layer * PARTS + part);
}

void option_control_focus(App *app, const OptionRow *row) {
    sheet_open(app, SHEET_OPTIONS);
    ui_focus(&app->ui, ui_id(row->entry.id, UI_LAYER_DRAWER * PARTS));
}

static bool is_segmented(const OptionRow *row) {
    return row == option_row("form");
}

static int choice_of(const App *app, const OptionRow *row) {
    return *(const int *)app_value(app, row);
}

static float real_of(const App *app, const OptionRow *row) {
    return *(const float *)app_value(app, row);
}

static const Registry *choices_in(const App *app, const OptionRow *row) {
    return row == option_row("tokenizer") ? session_tokenizers(&app->session) : row->choices;
}

/* Return the list of choices. Its button shows "More" if a segment shows the current choice; for
 * the initialisation, the name of the weights file, if any; otherwise the current choice. */
static DropdownChoices list_of(const App *app, const OptionRow *row, char file[WEIGHTS_NAME_MAX]) {
    DropdownChoices list = {.registry = choices_in(app, row),
                            .absent = row->absent != NULL ? "None" : NULL,
                            .wrong = app->wrong == row};
    if (is_segmented(row) && choice_of(app, row) < SEGMENTS)
        list.label = "More";
    if (row == option_row("init") && app->session.weights != NULL) {
        weights_file_name(file, app->session.weights);
        list.label = file;
        list.is_name = true;
    }
    return list;
}

/* True if there is a list of all choices. In the state row there is none while a segment shows the
 * current choice. */
static bool has_list(const App *app, const OptionRow *row) {
    return !is_segmented(row) || !app->in_state_row || choice_of(app, row) >= SEGMENTS;
}

/* True for a real number whose range spans more than three powers of ten. It has a slider. */
static bool has_slider(const OptionRow *row) {
    return row->kind == OPTION_REAL && row->most / row->least > 1000;
}

static bool has_number(const App *app, const OptionRow *row) {
    return row->numbered != NULL && choice_of(app, row) == option_numbered_choice(row);
}

static void segment_labels(const OptionRow *row, const char *labels[SEGMENTS]) {
    for (int i = 0; i < SEGMENTS; i++)
        labels[i] = registry_entry(row->choices, i)->label;
}

/* Write the value, or the number that belongs to the choice. A width set to auto is shown as its
 * number. A real number has two decimals if they are exact, otherwise all digits: 1e−6 is not
 * 0.00. */
static void value_text(char out[OPTION_TEXT_MAX], const App *app, const OptionRow *row) {
    AttnShape shape = options_shape(&app->session.options, 1, FORM_SEPARATE);
    double shown;
    long long whole;
    if (has_number(app, row)) {
        snprintf(out, OPTION_TEXT_MAX, "%d", ((const OptionChoice *)app_value(app, row))->number);
    } else if (row == option_row("d-k") || row == option_row("d-v")) {
        snprintf(out, OPTION_TEXT_MAX, "%d", row == option_row("d-k") ? shape.K : shape.V);
    } else if (row->kind == OPTION_REAL) {
        float value = real_of(app, row);
        number_format_fixed(out, OPTION_TEXT_MAX, (double)value, 2);
        if (!number_parse_real(&shown, out, strlen(out)) || (float)shown != value)
            number_format_digits(out, OPTION_TEXT_MAX, value);
    } else {
        app_value_text(out, app, row);
        if (row->kind == OPTION_INT && number_parse_int(&whole, out, strlen(out)))
            number_format_fixed(out, OPTION_TEXT_MAX, (double)whole, 0);
    }
}

float option_control_width(const App *app, const OptionRow *row) {
    const Ui *ui = &app->ui;
    char text[OPTION_TEXT_MAX], file[WEIGHTS_NAME_MAX];
    if (row->kind != OPTION_CHOICE) {
        value_text(text, app, row);
        float width = label_width(ui, FONT_MONO, 18, text, strlen(text)) + 24;
        bool is_pair = row->kind == OPTION_CELL || row->kind == OPTION_SIZE;
        return fmaxf(width, is_pair ? 90 : NUMBER_W) + (has_slider(row) ? SLIDER_W + 8 : 0);
    }
    float width = has_number(app, row) ? NUMBER_GAP + NUMBER_W : 0;
    if (is_segmented(row)) {
        const char *labels[SEGMENTS];
        segment_labels(row, labels);
        width += segmented_width(ui, labels, SEGMENTS) + NUMBER_GAP;
    }
    if (!has_list(app, row))
        return width - NUMBER_GAP;
    DropdownChoices list = list_of(app, row, file);
    return width + dropdown_width(ui, &list, choice_of(app, row));
}

void option_cycle(App *app, const OptionRow *row) {
    int next = (choice_of(app, row) + 1) % choices_in(app, row)->count;
    app_set(app, row, option_choice_text(row, next), 0);
}

/* Set a choice made with the control that has this id. Turning the wheel over one control is one
 * undo step. */
static void choose(App *app, const OptionRow *row, UiId id, int choice) {
    app_set(app, row, choice < 0 ? row->absent : option_choice_text(row, choice),
            ui_wheel_serial(&app->ui, id));
}

#define NUMBER_MAX (2 * OPTION_TEXT_MAX)

/* Write a number as option_set reads it: after the id of its choice and a colon, if it belongs to a
 * choice. */
static void number_text(char out[NUMBER_MAX], const App *app, const OptionRow *row,
                        const char *number) {
    bool is_carried = has_number(app, row);
    snprintf(out, NUMBER_MAX, "%s%s%s",
             is_carried ? registry_entry(row->choices, choice_of(app, row))->id : "",
             is_carried ? ":" : "", number);
}

static void set_number(App *app, const OptionRow *row, const char *number, uint64_t serial) {
    char text[NUMBER_MAX];
    number_text(text, app, row, number);
    app_set(app, row, text, serial);
}

static void set_real(App *app, const OptionRow *row, double value, uint64_t serial) {
    app_set(app, row, EXACT((float)(round(value * 100) / 100)), serial);
}

/* Find the first valid whole number from *value on, in steps of `way`, and set *value to it.
 * Options of the picture are valid in their whole range. Return false if there is none. */
static bool find_valid(const App *app, const OptionRow *row, long long *value, int way, int tries) {
    Err err;
    for (int i = 0; i < tries; i++, *value += way) {
        char text[NUMBER_MAX];
        if ((double)*value < row->least || (double)*value > row->most)
            return false;
        number_text(text, app, row, PRINT("%lld", *value));
        Session trial = session_share(&app->session);
        bool is_valid =
            option_is_setting(row) || session_set(&trial, row, text, strlen(text), &err);
        session_release(&trial);
        if (is_valid)
            return true;
    }
    return false;
}

static long long round_whole(long long value, int way) {
    long long power = 1;
    while (power * 2 < value + (way > 0))
        power *= 2;
    if (way < 0)
        return power < value ? power : 1;
    return power > value ? power : power * 2;
}

/* Move a whole number by `steps` valid values. Invalid ones, such as 5 heads of 64 columns, are not
 * counted, so that the end of a drag does not depend on the number of frames. */
static void step_whole(App *app, const OptionRow *row, int steps, bool rounds, uint64_t serial) {
    char text[OPTION_TEXT_MAX];
    long long from, value;
    int way = steps > 0 ? 1 : -1;
    value_text(text, app, row);
    if (!number_parse_int(&from, text, strlen(text)))
        return;
    value = from;
    for (int i = 0; i != steps; i += way) {
        long long next = rounds ? round_whole(value, way) : value + way;
        if (rounds)
            next = (long long)fmin(fmax((double)next, row->least), row->most);
        if (!find_valid(app, row, &next, way, STEP_TRIES))
            break;
        value = next;
    }
    if (value != from)
        set_number(app, row, PRINT("%lld", value), serial);
}

/* Change a number by `steps` steps. With NUMBER_SNAP a whole number moves by powers of two, a seed
 * by tens and a real number by halves. */
void option_step(App *app, const OptionRow *row, int steps, NumberPace pace, uint64_t serial) {
    bool rounds = pace == NUMBER_SNAP;
    if (row->kind == OPTION_SEED) {
        uint64_t seed = app->session.options.seed + (uint64_t)(int64_t)steps * (rounds ? 10 : 1);
        app_set(app, row, PRINT("%llu", (unsigned long long)seed), serial);
    } else if (row->kind == OPTION_REAL) {
        double value =
            (double)real_of(app, row) + steps * (pace == NUMBER_FINE ? FINE_STEP : REAL_STEP);
        if (rounds)
            value = (steps > 0 ? floor(2 * (double)real_of(app, row) + 1e-6)
                               : ceil(2 * (double)real_of(app, row) - 1e-6)) /
                        2 +
                    steps * 0.5;
        set_real(app, row, fmin(fmax(value, fmax(row->least, REAL_STEP)), row->most), serial);
    } else if (row->kind == OPTION_INT || has_number(app, row)) {
        step_whole(app, row, steps, rounds, serial);
    }
}

/* Set the valid number nearest to an end of the range. A real number with a slider gets the
 * slider's end, because the end of its range is off the slider. */
static void step_end(App *app, const OptionRow *row, int way) {
    double end = way > 0 ? row->most : row->least;
    if (has_slider(row))
        end = (double)(way > 0 ? SLIDER_MOST : SLIDER_LEAST);
    if (row->kind == OPTION_SEED) {
        app_set(app, row, way > 0 ? "18446744073709551615" : "0", 0);
    } else if (row->kind == OPTION_REAL) {
        app_set(app, row, EXACT((float)end), 0);
    } else if (row->kind == OPTION_INT || has_number(app, row)) {
        long long whole = (long long)end;
        if (find_valid(app, row, &whole, -way, END_TRIES))
            set_number(app, row, PRINT("%lld", whole), 0);
    }
}

/* Return the typed text. If it is outside the range, return the nearest end instead and show a
 * message. */
static const char *clamped(char out[OPTION_TEXT_MAX], App *app, const OptionRow *row,
                           const char *typed) {
    double value;
    bool ranged = row->most > row->least && row->kind != OPTION_SIZE && row->kind != OPTION_CELL;
    if (!ranged || !number_parse_real(&value, typed, strlen(typed)))
        return typed;
    bool over = value > row->most, under = value < row->least;
    if (!over && !under)
        return typed;
    number_format_digits(out, OPTION_TEXT_MAX, (float)(over ? row->most : row->least));
    app_warn(app, "%s: the %s is %s; you typed %.32s", row->entry.id, over ? "maximum" : "minimum",
             out, typed);
    return out;
}

/* Show the error next to the control instead of in the list of messages. */
static void control_wrong(App *app, const OptionRow *row, Rect rect) {
    const char *why = app->wrong == row ? message_text(app, app->wrong_message) : NULL;
    if (why == NULL)
        return;
    tooltip_warn(&app->ui, rect, why);
    app->wrong_is_said = true;
}

/* Let the slider snap to 1, at its centre. */
static void control_slider(App *app, const OptionRow *row, Rect rect) {
    static const SliderRange range = {SLIDER_LEAST, SLIDER_MOST, 0, 1, true};
    float value = real_of(app, row);
    UiId id = part_id(app, row, PART_SLIDER);
    bool moving = slider(&app->ui, id, rect, &range, &value);
    tip_option(app, id, rect, row);
    if (moving)
        set_real(app, row, fabs(log10((double)value)) < 0.015 ? 1 : (double)value,
                 app->ui.drag_serial);
}

static void control_field(App *app, const OptionRow *row, Rect rect) {
    char text[OPTION_TEXT_MAX], within[OPTION_TEXT_MAX];
    bool is_carried = has_number(app, row);
    UiId id = part_id(app, row, is_carried ? PART_NUMBER : PART_MAIN);
    value_text(text, app, row);
    NumberChange change = number_field(&app->ui, id, rect, text, FONT_MONO, app->wrong == row);
    if (app->ui.typing != id)
        tip_option(app, id, rect, row);
    control_wrong(app, row, rect);
    switch (change.kind) {
    case NUMBER_NONE:
        break;
    case NUMBER_STEP:
        option_step(app, row, change.step, change.pace, change.serial);
        break;
    case NUMBER_TYPED:
        if (strcmp(change.text, text) != 0)
            set_number(app, row, clamped(within, app, row, change.text), change.serial);
        break;
    case NUMBER_DEFAULT:
        app_set(app, row, is_carried ? row->numbered : row->standard, 0);
        break;
    case NUMBER_LEAST:
    case NUMBER_MOST:
        step_end(app, row, change.kind == NUMBER_MOST ? 1 : -1);
        break;
    }
}

void option_control(App *app, const OptionRow *row, Rect rect) {
    Ui *ui = &app->ui;
    if (row->kind != OPTION_CHOICE) {
        if (has_slider(row)) {
            control_slider(app, row, rect_cut_left(&rect, rect.w > SLIDER_W + 60 ? SLIDER_W : 0));
            rect_cut_left(&rect, 8);
        }
        control_field(app, row, rect);
        return;
    }
    char file[WEIGHTS_NAME_MAX];
    int value = choice_of(app, row);
    bool is_numbered = has_number(app, row);
    Rect number = rect_cut_right(&rect, is_numbered ? NUMBER_W : 0);
    rect_cut_right(&rect, is_numbered ? NUMBER_GAP : 0);
    if (is_segmented(row)) {
        const char *labels[SEGMENTS];
        UiId id = part_id(app, row, PART_SEGMENTS);
        segment_labels(row, labels);
        Rect place = rect_cut_left(&rect, segmented_width(ui, labels, SEGMENTS));
        int chosen = segmented(ui, id, place, labels, SEGMENTS, value < SEGMENTS ? value : -1);
        tip_option(app, id, place, row);
        rect_cut_left(&rect, NUMBER_GAP);
        if (chosen >= 0)
            choose(app, row, id, chosen);
    }
    if (has_list(app, row)) {
        UiId id = part_id(app, row, PART_MAIN);
        DropdownChoices list = list_of(app, row, file);
        int chosen = dropdown(ui, id, rect, &list, value);
        tip_option(app, id, rect, row);
        if (chosen != DROPDOWN_UNCHANGED)
            choose(app, row, id, chosen);
    }
    if (is_numbered)
        control_field(app, row, number);
    else
        control_wrong(app, row, rect);
}
