#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "ui/chart.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/polyline.h"
#include "views/wqk_view.h"

#define HEAD_H     30
#define HANDLE_H   34
#define BARS_GAP   0.22f
#define FREE_MAX   1024
#define VALUE_LINE 20

/* The plot between its numbers, with the handle's room below. */
static Rect plot_of(Rect area) {
    rect_cut_top(&area, HEAD_H + 6);
    rect_cut_bottom(&area, AXIS_X_HEIGHT);
    rect_cut_left(&area, 40);
    rect_cut_right(&area, 8);
    return area;
}

static float bar_x(const Wqk *w, Rect plot, float rank) {
    return plot.x + plot.w * rank / (float)w->E;
}

static float spectrum_top(const Wqk *w) {
    const HeadProduct *p = &w->m->product;
    float top = p->count > 0 ? (float)p->sigma[0] : 1;
    if (w->m->free_count > 0 && w->c->settings->wqk_page == PAGE_RANK)
        top = fmaxf(top, (float)w->m->free_sigma[0]);
    return top > 0 ? top * 1.04f : 1;
}

/* The free form's spectrum over the others: a line, since it has no cliff. */
static void free_line(const Wqk *w, Rect plot, float top) {
    const RunMerge *m = w->m;
    float phase = 0;
    LineStyle style = {1.8f, w->c->ui->theme->text_3, 5, 4};
    for (int r = 1; r < m->free_count && r < FREE_MAX; r++) {
        Vec2 from = {bar_x(w, plot, (float)r - 0.5f),
                     rect_bottom(plot) - plot.h * (float)m->free_sigma[r - 1] / top};
        Vec2 to = {bar_x(w, plot, (float)r + 0.5f),
                   rect_bottom(plot) - plot.h * (float)m->free_sigma[r] / top};
        polyline_piece(w->c->ui, &phase, from, to, &style);
    }
}

static void spectrum_bars(const Wqk *w, Rect plot, float top) {
    const Theme *theme = w->c->ui->theme;
    const HeadProduct *p = &w->m->product;
    float step = plot.w / (float)w->E, width = fmaxf(step * (1 - BARS_GAP), 0.8f);
    int lit = w->c->memory->wqk.lit_sigma;
    for (int r = 0; r < p->count; r++) {
        float height = plot.h * fminf((float)p->sigma[r] / top, 1);
        Colour colour = r + 1 == lit ? theme->ring : r < w->rank ? theme->beam : theme->control;
        Rect bar = {plot.x + step * (float)r + (step - width) / 2, rect_bottom(plot) - height,
                    width, height};
        draw_fill(w->c->ui->list, bar, fminf(2, fminf(width, height) / 2), colour);
    }
}

/* What the spectrum says, and of which values nothing is left. */
static void cliff_words(const Wqk *w, int rank, char *name, char *words, size_t capacity) {
    const HeadProduct *p = &w->m->product;
    const char *width = p->kind == PRODUCT_QK ? "d_k" : "d_v";
    snprintf(words, capacity, rank == 0 ? "all %d are zero" : "the other %d are zero", w->E - rank);
    if (rank == 0)
        snprintf(name, capacity, "\"Rank 0: no cliff\"");
    else if (rank == w->E)
        snprintf(name, capacity,
                 p->has_factors ? "\"Full rank: \" %s ≥ d_{model}" : "\"Full rank, no cliff\"",
                 width);
    else if (rank < p->count || !p->has_factors)
        snprintf(name, capacity,
                 p->has_factors ? "\"Rank cliff at \" %d < %s" : "\"Rank cliff at \" %d", rank,
                 width);
    else if (p->count < w->E)
        snprintf(name, capacity, "\"Rank cliff at \" %s = %d", width, rank);
}

static void cliff(const Wqk *w, Rect plot) {
    const Theme *theme = w->c->ui->theme;
    int rank = wqk_rank_found(w);
    bool falls = rank > 0 && rank < w->E;
    float x = draw_snap(w->c->ui->list, bar_x(w, plot, (float)rank)), phase = 0;
    if (falls)
        polyline_piece(w->c->ui, &phase, (Vec2){x, rect_bottom(plot)}, (Vec2){x, plot.y},
                       &(LineStyle){1.5f, theme->text_2, 4, 4});
    char name[64] = "", words[64];
    cliff_words(w, rank, name, words, sizeof name);
    FormulaStyle style = {.size = 19, .colour = theme->text_1, .align = LABEL_LEFT};
    LabelStyle small = {FONT_SANS, WQK_SMALL, theme->text_2, LABEL_LEFT};
    Rect place = {x + 10, plot.y, rect_right(plot) - x - 10, 24};
    if (!falls) {
        place = (Rect){plot.x + plot.w * 0.3f, plot.y, plot.w * 0.7f, 24};
        style.align = small.align = LABEL_RIGHT;
    } else if (formula_width(w->c->ui, 19, name) > place.w) {
        place = (Rect){plot.x, plot.y, x - 10 - plot.x, 24};
        style.align = small.align = LABEL_RIGHT;
    }
    formula_label(w->c->ui, place, &style, name);
    place.y += 24;
    if (rank < w->E)
        label_draw(w->c->ui, place, &small, words);
    place.y += rank < w->E ? 22 : 0;
    if (w->m->free_count > 0)
        label_draw(w->c->ui, place, &small, "– – free: drawn whole, no cliff");
    else if (w->want.free && !w->m->wish.late && w->c->is_late)
        label_draw(w->c->ui, place, &small, "free: computing…");
}

