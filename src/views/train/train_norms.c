/* The norms of the gradients in the Train view: a bar for each trained matrix and column. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "draw/part.h"
#include "model/attention/params.h"
#include "ui/chart.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/text.h"
#include "views/shared/columns.h"
#include "views/train/train.h"

#define TITLE_H    30
#define SMALL_H    20 /* height of the line below the title */
#define NAME_W     58
#define VALUE_W    100 /* px of the column with the chosen start's norm and its mark */
#define VALUE_SIZE 15
#define BAR        10    /* px: greatest height of a bar */
#define BETWEEN    0.34f /* space between bars, as a share of a bar's height */
#define GROUP      0.78f /* greatest share of a matrix's room that its bars take */
#define NORM_LEAST 1e-3f /* greatest left end; smaller norms are written */
#define TEXT_LEAST 9     /* px: least height of a bar with a number */
#define ROW_LEAST  13    /* px: least height of a matrix's room with a legible name */
#define HEAD_GAP   6

typedef struct Norms {
    int norms[RACE_NORM_COUNT]; /* the norms of a record, in their order on screen */
    int count;
    Axis axis;
    Rect plot;
} Norms;

/* Return the axis of norms. It depends on step 0 alone, so that it stays the same while the view
 * plays. */
static Axis norm_axis(const TrainScene *s) {
    float values[] = {NORM_LEAST, 1};
    for (int i = 0; i < s->columns; i++)
        for (int n = 0; n < RACE_NORM_COUNT; n++) {
            float norm = race_record(s->race, i, 0)->norm[n];
            values[1] = isfinite(norm) ? fmaxf(values[1], norm) : values[1];
        }
    return axis_of(values, 2, true);
}

/* Choose the order of the matrices, which is that of the layer: W_QK before W_V, W_O after the
 * factors. */
static Norms norms_of(const TrainScene *s, Rect area) {
    static const int LAST[] = {ATTN_W_O, ATTN_B_Q, ATTN_B_K, ATTN_B_V, ATTN_B_O};
    Norms n = {.axis = norm_axis(s)};
    if (race_trains(s->race, RACE_NORM_WORDS))
        n.norms[n.count++] = RACE_NORM_WORDS;
    if (race_trains(s->race, ATTN_W_QK))
        n.norms[n.count++] = ATTN_W_QK;
    for (int p = 0; p < ATTN_W_QK; p++)
        if (race_trains(s->race, p) && p != ATTN_W_O && !param_is_bias((AttnParam)p))
            n.norms[n.count++] = p;
    for (size_t i = 0; i < ARRAY_COUNT(LAST); i++)
        if (race_trains(s->race, LAST[i]))
            n.norms[n.count++] = LAST[i];
    rect_cut_left(&area, NAME_W);
    rect_cut_bottom(&area, AXIS_X_HEIGHT);
    rect_cut_right(&area, VALUE_W);
    n.plot = area;
    return n;
}

static void grid_draw(const TrainScene *s, const Norms *n) {
    Ui *ui = s->c->ui;
    float ticks[AXIS_TICKS_MAX];
    int count = axis_ticks(ticks, &n->axis, (int)fmaxf(n->plot.w / 60, 2));
    for (int i = 0; i < count; i++) {
        float x = draw_snap(ui->list, n->plot.x + n->plot.w * axis_at(&n->axis, ticks[i]));
        draw_fill(ui->list, (Rect){x, n->plot.y, 1, n->plot.h}, 0, ui->theme->hair);
    }
    axis_draw_x(ui, n->plot, &n->axis);
}

/* Return the place of a bar that is as long as the plot. */
static Rect bar_place(const TrainScene *s, const Norms *n, int group, int column) {
    float room = n->plot.h / (float)n->count;
    float pitch = fminf(room * GROUP / (float)s->columns, BAR * (1 + BETWEEN));
    float top = n->plot.y + room * ((float)group + 0.5f) - pitch * (float)s->columns / 2;
    float height = pitch / (1 + BETWEEN);
    return (Rect){n->plot.x, top + pitch * (float)column + (pitch - height) / 2, n->plot.w, height};
}

static void bar_draw(const TrainScene *s, const Norms *n, Rect bar, int column, float norm) {
    Ui *ui = s->c->ui;
    Colour colour = column_colour(s->c, column);
    float mark = fminf(bar.h + 2, 11);
    float at = fminf(fmaxf(axis_at(&n->axis, norm), 0), 1);
    Vec2 end = {bar.x + bar.w * at, bar.y + bar.h / 2};
    if (!isfinite(norm) || axis_at(&n->axis, norm) < 0) { /* not on the axis */
        char text[32] = "!";
        LabelStyle style = {FONT_SANS_BOLD, bar.h + 3, ui->theme->warn, LABEL_LEFT};
        if (isfinite(norm)) {
            style = (LabelStyle){FONT_MONO, bar.h + 2, ui->theme->text_2, LABEL_LEFT};
            axis_value_text(text, sizeof text, norm);
        }
        mark_draw(ui, column_mark(column), (Vec2){bar.x + 6, end.y}, mark, colour);
        if (bar.h >= TEXT_LEAST || !isfinite(norm))
            label_at(ui, (Vec2){bar.x + 18, bar.y + bar.h}, &style, norm == 0 ? "0" : text);
        return;
    }
    bar.w *= at;
    draw_fill(ui->list, bar, fminf(2, bar.w / 2), colour);
    mark_draw(ui, column_mark(column), end, mark + 3, ui->theme->canvas);
    mark_draw(ui, column_mark(column), end, mark, colour);
}

