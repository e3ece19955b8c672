#include "app/option_control.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/chrome.h"
#include "app/tip.h"
#include "app/weights_chip.h"
#include "base/number.h"
#include "ui/button.h"
#include "ui/dropdown.h"
#include "ui/label.h"
#include "ui/number_field.h"
#include "ui/slider.h"
#include "ui/tooltip.h"

#define SEGMENTS     2  /* choices of form that are segments; the others are in a list */
#define STEP_TRIES   64 /* values tried to find the next valid one */
#define SLIDER_W     120
#define REAL_STEP    0.05
#define FINE_STEP    0.01
#define SLIDER_LEAST 0.1f
#define SLIDER_MOST  10.0f
#define NUMBER_W     60 /* narrowest field of a number */
#define NUMBER_GAP   8

/* Return the control's id in this layer of the UI: the sheet repeats controls of the row. */
static UiId part_id(const App *app, const OptionRow *row, int part) {
    return ui_id(row->entry.id, app->ui.list->layer * 4 + part);
}

void option_control_focus(App *app, const OptionRow *row) {
    sheet_open(app, SHEET_OPTIONS);
    ui_focus(&app->ui, ui_id(row->entry.id, UI_LAYER_DRAWER * 4));
}

static bool is_segmented(const OptionRow *row) {
    return row == option_row("form");
}

static int choice_of(const App *app, const OptionRow *row) {
    int value;
    memcpy(&value, app_value(app, row), sizeof value);
    return value;
}

static float real_of(const App *app, const OptionRow *row) {
    float value;
    memcpy(&value, app_value(app, row), sizeof value);
    return value;
}

/* Return the choices that are possible in this session. */
static const Registry *choices_in(const App *app, const OptionRow *row) {
    return row == option_row("tokenizer") ? session_tokenizers(&app->session) : row->choices;
}

static DropdownChoices choices_of(const App *app, const OptionRow *row,
                                  char file[WEIGHTS_NAME_MAX]) {
    bool is_given = row == option_row("init") && app->session.weights != NULL;
    if (is_given)
        weights_file_name(file, app->session.weights);
    return (DropdownChoices){.registry = choices_in(app, row),
                             .absent = row->absent != NULL ? "None" : NULL,
                             .label = is_given ? file : NULL};
}

/* The list of all choices after the segments. Its button shows the choice if no segment does. */
static DropdownChoices more_choices(const OptionRow *row, int chosen) {
    return (DropdownChoices){.registry = row->choices, .label = chosen < SEGMENTS ? "More" : NULL};
}

/* True if the list of all choices follows the segments. */
static bool has_list(const App *app, const OptionRow *row) {
    return !is_segmented(row) || !app->in_state_row || choice_of(app, row) >= SEGMENTS;
}

/* True for a real number that ranges over several powers of ten. It has a slider. */
static bool has_slider(const OptionRow *row) {
    return row->kind == OPTION_REAL && row->most / row->least > 1000;
}

static void segment_labels(const OptionRow *row, const char *labels[SEGMENTS]) {
    for (int i = 0; i < SEGMENTS; i++)
        labels[i] = registry_entry(row->choices, i)->label;
}

/* Write two decimals if they are exact, else all digits: 1e−6 is not 0.00. */
static void real_text(char out[OPTION_TEXT_MAX], float value) {
    double shown;
    number_format_fixed(out, OPTION_TEXT_MAX, (double)value, 2);
    bool read = number_parse_real(&shown, out, strlen(out));
    if (!read || (float)shown != value)
        number_format_digits(out, OPTION_TEXT_MAX, value);
}

/* Write the value; a width set to auto is shown as its number. */
static void value_text(char out[OPTION_TEXT_MAX], const App *app, const OptionRow *row) {
    const Options *o = &app->session.options;
    AttnShape shape = options_shape(o, 1, FORM_SEPARATE);
    long long whole;
    if (row == option_row("d-k"))
        snprintf(out, OPTION_TEXT_MAX, "%d", shape.K);
    else if (row == option_row("d-v"))
        snprintf(out, OPTION_TEXT_MAX, "%d", shape.V);
    else if (row->kind == OPTION_REAL)
        real_text(out, real_of(app, row));
    else
        app_value_text(out, app, row);
    if (row->kind == OPTION_INT && number_parse_int(&whole, out, strlen(out)))
        number_format_fixed(out, OPTION_TEXT_MAX, (double)whole, 0);
}

/* True if the current choice carries a number, which has its own field. */
static bool has_number(const App *app, const OptionRow *row) {
    return row->numbered != NULL && choice_of(app, row) == option_numbered_choice(row);
}

