/* The norms of the gradients in the Train view: for each trained matrix, a bar for each column. */
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "draw/part.h"
#include "model/attention/params.h"
#include "ui/chart.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/text.h"
#include "views/train/train.h"

#define TITLE_H    30
#define SMALL_H    20 /* px: height of the line below the title */
#define NAME_W     58
#define VALUE_W    100 /* px: width for the norm of the chosen column, with its mark */
#define VALUE_SIZE 15
#define BAR        10    /* px: largest height of a bar */
#define BETWEEN    0.34f /* space between two bars, as a share of a bar's height */
/* Each matrix has a strip of the plot. Its bars take at most this share of the strip's height. */
#define GROUP      0.78f
#define NORM_LEAST 1e-3f /* the axis begins here, or lower if all norms are smaller */
#define TEXT_LEAST 9     /* px: minimum height of a bar with a number */
#define ROW_LEAST  13    /* px: minimum height for a matrix with a legible name */
#define HEAD_GAP   6

typedef struct Norms {
    int norms[RACE_NORM_COUNT]; /* indices of the norms in a record, in their order on screen */
    int count;
    Axis axis;
    Rect plot;
} Norms;

/* Return the norms in their order on screen: E, the weights in the order in which the layer uses
 * them, the biases. The axis depends only on step 0, so that it stays the same while the view
 * plays. */
static Norms norms_of(const TrainScene *s, Rect area) {
    static const int order[] = {RACE_NORM_WORDS, ATTN_W_QK,     ATTN_W_Q,      ATTN_W_K,
                                ATTN_W_V,        ATTN_W_Q_FULL, ATTN_W_K_FULL, ATTN_W_V_FULL,
                                ATTN_W_Q_HEAD,   ATTN_W_K_HEAD, ATTN_W_V_HEAD, ATTN_W_O,
                                ATTN_B_Q,        ATTN_B_K,      ATTN_B_V,      ATTN_B_O};
    float ends[] = {NORM_LEAST, 1};
    Norms n = {.count = 0};
    for (size_t k = 0; k < ARRAY_COUNT(order); k++) {
        for (int i = 0; i < s->columns; i++) {
            float norm = race_record(s->race, i, 0)->norm[order[k]];
            ends[1] = isfinite(norm) ? fmaxf(ends[1], norm) : ends[1];
        }
        if (race_trains(s->race, order[k]))
            n.norms[n.count++] = order[k];
    }
    n.axis = axis_of(ends, 2, true);
    rect_cut_left(&area, NAME_W);
    rect_cut_bottom(&area, AXIS_X_HEIGHT);
    rect_cut_right(&area, VALUE_W);
    n.plot = area;
    return n;
}

static float norm_of(const TrainScene *s, int column, int norm) {
    return race_record(s->race, column, train_last(s->race, column, s->step))->norm[norm];
}

/* Return the place of a bar as if it were as long as the plot is wide; see bar_share. */
static Rect bar_place(const TrainScene *s, const Norms *n, int group, int column) {
    float room = n->plot.h / (float)n->count;
    float pitch = fminf(room * GROUP / (float)s->columns, BAR * (1 + BETWEEN));
    float top = n->plot.y + room * ((float)group + 0.5f) - pitch * (float)s->columns / 2;
    float height = pitch / (1 + BETWEEN);
    return (Rect){n->plot.x, top + pitch * (float)column + (pitch - height) / 2, n->plot.w, height};
}

static float bar_share(const Norms *n, float norm) {
    return isfinite(norm) ? fminf(fmaxf(axis_at(&n->axis, norm), 0), 1) : 0;
}