/* The handle under a chart: what is held, and arrows that step. */
static void handle(const Wqk *w, Rect plot, float x) {
    const Theme *theme = w->c->ui->theme;
    char text[24];
    snprintf(text, sizeof text, "r = %d", w->rank);
    float width = formula_width(w->c->ui, 19, text) + 22;
    float left = fminf(fmaxf(x - width / 2, plot.x - 20), rect_right(plot) + 8 - width);
    Rect pill = {left, rect_bottom(plot) + 2, width, 26};
    draw_fill(w->c->ui->list, rect_inset(pill, -2, -2), 8, theme->casing);
    draw_fill(w->c->ui->list, pill, 6, theme->fill);
    FormulaStyle style = {.size = 19, .colour = theme->text_on_fill, .align = LABEL_CENTRE};
    formula_label(w->c->ui, pill, &style, text);
}

/* Keys of the handle, where it has the focus. */
static void handle_keys(const Wqk *w) {
    Ui *ui = w->c->ui;
    int step = ui_key(ui, KEY_RIGHT, 0) + ui_key(ui, KEY_UP, 0) - ui_key(ui, KEY_LEFT, 0) -
               ui_key(ui, KEY_DOWN, 0);
    step += 10 * (ui_key(ui, KEY_RIGHT, KEY_MOD_SHIFT) - ui_key(ui, KEY_LEFT, KEY_MOD_SHIFT));
    int to = ui_key(ui, KEY_HOME, 0) ? 1 : ui_key(ui, KEY_END, 0) ? w->E : w->rank + step;
    if (to != w->rank)
        wqk_set_rank(w, to, ui->drag_serial);
}

/* A drag in either chart moves r; per says how many ranks the plot is wide. */
static UiState drag_rank(const Wqk *w, const char *name, Rect plot, float lo, float hi) {
    Ui *ui = w->c->ui;
    UiId id = ui_id(name, 0);
    Rect reach = {plot.x - 8, plot.y, plot.w + 16, plot.h + HANDLE_H};
    UiState state = ui_control(ui, id, reach, UI_NO_KEYS | UI_NO_HAND);
    if (state.hovered || state.held)
        ui->cursor = 3;
    if (state.held) {
        float at = lo + (hi - lo) * (ui->pointer.x - plot.x) / plot.w;
        int rank = (int)lroundf(fminf(fmaxf(at, 1), (float)w->E));
        if (rank != w->rank || state.pressed)
            wqk_set_rank(w, rank, ui->drag_serial);
    }
    if (state.focused)
        handle_keys(w);
    ui_focus_ring(ui, id, reach, 4);
    return state;
}

void wqk_spectrum(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    Rect plot = plot_of(area);
    char count[48];
    snprintf(count, sizeof count, "σ_1 … σ_{%d}", w->E);
    wqk_heading(c, (Rect){area.x, area.y, area.w, HEAD_H}, "Singular values");
    FormulaStyle right = {.size = 18, .colour = c->ui->theme->text_2, .align = LABEL_RIGHT};
    formula_label(c->ui, (Rect){area.x, area.y, area.w - 8, HEAD_H}, &right, count);
    float top = spectrum_top(w);
    Axis y = {.lo = 0, .hi = top}, x = {.lo = 0, .hi = (float)w->E, .whole = true};
    UiState state = drag_rank(w, "wqk spectrum", plot, 0, (float)w->E);
    int lit = 0;
    if (state.hovered && !state.held && c->ui->pointer.y < rect_bottom(plot))
        lit = (int)((c->ui->pointer.x - plot.x) / plot.w * (float)w->E) + 1;
    lit = lit > w->m->product.count || lit < 0 ? 0 : lit;
    if (lit != c->memory->wqk.lit_sigma) {
        c->memory->wqk.lit_sigma = lit;
        c->ui->again = true;
    }
    axis_draw_y(c->ui, plot, &y);
    axis_draw_x(c->ui, plot, &x);
    if (w->m->product.count == 0 && !w->m->has_spectrum) {
        wqk_computing(w, rect_inset(plot, 8, 4), "Computing the singular values…");
        return;
    }
    if (w->m->product.count == 0) {
        LabelStyle style = {FONT_SANS, WQK_BODY, c->ui->theme->text_2, LABEL_LEFT};
        label_wrap(
            c->ui, rect_inset(plot, 8, 4), &style,
            "Over 2,048 singular values take half a minute and more than a gigabyte to find: "
            "use a smaller d_k.");
        return;
    }
    spectrum_bars(w, plot, top);
    free_line(w, plot, top);
    cliff(w, plot);
    float at = bar_x(w, plot, (float)w->rank), line = draw_snap(c->ui->list, at);
    draw_fill(c->ui->list, (Rect){line - 1, plot.y, 2, plot.h}, 0, c->ui->theme->ring);
    handle(w, plot, at);
}

