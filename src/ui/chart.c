#include "ui/chart.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "ui/chart_parts.h"
#include "ui/formula.h"
#include "ui/mark.h"

#define NAMES_SHARE 0.45f /* largest share of the chart's width for names */
#define REACH       8     /* px by which the handle may extend beyond the plot */
#define HANDLE_GAP  2
#define HANDLE_H    26
#define HANDLE_PAD  11
#define HANDLE_SIZE 19

float chart_x(const ChartSeries *s, int i) {
    return s->x != NULL ? s->x[i] : s->x_first + (float)i;
}

static int chart_nearest(const ChartSeries *s, float x) {
    int best = -1;
    for (int i = 0; i < s->count; i++)
        if (best < 0 || fabsf(chart_x(s, i) - x) < fabsf(chart_x(s, best) - x))
            best = i;
    return isnan(x) ? -1 : best;
}

int chart_read(const Chart *chart, const ChartSeries *s, float x) {
    int i = chart_nearest(s, x);
    bool is_exact = i >= 0 && fabsf(chart_x(s, i) - x) <= 1e-3f * fabsf(x);
    return chart->x_name == NULL || is_exact ? i : -1;
}

float chart_value(const ChartSeries *series, float x) {
    int i = chart_nearest(series, x);
    return i < 0 ? NAN : series->y[i];
}

Rect chart_handle(Rect plot, float x, float width) {
    float left = fminf(fmaxf(x - width / 2, plot.x - REACH), rect_right(plot) + REACH - width);
    return (Rect){left, rect_bottom(plot) + HANDLE_GAP, width, HANDLE_H};
}

float chart_handle_width(const Ui *ui, const char *markup) {
    return formula_width(ui, HANDLE_SIZE, markup) + 2 * HANDLE_PAD;
}

static void pill_draw(Ui *ui, Rect plot, float x, const char *markup, Colour ground,
                      Colour colour) {
    Rect pill = chart_handle(plot, x, chart_handle_width(ui, markup));
    draw_fill(ui->list, rect_inset(pill, -2, -2), 8, ui->theme->casing);
    draw_fill(ui->list, pill, 6, ground);
    FormulaStyle style = {.size = HANDLE_SIZE, .colour = colour, .align = LABEL_CENTRE};
    formula_label(ui, pill, &style, markup);
}

void chart_handle_draw(Ui *ui, Rect plot, float x, const char *markup) {
    pill_draw(ui, plot, x, markup, ui->theme->fill, ui->theme->text_on_fill);
}

Vec2 chart_place(Rect plot, const Chart *chart, float x, float y) {
    return (Vec2){plot.x + plot.w * axis_at(&chart->x, x),
                  rect_bottom(plot) - plot.h * axis_at(&chart->y, y)};
}

static void line_draw(Ui *ui, Rect plot, const Chart *chart, const ChartLine *line) {
    float at = axis_at(line->upright ? &chart->x : &chart->y, line->at), phase = 0;
    if (!(at >= 0 && at <= 1))
        return;
    float x = draw_snap(ui->list, plot.x + plot.w * at);
    float y = draw_snap(ui->list, rect_bottom(plot) - plot.h * at);
    Vec2 from = line->upright ? (Vec2){x, rect_bottom(plot)} : (Vec2){plot.x, y};
    Vec2 to = line->upright ? (Vec2){x, plot.y} : (Vec2){rect_right(plot), y};
    polyline_piece(ui, &phase, from, to, &(LineStyle){1.5f, line->colour, 2, 5});
    if (line->label == NULL)
        return;
    LabelStyle style = {FONT_SANS, CHART_NAME_SIZE, ui->theme->text_2, LABEL_LEFT};
    chart_words_next_to(ui, plot, line->upright ? x : plot.x, line->upright ? plot.y : y,
                        !line->upright, &style, line->label);
}

/* Return the x that the pointer reads: with chart->steps the nearest whole x, otherwise that of the
 * nearest point of the first series. */