/* Return the width of the segments, the list and the number's field. */
static float choice_width(const App *app, const OptionRow *row) {
    const char *labels[SEGMENTS];
    char file[WEIGHTS_NAME_MAX];
    int chosen = choice_of(app, row);
    float behind = has_number(app, row) ? NUMBER_GAP + NUMBER_W : 0;
    DropdownChoices choices =
        is_segmented(row) ? more_choices(row, chosen) : choices_of(app, row, file);
    if (is_segmented(row)) {
        segment_labels(row, labels);
        behind += segmented_width(&app->ui, labels, SEGMENTS) + NUMBER_GAP;
    }
    return has_list(app, row) ? dropdown_width(&app->ui, &choices, chosen) + behind
                              : behind - NUMBER_GAP;
}

float option_control_width(const App *app, const OptionRow *row) {
    if (row->kind == OPTION_CHOICE)
        return choice_width(app, row);
    char text[OPTION_TEXT_MAX];
    value_text(text, app, row);
    float width = label_width(&app->ui, FONT_MONO, 18, text, strlen(text)) + 24;
    return fmaxf(width, row->kind == OPTION_CELL || row->kind == OPTION_SIZE ? 90 : NUMBER_W) +
           (has_slider(row) ? SLIDER_W + 8 : 0);
}

void option_cycle(App *app, const OptionRow *row) {
    int next = (choice_of(app, row) + 1) % choices_in(app, row)->count;
    app_set(app, row, option_choice_text(row, next), 0);
}

/* Set a choice made with the control of this id. All changes by the wheel while the pointer stays
 * there are one undo step. */
static void choose(App *app, const OptionRow *row, UiId id, int choice) {
    app_set(app, row, choice < 0 ? row->absent : option_choice_text(row, choice),
            ui_wheel_serial(&app->ui, id));
}

static void step_seed(App *app, const OptionRow *row, int steps, uint64_t serial) {
    char text[OPTION_TEXT_MAX];
    uint64_t seed = app->session.options.seed + (uint64_t)(int64_t)steps;
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    app_set(app, row, text, serial);
}

static void step_real(App *app, const OptionRow *row, double by, uint64_t serial) {
    char text[OPTION_TEXT_MAX];
    double stepped = (double)real_of(app, row) + by;
    stepped = fmin(fmax(stepped, fmax(row->least, REAL_STEP)), row->most);
    number_format_exact(text, sizeof text, (float)(round(stepped * 100) / 100));
    app_set(app, row, text, serial);
}

static int carried_number(const App *app, const OptionRow *row) {
    OptionChoice value;
    memcpy(&value, app_value(app, row), sizeof value);
    return value.number;
}

#define CARRIED_MAX (2 * OPTION_TEXT_MAX)

/* Write the current choice with another number in it. */
static void carried_text(char out[CARRIED_MAX], const App *app, const OptionRow *row,
                         const char *number) {
    snprintf(out, CARRIED_MAX, "%s:%s", registry_entry(row->choices, choice_of(app, row))->id,
             number);
}

static void set_carried(App *app, const OptionRow *row, const char *number, uint64_t serial) {
    char text[CARRIED_MAX];
    carried_text(text, app, row, number);
    app_set(app, row, text, serial);
}

static void step_carried(App *app, const OptionRow *row, int steps, uint64_t serial) {
    char number[32];
    double stepped = fmin(fmax((double)carried_number(app, row) + steps, row->least), row->most);
    snprintf(number, sizeof number, "%d", (int)stepped);
    set_carried(app, row, number, serial);
}

/* True if a value within the row's range is valid; values of the picture always are. */
static bool is_valid(const App *app, const OptionRow *row, const char *text) {
    Err err;
    if (option_is_setting(row))
        return true;
    Session trial = session_share(&app->session);
    bool holds = session_set(&trial, row, text, strlen(text), &err);
    session_release(&trial);
    return holds;
}

/* Find the first valid value from *value on, in steps of `way`. Return false if there is none. */
static bool find_valid(const App *app, const OptionRow *row, long long *value, int way) {
    for (int i = 0; i < STEP_TRIES; i++, *value += way) {
        char text[OPTION_TEXT_MAX];
        if ((double)*value < row->least || (double)*value > row->most)
            return false;
        snprintf(text, sizeof text, "%lld", *value);
        if (is_valid(app, row, text))
            return true;
    }
    return false;
}

static void set_int(App *app, const OptionRow *row, long long value, uint64_t serial) {
    char text[OPTION_TEXT_MAX];
    snprintf(text, sizeof text, "%lld", value);
    app_set(app, row, text, serial);
}

/* Skip invalid values, such as 5 heads of 64 columns. The end of a drag must not depend on the
 * number of frames. */
