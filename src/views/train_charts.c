/* The loss of every column of the Train view, up to where it stands. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/button.h"
#include "ui/chart.h"
#include "ui/label.h"
#include "ui/progress.h"
#include "ui/scale_bar.h"
#include "views/compare.h"
#include "views/train.h"

#define TITLE_H     30
#define POINTS      600   /* of a curve: of more steps, the least and the largest of a few */
#define NAMES_SHARE 0.33f /* of the chart that names may take at its right */
#define DECADES     4     /* that the chart of losses holds at least */
#define SAID_S      0.4   /* of computing, before it is said */

/* One curve a column, and room for what it is made from. */
typedef struct Curve {
    float x[2 * POINTS + 4], y[2 * POINTS + 4];
    int count;
    char name[64], leaves[96];
} Curve;

static float loss_at(const TrainScene *s, int column, int step) {
    float loss = race_record(s->race, column, step)->loss;
    return isfinite(loss) ? loss : INFINITY;
}

static void add_point(Curve *curve, const TrainScene *s, int column, int step) {
    curve->x[curve->count] = (float)step;
    curve->y[curve->count++] = loss_at(s, column, step);
}

/* Of some steps the least loss and the largest, in their order. */
static void add_steps(Curve *curve, const TrainScene *s, int column, int from, int to) {
    int least = from, most = from;
    for (int i = from; i < to; i++) {
        least = loss_at(s, column, i) < loss_at(s, column, least) ? i : least;
        most = loss_at(s, column, i) > loss_at(s, column, most) ? i : most;
    }
    add_point(curve, s, column, least < most ? least : most);
    if (least != most)
        add_point(curve, s, column, least < most ? most : least);
}

/* How many steps go together, of so many that there may be. */
static int stride_of(const TrainScene *s) {
    return s->steps / POINTS + 1;
}

static void curve_make(Curve *curve, const TrainScene *s, int column) {
    int last = train_last(s->race, column, s->step), stride = stride_of(s);
    curve->count = 0;
    for (int i = 0; i < last; i += stride)
        add_steps(curve, s, column, i, i + stride < last ? i + stride : last);
    add_point(curve, s, column, last);
    train_short_name(curve->name, s, column);
    curve->leaves[0] = '\0';
    if (isinf(loss_at(s, column, last)))
        snprintf(curve->leaves, sizeof curve->leaves, "%s: overflow at %d", curve->name, last);
}

static Axis loss_axis(const TrainScene *s) {
    TrainRange range = train_range(s, s->of->losses);
    if (range.lo > range.hi)
        range = (TrainRange){0.1f, 1};
    float values[] = {fminf(range.lo, range.hi / powf(10, DECADES)), range.hi};
    values[0] = fmaxf(values[0], FLT_MIN);
    return axis_of(values, 2, true);
}

/* Marks some way apart, at steps that every curve has. */
static int mark_every(const TrainScene *s) {
    int every = (int)scale_tick((float)s->steps, 9);
    int grain = stride_of(s) * s->columns;
    return grain > 1 && s->steps > POINTS ? (every / grain + 1) * grain : every > 0 ? every : 1;
}

/* The room at the right for their names, whatever their values. */
static float names_width(const ViewContext *c, const ChartSeries *series, int count) {
    float widest = 0;
    for (int i = 0; i < count; i++)
        widest = fmaxf(widest, chart_name_width(c->ui, series[i].name));
    return widest;
}

/* Names in whole, or in short where those take too much; returns the room. */
static float names_choose(const TrainScene *s, ChartSeries *series, Curve *curves, float room) {
    for (int i = 0; i < s->columns; i++)
        series[i].name = train_name(s, i);
    if (names_width(s->c, series, s->columns) > room)
        for (int i = 0; i < s->columns; i++)
            series[i].name = curves[i].name;
    return names_width(s->c, series, s->columns);
}