static float pointed(const Ui *ui, Rect plot, const Chart *chart) {
    float x = axis_value(&chart->x, (ui->pointer.x - plot.x) / fmaxf(plot.w, 1));
    if (chart->series_count == 0)
        return x;
    if (chart->steps)
        return roundf(fminf(fmaxf(x, chart->x.lo), chart->x.hi));
    int i = chart_nearest(&chart->series[0], x);
    return i < 0 ? NAN : chart_x(&chart->series[0], i);
}

static void keys(Ui *ui, const Chart *chart, ChartState *state) {
    const ChartSeries *s = chart->series_count > 0 ? &chart->series[0] : NULL;
    if (s == NULL || s->count == 0)
        return;
    int step = ui_keys(ui, KEY_RIGHT, 0) + ui_keys(ui, KEY_UP, 0) - ui_keys(ui, KEY_LEFT, 0) -
               ui_keys(ui, KEY_DOWN, 0);
    if (chart->steps)
        step += 10 * (ui_keys(ui, KEY_RIGHT, KEY_MOD_SHIFT) - ui_keys(ui, KEY_LEFT, KEY_MOD_SHIFT));
    bool home = ui_keys(ui, KEY_HOME, 0) > 0, end = ui_keys(ui, KEY_END, 0) > 0;
    if (step == 0 && !home && !end)
        return;
    if (chart->steps && !home && !end) {
        state->moved = true;
        state->x = chart->marked_x + (float)step;
        state->serial = ui->drag_serial;
        return;
    }
    int at = chart_nearest(s, chart->marked_x);
    at = home ? 0 : end ? s->count - 1 : at < 0 ? 0 : at + step;
    at = at < 0 ? 0 : at >= s->count ? s->count - 1 : at;
    state->moved = chart_x(s, at) != chart->marked_x;
    state->x = chart_x(s, at);
    state->serial = ui->drag_serial;
}

/* Share the hovered x between charts. A change requests another pass, because the charts drawn
 * earlier in this pass still show the old x. */
static void share(Ui *ui, UiId id, ChartState *state, ChartHover *shared) {
    if (state->hovered && (shared->by != id || shared->x != state->x)) {
        *shared = (ChartHover){id, state->x};
        ui->again = true;
    } else if (!state->hovered && shared->by == id) {
        *shared = (ChartHover){0};
        ui->again = true;
    }
    if (shared->by != 0)
        state->x = shared->x;
}

static ChartState react(Ui *ui, UiId id, Rect plot, const Chart *chart) {
    ChartState state = {.plot = plot, .x = chart->marked_x};
    unsigned flags = chart->draggable ? UI_NO_KEYS : UI_NO_KEYS | UI_NO_FOCUS | UI_NO_HAND;
    /* The handle can also be grabbed below the plot and slightly beyond the ends of the plot. */
    Rect reach = rect_inset(plot, -REACH, 0);
    bool has_handle = chart->handle_w > 0 || (chart->draggable && chart->x_name != NULL);
    reach.h += has_handle ? HANDLE_GAP + HANDLE_H : 0;
    if (chart->flag != NULL) {
        reach.y -= CHART_FLAG_H;
        reach.h += CHART_FLAG_H;
    }
    UiState control = ui_control(ui, id, reach, flags);
    state.hovered = control.hovered || control.held;
    if (state.hovered)
        state.x = pointed(ui, plot, chart);
    if (chart->shared != NULL)
        share(ui, id, &state, chart->shared);
    if (chart->draggable && control.held) {
        state.moved = state.x != chart->marked_x;
        state.serial = ui->drag_serial;
        ui->cursor = 3;
    }
    if (chart->draggable && !chart->without_keys && control.focused)
        keys(ui, chart, &state);
    return state;
}

/* Draw the x axis and, if it has a name, the x of the readout on a pill below the plot. The numbers
 * of the axis leave room for the pill or the owner's handle. While the pointer reads another x, a
 * line stays at marked_x. */
