/* A stack of layers: the standard deviation of the signal on its way up and of the gradient on its
 * way down, and how soon all tokens become the same. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/chart.h"
#include "ui/prose.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define TITLE_H 30
#define BETWEEN 40
#define WAIT_S  0.2 /* seconds of computing before "Computing…" is shown */
#define DECADES 4   /* most powers of ten above and below 1; a curve beyond has its value written */

/* One curve for each scheme, with its data. */
typedef struct Curves {
    float y[COMPARISON_MAX][COMPARE_LAYERS_MAX];
    char names[COMPARISON_MAX][64], leaves[COMPARISON_MAX][96];
    ChartSeries series[COMPARISON_MAX];
    int count, layers;
} Curves;

static void where_to(char out[96], const char *name, const float *y, int layers) {
    char last[32];
    int over = 0;
    while (over < layers && !isinf(y[over]))
        over++;
    if (over < layers) {
        double growth = over > 1 ? pow((double)(y[over - 1] / y[0]), 1.0 / (over - 1)) : NAN;
        snprintf(out, 96, over > 1 ? "%s: ×%.3g a layer, overflow at %d" : "%s: overflow", name,
                 growth, over + 1);
        return;
    }
    int known = layers;
    while (known > 0 && isnan(y[known - 1]))
        known--;
    if (known < layers) {
        snprintf(out, 96, "%s: no numbers from layer %d on", name, known + 1);
        return;
    }
    axis_value_text(last, sizeof last, y[layers - 1]);
    snprintf(out, 96, "%s: %s at layer %d", name, last, layers);
}

/* Write the last value of a curve that runs down to layer 1. */
static void where_from(char out[96], const char *name, const float *y, int layers) {
    char text[32];
    (void)layers;
    if (isfinite(y[0]))
        axis_value_text(text, sizeof text, y[0]);
    else
        snprintf(text, sizeof text, "overflow");
    snprintf(out, 96, "%s: %s at layer 1", name, text);
}

/* Fill the curves of a measure. A unit that is not computed has no values yet. */
static void curves_make(Curves *curves, const ViewContext *c, StudyStat stat) {
    const Study *study = compare_study_shown(c, COMPARE_STACK);
    bool backward = stat == STUDY_STD_GRAD_X;
    /* After an overflow no tokens are left to compare. */
    bool none =
        stat == STUDY_RESIDUAL_Y || !study_stat_exists(stat, &study->plan.shape, &study->plan.mask);
    float gap = none ? NAN : INFINITY;
    *curves = (Curves){.count = study->plan.scheme_count, .layers = study->plan.layers};
    for (int i = 0; i < curves->count; i++) {
        int in = i < study->in ? curves->layers : 0;
        for (int l = 0; l < in; l++) {
            float value = study_value(study, i, 0, l, stat);
            curves->y[i][l] = isfinite(value) ? value : gap;
        }
        column_short_name(curves->names[i], c, i);
        if (in > 0)
            (backward ? where_from : where_to)(curves->leaves[i], curves->names[i], curves->y[i],
                                               in);
        curves->series[i] = (ChartSeries){.y = curves->y[i],
                                          .x_first = 1,
                                          .count = in,
                                          .name = curves->names[i],
                                          .leaves = curves->leaves[i],
                                          .colour = column_colour(c, i),
                                          .mark = column_mark(i)};
    }
}

/* Return an axis for the values within a few powers of ten of 1. */
static Axis curves_axis(const Curves *curves, StudyStat stat) {
    float values[COMPARISON_MAX * COMPARE_LAYERS_MAX];
    float least = stat == STUDY_RESIDUAL_Y ? 1e-8f : powf(10, -DECADES), most = powf(10, DECADES);
    int count = 0;
    for (int i = 0; i < curves->count; i++)
        for (int l = 0; l < curves->series[i].count; l++)
            if (!isnan(curves->y[i][l]))
                values[count++] = fminf(fmaxf(curves->y[i][l], least), most);
    return axis_of(values, count, true);
}

static void stack_chart(const ViewContext *c, Rect area, const char *title, StudyStat stat) {
    Curves curves;
    LabelStyle style = {FONT_SANS_BOLD, 18, c->ui->theme->text_1, LABEL_LEFT};
    curves_make(&curves, c, stat);
    prose_heading(c->ui, &area, &style, TITLE_H, title);
    float most = (float)curves.layers;
    Chart chart = {.x = {1, fmaxf(most, 2), false, true},
                   .y = curves_axis(&curves, stat),
                   .series = curves.series,
                   .series_count = curves.count,
                   .marked_x = NAN,
                   .names = area.w > 420,
                   .x_name = "\"layer\"",
                   .shared = &c->memory->compare->hover[c->settings->compare.part],
                   .readout = area.w <= 420, /* otherwise the values are next to the names */
                   .backward = stat == STUDY_STD_GRAD_X};
    chart_draw(c->ui, ui_id("stack chart", (int)stat), area, &chart);
    /* Say that curves are being computed, because empty axes would look final. */
    const CompareJob *stack = &c->memory->compare->jobs[COMPARE_STACK];
    bool any = false;
    for (int i = 0; i < curves.count; i++)
        any = any || curves.series[i].count > 0;
    if (any || c->ui->time_s < stack->begun_s + WAIT_S)
        return;
    text_in(c->ui, area, TEXT_BODY | TEXT_CENTRE, "Computing…");
}

void compare_stack_charts(const ViewContext *c, Rect area) {
    if (compare_job_fail_draw(c, area, COMPARE_STACK))
        return;
    Rect left = area;
    left.w = (area.w - BETWEEN) / 2;
    Rect right = left;
    right.x += left.w + BETWEEN;
    stack_chart(c, left, "Std of Y, layer by layer", STUDY_STD_Y);
    stack_chart(c, right, "Std of the gradient, layer by layer", STUDY_STD_GRAD_X);
}

/* Draw an explanation of the three charts. */
static void words_draw(const ViewContext *c, Rect area) {
    static const char *const words[] = {
        "Without a residual each layer mixes the tokens further, until they are identical, doubly "
        "exponentially fast (Dong et al. 2021), down to rounding error. With a residual block they "
        "stay apart for longer.",
        "With a residual every layer adds to the stream. GPT-2 divides σ of W_O by √(2·depth), so "
        "that all layers together add no more than one would. Switch the depth rule off and on, "
        "with GPT-2's own shape, because 0.02 is too small for width 64.",
    };
    LabelStyle style = {FONT_SANS, 16, c->ui->theme->text_2, LABEL_LEFT};
    area.w = fminf(area.w, 640);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        rect_cut_top(&area, prose_wrap(c->ui, area, &style, words[i]) + 12);
}

void compare_depth_draw(const ViewContext *c, Rect area) {
    compare_stack_run(c);
    if (compare_job_fail_draw(c, area, COMPARE_STACK))
        return;
    Rect top = area;
    top.h = (area.h - BETWEEN) / 2;
    compare_stack_charts(c, top);
    Rect below = {area.x, area.y + top.h + BETWEEN, (area.w - BETWEEN) / 2, top.h};
    Rect words = {below.x + below.w + BETWEEN, below.y + 4, below.w, below.h};
    if (c->is_hall) /* the caption says it */
        below.w = area.w;
    else
        words_draw(c, words);
    stack_chart(c, below, "How different the tokens still are", STUDY_RESIDUAL_Y);
}
