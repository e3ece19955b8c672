/* 1/√d_k: charts of the scores' standard deviation and of the softmax's saturation against the
 * width of a head, measured and predicted for each scheme. The line through both charts is at
 * d_k. */
#include <math.h>

#include "ui/layout.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define TITLE_H    30
#define BETWEEN    40
#define MAPS_ABOVE 16
#define NAME_H     28
#define COLUMN_GAP 24
/* Px: minimum height of the charts; if there is less room, the heads are not shown. */
#define CHARTS_LEAST 300

typedef struct Curves {
    float x[COMPARE_WIDTHS], y[COMPARISON_MAX][2][COMPARE_WIDTHS];
    ChartSeries series[2 * COMPARISON_MAX];
    char names[COMPARISON_MAX][64];
    int count;
} Curves;

static void curves_make(Curves *out, const ViewContext *c, StudyStat stat) {
    *out = (Curves){.count = 2 * c->settings->compare.schemes.count};
    for (int s = 0; s < c->settings->compare.schemes.count; s++) {
        double value, expected;
        int in = 0;
        for (; in < COMPARE_WIDTHS && compare_width_value(&value, &expected, c, s, in, stat);
             in++) {
            out->x[in] = (float)compare_width(in);
            out->y[s][0][in] = (float)value;
            out->y[s][1][in] = (float)expected;
        }
        column_short_name(out->names[s], c, s);
        out->series[2 * s] = (ChartSeries){.y = out->y[s][0],
                                           .x = out->x,
                                           .count = in,
                                           .name = out->names[s],
                                           .colour = column_colour(c, s),
                                           .mark = column_mark(s)};
        out->series[2 * s + 1] = (ChartSeries){.y = out->y[s][1],
                                               .x = out->x,
                                               .count = in,
                                               .colour = column_colour(c, s),
                                               .dashed = true,
                                               .width = 1.6f};
    }
}

/* Return an axis of at least 1 to 10, so that scaled and unscaled scores have similar axes. */
static Axis decades(const Curves *curves) {
    float values[2 + 2 * COMPARISON_MAX * COMPARE_WIDTHS] = {1, 10};
    int count = 2;
    for (int i = 0; i < curves->count; i++)
        for (int k = 0; k < curves->series[i].count; k++)
            if (curves->series[i].y[k] > 1e-4f)
                values[count++] = curves->series[i].y[k];
    return axis_of(values, count, true);
}

static void chart_of(const ViewContext *c, Rect area, const char *title, int number,
                     const Curves *curves, Axis y) {
    text_heading(c->ui, &area, TEXT_STRONG, TITLE_H, title);
    AttnShape shape = compare_comparison(c)->plan.shape;
    Chart chart = {
        .x = {(float)compare_width(0), (float)compare_width(COMPARE_WIDTHS - 1), true, false},
        .y = y,
        .series = curves->series,
        .series_count = curves->count,
        .marked_x = (float)shape.K,
        .names = area.w > 420,
        .readout = true,
        .x_name = "d_k =",
        .shared = &c->memory->compare->hover[c->settings->compare.part],
        .draggable = true};
    ChartState state = chart_draw(c->ui, ui_id("scale chart", number), area, &chart);
    if (state.moved && isfinite(state.x))
        view_set_number(c, "d-k", (double)state.x, state.serial);
}

void compare_scale_draw(const ViewContext *c, Rect area) {
    Curves curves;
    compare_sweep_run(c);
    if (compare_job_fail_draw(c, area, COMPARE_SWEEP))
        return;
    int count = c->settings->compare.schemes.count;
    float width = (area.w - COLUMN_GAP * (float)(count - 1)) / (float)count;
    float maps_h = MAPS_ABOVE + NAME_H + compare_maps_height(c, width);
    Rect maps = rect_cut_bottom(&area, area.h > CHARTS_LEAST + maps_h ? maps_h : 0);
    curves_make(&curves, c, STUDY_STD_S);
    chart_of(c, layout_part(area, BETWEEN, 0, 2),
             c->session->options.scale == SCALE_SQRT ? "Std of q·k / √d_k (dashed: theory, unit X)"
                                                     : "Std of q·k (dashed: theory, unit X)",
             0, &curves, decades(&curves));
    curves_make(&curves, c, STUDY_SATURATION_A);
    chart_of(c, layout_part(area, BETWEEN, 1, 2),
             "Saturation: 0 = reads all tokens alike, 1 = reads only one", 1, &curves,
             (Axis){0, 1, false, false});
    rect_cut_top(&maps, MAPS_ABOVE);
    for (int i = 0; i < count && maps.h > 0; i++) {
        Rect place = layout_part(maps, COLUMN_GAP, i, count), line = rect_cut_top(&place, NAME_H);
        mark_draw(c->ui, column_mark(i), (Vec2){line.x + 7, line.y + 13}, 11, column_colour(c, i));
        rect_cut_left(&line, 22);
        text_in(c->ui, line, TEXT_CAPTION, "%s, d_k = %d", column_scheme(c, i)->entry.label,
                compare_comparison(c)->plan.shape.K);
        compare_maps_draw(c, place, i);
    }
}
