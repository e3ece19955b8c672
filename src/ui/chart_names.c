/* The texts of a chart that belong to its curves: names and values, moved apart so that they don't
 * overlap. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/chart_parts.h"
#include "ui/mark.h"

#define NAME_GAP 10
#define MARK_W   20 /* px: width of the mark in front of a name */
#define WORD_PAD 4
#define FLAG_H   30

/* Move the names apart so that each has its own line. y: on entry the wanted heights; order: the
 * names from the top down. */
static void spread(float y[], const int order[], int count, float top, float bottom) {
    for (int i = 1; i < count; i++)
        y[order[i]] = fmaxf(y[order[i]], y[order[i - 1]] + CHART_NAME_LINE);
    float limit = bottom;
    for (int i = count - 1; i >= 0; i--) {
        y[order[i]] = fmaxf(fminf(y[order[i]], limit), top);
        limit = y[order[i]] - CHART_NAME_LINE;
    }
}

static int last_inside(Rect plot, const Chart *chart, const ChartSeries *s) {
    int i = s->count - 1;
    while (i >= 0 && (isnan(s->y[i]) || !chart_holds(plot, chart_point(plot, chart, s, i))))
        i--;
    return i;
}

static void sort_by_height(int order[], const float y[], int count) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && y[order[k]] < y[order[k - 1]]; k--) {
            int swapped = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swapped;
        }
}

float chart_name_width(const Ui *ui, const char *name) {
    static const char widest[] = "0.00e−00";
    return CHART_NAMES_GAP + MARK_W + NAME_GAP +
           label_width(ui, FONT_SANS_BOLD, CHART_NAME_SIZE, name, strlen(name)) +
           label_width(ui, FONT_MONO, CHART_NAME_SIZE, widest, sizeof widest - 1) + 2;
}

/* Draw a line from the end of a curve inside the plot to its name at the right. */
static void leader_draw(Ui *ui, Rect plot, Vec2 from, Vec2 name) {
    float phase = 0;
    Vec2 edge = {rect_right(plot), from.y};
    LineStyle style = {1, ui->theme->control, 2, 5};
    if (edge.x - from.x > CHART_MARK_LARGE)
        polyline_piece(ui, &phase, (Vec2){from.x + CHART_MARK_LARGE, from.y}, edge, &style);
    if (fabsf(name.y - from.y) > 2)
        polyline_piece(ui, &phase, edge, name, &(LineStyle){1, ui->theme->control, 0, 0});
}

void chart_names_draw(Ui *ui, Rect plot, Rect names, const Chart *chart, float x) {
    float y[CHART_SERIES_MAX] = {0};
    Vec2 ends[CHART_SERIES_MAX];
    int order[CHART_SERIES_MAX], count = 0;
    for (int i = 0; i < chart->series_count; i++) {
        const ChartSeries *s = &chart->series[i];
        int last = last_inside(plot, chart, s);
        ends[i] = last < 0 ? (Vec2){plot.x, plot.y} : chart_point(plot, chart, s, last);
        y[i] = ends[i].y;
        if (s->name != NULL && s->count > 0)
            order[count++] = i;
    }
    sort_by_height(order, y, count);
    spread(y, order, count, plot.y, rect_bottom(plot));
    for (int k = 0; k < count; k++) {
        const ChartSeries *s = &chart->series[order[k]];
        int last = chart->backward ? 0 : s->count - 1;
        int point = isnan(x) ? last : chart_read(chart, s, x);
        float value = point < 0 ? NAN : s->y[point];
        bool over = isinf(value) && value > 0;
        LabelStyle name = {FONT_SANS_BOLD, CHART_NAME_SIZE, ui->theme->text_1, LABEL_LEFT};
        LabelStyle number = {over ? FONT_SANS : FONT_MONO, CHART_NAME_SIZE,
                             over ? ui->theme->warn : ui->theme->text_2, LABEL_RIGHT};
        const char *text = over ? "overflow" : isnan(value) ? "–" : AXIS_VALUE(value);
        Rect row = {names.x, y[order[k]] - CHART_NAME_LINE / 2, names.w, CHART_NAME_LINE};
        if (chart->flag != NULL && isfinite(value))
            leader_draw(ui, plot, ends[order[k]], (Vec2){names.x - 2, y[order[k]]});
        mark_draw(ui, s->mark != MARK_NONE ? s->mark : MARK_SQUARE,
                  (Vec2){row.x + 6, row.y + row.h / 2}, CHART_MARK_SIZE, s->colour);
        rect_cut_left(&row, MARK_W);
        float used = label_text_width(ui, &number, text);
        Rect end = rect_cut_right(&row, used + 1);
        if (!chart->readout ||
            !isfinite(value)) /* otherwise the value is drawn at the readout's line */
            label_draw(ui, end, &number, text);
        rect_cut_right(&row, NAME_GAP);
        label_draw(ui, row, &name, s->name);
    }
}

/* Return the width of a label, and set *value_w to the width of its value. */
static float word_width(const Ui *ui, const ChartWord *w, float *value_w) {
    Font font = w->is_wrong ? FONT_SANS : FONT_MONO;
    *value_w = label_width(ui, font, CHART_NAME_SIZE, w->value, strlen(w->value));
    float name_w = w->name != NULL ? label_width(ui, FONT_SANS_BOLD, CHART_NAME_SIZE, w->name,
                                                 strlen(w->name)) +
                                         MARK_W + NAME_GAP
                                   : 0;
    return name_w + *value_w + 2 * WORD_PAD + 2;
}