/* Draw the norm of the chosen start as a number, at the right of its bars. */
static void value_draw(const TrainScene *s, Rect row, int norm) {
    Ui *ui = s->c->ui;
    int start = train_chosen_start(s);
    float size = fminf(VALUE_SIZE, row.h * 0.8f);
    LabelStyle style = {FONT_MONO, size, ui->theme->text_1, LABEL_RIGHT};
    char text[32];
    if (size < TEXT_LEAST)
        return;
    axis_value_text(text, sizeof text,
                    race_record(s->race, start, train_last(s->race, start, s->step))->norm[norm]);
    Rect place = {rect_right(row) - VALUE_W, row.y, VALUE_W, row.h};
    label_draw(ui, place, &style, text);
    Vec2 at = {place.x + 14, row.y + row.h / 2};
    mark_draw(ui, column_mark(start), at, size * 0.7f, column_colour(s->c, start));
}

/* Draw the name and the value of the bar under the pointer. */
static void pointed_draw(const TrainScene *s, const Norms *n, Rect bar, int column, float norm) {
    char value[32];
    axis_value_text(value, sizeof value, norm);
    if (!isfinite(norm))
        snprintf(value, sizeof value, "overflow");
    float at = isfinite(norm) ? fminf(fmaxf(axis_at(&n->axis, norm), 0), 1) : 0;
    ChartWord word = {.y = bar.y + bar.h / 2,
                      .mark = column_mark(column),
                      .colour = column_colour(s->c, column),
                      .name = train_name(s, column),
                      .value = value,
                      .is_wrong = !isfinite(norm)};
    Rect bounds = {n->plot.x, n->plot.y - 12, n->plot.w + 20, n->plot.h + 24};
    chart_words_draw(s->c->ui, bounds, bar.x + bar.w * at + 6, &word, 1);
}

float train_norms_least(const TrainScene *s) {
    int count = norms_of(s, (Rect){0}).count;
    return TITLE_H + SMALL_H + HEAD_GAP + AXIS_X_HEIGHT + ROW_LEAST * (float)count;
}

void train_norms_draw(const TrainScene *s, Rect area) {
    Ui *ui = s->c->ui;
    draw_part(ui->list, PART_RECT(area), "train.norms");
    Rect title = rect_cut_top(&area, TITLE_H);
    text_left(ui, &title, TEXT_STRONG, "Gradient norm");
    text_in(ui, title, TEXT_CAPTION | TEXT_RIGHT, "at step %d", s->step);
    text_in(ui, rect_cut_top(&area, SMALL_H), TEXT_NOTE,
            race_trains(s->race, RACE_NORM_WORDS) ? "E, the word vectors, is trained, too."
                                                  : "E, the word vectors, is held fixed.");
    rect_cut_top(&area, HEAD_GAP);
    Norms n = norms_of(s, area);
    int group_over = -1, column_over = -1;
    grid_draw(s, &n);
    for (int g = 0; g < n.count; g++) {
        float room = n.plot.h / (float)n.count;
        FormulaStyle style = {.size = fminf(22, room * 0.8f), .colour = ui->theme->text_1};
        const char *name = n.norms[g] == RACE_NORM_WORDS ? "E" : PARAMS[n.norms[g]].entry.label;
        formula_label(ui, (Rect){area.x, n.plot.y + room * (float)g, NAME_W - 10, room}, &style,
                      name);
        value_draw(s, (Rect){area.x, n.plot.y + room * (float)g, area.w, room}, n.norms[g]);
        for (int i = 0; i < s->columns; i++) {
            int last = train_last(s->race, i, s->step);
            Rect bar = bar_place(s, &n, g, i);
            bar_draw(s, &n, bar, i, race_record(s->race, i, last)->norm[n.norms[g]]);
            float pitch = bar.h * (1 + BETWEEN);
            Rect reach = {n.plot.x, bar.y - (pitch - bar.h) / 2, n.plot.w, pitch};
            if (ui_over(ui, reach)) {
                group_over = g;
                column_over = i;
            }
        }
    }
    if (group_over < 0)
        return;
    int last = train_last(s->race, column_over, s->step);
    pointed_draw(s, &n, bar_place(s, &n, group_over, column_over), column_over,
                 race_record(s->race, column_over, last)->norm[n.norms[group_over]]);
}
