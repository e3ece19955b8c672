/* 1/√d_k: the scores' deviation and the softmax's saturation over the width of a head, each scheme
 * measured and predicted. The line through both charts is d_k itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/chart.h"
#include "ui/prose.h"
#include "views/compare.h"

#define TITLE_H 30
#define BETWEEN 40
#define MAPS_H  176

static bool compute(ScaleMemory *m, StudyPlan *plan, int step) {
    float values[STUDY_STAT_COUNT];
    double expected[STUDY_STAT_COUNT];
    StudyBench bench;
    int scheme = step % plan->scheme_count, i = step / plan->scheme_count;
    plan->shape.score_factor *=
        m->divided ? sqrtf((float)plan->shape.K / (float)compare_scale_width(i)) : 1;
    plan->shape.K = compare_scale_width(i);
    if (!study_bench_init(&bench, plan, &m->err))
        return false;
    bool done = study_compute(values, &bench, plan, scheme, &m->err);
    study_bench_release(&bench);
    m->deviation[scheme][i] = values[STUDY_STD_S];
    m->saturation[scheme][i] = values[STUDY_SATURATION_A];
    study_expect(expected, plan, scheme, 0);
    m->expected[scheme][i] = (float)expected[STUDY_STD_S];
    m->expected_saturation[scheme][i] = (float)expected[STUDY_SATURATION_A];
    return done;
}

/* One scheme at one width a frame, since each is of another shape; all of them without a clock. */
static void run_scale(const ViewContext *c, ScaleMemory *m) {
    StudyPlan plan = compare_plan(c, STUDY_FORWARD | STUDY_SIGNAL, 1, 1);
    CompareKey key;
    memset(&key, 0, sizeof key);
    key.revision = c->run->revision;
    key.schemes = c->settings->compare.schemes;
    memcpy(key.own, c->settings->compare.own, sizeof key.own);
    memset(plan.given, 0, sizeof plan.given);
    plan.shape.form = FORM_SEPARATE;
    plan.shape.bias = BIAS_NONE;
    bool fresh = memcmp(&key, &m->key, sizeof key) != 0;
    if (fresh) {
        *m = (ScaleMemory){.divided = c->session->options.scale == SCALE_SQRT};
        m->key = key;
    }
    int steps = SCALE_WIDTHS * plan.scheme_count, batch = c->now_s == NULL ? steps : 3;
    for (; (fresh || c->ui->first_pass || c->now_s == NULL) && batch > 0 && m->done < steps &&
           !m->failed;
         batch--) {
        StudyPlan one = plan;
        m->failed = !compute(m, &one, m->done);
        m->done++;
    }
    if (m->done < steps && !m->failed)
        ui_wake(c->ui, c->ui->time_s);
}

typedef struct Curves {
    ChartSeries series[2 * LINEUP_MAX];
    char names[LINEUP_MAX][64];
    int count;
} Curves;

/* With what is expected as a dashed curve without a name. */
static void curves_make(Curves *out, const ViewContext *c, float (*y)[SCALE_WIDTHS],
                        float (*expected)[SCALE_WIDTHS]) {
    static float widths[SCALE_WIDTHS];
    const ScaleMemory *m = &c->memory->compare->scale;
    int schemes = c->settings->compare.schemes.count;
    for (int i = 0; i < SCALE_WIDTHS; i++)
        widths[i] = (float)compare_scale_width(i);
    out->count = 0;
    for (int s = 0; s < schemes; s++) {
        int in = (m->done - s + schemes - 1) / schemes;
        compare_short_name(out->names[s], c, s);
        out->series[out->count++] = (ChartSeries){.y = y[s],
                                                  .x = widths,
                                                  .count = in,
                                                  .name = out->names[s],
                                                  .colour = compare_colour(c, s),
                                                  .mark = compare_mark(s)};
        out->series[out->count++] = (ChartSeries){.y = expected[s],
                                                  .x = widths,
                                                  .count = in,
                                                  .colour = compare_colour(c, s),
                                                  .dashed = true,
                                                  .width = 1.6f};
    }
}

/* From 1 to 10 at least, so that scaled and not scaled are seen on a like axis. */
static Axis decades(const Curves *curves) {
    float values[2 + 2 * LINEUP_MAX * SCALE_WIDTHS] = {1, 10};
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
    AttnShape shape = compare_lineup(c)->plan.shape;
    Chart chart = {.x = {(float)compare_scale_width(0),
                         (float)compare_scale_width(SCALE_WIDTHS - 1), true, false},
                   .y = y,
                   .series = curves->series,
                   .series_count = curves->count,
                   .marked_x = (float)shape.K,
                   .names = area.w > 420,
                   .draggable = true};
    ChartState state = chart_draw(c->ui, ui_id("scale chart", number), area, &chart);
    if (state.moved && isfinite(state.x))
        view_set_number(c, "d-k", (double)state.x, state.serial);
}

void compare_scale_draw(const ViewContext *c, Rect area) {
    CompareMemory *memory = c->memory->compare;
    ScaleMemory *m = &memory->scale;
    Curves curves;
    run_scale(c, m);
    if (m->failed) {
        LabelStyle style = {FONT_SANS, 20, c->ui->theme->text_2, LABEL_LEFT};
        label_wrap(c->ui, area, &style, m->err.why);
        return;
    }
    Rect maps = rect_cut_bottom(&area, area.h > 480 ? MAPS_H : 0);
    Rect left = area;
    left.w = (area.w - BETWEEN) / 2;
    Rect right = left;
    right.x += left.w + BETWEEN;
    curves_make(&curves, c, m->deviation, m->expected);
    chart_of(c, left,
             c->session->options.scale == SCALE_SQRT
                 ? "Std of q·k divided by the root of d_k, dashed as expected"
                 : "Std of q·k over d_k, dashed as expected",
             0, &curves, decades(&curves));
    curves_make(&curves, c, m->saturation, m->expected_saturation);
    chart_of(c, right, "Saturation of the softmax over d_k, dashed as expected", 1, &curves,
             (Axis){0, 1, false, false});
    int count = c->settings->compare.schemes.count;
    float width = (maps.w - 24 * (float)(count - 1)) / (float)count;
    rect_cut_top(&maps, 16);
    for (int i = 0; i < count && maps.h > 0; i++) {
        Rect place = {maps.x + (width + 24) * (float)i, maps.y, width, maps.h}, line = place;
        line = rect_cut_top(&place, 28);
        LabelStyle style = {FONT_SANS, 16, c->ui->theme->text_2, LABEL_LEFT};
        mark_draw(c->ui, compare_mark(i), (Vec2){line.x + 7, line.y + 13}, 11,
                  compare_colour(c, i));
        rect_cut_left(&line, 22);
        label_draw(c->ui, line, &style, compare_scheme(c, i)->entry.label);
        compare_maps_draw(c, place, i);
    }
}