static void axis_x(Ui *ui, Rect plot, const Chart *chart, float readout) {
    char text[64];
    bool is_named = chart->x_name != NULL && isfinite(readout);
    float at = is_named ? readout : fminf(chart->marked_x, chart->x.hi), width = chart->handle_w;
    if (is_named) {
        snprintf(text, sizeof text, "%s %.0f", chart->x_name, (double)readout);
        width = chart_handle_width(ui, text);
    }
    float x = chart_place(plot, chart, at, chart->y.lo).x;
    axis_draw_x_beside(ui, plot, &chart->x, width > 0 ? chart_handle(plot, x, width) : (Rect){0});
    bool is_elsewhere = chart->draggable && readout != chart->marked_x;
    float handle = chart_place(plot, chart, chart->marked_x, chart->y.lo).x;
    if (is_named && is_elsewhere)
        draw_fill(ui->list, (Rect){draw_snap(ui->list, handle), plot.y, 2, plot.h}, 0,
                  ui->theme->control);
    if (is_named)
        pill_draw(ui, plot, x, text, is_elsewhere ? ui->theme->raised : ui->theme->fill,
                  is_elsewhere ? ui->theme->text_1 : ui->theme->text_on_fill);
}

static float names_width(const Ui *ui, const Chart *chart, float chart_w) {
    float widest = 0;
    if (chart->names_w > 0)
        return chart->names_w;
    for (int i = 0; i < chart->series_count; i++)
        if (chart->series[i].name != NULL)
            widest = fmaxf(widest, chart_name_width(ui, chart->series[i].name));
    return fminf(widest, chart_w * NAMES_SHARE);
}

ChartState chart_draw(Ui *ui, UiId id, Rect rect, const Chart *chart) {
    assert(chart->series_count <= CHART_SERIES_MAX);
    Rect names = rect_cut_right(&rect, chart->names ? names_width(ui, chart, rect.w) : 0);
    rect_cut_left(&names, CHART_NAMES_GAP);
    rect_cut_left(&rect, AXIS_Y_WIDTH);
    rect_cut_bottom(&rect, AXIS_X_HEIGHT);
    rect_cut_top(&rect, chart->flag != NULL ? CHART_FLAG_H : 8);
    rect_cut_right(&rect, 8);
    ChartState state = react(ui, id, rect, chart);
    float from = axis_at(&chart->x, chart->band_lo), to = axis_at(&chart->x, chart->band_hi);
    from = fminf(fmaxf(from, 0), 1);
    to = fminf(fmaxf(to, 0), 1);
    if (to > from)
        draw_fill(ui->list, (Rect){rect.x + rect.w * from, rect.y, rect.w * (to - from), rect.h}, 0,
                  ui->theme->raised);
    axis_draw_y(ui, rect, &chart->y);
    axis_x(ui, rect, chart, state.x);
    for (int i = 0; i < chart->line_count; i++)
        line_draw(ui, rect, chart, &chart->lines[i]);
    ChartLeaving leaving;
    leaving.backward = chart->backward;
    leaving.piece_count = leaving.count = 0;
    for (int i = 0; i < chart->series_count; i++)
        chart_series_draw(ui, rect, &leaving, chart, &chart->series[i]);
    bool is_handle = chart->draggable && !chart->names && !chart->readout;
    bool stays = chart->flag != NULL || is_handle;
    chart_readout_draw(ui, rect, chart, stays ? chart->marked_x : state.x);
    chart_leaving_draw(ui, rect, &leaving);
    if (chart->flag != NULL)
        chart_flag_draw(ui, rect, chart);
    if (chart->flag != NULL && state.hovered && ui->active == 0 && state.x < chart->marked_x) {
        Chart hovered = *chart;
        hovered.marked_x = state.x;
        hovered.readout = true;
        bool was = ui_disable(ui, true); /* draws the line and the flag in grey */
        chart_readout_draw(ui, rect, &hovered, state.x);
        chart_flag_draw(ui, rect, &hovered);
        ui_disable(ui, was);
    }
    if (chart->names)
        chart_names_draw(ui, rect, names, chart, chart->flag == NULL ? state.x : NAN);
    if (chart->draggable)
        ui_focus_ring(ui, id, rect, 0);
    return state;
}
