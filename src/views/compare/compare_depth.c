/* The Depth page, a stack of layers: the standard deviation of the signal on its way up and of the
 * gradient on its way down, and how soon all tokens become equal. */
#include <math.h>
#include <stdio.h>

#include "base/util.h"
#include "ui/layout.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define TITLE_H 30
#define BETWEEN 40
#define WAIT_S  0.2 /* seconds of computing before "Computing…" is shown */
/* Most powers of ten shown above and below 1. A curve that leaves this range is cut off, and its
 * last value is written. */
#define DECADES 4

typedef struct Curves {
    float y[COMPARISON_MAX][COMPARE_LAYERS_MAX];
    char names[COMPARISON_MAX][64], leaves[COMPARISON_MAX][96], brief[COMPARISON_MAX][96];
    ChartSeries series[COMPARISON_MAX];
    int count, layers;
} Curves;

/* Write the note for a curve that leaves the plot: its last value, or the layer from which it
 * overflows or has no values. The gradient runs from the last layer down, so its last value is that
 * of layer 1. brief is for a small plot. */
static void where_to(char out[96], char brief[96], const char *name, const float *y, int layers,
                     bool backward) {
    int over = 0, known = layers;
    const char *text = AXIS_VALUE(backward ? y[0] : y[layers - 1]);
    while (over < layers && !isinf(y[over]))
        over++;
    while (known > 0 && isnan(y[known - 1]))
        known--;
    const char *value = backward && !isfinite(y[0]) ? "overflow" : text;
    snprintf(brief, 96, "%s: %s", name, value);
    if (backward)
        snprintf(out, 96, "%s: %s at layer 1", name, value);
    else if (over > 1 && over < layers) {
        snprintf(brief, 96, "%s: overflow at %d", name, over + 1);
        snprintf(out, 96, "%s: ×%.3g a layer, overflow at %d", name,
                 pow((double)(y[over - 1] / y[0]), 1.0 / (over - 1)), over + 1);
    } else if (over < layers) {
        snprintf(brief, 96, "%s: overflow", name);
        snprintf(out, 96, "%s: overflow", name);
    } else if (known < layers) {
        snprintf(brief, 96, "%s: none from %d on", name, known + 1);
        snprintf(out, 96, "%s: no numbers from layer %d on", name, known + 1);
    } else
        snprintf(out, 96, "%s: %s at layer %d", name, text, layers);
}

/* Schemes that are not computed yet have no points. */
static void curves_make(Curves *curves, const ViewContext *c, StudyStat stat) {
    const Study *study = compare_study_shown(c, COMPARE_STACK);
    bool backward = stat == STUDY_STD_GRAD_X;
    /* true if a value that is not finite means "not computable", not an overflow */
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
            where_to(curves->leaves[i], curves->brief[i], curves->names[i], curves->y[i], in,
                     backward);
        curves->series[i] = (ChartSeries){.y = curves->y[i],
                                          .x_first = 1,
                                          .count = in,
                                          .name = curves->names[i],
                                          .leaves = curves->leaves[i],
                                          .leaves_brief = curves->brief[i],
                                          .colour = column_colour(c, i),
                                          .mark = column_mark(i)};
    }
}

/* Return a logarithmic axis for the curves, with values clamped to 10^−DECADES … 10^DECADES
 * (STUDY_RESIDUAL_Y: from 1e-8). */
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
    curves_make(&curves, c, stat);
    text_heading(c->ui, &area, TEXT_STRONG, TITLE_H, title);
    float most = (float)curves.layers;
    Chart chart = {.x = {1, fmaxf(most, 2), false, true},
                   .y = curves_axis(&curves, stat),
                   .series = curves.series,
                   .series_count = curves.count,
                   .marked_x = NAN,
                   .names = area.w > 420,
                   .x_name = "\"layer\"",
                   .shared = &c->memory->compare->hover[c->settings->compare.part],
                   /* a wide chart shows the values next to the names of the curves */
                   .readout = area.w <= 420,
                   .backward = stat == STUDY_STD_GRAD_X};
    chart_draw(c->ui, ui_id("stack chart", (int)stat), area, &chart);
    /* empty axes would look like a result */
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
    stack_chart(c, layout_part(area, BETWEEN, 0, 2), "Std of Y, layer by layer", STUDY_STD_Y);
    stack_chart(c, layout_part(area, BETWEEN, 1, 2), "Std of the gradient, down to layer 1",
                STUDY_STD_GRAD_X);
}

void compare_depth_draw(const ViewContext *c, Rect area) {
    static const char *const words[] = {
        "Without a residual each layer mixes the tokens further, until they are identical, doubly "
        "exponentially fast (Dong et al. 2021), down to rounding error. With a residual block they "
        "stay apart for longer.",
        "With a residual every layer adds to the stream. GPT-2 divides σ of W_O by √(2·depth), so "
        "that all layers together add no more than one undivided layer would. Press GPT-2's shape, "
        "because 0.02 is too small for width 64; then switch Depth rule off and on.",
    };
    compare_stack_run(c);
    if (compare_job_fail_draw(c, area, COMPARE_STACK))
        return;
    compare_stack_charts(c, rect_cut_top(&area, (area.h - BETWEEN) / 2));
    rect_cut_top(&area, BETWEEN);
    stack_chart(c, c->is_hall ? area : layout_part(area, BETWEEN, 0, 2),
                "How different the tokens are", STUDY_RESIDUAL_Y);
    area = layout_part(area, BETWEEN, 1, 2);
    rect_cut_top(&area, 4);
    area.w = fminf(area.w, 640);
    for (size_t i = 0; i < ARRAY_COUNT(words) && !c->is_hall; i++) {
        text_wrap(c->ui, &area, TEXT_CAPTION, words[i]);
        rect_cut_top(&area, 12);
    }
}
