/* The bar of the Train view: the transport, the step, and the choices of the training. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/button.h"
#include "ui/dropdown.h"
#include "ui/label.h"
#include "ui/number_field.h"
#include "ui/slider.h"
#include "ui/text.h"
#include "views/train/train.h"

#define GAP        16
#define ROW_H      44
#define SLIDER_MIN 220
#define COUNT_W    136
#define PACE_LEAST 600 /* a window this wide shows the speed next to the transport */
#define NUMBER_W   72

static Transport transport_of(const ViewContext *c) {
    const TrainMemory *m = c->memory->train;
    int at = c->settings->train.step;
    bool plays = m != NULL && m->play.is_on;
    return (Transport){.plays = plays,
                       .at_first = at <= 0,
                       .at_last = at >= c->settings->train.steps,
                       .with_last = true,
                       .words = {[TRANSPORT_FIRST] = "Rewind to the same weights · Home",
                                 [TRANSPORT_BACK] = "One step back · ←",
                                 [TRANSPORT_PLAY] = plays ? "Pause · Space" : "Play · Space",
                                 [TRANSPORT_FORWARD] = "One step on · →",
                                 [TRANSPORT_LAST] = "To the last step · End"}};
}

/* A control and its label. */
typedef struct Tool {
    const char *label;
    float width; /* width of the control */
    void (*draw)(const ViewContext *c, Rect place);
} Tool;

static void choice_draw(const ViewContext *c, Rect place, const char *key, int chosen) {
    const OptionRow *row = option_find(&PICTURE_OPTIONS, key, strlen(key));
    DropdownChoices choices = {.registry = row->choices};
    int picked = dropdown(c->ui, ui_id(key, 0), place, &choices, chosen);
    if (picked >= 0)
        view_set(c, key, registry_entry(row->choices, picked)->id,
                 ui_wheel_serial(c->ui, ui_id(key, 0)));
}

static void task_draw(const ViewContext *c, Rect place) {
    choice_draw(c, place, "train-task", c->settings->train.task);
}

static void data_draw(const ViewContext *c, Rect place) {
    choice_draw(c, place, "train-data", c->settings->train.data);
}

static void embedding_draw(const ViewContext *c, Rect place) {
    choice_draw(c, place, "train-embedding", c->settings->train.words);
}

static void optimiser_draw(const ViewContext *c, Rect place) {
    choice_draw(c, place, "train-optimiser", c->settings->train.optimiser);
}

/* Return the rate some steps away in 1, 2 and 5 times powers of ten. */
static double stepped(double rate, int steps) {
    static const double rounds[] = {1, 2, 5};
    for (int way = steps < 0 ? -1 : 1; steps != 0; steps -= way) {
        double power = pow(10, floor(log10(rate) + 1e-6)), next = way > 0 ? power * 10 : power / 2;
        for (int i = 0; i < 3; i++) {
            double round = rounds[i] * power;
            if (way > 0 && round > rate * 1.0001 && round < next)
                next = round;
            if (way < 0 && round < rate * 0.9999 && round > next)
                next = round;
        }
        rate = next;
    }
    return rate;
}

static void rate_draw(const ViewContext *c, Rect place) {
    const TrainSettings *chosen = &c->settings->train;
    float rate = chosen->rate > 0 ? chosen->rate : OPTIMISERS[chosen->optimiser].rate;
    NumberChange change =
        number_field(c->ui, ui_id("train-rate", 0), place, DIGITS(rate), FONT_MONO, false);
    view_take_number(c, "train-rate", &change, stepped((double)rate, change.step));
}

static void steps_draw(const ViewContext *c, Rect place) {
    int steps = c->settings->train.steps;
    char text[32];
    snprintf(text, sizeof text, "%d", steps);
    NumberChange change =
        number_field(c->ui, ui_id("train-steps", 0), place, text, FONT_MONO, false);
    int by = change.pace == NUMBER_FINE ? 1 : 50;
    double to = change.pace == NUMBER_FINE ? steps + change.step
                                           : (floor((double)steps / by) + change.step) * by;
    view_take_number(c, "train-steps", &change, to);
}

