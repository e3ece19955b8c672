/* 1/√d_k: the standard deviation of the scores and the saturation of the softmax by head width,
 * measured and predicted for each scheme. The line through both charts is d_k. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/chart.h"
#include "ui/prose.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define TITLE_H      30
#define BETWEEN      40
#define MAPS_ABOVE   16
#define NAME_H       28
#define COLUMN_GAP   24
#define CHARTS_LEAST 300 /* a lower view shows no heads */

static void run_widths(const ViewContext *c, CompareJob *job) {
    StudyPlan plan = compare_plan(c, STUDY_FORWARD | STUDY_SIGNAL, 1, 1);
    bool divided = c->session->options.scale == SCALE_SQRT;
    WidthSweepKey key = width_sweep_key(&plan, divided);
    const WidthSweep *before = (const WidthSweep *)job->now;
    if (before == NULL || !width_sweep_key_equal(&key, &before->key)) {
        bool has_any = before != NULL && atomic_load(&before->done) > 0;
        WidthSweep *next = width_sweep_create(&plan, divided, &job->err);
        compare_job_replace(c, job, next != NULL ? &next->job : NULL, has_any);
    }
    const WidthSweep *widths = (const WidthSweep *)job->now;
    compare_job_run(c, job, widths == NULL || width_sweep_is_done(widths));
    if (widths != NULL && !job_is_working(c->pool, job->now) && atomic_load(&widths->failed)) {
        job->failed = true;
        job->err = widths->err;
    }
}

const WidthSweep *compare_widths(const ViewContext *c) {
    static const WidthSweep none;
    const CompareJob *job = &c->memory->compare->scale;
    const WidthSweep *newest = (const WidthSweep *)job->now;
    const WidthSweep *before = (const WidthSweep *)job->before;
    if (newest == NULL)
        return &none;
    bool alike = before != NULL && !width_sweep_is_done(newest) &&
                 memcmp(before->key.schemes, newest->key.schemes, sizeof newest->key.schemes) == 0;
    alike = alike && width_sweep_of(before, before->plan.scheme_count - 1) > 0;
    return alike && compare_job_is_early(c, job) ? before : newest;
}

typedef struct Curves {
    ChartSeries series[2 * COMPARISON_MAX];
    char names[COMPARISON_MAX][64];
    int count;
} Curves;

/* Fill a curve for each scheme, and a dashed curve of its expected values. */
static void curves_make(Curves *out, const ViewContext *c, const WidthSweepValues y,
                        const WidthSweepValues expected) {
    static float widths[WIDTH_SWEEP_SIZES];
    const WidthSweep *made = compare_widths(c);
    for (int i = 0; i < WIDTH_SWEEP_SIZES; i++)
        widths[i] = (float)width_sweep_at(i);
    out->count = 0;
    for (int s = 0; s < made->plan.scheme_count; s++) {
        int in = width_sweep_of(made, s);
        column_short_name(out->names[s], c, s);
        out->series[out->count++] = (ChartSeries){.y = y[s],
                                                  .x = widths,
                                                  .count = in,
                                                  .name = out->names[s],
                                                  .colour = column_colour(c, s),
                                                  .mark = column_mark(s)};
        out->series[out->count++] = (ChartSeries){.y = expected[s],
                                                  .x = widths,
                                                  .count = in,
                                                  .colour = column_colour(c, s),
                                                  .dashed = true,
                                                  .width = 1.6f};
    }
}

/* Return an axis of at least 1 to 10, so that scaled and unscaled scores have similar axes. */
static Axis decades(const Curves *curves) {
    float values[2 + 2 * COMPARISON_MAX * WIDTH_SWEEP_SIZES] = {1, 10};
    int count = 2;
    for (int i = 0; i < curves->count; i++)
        for (int k = 0; k < curves->series[i].count; k++)
            if (curves->series[i].y[k] > 1e-4f)
                values[count++] = curves->series[i].y[k];
    return axis_of(values, count, true);
}

static void chart_of(const ViewContext *c, Rect area, const char *title, int number,
                     const Curves *curves, Axis y) {
    LabelStyle style = {FONT_SANS_BOLD, 18, c->ui->theme->text_1, LABEL_LEFT};
    prose_heading(c->ui, &area, &style, TITLE_H, title);
    AttnShape shape = compare_comparison(c)->plan.shape;
    Chart chart = {
        .x = {(float)width_sweep_at(0), (float)width_sweep_at(WIDTH_SWEEP_SIZES - 1), true, false},
        .y = y,
        .series = curves->series,
        .series_count = curves->count,
        .marked_x = (float)shape.K,
        .names = area.w > 420,
        .readout = true,
        .x_name = "d_k =",
        .shared = &c->memory->compare->hover[COMPARE_SCALE],
        .draggable = true};
    ChartState state = chart_draw(c->ui, ui_id("scale chart", number), area, &chart);
    if (state.moved && isfinite(state.x))
        view_set_number(c, "d-k", (double)state.x, state.serial);
}

void compare_scale_draw(const ViewContext *c, Rect area) {
    CompareJob *job = &c->memory->compare->scale;
    Curves curves;
    run_widths(c, job);
    if (compare_job_fail_draw(c, area, job))
        return;
    const WidthSweep *widths = compare_widths(c);
    int count = c->settings->compare.schemes.count;
    float width = (area.w - COLUMN_GAP * (float)(count - 1)) / (float)count;
    float maps_h = MAPS_ABOVE + NAME_H + compare_maps_height(c, width);
    Rect maps = rect_cut_bottom(&area, area.h > CHARTS_LEAST + maps_h ? maps_h : 0);
    Rect left = area;
    left.w = (area.w - BETWEEN) / 2;
    Rect right = left;
    right.x += left.w + BETWEEN;
    curves_make(&curves, c, widths->std, widths->expected_std);
    chart_of(c, left,
             c->session->options.scale == SCALE_SQRT ? "Std of q·k / √d_k (dashed: theory, unit X)"
                                                     : "Std of q·k (dashed: theory, unit X)",
             0, &curves, decades(&curves));
    curves_make(&curves, c, widths->saturation, widths->expected_saturation);
    chart_of(c, right, "Saturation: 0 = reads all tokens alike, 1 = reads only one", 1, &curves,
             (Axis){0, 1, false, false});
    rect_cut_top(&maps, MAPS_ABOVE);
    for (int i = 0; i < count && maps.h > 0; i++) {
        Rect place = {maps.x + (width + COLUMN_GAP) * (float)i, maps.y, width, maps.h},
             line = place;
        line = rect_cut_top(&place, NAME_H);
        mark_draw(c->ui, column_mark(i), (Vec2){line.x + 7, line.y + 13}, 11, column_colour(c, i));
        rect_cut_left(&line, 22);
        text_in(c->ui, line, TEXT_CAPTION, "%s, d_k = %d", column_scheme(c, i)->entry.label,
                compare_comparison(c)->plan.shape.K);
        compare_maps_draw(c, place, i);
    }
}