/* Where the pointer rests: a second line, with what the curves are there. */
static void pointed_draw(const TrainScene *s, const Chart *chart, const ChartState *state) {
    Ui *ui = s->c->ui;
    int step = (int)state->x;
    if (!state->hovered || ui->active != 0 || step == s->step)
        return;
    ChartWord words[LINEUP_MAX];
    char values[LINEUP_MAX][32], text[24];
    int count = 0;
    float x = chart_place(state->plot, chart, (float)step, 1).x;
    draw_fill(ui->list, (Rect){draw_snap(ui->list, x), state->plot.y, 1, state->plot.h}, 0,
              ui->theme->control);
    for (int i = 0; i < s->columns && step < s->step; i++) {
        if (train_last(s->race, i, step) < step || isinf(loss_at(s, i, step)))
            continue;
        axis_value_text(values[count], sizeof values[count], loss_at(s, i, step));
        Vec2 at = chart_place(state->plot, chart, (float)step, loss_at(s, i, step));
        mark_draw(ui, compare_mark(i), at, 11, compare_colour(s->c, i));
        words[count] = (ChartWord){.y = at.y, .value = values[count]};
        count++;
    }
    Rect bounds = {state->plot.x, state->plot.y,
                   chart_place(state->plot, chart, (float)s->step, 1).x - state->plot.x,
                   state->plot.h};
    chart_words_draw(ui, bounds, x, words, count);
    int length = snprintf(text, sizeof text, "step %d", step);
    LabelStyle style = {FONT_SANS, 15, ui->theme->text_2, LABEL_CENTRE};
    float width = label_width(ui, style.font, style.size, text, (size_t)length) + 12;
    Rect words_at = {x - width / 2, rect_bottom(state->plot) - 24, width, 22};
    words_at = rect_within(words_at, state->plot);
    draw_fill(ui->list, words_at, 6, ui->theme->raised);
    label_draw(ui, words_at, &style, text);
}

/* Whether it is said beside the title that it began anew. */
static bool is_restarted(const TrainScene *s) {
    const TrainMemory *m = s->c->memory->train;
    bool is = s->c->ui->time_s < m->restarted_until_s;
    if (is)
        ui_wake(s->c->ui, m->restarted_until_s);
    return is;
}

/* How far it has been computed, with a button that stops it; or that goes on. */
static void progress_draw(const TrainScene *s, Rect line) {
    TrainMemory *m = s->c->memory->train;
    Ui *ui = s->c->ui;
    bool is_over = race_crew_is_over(&s->of->crew);
    if (is_over || s->c->hands.count == 0 || s->of != &m->races[m->newest])
        return;
    char text[64];
    int done = s->frontier > 0 ? s->frontier : 0;
    snprintf(text, sizeof text, "Step %d of %d", done, s->steps);
    if (m->is_stopped) {
        LabelStyle style = {FONT_SANS, 16, ui->theme->text_2, LABEL_RIGHT};
        if (button_text(ui, ui_id("train go on", 0), rect_cut_right(&line, 84), "Go on")) {
            m->is_stopped = false;
            ui->again = true;
        }
        rect_cut_right(&line, 12);
        label_draw(ui, line, &style, text);
        return;
    }
    if (ui->time_s < s->of->begun_s + SAID_S) {
        ui_wake(ui, s->of->begun_s + SAID_S);
        return;
    }
    line = rect_cut_right(&line, fminf(line.w, 560));
    if (progress(ui, ui_id("train stop", 0), line, text, (float)done / (float)s->steps)) {
        m->is_stopped = true;
        race_crew_stop(&m->races[m->newest].crew);
        ui->again = true;
    }
}

static void title_draw(const TrainScene *s, Rect line) {
    const Theme *theme = s->c->ui->theme;
    LabelStyle style = {FONT_SANS_BOLD, 18, theme->text_1, LABEL_LEFT};
    rect_cut_left(&line, label_draw(s->c->ui, line, &style, "Loss") + 16);
    if (is_restarted(s)) {
        style = (LabelStyle){FONT_SANS, 16, theme->text_2, LABEL_LEFT};
        rect_cut_left(&line, label_draw(s->c->ui, line, &style, "Restarted") + 16);
    }
    progress_draw(s, line);
}

void train_loss_draw(const TrainScene *s, Rect area) {
    Curve curves[LINEUP_MAX];
    ChartSeries series[LINEUP_MAX];
    title_draw(s, rect_cut_top(&area, TITLE_H));
    for (int i = 0; i < s->columns; i++) {
        curve_make(&curves[i], s, i);
        series[i] = (ChartSeries){.y = curves[i].y,
                                  .x = curves[i].x,
                                  .count = curves[i].count,
                                  .leaves = curves[i].leaves[0] != '\0' ? curves[i].leaves : NULL,
                                  .colour = compare_colour(s->c, i),
                                  .mark = compare_mark(i)};
    }
    Chart chart = {.x = {0, (float)s->steps, false, true},
                   .y = loss_axis(s),
                   .series = series,
                   .series_count = s->columns,
                   .marked_x = (float)s->step,
                   .names = true,
                   .names_w = names_choose(s, series, curves, area.w * NAMES_SHARE),
                   .draggable = true,
                   .without_keys = true,
                   .steps = true,
                   .mark_every = mark_every(s),
                   .flag = "step"};
    ChartState state = chart_draw(s->c->ui, ui_id("train loss", 0), area, &chart);
    pointed_draw(s, &chart, &state);
    if (state.moved)
        train_go(s->c, (int)state.x, state.serial);
}
