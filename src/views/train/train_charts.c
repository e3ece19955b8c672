/* Charts of loss and score in the Train view: for every column (start), over its seeds, up to the
 * step on screen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/chart.h"
#include "ui/scale_bar.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/train/train.h"

#define TITLE_H     30
#define POINTS      (RACE_STEPS_MAX / RACE_MEASURE + 2)
#define NAMES_SHARE 0.45f /* largest share of the chart's width for the names at its right */
#define LOSS_LEAST  1e-4f /* smallest value on the axis of losses */
#define BAND_ALPHA  0.22f
#define SMALL_H     20 /* px: height of a line below a title */
#define NOTE_W      340
#define NOTE_PAD    14
#define SAID_S      0.4 /* seconds of computing after which the progress is shown */

typedef enum Curve { HELD_OUT, SCORE } Curve;

static float value_of(const Race *race, Curve curve, int column, int step) {
    int overflow = race_overflow(race, column);
    bool is_over = overflow >= 0 && overflow <= step;
    if (curve == HELD_OUT && is_over)
        return INFINITY;
    if (is_over && overflow == 0)
        return NAN;
    const RaceRecord *record =
        race_record(race, column, race_measured(race, is_over ? overflow - 1 : step));
    return curve == HELD_OUT ? record->held_out : record->score;
}

/* Compare numbers for qsort; NaN comes first. */
static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return isnan(x) || isnan(y) ? isnan(y) - isnan(x) : (x > y) - (x < y);
}

/* Fill out with the held-out loss or the score of a column at a step, for each seed, sorted. A seed
 * that overflowed has an infinite loss and its last score. Return the median. */
static float rank(float out[RACE_SEEDS], const TrainScene *s, Curve curve, int start, int step) {
    int seeds = s->race->plan.rules.seeds;
    for (int i = 0; i < seeds; i++)
        out[i] = value_of(s->race, curve, start + i * s->columns, step);
    qsort(out, (size_t)seeds, sizeof *out, by_value);
    float below = out[(seeds - 1) / 2], above = out[seeds / 2];
    return isinf(above) ? above : (below + above) / 2;
}

static float median(const TrainScene *s, Curve curve, int start, int step) {
    float values[RACE_SEEDS];
    return rank(values, s, curve, start, step);
}

float train_loss(const TrainScene *s, int start) {
    return median(s, HELD_OUT, start, s->step);
}

static bool has_band(const TrainScene *s) {
    return s->race->plan.rules.seeds > 1;
}

/* The curves of the columns that are shown: all, or in a lecture hall the chosen one. A curve has a
 * point at each measured step up to the one on screen. */
typedef struct Curves {
    int first, starts, count; /* count: number of points */
    float x[POINTS];
    float y[COMPARISON_MAX][POINTS], trained[COMPARISON_MAX][POINTS];
    char names[COMPARISON_MAX][64], leaves[COMPARISON_MAX][96];
    /* Curves of the held-out losses, then those of the training losses. */
    ChartSeries series[2 * COMPARISON_MAX];
} Curves;

static void curves_make(Curves *out, const TrainScene *s, Curve curve) {
    out->first = s->c->is_hall ? train_chosen_start(s) : 0;
    out->starts = s->c->is_hall ? 1 : s->columns;
    out->count = 0;
    for (int step = 0; step <= s->step; step++) {
        if (race_measured(s->race, step) != step)
            continue;
        int at = out->count++;
        out->x[at] = (float)step;
        for (int k = 0; k < out->starts; k++) {
            int i = out->first + k;
            out->y[k][at] = median(s, curve, i, step);
            out->trained[k][at] = race_record(s->race, i, train_last(s->race, i, step))->loss;
        }
    }
    for (int k = 0; k < out->starts; k++) {
        int i = out->first + k;
        bool leaves = isinf(out->y[k][out->count - 1]);
        train_short_name(out->names[k], s, i);
        snprintf(out->leaves[k], sizeof out->leaves[k], "%s: overflow at %d", out->names[k],
                 race_overflow(s->race, i));
        out->series[k] = (ChartSeries){.y = out->y[k],
                                       .x = out->x,
                                       .count = out->count,
                                       .leaves = leaves ? out->leaves[k] : NULL,
                                       .colour = column_colour(s->c, i),
                                       .mark = column_mark(i)};
        out->series[out->starts + k] = (ChartSeries){.y = out->trained[k],
                                                     .x = out->x,
                                                     .count = out->count,
                                                     .colour = column_colour(s->c, i),
                                                     .dashed = true,
                                                     .width = 1.2f};
    }
}

/* Return the axis of losses. It depends only on step 0, so that it stays the same while the view
 * plays. */
static Axis loss_axis(const Curves *curves) {
    float values[] = {LOSS_LEAST, 1};
    for (int k = 0; k < curves->starts; k++)
        values[1] = isfinite(curves->y[k][0]) ? fmaxf(values[1], curves->y[k][0]) : values[1];
    return axis_of(values, 2, true);
}