static void bar_draw(const TrainScene *s, const Norms *n, Rect bar, int column, float norm) {
    Ui *ui = s->c->ui;
    Colour colour = column_colour(s->c, column);
    float mark = fminf(bar.h + 2, 11);
    if (!isfinite(norm) || axis_at(&n->axis, norm) < 0) { /* overflowed, or too small */
        char text[32] = "!";
        LabelStyle style = {FONT_SANS_BOLD, bar.h + 3, ui->theme->warn, LABEL_LEFT};
        if (isfinite(norm)) {
            style = (LabelStyle){FONT_MONO, bar.h + 2, ui->theme->text_2, LABEL_LEFT};
            axis_value_text(text, sizeof text, norm);
        }
        mark_draw(ui, column_mark(column), (Vec2){bar.x + 6, bar.y + bar.h / 2}, mark, colour);
        if (bar.h >= TEXT_LEAST || !isfinite(norm))
            label_at(ui, (Vec2){bar.x + 18, bar.y + bar.h}, &style, norm == 0 ? "0" : text);
        return;
    }
    bar.w *= bar_share(n, norm);
    Vec2 end = {bar.x + bar.w, bar.y + bar.h / 2};
    draw_fill(ui->list, bar, fminf(2, bar.w / 2), colour);
    mark_draw(ui, column_mark(column), end, mark + 3, ui->theme->canvas);
    mark_draw(ui, column_mark(column), end, mark, colour);
}

static void names_draw(const TrainScene *s, Rect row, int norm) {
    Ui *ui = s->c->ui;
    int start = train_chosen_start(s);
    FormulaStyle name = {.size = fminf(22, row.h * 0.8f), .colour = ui->theme->text_1};
    LabelStyle style = {FONT_MONO, fminf(VALUE_SIZE, row.h * 0.8f), ui->theme->text_1, LABEL_RIGHT};
    formula_label(ui, (Rect){row.x, row.y, NAME_W - 10, row.h}, &name,
                  norm == RACE_NORM_WORDS ? "E" : PARAMS[norm].entry.label);
    if (style.size < TEXT_LEAST)
        return;
    const char *text = AXIS_VALUE(norm_of(s, start, norm));
    row = rect_cut_right(&row, VALUE_W);
    label_draw(ui, row, &style, text);
    mark_draw(ui, column_mark(start), (Vec2){row.x + 14, row.y + row.h / 2}, style.size * 0.7f,
              column_colour(s->c, start));
}

static void pointed_draw(const TrainScene *s, const Norms *n, Rect bar, int column, float norm) {
    ChartWord word = {.y = bar.y + bar.h / 2,
                      .mark = column_mark(column),
                      .colour = column_colour(s->c, column),
                      .name = train_name(s, column),
                      .value = isfinite(norm) ? AXIS_VALUE(norm) : "overflow",
                      .is_wrong = !isfinite(norm)};
    Rect bounds = {n->plot.x, n->plot.y - 12, n->plot.w + 20, n->plot.h + 24};
    chart_words_draw(s->c->ui, bounds, bar.x + bar.w * bar_share(n, norm) + 6, &word, 1);
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
            race_trains(s->race, RACE_NORM_WORDS) ? "The word vectors E are trained, too."
                                                  : "The word vectors E are held fixed.");
    rect_cut_top(&area, HEAD_GAP);
    Norms n = norms_of(s, area);
    float ticks[AXIS_TICKS_MAX], room = n.plot.h / (float)n.count;
    int tick_count = axis_ticks(ticks, &n.axis, (int)fmaxf(n.plot.w / 60, 2));
    for (int i = 0; i < tick_count; i++) {
        float x = draw_snap(ui->list, n.plot.x + n.plot.w * axis_at(&n.axis, ticks[i]));
        draw_fill(ui->list, (Rect){x, n.plot.y, 1, n.plot.h}, 0, ui->theme->hair);
    }
    axis_draw_x(ui, n.plot, &n.axis);
    int over = -1; /* the bar under the pointer: group * columns + column */
    for (int g = 0; g < n.count; g++) {
        names_draw(s, (Rect){area.x, n.plot.y + room * (float)g, area.w, room}, n.norms[g]);
        for (int i = 0; i < s->columns; i++) {
            Rect bar = bar_place(s, &n, g, i);
            bar_draw(s, &n, bar, i, norm_of(s, i, n.norms[g]));
            if (ui_over(ui, rect_inset(bar, 0, -bar.h * BETWEEN / 2)))
                over = g * s->columns + i;
        }
    }
    int group = over / s->columns, column = over % s->columns;
    if (over >= 0)
        pointed_draw(s, &n, bar_place(s, &n, group, column), column,
                     norm_of(s, column, n.norms[group]));
}
