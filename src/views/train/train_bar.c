/* The bar of the Train view: buttons that play, pause and go to another step, the step with its
 * slider, and the settings of the training. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/utf8.h"
#include "ui/button.h"
#include "ui/slider.h"
#include "ui/text.h"
#include "views/shared/tools.h"
#include "views/train/train.h"

#define GAP        16
#define SLIDER_MIN 220
#define COUNT_W    136
#define PACE_LEAST 600 /* px: a window at least this wide has the speed next to the buttons */
#define NUMBER_W   72

static Transport transport_of(const ViewContext *c) {
    const TrainMemory *m = c->memory->train;
    int at = c->settings->train.step;
    bool plays = m->play.is_on;
    return (Transport){
        .plays = plays,
        .at_first = at <= 0,
        .at_last = at >= c->settings->train.steps,
        .with_last = true,
        .words = {[TRANSPORT_FIRST] = "Back to step 0, with the same initial weights · Home",
                  [TRANSPORT_BACK] = "One step back · ←",
                  [TRANSPORT_PLAY] = plays ? "Pause · Space" : "Play · Space",
                  [TRANSPORT_FORWARD] = "One step on · →",
                  [TRANSPORT_LAST] = "To the last step · End"}};
}

/* Return the learning rate that is some steps away in the series of 1, 2 and 5 times powers of
 * ten. */
static double stepped(double rate, int steps) {
    static const double rounds[] = {1, 2, 5};
    double power = floor(log10(rate) + 1e-6), lead = rate / pow(10, power);
    int digit = (lead > 1.9999) + (lead > 4.9999);
    bool is_between = lead > rounds[digit] * 1.0001;
    int at = 3 * (int)power + digit + steps + (steps < 0 && is_between);
    int decade = (int)floor(at / 3.0);
    return rounds[at - 3 * decade] * pow(10, decade);
}

static float pace_width(const ViewContext *c) {
    return tool_segments_width(c, "train-speed");
}

static bool has_pace(const ViewContext *c) {
    return c->window_width >= PACE_LEAST;
}

/* Draw the controls in rows; if is_dry, only measure them. Return the place after the last one. */
static Tools tools_draw(const ViewContext *c, Rect area, bool is_dry) {
    const TrainSettings *chosen = &c->settings->train;
    Tools tools = tools_in(area, GAP), *t = &tools;
    t->is_dry = is_dry;
    t->y += (TOOL_ROW - BUTTON_HEIGHT) / 2;
    tool_choice(c, t, "train-task", "Task");
    tool_choice(c, t, "train-data", "");
    if (chosen->data != RACE_SENTENCE) { /* each change doubles or halves the batch */
        NumberChange to =
            tool_number(c, t, "train-batch", "Batch", PRINT("%d", chosen->batch), NUMBER_W);
        view_take_number(c, "train-batch", &to,
                         ldexp(1, (int)floor(log2((double)chosen->batch)) + to.step));
    }
    tool_choice(c, t, "train-optimiser", "");
    float rate = chosen->rate > 0 ? chosen->rate : OPTIMISERS[chosen->optimiser].rate;
    NumberChange to = tool_number(c, t, "train-rate", "Rate", DIGITS(rate), NUMBER_W);
    view_take_number(c, "train-rate", &to, stepped((double)rate, to.step));
    tool_choice(c, t, "train-embedding", "Embedding");
    to = tool_number(c, t, "train-steps", "Steps", PRINT("%d", chosen->steps), NUMBER_W);
    int by = to.pace == NUMBER_FINE ? 1 : 50;
    view_take_number(c, "train-steps", &to, (chosen->steps / by + to.step) * by);
    tool_switch(c, t, "train-seeds", "Seeds");
    if (!has_pace(c) && tool_switch(c, t, "train-speed", "Speed"))
        train_go(c, chosen->step, 0); /* continue from this step at the new speed */
    return tools;
}

float train_tools_height(const ViewContext *c, float width) {
    return tools_draw(c, (Rect){0, 0, width, 0}, true).y - (TOOL_ROW - BUTTON_HEIGHT) / 2 +
           TOOL_ROW;
}

void train_tools_draw(const ViewContext *c, Rect area) {
    tools_draw(c, area, false);
}

/* Return the width of the controls if they fit into the row of the buttons that play, which has
 * this width; otherwise 0. */
static float one_row_width(const ViewContext *c, float width) {
    Transport t = transport_of(c);
    float fixed = transport_width(&t) + pace_width(c) + COUNT_W + 4 * GAP + 2 * TRANSPORT_PAD;
    float tools = tools_draw(c, (Rect){0, 0, (float)INFINITY, 0}, true).x;
    return width >= fixed + SLIDER_MIN + tools ? tools : 0;
}

float train_bar_height(const ViewContext *c, float width) {
    bool one_row = one_row_width(c, width) > 0;
    return TRANSPORT_HEIGHT + (one_row ? 0 : train_tools_height(c, width - 2 * TRANSPORT_PAD) + 8);
}

/* The knob cannot move beyond the last computed step. */
static void slider_draw(const TrainScene *s, Rect place) {
    const ViewContext *c = s->c;
    SliderRange range = {0, (float)s->steps, 1, NAN, false};
    float value = (float)s->step;
    if (slider(c->ui, ui_id("train slider", 0), place, &range, &value))
        train_go(c, (int)value, c->ui->drag_serial);
    ui_name(c->ui, ui_id("train slider", 0), "Step");
}

void train_bar_draw(const TrainScene *s, Rect area, bool with_tools) {
    const ViewContext *c = s->c;
    float tools_w = with_tools ? one_row_width(c, area.w) : 0;
    Rect inside = transport_card(c->ui, area);
    Rect row = rect_cut_top(&inside, TRANSPORT_HEIGHT);
    if (tools_w > 0)
        inside = rect_cut_right(&row, tools_w - GAP);
    Transport t = transport_of(c);
    TransportButton clicked =
        transport(c->ui, ui_id("train transport", 0), rect_cut_left(&row, transport_width(&t)), &t);
    train_press(c, clicked);
    rect_cut_left(&row, GAP);
    rect_cut_right(&row, tools_w > 0 ? GAP : 0);
    Rect pace = rect_cut_right(&row, has_pace(c) ? pace_width(c) : 0);
    rect_cut_right(&row, has_pace(c) ? GAP : 0);
    text_in(c->ui, rect_cut_right(&row, COUNT_W), TEXT_NUMBER | TEXT_RIGHT, "%d / %d\n%d", s->step,
            s->steps, s->step);
    rect_cut_right(&row, 16);
    row.y += (row.h - SLIDER_HEIGHT) / 2;
    row.h = SLIDER_HEIGHT;
    if (row.w > 60)
        slider_draw(s, row);
    pace = (Rect){pace.x, pace.y + (pace.h - BUTTON_HEIGHT) / 2, pace.w, BUTTON_HEIGHT};
    if (has_pace(c) && tool_segments(c, pace, "train-speed"))
        train_go(c, c->settings->train.step, 0);
    if (tools_w > 0)
        inside.y += (TRANSPORT_HEIGHT - TOOL_ROW) / 2;
    if (with_tools)
        tools_draw(c, inside, false);
}