static void word_draw(Ui *ui, Rect row, const ChartWord *w, float value_w) {
    const Theme *theme = ui->theme;
    LabelStyle name = {FONT_SANS_BOLD, CHART_NAME_SIZE, theme->text_1, LABEL_LEFT};
    LabelStyle value = {w->is_wrong ? FONT_SANS : FONT_MONO, CHART_NAME_SIZE,
                        w->is_wrong       ? theme->warn
                        : w->name == NULL ? theme->text_1
                                          : theme->text_2,
                        LABEL_RIGHT};
    draw_fill(ui->list, row, 6, colour_fade(theme->canvas, 0.85f));
    row = rect_inset(row, WORD_PAD, 0);
    if (w->name != NULL)
        mark_draw(ui, w->mark, (Vec2){rect_cut_left(&row, MARK_W).x + 6, row.y + row.h / 2},
                  CHART_MARK_SIZE, w->colour);
    label_draw(ui, rect_cut_right(&row, value_w + 1), &value, w->value);
    rect_cut_right(&row, NAME_GAP);
    if (w->name != NULL)
        label_draw(ui, row, &name, w->name);
}

void chart_words_draw(Ui *ui, Rect bounds, float x, const ChartWord *words, int count) {
    float y[CHART_SERIES_MAX] = {0}, value_w;
    int order[CHART_SERIES_MAX] = {0};
    for (int i = 0; i < count; i++) {
        y[i] = words[i].y;
        order[i] = i;
    }
    sort_by_height(order, y, count);
    spread(y, order, count, bounds.y + CHART_NAME_LINE / 2,
           rect_bottom(bounds) - CHART_NAME_LINE / 2);
    for (int i = 0; i < count; i++) {
        float width = fminf(word_width(ui, &words[i], &value_w), bounds.w);
        bool is_right = x + CHART_WORDS_GAP + width <= rect_right(bounds);
        float left = is_right ? x + CHART_WORDS_GAP : fmaxf(x - CHART_WORDS_GAP - width, bounds.x);
        word_draw(ui, (Rect){left, y[i] - CHART_NAME_LINE / 2, width, CHART_NAME_LINE}, &words[i],
                  value_w);
    }
}

/* Draw the point where the line crosses a curve. */
static void crossing_draw(Ui *ui, const Chart *chart, const ChartSeries *s, Vec2 on) {
    if (chart->flag == NULL) {
        draw_fill(ui->list, (Rect){on.x - 7, on.y - 7, 14, 14}, 7, ui->theme->casing);
        draw_fill(ui->list, (Rect){on.x - 5, on.y - 5, 10, 10}, 5, s->colour);
        return;
    }
    mark_draw(ui, s->mark, on, CHART_MARK_LARGE + 4, ui->theme->casing);
    mark_draw(ui, s->mark, on, CHART_MARK_LARGE, s->colour);
}

void chart_flag_draw(Ui *ui, Rect plot, const Chart *chart) {
    char text[64];
    int length = snprintf(text, sizeof text, "%s %.0f", chart->flag, (double)chart->marked_x);
    LabelStyle style = {FONT_SANS_BOLD, CHART_NAME_SIZE + 2,
                        ui->disabled ? ui->theme->text_1 : ui->theme->text_on_fill, LABEL_CENTRE};
    float width = label_width(ui, style.font, style.size, text, (size_t)length) + 20;
    float x = chart_place(plot, chart, chart->marked_x, chart->y.lo).x;
    Rect flag = {x - width / 2, plot.y - FLAG_H - 6, width, FLAG_H};
    Rect around = {plot.x - 2, flag.y, plot.w + 2 + width / 2,
                   FLAG_H}; /* keep the flag off the axis */
    flag = rect_within(flag, around);
    draw_fill(ui->list, (Rect){draw_snap(ui->list, x) - 1, rect_bottom(flag), 2, 6}, 0,
              ui->theme->ring);
    draw_fill(ui->list, flag, 6, ui->disabled ? ui->theme->raised : ui->theme->fill);
    label_draw(ui, flag, &style, text);
}

void chart_readout_draw(Ui *ui, Rect plot, const Chart *chart, float x) {
    float at = axis_at(&chart->x, x);
    if (!(at >= 0 && at <= 1))
        return;
    float left = draw_snap(ui->list, plot.x + plot.w * at) - 1;
    draw_fill(ui->list, (Rect){left, plot.y, 2, plot.h}, 0,
              ui->disabled ? ui->theme->control : ui->theme->ring);
    ChartWord words[CHART_SERIES_MAX];
    char values[CHART_SERIES_MAX][32];
    int count = 0;
    float x_px = 0;
    for (int i = 0; i < chart->series_count; i++) {
        const ChartSeries *s = &chart->series[i];
        int point = chart_read(chart, s, x);
        if (point < 0 || isnan(s->y[point]) ||
            !chart_holds(plot, chart_point(plot, chart, s, point)))
            continue;
        Vec2 on = chart_point(plot, chart, s, point);
        crossing_draw(ui, chart, s, on);
        if (s->name == NULL && (chart->names || s->dashed))
            continue;
        x_px = on.x;
        axis_value_text(values[count], sizeof values[count], s->y[point]);
        words[count] = (ChartWord){.y = on.y - CHART_NAME_LINE / 2 - 2, .value = values[count]};
        count++;
    }
    if (chart->readout)
        chart_words_draw(ui, plot, x_px, words, count);
}