/* Return the number of steps between two marks. Each mark is at a measured step, and marks do not
 * touch. */
static int mark_every(const TrainScene *s) {
    int grain = RACE_MEASURE * s->columns, every = (int)scale_tick((float)s->steps, 9);
    return (every / grain + 1) * grain;
}

/* Name the curves by the full names or, if one is too wide, by short ones. Return the width of the
 * widest. */
static float names_choose(const TrainScene *s, Curves *curves, float room) {
    float widest = 0, widest_short = 0;
    for (int k = 0; k < curves->starts; k++) {
        widest = fmaxf(widest, chart_name_width(s->c->ui, train_name(s, curves->first + k)));
        widest_short = fmaxf(widest_short, chart_name_width(s->c->ui, curves->names[k]));
    }
    for (int k = 0; k < curves->starts; k++)
        curves->series[k].name =
            widest <= room ? train_name(s, curves->first + k) : curves->names[k];
    return widest <= room ? widest : widest_short;
}

/* Draw, at each measured step, the range of the middle eight of ten seeds. */
static void band_draw(const TrainScene *s, const Chart *chart, Rect plot, Curve curve, int start) {
    Ui *ui = s->c->ui;
    int seeds = s->race->plan.rules.seeds;
    float half = plot.w * (float)RACE_MEASURE / (float)s->steps / 2, values[RACE_SEEDS];
    for (int step = 0; step <= s->step; step += RACE_MEASURE) {
        rank(values, s, curve, start, step);
        float lo = values[1], hi = values[seeds - 2];
        if (isnan(lo) || isinf(lo))
            continue;
        Vec2 low = chart_place(plot, chart, (float)step, lo);
        Vec2 high = chart_place(plot, chart, (float)step, isinf(hi) ? chart->y.hi : hi);
        float left = draw_snap(ui->list, fmaxf(low.x - half, plot.x));
        float right = draw_snap(ui->list, fminf(low.x + half, rect_right(plot)));
        float top = fmaxf(high.y, plot.y), bottom = fminf(low.y, rect_bottom(plot));
        if (bottom > top)
            draw_fill(ui->list, (Rect){left, top, right - left, bottom - top}, 0,
                      colour_fade(column_colour(s->c, start), BAND_ALPHA));
    }
}

static void progress_draw(const TrainScene *s, Rect line) {
    TrainMemory *m = s->c->memory->train;
    Ui *ui = s->c->ui;
    bool is_idle = !m->is_stopped && !s->of->race->job.is_started;
    if (is_idle || s->c->pool->start == NULL || s->of != &m->races[m->newest])
        return;
    int done = s->frontier > 0 ? s->frontier : 0;
    const char *text = PRINT("Step %d of %d", done, s->steps);
    if (m->is_stopped) {
        if (button_text(ui, ui_id("train continue", 0), rect_cut_right(&line, 104), "Continue")) {
            m->is_stopped = false;
            ui->again = true;
        }
        rect_cut_right(&line, 12);
        text_in(ui, line, TEXT_CAPTION | TEXT_RIGHT, "%s", text);
        return;
    }
    if (ui->time_s < s->of->begun_s + SAID_S) {
        ui_wake(ui, s->of->begun_s + SAID_S);
        return;
    }
    line = rect_cut_right(&line, fminf(line.w, 560));
    if (button_progress(ui, ui_id("train stop", 0), line, text, (float)done / (float)s->steps)) {
        m->is_stopped = true;
        job_stop(&m->races[m->newest].race->job);
        ui->again = true;
    }
}

static void note_draw(const TrainScene *s, Rect plot, const char *text) {
    const unsigned style = TEXT_CAPTION | TEXT_PLAIN;
    float width = fminf(NOTE_W, plot.w - 2 * NOTE_PAD);
    float height = text_wrap_height(s->c->ui, style, text, width);
    Rect place = {plot.x + NOTE_PAD, plot.y + NOTE_PAD, width, height};
    if (height > plot.h - 2 * NOTE_PAD)
        return;
    draw_fill(s->c->ui->list, place, 0, s->c->ui->theme->canvas); /* covers grid lines */
    text_wrap(s->c->ui, &place, style, text);
}

/* Return the score of uniform attention over the open keys, on the current text. */
static float even_share(const TrainScene *s) {
    const RacePlan *plan = &s->race->plan;
    const Task *task = &TASKS[plan->rules.task];
    float sum = 0;
    int rows = 0, T = s->race->shape.T;
    for (int i = 0; task->key != NULL && i < T; i++) {
        int key = task->key(i, T, s->race->orders.text);
        rows += key >= 0;
        if (key >= 0 && mask_row(&plan->mask, i)[key])
            sum += 1 / (float)mask_open_keys(&plan->mask, i);
    }
    return rows > 0 ? sum / (float)rows : NAN;
}