/* Far enough past the cliff to see that nothing more is lost. */
static float curve_end(const Wqk *w) {
    int count = w->m->product.count;
    int end = count + (count + 3) / 4;
    return (float)(end < w->E ? end : w->E);
}

static void curve_words(const Wqk *w, const ChartSeries *series, int count, Rect line) {
    const Theme *theme = w->c->ui->theme;
    for (int i = count - 1; i >= 0; i--) {
        float width = formula_width(w->c->ui, 17, series[i].name);
        Rect name = rect_cut_right(&line, width);
        FormulaStyle style = {.size = 17, .colour = theme->text_1, .align = LABEL_LEFT};
        formula_label(w->c->ui, name, &style, series[i].name);
        Rect mark = rect_cut_right(&line, 23);
        float y = mark.y + mark.h / 2, phase = 0;
        LineStyle stroke = {2.6f, series[i].colour, series[i].dashed ? 5.0f : 0, 4};
        polyline_piece(w->c->ui, &phase, (Vec2){mark.x, y}, (Vec2){mark.x + 18, y}, &stroke);
        rect_cut_right(&line, 9);
    }
}

/* The curves' values at r beside its line, the higher ones above, each with a line of its own. */
static void curve_values(const Wqk *w, Rect plot, const Chart *chart) {
    const Theme *theme = w->c->ui->theme;
    float value[4], y[4], x = chart_place(plot, chart, fminf((float)w->rank, chart->x.hi), 0).x;
    int order[4], count = 0;
    for (int i = 0; i < chart->series_count; i++) {
        value[i] = chart_value(&chart->series[i], (float)w->rank);
        y[i] = fmaxf(chart_place(plot, chart, 0, fminf(value[i], 1)).y - 12, plot.y + 8);
        int at = count++;
        for (; at > 0 && y[order[at - 1]] > y[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    float limit = rect_bottom(plot) - 12;
    for (int k = 1; k < count; k++)
        y[order[k]] = fmaxf(y[order[k]], y[order[k - 1]] + VALUE_LINE);
    for (int k = count - 1; k >= 0; k--) {
        y[order[k]] = fminf(y[order[k]], limit);
        limit = y[order[k]] - VALUE_LINE;
    }
    for (int i = 0; i < count; i++) {
        char text[32];
        number_format_fixed(text, sizeof text, (double)value[i],
                            value[i] == 0       ? 0
                            : value[i] < 0.095f ? 3
                                                : 2);
        bool left = x + 80 > rect_right(plot);
        Rect place = {left ? x - 76 : x + 10, y[i] - 10, 66, 20};
        draw_fill(w->c->ui->list, place, 4, colour_fade(theme->canvas, 0.82f));
        draw_fill(w->c->ui->list, (Rect){place.x + 3, y[i] - 4, 8, 8}, 4, chart->series[i].colour);
        LabelStyle style = {FONT_MONO, WQK_SMALL, theme->text_1, LABEL_LEFT};
        rect_cut_left(&place, 14);
        label_draw(w->c->ui, place, &style, text);
    }
}

void wqk_curve(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    const Theme *theme = c->ui->theme;
    const RankCurve *curve = &w->m->curve;
    bool scores = w->m->product.kind == PRODUCT_QK;
    ChartSeries series[] = {
        {curve->W, curve->rank, 0, curve->count, "W", NULL, theme->beam, MARK_NONE, false, 0},
        {curve->S, curve->rank, 0, curve->count, scores ? "S" : "Y", NULL, theme->control,
         MARK_NONE, false, 2},
        {curve->A, curve->rank, 0, curve->count, "\"max\" |ΔA|", NULL,
         view_head_colour(c, c->session->options.head - 1), MARK_NONE, true, 0},
        {curve->KL, curve->rank, 0, curve->count, "\"KL\"", NULL, theme->text_3, MARK_NONE, true,
         2},
    };
    int count = !scores ? 2 : curve->count > 0 && isnan(curve->A[0]) ? 1 : 4;
    Rect line = {area.x, area.y, area.w - 8, HEAD_H};
    Rect rest = wqk_heading(c, line, "Lost at r");
    curve_words(w, series, count, rest);
    Chart chart = {.x = {.lo = 0, .hi = fmaxf(curve_end(w), 1), .whole = true},
                   .y = {.lo = 0, .hi = 1},
                   .series = series,
                   .series_count = count,
                   .marked_x = (float)w->rank,
                   .draggable = true};
    rect_cut_top(&area, HEAD_H - 2);
    ChartState state = chart_draw(c->ui, ui_id("wqk curve", 0), area, &chart);
    if (state.moved)
        wqk_set_rank(w, (int)lroundf(state.x), state.serial);
    float at = chart_place(state.plot, &chart, fminf((float)w->rank, chart.x.hi), 0).x;
    handle(w, state.plot, at);
    if (curve->count > 0)
        curve_values(w, state.plot, &chart);
    else if (!w->m->has_spectrum)
        wqk_computing(w, rect_inset(state.plot, 8, 4), "Computing what is lost…");
}