static void step_int(App *app, const OptionRow *row, int steps, uint64_t serial) {
    char text[OPTION_TEXT_MAX];
    long long value, next;
    int way = steps > 0 ? 1 : -1;
    value_text(text, app, row);
    if (!number_parse_int(&value, text, strlen(text)))
        return;
    next = value;
    for (int i = 0; i != steps; i += way) {
        long long tried = next + way;
        if (!find_valid(app, row, &tried, way))
            break;
        next = tried;
    }
    if (next != value)
        set_int(app, row, next, serial);
}

void option_step(App *app, const OptionRow *row, int steps, uint64_t serial) {
    if (has_number(app, row))
        step_carried(app, row, steps, serial);
    if (row->kind == OPTION_SEED)
        step_seed(app, row, steps, serial);
    else if (row->kind == OPTION_REAL)
        step_real(app, row, steps * REAL_STEP, serial);
    else if (row->kind == OPTION_INT)
        step_int(app, row, steps, serial);
}

/* Return the next power of two above value (way 1) or below it (way -1). */
static int round_int(int value, int way) {
    int power = 1;
    while (power * 2 < value + (way > 0))
        power *= 2;
    if (way < 0)
        return power < value ? power : 1;
    return power > value ? power : power * 2;
}

static int whole_of(const App *app, const OptionRow *row) {
    char text[OPTION_TEXT_MAX];
    long long value = 0;
    value_text(text, app, row);
    if (has_number(app, row))
        return carried_number(app, row);
    return number_parse_int(&value, text, strlen(text)) ? (int)value : 0;
}

/* Set the requested number, or the next valid one. */
static void set_round(App *app, const OptionRow *row, int wanted, int way, uint64_t serial) {
    long long value = (long long)fmin(fmax(wanted, row->least), row->most);
    if (find_valid(app, row, &value, way))
        set_int(app, row, value, serial);
}

/* Move by `steps` round values: powers of two, tens for a seed, halves for a real number. */
static void step_round(App *app, const OptionRow *row, int steps, uint64_t serial) {
    int way = steps > 0 ? 1 : -1, value = whole_of(app, row), wanted = value;
    double real = (double)real_of(app, row), ways = steps > 0 ? 1e-6 : -1e-6;
    for (int i = 0; i != steps; i += way)
        wanted = round_int(wanted, way);
    if (row->kind == OPTION_SEED)
        step_seed(app, row, steps * 10, serial);
    else if (row->kind == OPTION_REAL)
        step_real(app, row, (steps > 0 ? floor : ceil)(real * 2 + ways) / 2 + steps * 0.5 - real,
                  serial);
    else if (has_number(app, row))
        step_carried(app, row, wanted - value, serial);
    else
        set_round(app, row, wanted, way, serial);
}

static bool can_carry(const App *app, const OptionRow *row, int number) {
    char text[CARRIED_MAX], digits[32];
    snprintf(digits, sizeof digits, "%d", number);
    carried_text(text, app, row, digits);
    return is_valid(app, row, text);
}

/* Set the largest or smallest number that the choice can carry. All numbers between it and the
 * current one are valid. */
static void set_carried_end(App *app, const OptionRow *row, int way, uint64_t serial) {
    int holds = carried_number(app, row), beyond = (int)(way > 0 ? row->most : row->least) + way;
    while (abs(beyond - holds) > 1) {
        int middle = holds + (beyond - holds) / 2;
        *(can_carry(app, row, middle) ? &holds : &beyond) = middle;
    }
    step_carried(app, row, holds - carried_number(app, row), serial);
}

/* Set the end of the range. A real number with a slider takes the slider's end, because the end of
 * its range is off the slider. */
static void step_end(App *app, const OptionRow *row, int way, uint64_t serial) {
    char text[OPTION_TEXT_MAX];
    double end = way > 0 ? row->most : row->least;
    if (has_slider(row))
        end = (double)(way > 0 ? SLIDER_MOST : SLIDER_LEAST);
    if (has_number(app, row))
        set_carried_end(app, row, way, serial);
    else if (row->kind == OPTION_SEED)
        app_set(app, row, way > 0 ? "18446744073709551615" : "0", serial);
    else if (row->kind == OPTION_REAL) {
        number_format_exact(text, sizeof text, (float)end);
        app_set(app, row, text, serial);
    } else if (row->kind == OPTION_INT)
        set_round(app, row, (int)end, -way, serial);
}

/* Return typed, or the nearest end of the range, with a message. */
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