/* Draw the field of the batch size, whose steps are powers of 2. */
static void batch_draw(const ViewContext *c, Rect place) {
    int batch = c->settings->train.batch;
    char text[32];
    snprintf(text, sizeof text, "%d", batch);
    NumberChange change =
        number_field(c->ui, ui_id("train-batch", 0), place, text, FONT_MONO, false);
    view_take_number(c, "train-batch", &change,
                     ldexp(1, (int)floor(log2((double)batch)) + change.step));
}

/* Draw a registry's labels as buttons. Return true if another row was chosen. */
static bool segments_draw(const ViewContext *c, Rect place, const char *key,
                          const Registry *registry, const char *const *labels, int chosen) {
    UiId id = ui_id(key, 0);
    int clicked = segmented(c->ui, id, place, labels, registry->count, chosen);
    if (clicked >= 0)
        view_set(c, key, registry_entry(registry, clicked)->id, ui_wheel_serial(c->ui, id));
    return clicked >= 0;
}

static const char *const SEED_LABELS[] = {"1", "10"};

static void seeds_draw(const ViewContext *c, Rect place) {
    segments_draw(c, place, "train-seeds", &TRAIN_SEEDS, SEED_LABELS, c->settings->train.seeds);
}

static const char *const PACE_LABELS[] = {"1×", "8×", "Max"};

static void pace_draw(const ViewContext *c, Rect place) {
    int at = c->settings->train.step;
    if (segments_draw(c, place, "train-speed", &TRAIN_PACES, PACE_LABELS, c->settings->train.pace))
        train_go(c, at, 0); /* continue from this step at the new speed */
}

static float pace_width(const ViewContext *c) {
    return segmented_width(c->ui, PACE_LABELS, TRAIN_PACES.count);
}

/* True if the speed is in the transport's row. */
static bool has_pace(const ViewContext *c) {
    return c->window_width >= PACE_LEAST;
}

#define TOOLS 9
static int tools_of(Tool out[TOOLS], const ViewContext *c) {
    const TrainSettings *chosen = &c->settings->train;
    DropdownChoices tasks = {.registry = &TASK_REGISTRY}, ways = {.registry = &OPTIMISER_REGISTRY};
    DropdownChoices data = {.registry = &RACE_DATA}, words = {.registry = &RACE_WORDS};
    int count = 0;
    out[count++] = (Tool){"Task", dropdown_width(c->ui, &tasks, chosen->task), task_draw};
    out[count++] = (Tool){"", dropdown_width(c->ui, &data, chosen->data), data_draw};
    if (chosen->data != RACE_SENTENCE)
        out[count++] = (Tool){"Batch", NUMBER_W, batch_draw};
    out[count++] = (Tool){"", dropdown_width(c->ui, &ways, chosen->optimiser), optimiser_draw};
    out[count++] = (Tool){"Rate", NUMBER_W, rate_draw};
    out[count++] =
        (Tool){"Embedding", dropdown_width(c->ui, &words, chosen->words), embedding_draw};
    out[count++] = (Tool){"Steps", NUMBER_W, steps_draw};
    out[count++] =
        (Tool){"Seeds", segmented_width(c->ui, SEED_LABELS, TRAIN_SEEDS.count), seeds_draw};
    if (!has_pace(c))
        out[count++] = (Tool){"Speed", pace_width(c), pace_draw};
    return count;
}

static float label_w(const ViewContext *c, const Tool *tool) {
    if (tool->label[0] == '\0')
        return 0;
    return label_width(c->ui, FONT_SANS, 18, tool->label, strlen(tool->label)) + 10;
}

static float tools_width(const ViewContext *c, const Tool tools[], int count) {
    float width = 0;
    for (int i = 0; i < count; i++)
        width += label_w(c, &tools[i]) + tools[i].width + GAP;
    return width;
}

/* Lay the controls out in rows of the area, and draw them if `draw`. Return their height. */
static float tools_flow(const ViewContext *c, const Tool tools[], int count, Rect area, bool draw) {
    float x = area.x, y = area.y;
    for (int i = 0; i < count; i++) {
        float name = label_w(c, &tools[i]), width = fminf(name + tools[i].width, area.w);
        if (x > area.x && x + width > rect_right(area)) {
            x = area.x;
            y += ROW_H;
        }
        Rect place = {x, y + (ROW_H - BUTTON_HEIGHT) / 2, width, BUTTON_HEIGHT};
        x += width + GAP;
        if (!draw)
            continue;
        if (name > 0)
            text_in(c->ui, rect_cut_left(&place, name), TEXT_BODY | TEXT_FAINT, "%s",
                    tools[i].label);
        tools[i].draw(c, place);
    }
    return y + ROW_H - area.y;
}