static ChartState curves_draw(const TrainScene *s, Rect area, Curve curve) {
    Curves curves;
    bool is_loss = curve == HELD_OUT;
    ChartLine share = {.at = even_share(s), .colour = s->c->ui->theme->control};
    curves_make(&curves, s, curve);
    Chart chart = {.x = {0, (float)s->steps, false, true},
                   .y = is_loss ? loss_axis(&curves) : (Axis){0, 1, false, false},
                   .series = curves.series,
                   .series_count = curves.starts * (is_loss && !has_band(s) ? 2 : 1),
                   .lines = &share,
                   .line_count = !is_loss && TASKS[s->race->plan.rules.task].key != NULL,
                   .marked_x = (float)s->step,
                   .names = !is_loss,
                   .names_w = is_loss ? 0 : names_choose(s, &curves, area.w * NAMES_SHARE),
                   .draggable = true,
                   .without_keys = true,
                   .steps = true,
                   .mark_every = mark_every(s),
                   .flag = "step"};
    ChartState state =
        chart_draw(s->c->ui, ui_id(is_loss ? "train loss" : "train score", 0), area, &chart);
    for (int k = 0; has_band(s) && k < curves.starts; k++)
        band_draw(s, &chart, state.plot, curve, curves.first + k);
    Rect flag = {state.plot.x, area.y, rect_right(area) - state.plot.x, state.plot.y - area.y};
    tooltip_over(s->c->ui, ui_id("train flag", is_loss), flag, "Step",
                 "The step on screen. Drag the line below it to show another.");
    if (state.moved)
        train_go(s->c, (int)state.x, state.serial);
    return state;
}

/* Append the plot as a part of the picture (draw/part.h), with one cell for each step. */
static void mark_part(const TrainScene *s, Rect area, Rect plot, const char *id) {
    plot.w *= (float)(s->steps + 1) / fmaxf((float)s->steps, 1);
    draw_part(s->c->ui->list,
              &(DrawPart){.rect = area, .cells = plot, .rows = 1, .cols = s->steps + 1}, "%s", id);
}

void train_loss_draw(const TrainScene *s, Rect loss) {
    Ui *ui = s->c->ui;
    double restarted_until_s = s->c->memory->train->restarted_until_s;
    Rect whole = loss, line = rect_cut_top(&loss, TITLE_H);
    if (!s->c->is_hall) {
        text_left(ui, &line, TEXT_STRONG, "Held-out loss");
        rect_cut_left(&line, 4);
        if (ui->time_s < restarted_until_s) {
            ui_wake(ui, restarted_until_s);
            text_in(ui, line, TEXT_CAPTION, "Restarted");
        }
        progress_draw(s, line);
        text_in(ui, rect_cut_top(&loss, SMALL_H), TEXT_NOTE, "%s",
                s->race->shape.T == 1 ? "One word has no other order."
                : has_band(s)         ? "Unseen orders."
                              : "On orders that are never trained on; dashed: training loss.\n"
                                "Unseen orders; dashed: training.\nUnseen orders.");
    }
    ChartState state = curves_draw(s, loss, HELD_OUT);
    mark_part(s, whole, state.plot, "train.loss");
    if (s->step == 0) /* let the user first predict what training will do */
        note_draw(s, state.plot,
                  "Nothing is trained yet. Which column will learn the task? Press Space.");
}

void train_score_draw(const TrainScene *s, Rect score) {
    Ui *ui = s->c->ui;
    const RaceRules *rules = &s->race->plan.rules;
    const Task *task = &TASKS[rules->task];
    Rect whole = score, line = rect_cut_top(&score, TITLE_H);
    text_left(ui, &line, TEXT_STRONG, "Score");
    rect_cut_left(&line, 4);
    text_in(ui, line, TEXT_CAPTION | TEXT_PLAIN, "weight on %s%s\nweight on %s\n", task->asked,
            task->key != NULL ? " (dotted: an even share)" : "", task->asked);
    text_in(ui, rect_cut_top(&score, SMALL_H), TEXT_NOTE, "%s",
            has_band(s) ? "Lines are medians; bands hold 8 of the 10 seeds.\n"
                          "Medians, and 8 of 10 seeds.\n8 of 10 seeds."
            : rules->data == RACE_SENTENCE
                ? "The layer memorises this text; for the same words in another order it stays "
                  "wrong.\nIt memorises this text."
                : "One seed is not enough: Seeds 10 shows how much seeds differ.\n"
                  "One seed is not enough: try Seeds 10.\n"
                  "One seed is not enough.");
    ChartState state = curves_draw(s, score, SCORE);
    mark_part(s, whole, state.plot, "train.score");
    if (task->limit != NULL)
        note_draw(s, state.plot, task->limit);
}