/* Show the error at the control, and then not in the list of messages. */
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
    char text[OPTION_TEXT_MAX];
    float value = real_of(app, row);
    bool moving = slider(&app->ui, part_id(app, row, 1), rect, &range, &value);
    tip_option(app, part_id(app, row, 1), rect, row);
    if (!moving)
        return;
    double moved = fabs(log10((double)value)) < 0.015 ? 1 : (double)value;
    number_format_exact(text, sizeof text, (float)(round(moved * 100) / 100));
    app_set(app, row, text, app->ui.drag_serial);
}

/* Draw a field for a number in a row's control. set applies typed text. A double click restores
 * `standard`. */
typedef struct NumberPart {
    int part;
    const char *text, *standard;
    void (*set)(App *app, const OptionRow *row, const char *text, uint64_t serial);
} NumberPart;

static void control_field(App *app, const OptionRow *row, Rect rect, const NumberPart *number) {
    char within[OPTION_TEXT_MAX];
    UiId id = part_id(app, row, number->part);
    NumberChange change =
        number_field(&app->ui, id, rect, number->text, FONT_MONO, app->wrong == row);
    if (app->ui.typing != id)
        tip_option(app, id, rect, row);
    control_wrong(app, row, rect);
    switch (change.kind) {
    case NUMBER_NONE:
        break;
    case NUMBER_STEP:
        if (change.pace == NUMBER_SNAP)
            step_round(app, row, change.step, change.serial);
        else if (change.pace == NUMBER_FINE && row->kind == OPTION_REAL)
            step_real(app, row, change.step * FINE_STEP, change.serial);
        else
            option_step(app, row, change.step, change.serial);
        break;
    case NUMBER_TYPED:
        if (strcmp(change.text, number->text) != 0)
            number->set(app, row, clamped(within, app, row, change.text), change.serial);
        break;
    case NUMBER_DEFAULT:
        app_set(app, row, number->standard, 0);
        break;
    case NUMBER_LEAST:
        step_end(app, row, -1, 0);
        break;
    case NUMBER_MOST:
        step_end(app, row, 1, 0);
        break;
    }
}

static void set_number(App *app, const OptionRow *row, const char *text, uint64_t serial) {
    app_set(app, row, text, serial);
}

static void control_number(App *app, const OptionRow *row, Rect rect) {
    char text[OPTION_TEXT_MAX];
    if (has_slider(row)) {
        control_slider(app, row, rect_cut_left(&rect, rect.w > SLIDER_W + 60 ? SLIDER_W : 0));
        rect_cut_left(&rect, 8);
    }
    value_text(text, app, row);
    control_field(app, row, rect, &(NumberPart){0, text, row->standard, set_number});
}

/* Draw the segments at rect's left and reduce rect to the rest. */
static void control_segments(App *app, const OptionRow *row, Rect *rect, int value) {
    const char *labels[SEGMENTS];
    segment_labels(row, labels);
    Rect place = rect_cut_left(rect, segmented_width(&app->ui, labels, SEGMENTS));
    int chosen = segmented(&app->ui, part_id(app, row, 3), place, labels, SEGMENTS,
                           value < SEGMENTS ? value : -1);
    tip_option(app, part_id(app, row, 3), place, row);
    rect_cut_left(rect, NUMBER_GAP);
    if (chosen >= 0)
        choose(app, row, part_id(app, row, 3), chosen);
}

void option_control(App *app, const OptionRow *row, Rect rect) {
    if (row->kind != OPTION_CHOICE) {
        control_number(app, row, rect);
        return;
    }
    char file[WEIGHTS_NAME_MAX];
    int value = choice_of(app, row);
    bool is_numbered = has_number(app, row);
    Rect number = is_numbered ? rect_cut_right(&rect, NUMBER_W) : (Rect){0, 0, 0, 0};
    if (is_numbered)
        rect_cut_right(&rect, NUMBER_GAP);
    if (is_segmented(row))
        control_segments(app, row, &rect, value);
    if (!has_list(app, row)) {
        control_wrong(app, row, rect);
        return;
    }
    DropdownChoices choices =
        is_segmented(row) ? more_choices(row, value) : choices_of(app, row, file);
    choices.wrong = app->wrong == row;
    int chosen = dropdown(&app->ui, part_id(app, row, 0), rect, &choices, value);
    tip_option(app, part_id(app, row, 0), rect, row);
    if (chosen != DROPDOWN_UNCHANGED)
        choose(app, row, part_id(app, row, 0), chosen);
    if (is_numbered) {
        /* Draw the field of the number that a choice carries. */
        char text[32];
        snprintf(text, sizeof text, "%d", carried_number(app, row));
        control_field(app, row, number, &(NumberPart){2, text, row->numbered, set_carried});
    } else
        control_wrong(app, row, rect);
}