/* True if everything fits into one row. */
static bool is_one_row(const ViewContext *c, const Tool tools[], int count, float width) {
    Transport t = transport_of(c);
    float fixed = transport_width(&t) + pace_width(c) + COUNT_W + 4 * GAP + 2 * TRANSPORT_PAD;
    return width >= fixed + SLIDER_MIN + tools_width(c, tools, count);
}

float train_bar_height(const ViewContext *c, float width) {
    Tool tools[TOOLS];
    int count = tools_of(tools, c);
    if (is_one_row(c, tools, count, width))
        return TRANSPORT_HEIGHT;
    Rect inside = {0, 0, width - 2 * TRANSPORT_PAD, 0};
    return TRANSPORT_HEIGHT + tools_flow(c, tools, count, inside, false) + 8;
}

float train_tools_height(const ViewContext *c, float width) {
    Tool tools[TOOLS];
    int count = tools_of(tools, c);
    return tools_flow(c, tools, count, (Rect){0, 0, width, 0}, false);
}

void train_tools_draw(const ViewContext *c, Rect area) {
    Tool tools[TOOLS];
    int count = tools_of(tools, c);
    tools_flow(c, tools, count, area, true);
}

/* Draw the slider over all steps. The knob stops at the last computed step. */
static void slider_draw(const TrainScene *s, Rect place) {
    const ViewContext *c = s->c;
    SliderRange range = {0, (float)s->steps, 1, NAN, false};
    float value = (float)s->step;
    if (slider(c->ui, ui_id("train slider", 0), place, &range, &value))
        train_go(c, (int)value, c->ui->drag_serial);
    ui_name(c->ui, ui_id("train slider", 0), "Step");
}

/* Draw “200 / 400”, or only the step. */
static void count_draw(const TrainScene *s, Rect place) {
    Ui *ui = s->c->ui;
    char text[32];
    int length = snprintf(text, sizeof text, "%d / %d", s->step, s->steps);
    LabelStyle style = {FONT_MONO, 18, ui->theme->text_1, LABEL_RIGHT};
    if (label_width(ui, style.font, style.size, text, (size_t)length) > place.w)
        snprintf(text, sizeof text, "%d", s->step);
    label_draw(ui, place, &style, text);
}

void train_bar_draw(const TrainScene *s, Rect area, bool with_tools) {
    const ViewContext *c = s->c;
    Tool tools[TOOLS];
    int count = tools_of(tools, c);
    bool one_row = with_tools && is_one_row(c, tools, count, area.w);
    Rect inside = transport_card(c->ui, area);
    Rect row = rect_cut_top(&inside, TRANSPORT_HEIGHT);
    if (one_row)
        inside = rect_cut_right(&row, tools_width(c, tools, count) - GAP);
    Transport t = transport_of(c);
    TransportButton clicked =
        transport(c->ui, ui_id("train transport", 0), rect_cut_left(&row, transport_width(&t)), &t);
    train_press(c, clicked);
    rect_cut_left(&row, GAP);
    rect_cut_right(&row, one_row ? GAP : 0);
    Rect pace = rect_cut_right(&row, has_pace(c) ? pace_width(c) : 0);
    rect_cut_right(&row, has_pace(c) ? GAP : 0);
    count_draw(s, rect_cut_right(&row, COUNT_W));
    rect_cut_right(&row, 16);
    row.y += (row.h - SLIDER_HEIGHT) / 2;
    row.h = SLIDER_HEIGHT;
    if (row.w > 60)
        slider_draw(s, row);
    if (has_pace(c))
        pace_draw(c, (Rect){pace.x, pace.y + (pace.h - BUTTON_HEIGHT) / 2, pace.w, BUTTON_HEIGHT});
    if (!with_tools)
        return;
    if (one_row)
        inside.y += (TRANSPORT_HEIGHT - ROW_H) / 2;
    tools_flow(c, tools, count, inside, true);
}
