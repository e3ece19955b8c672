/* The page about the rank: the singular values, and what is lost if the product is cut to r of
 * them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "ui/chart.h"
#include "ui/mark.h"
#include "views/wqk/wqk_view.h"

#define HEAD_H      30
#define HANDLE_H    34
#define HALL_NUMBER 0.2f /* letter size of the rank, as a share of the plot's height */
#define BARS_GAP    0.22f
/* Px: with less room at the right of the line at r, text may cross the line. */
#define PAST_LEAST 100
/* If a value is below this share of the previous one, the values drop like a cliff. */
#define CLIFF       0.01
#define FREE_PIECES 1024 /* maximum number of pieces of the line for the free form */
#define VALUE_H     18
#define CURVE_NAME  (TEXT_FORMULA | TEXT_SMALL)

static float bar_x(const Wqk *w, Rect plot, float rank) {
    return plot.x + plot.w * rank / (float)w->E;
}

/* Draw the singular values as bars, the first r in a colour of their own, and those of the free
 * form as a dashed line. */
static void spectrum_draw(const Wqk *w, Rect plot, float top) {
    const Theme *theme = w->ui->theme;
    const double *sigma = w->p->sigma;
    float step = plot.w / (float)w->E, width = fmaxf(step * (1 - BARS_GAP), 0.8f);
    for (int r = 0; r < w->p->count; r++) {
        float height = plot.h * fminf((float)sigma[r] / top, 1);
        Colour colour = r + 1 == w->memory->lit_sigma ? theme->ring
                        : r < w->rank                 ? theme->beam
                                                      : theme->control;
        Rect bar = {bar_x(w, plot, (float)r) + (step - width) / 2, rect_bottom(plot) - height,
                    width, height};
        draw_fill(w->ui->list, bar, fminf(2, fminf(width, height) / 2), colour);
    }
    wqk_sigma_marks(w, plot, top);
    int count = w->m->free_count, each = (count + FREE_PIECES - 1) / FREE_PIECES;
    const double *free = w->m->free_sigma;
    LineStyle style = {1.8f, theme->text_3, 5, 4};
    float phase = 0;
    for (int r = 0; r + 1 < count; r += each) {
        int end = r + each < count ? r + each : count - 1;
        Vec2 from = {bar_x(w, plot, (float)r + 0.5f),
                     rect_bottom(plot) - plot.h * (float)free[r] / top};
        Vec2 to = {bar_x(w, plot, (float)end + 0.5f),
                   rect_bottom(plot) - plot.h * (float)free[end] / top};
        polyline_piece(w->ui, &phase, from, to, &style);
    }
}

/* True if the values drop sharply after the rank. In a wide head they decrease slowly instead,
 * until rounding errors hide them. */
static bool has_cliff(const Wqk *w, int rank) {
    const HeadProduct *p = w->p;
    return rank > 0 && rank < w->E &&
           (rank >= p->count || p->sigma[rank] < CLIFF * p->sigma[rank - 1]);
}

static void cliff_words(const Wqk *w, int rank, bool brief, char *name, char *words,
                        size_t capacity) {
    const char *cliff = brief ? "Cliff at " : "Rank cliff at ";
    const HeadProduct *p = w->p;
    const char *width = w->names->width;
    bool is_rounding = rank < p->count && p->sigma[rank] > 0;
    const char *others = is_rounding ? "%d more within rounding"
                         : brief     ? "%d others are zero"
                                     : "the other %d are zero";
    snprintf(words, capacity, rank == 0 ? "all %d are zero" : others, w->E - rank);
    if (rank > 0 && rank < w->E && !has_cliff(w, rank))
        snprintf(name, capacity, "\"Rank\" %d\", no cliff\"", rank);
    else if (rank == 0)
        snprintf(name, capacity, "\"Rank 0: no cliff\"");
    else if (rank == w->E)
        snprintf(name, capacity,
                 p->has_factors && !p->is_edited ? "\"Full rank: \" %s ≥ d_{model}"
                                                 : "\"Full rank, no cliff\"",
                 width);
    else if (p->is_edited || !p->has_factors)
        snprintf(name, capacity, "\"%s%d\"", cliff, rank);
    else if (rank < p->count)
        snprintf(name, capacity, "\"%s\" %d < %s", cliff, rank, width);
    else if (p->count < w->E)
        snprintf(name, capacity, "\"%s\" %s = %d", cliff, width, rank);
}

/* Write the rank, the number of values that are zero and the legend of the free form, next to the
 * cliff if there is one. The text has a background, because bars and lines may be behind it. */
static void cliff_says(const Wqk *w, Rect plot, float x, int rank) {
    Ui *ui = w->ui;
    char name[64] = "", words[64];
    bool falls = has_cliff(w, rank);
    float right = rect_right(plot) - x - 10, left = x - 10 - plot.x, need = INFINITY;
    for (int brief = 0; brief < 2 && need > right; brief++) {
        cliff_words(w, rank, brief, name, words, sizeof name);
        need =
            fmaxf(text_width(ui, TEXT_FORMULA, "%s", name), text_width(ui, TEXT_NOTE, "%s", words));
    }
    bool is_right = falls && (need <= right || right >= left);
    float past = rect_right(plot) - bar_x(w, plot, (float)w->rank) - 10; /* room to the right */
    float free_w = falls ? fmaxf(need, is_right ? right : left) : past > PAST_LEAST ? past : plot.w;
    const char *whole = "– – free: one matrix, no cliff";
    const char *free = w->m->free_count == 0 ? w->want.free ? "free: computing…" : ""
                       : text_width(ui, TEXT_NOTE, "%s", whole) <= free_w ? whole
                                                                          : "– – free";
    float width = fmaxf(need, text_width(ui, TEXT_NOTE, "%s", free));
    Rect block = {is_right ? x + 10
                  : falls  ? x - 10 - width
                           : rect_right(plot) - width,
                  plot.y, width, 24};
    block.h += (rank < w->E ? 22.0f : 0) + (free[0] != '\0' ? 22.0f : 0);
    draw_fill(ui->list, rect_inset(block, -4, 0), 4, colour_fade(ui->theme->canvas, 0.82f));
    unsigned side = is_right ? 0 : TEXT_RIGHT;
    text_in(ui, rect_cut_top(&block, 24), TEXT_FORMULA | side, "%s", name);
    if (rank < w->E)
        text_line(ui, &block, TEXT_NOTE | side, "%s", words);
    text_in(ui, block, TEXT_NOTE | side, "%s", free);
}

static void hall_says(const Wqk *w, Rect plot, int rank) {
    Ui *ui = w->ui;
    LabelStyle number = {FONT_SANS_BOLD, plot.h * HALL_NUMBER, ui->theme->text_1, LABEL_RIGHT};
    const char *words = PRINT("rank %d", rank);
    Rect place = rect_cut_top(&plot, number.size * 1.3f), ground = place;
    ground =
        rect_cut_right(&ground, label_width(ui, number.font, number.size, words, strlen(words)));
    /* This background covers the lines of the axis. */
    draw_fill(ui->list, ground, 4, ui->theme->canvas);
    label_draw(ui, place, &number, words);
    if (w->m->free_count > 0)
        text_line(ui, &plot, TEXT_BODY | TEXT_RIGHT, "– – free: one matrix, no cliff");
}

static void set_rank(const Wqk *w, int rank, uint64_t serial) {
    rank = rank < 1 ? 1 : rank > w->E ? w->E : rank;
    view_set_number(w->c, "wqk-rank", rank, serial);
    if (w->settings->wqk_against != AGAINST_RANK)
        view_set(w->c, "wqk-against", "rank", 0);
}

static void handle_keys(const Wqk *w) {
    Ui *ui = w->ui;
    int step = ui_keys(ui, KEY_RIGHT, 0) + ui_keys(ui, KEY_UP, 0) - ui_keys(ui, KEY_LEFT, 0) -
               ui_keys(ui, KEY_DOWN, 0);
    step += 10 * (ui_keys(ui, KEY_RIGHT, KEY_MOD_SHIFT) - ui_keys(ui, KEY_LEFT, KEY_MOD_SHIFT));
    int to = ui_keys(ui, KEY_HOME, 0) > 0 ? 1 : ui_keys(ui, KEY_END, 0) > 0 ? w->E : w->rank + step;
    if (to != w->rank)
        set_rank(w, to, ui->drag_serial);
}

static void spectrum_pointer(const Wqk *w, Rect plot, float top) {
    Ui *ui = w->ui;
    UiId id = ui_id("wqk spectrum", 0);
    float at = (ui->pointer.x - plot.x) / plot.w * (float)w->E;
    bool is_over_end = wqk_sigma_drag(w, plot, top);
    Rect reach = {plot.x - 8, plot.y, plot.w + 16, plot.h + HANDLE_H};
    UiState state = ui_control(ui, id, reach, UI_NO_KEYS | UI_NO_HAND);
    if (is_over_end || state.hovered || state.held)
        ui->cursor = is_over_end ? 4 : 3;
    int rank = (int)lroundf(fminf(fmaxf(at, 1), (float)w->E));
    if (state.held && (rank != w->rank || state.pressed))
        set_rank(w, rank, ui->drag_serial);
    if (state.focused)
        handle_keys(w);
    ui_focus_ring(ui, id, reach, 4);
    wqk_sigma_edit(w, plot, top, state);
    bool is_lit = state.hovered && !state.held && ui->pointer.y < rect_bottom(plot) && at >= 0 &&
                  at < (float)w->p->count;
    int lit = is_lit ? (int)at + 1 : 0;
    ui->again = ui->again || lit != w->memory->lit_sigma;
    w->memory->lit_sigma = lit;
}

void wqk_spectrum(const Wqk *w, Rect area) {
    Ui *ui = w->ui;
    Rect plot = area, head = {area.x, area.y, area.w - 8, HEAD_H};
    rect_cut_top(&plot, HEAD_H + 6);
    rect_cut_bottom(&plot, AXIS_X_HEIGHT);
    rect_cut_left(&plot, w->c->is_hall ? 56 : 40);
    rect_cut_right(&plot, 8);
    draw_part(ui->list, &(DrawPart){.rect = area, .cells = plot, .rows = 1, .cols = w->E},
              "wqk.sigma");
    const HandNumber *dragged = wqk_sigma_dragged(w);
    text_section(ui, &head, HEAD_H, "Singular values",
                 dragged != NULL
                     ? PRINT("σ_{%d} = %s", dragged->row + 1, SHORT((double)dragged->value))
                     : PRINT("σ_1 … σ_{%d}", w->E));
    float top = w->p->count > 0 ? (float)w->p->sigma[0] : 1;
    if (w->m->free_count > 0)
        top = fmaxf(top, (float)w->m->free_sigma[0]);
    top = wqk_sigma_top(w, top > 0 ? top * 1.04f : 1);
    spectrum_pointer(w, plot, top);
    axis_draw_y(ui, plot, &(Axis){.lo = 0, .hi = top});
    const char *handle = PRINT("r = %d", w->rank);
    float at = bar_x(w, plot, (float)w->rank), phase = 0;
    axis_draw_x_beside(ui, plot, &(Axis){.lo = 0, .hi = (float)w->E, .whole = true},
                       chart_handle(plot, at, chart_handle_width(ui, handle)));
    if (w->p->count == 0) {
        Rect rest = rect_inset(plot, 8, 4);
        text_wrap(
            ui, &rest, TEXT_BODY,
            "More than 2,048 singular values take half a minute and over a gigabyte to compute: "
            "choose a smaller d_k.");
        return;
    }
    spectrum_draw(w, plot, top);
    draw_fill(ui->list, (Rect){draw_snap(ui->list, at) - 1, plot.y, 2, plot.h}, 0, ui->theme->ring);
    int rank = wqk_rank_found(w);
    float x = draw_snap(ui->list, bar_x(w, plot, (float)rank));
    if (has_cliff(w, rank))
        polyline_piece(ui, &phase, (Vec2){x, rect_bottom(plot)}, (Vec2){x, plot.y},
                       &(LineStyle){1.5f, ui->theme->text_2, 4, 4});
    if (w->c->is_hall)
        hall_says(w, plot, rank);
    else
        cliff_says(w, plot, x, rank);
    chart_handle_draw(ui, plot, at, handle);
}

/* Most points of a curve, including the exact error at the chosen rank and a last point at the end
 * of the axis. */
#define SHOWN_MAX (RANK_CURVE_MAX + 3)
enum { CURVE_W, CURVE_S, CURVE_A, CURVE_KL, CURVES };
typedef struct ShownCurve {
    int count;
    float rank[SHOWN_MAX], value[CURVES][SHOWN_MAX];
} ShownCurve;

static void curve_add(ShownCurve *to, float rank, const float value[CURVES]) {
    to->rank[to->count] = rank;
    for (int k = 0; k < CURVES; k++)
        to->value[k][to->count] = value[k];
    to->count++;
}

static ShownCurve curve_shown(const Wqk *w, float end) {
    const ProductAnalysis *m = w->m;
    const RankCurve *curve = &m->curve;
    const float cut[CURVES] = {(float)m->cut_loss, m->cut_S / curve->S_most, m->cut_A, m->cut_KL};
    float r = (float)m->request.rank, before = -1;
    ShownCurve out = {.count = 0};
    for (int i = 0; i <= curve->count && curve->count > 0; i++) {
        int k = i < curve->count ? i : i - 1;
        float rank = i < curve->count ? curve->rank[i] : end;
        const float value[CURVES] = {curve->W[k], curve->S[k], curve->A[k], curve->KL[k]};
        if (rank <= before)
            break;
        if (!isnan(m->cut_loss) && r > before && r < rank)
            curve_add(&out, r, cut);
        curve_add(&out, rank, value);
        before = rank;
    }
    return out;
}

/* Write the value of a curve at r, or "" while it is being computed. Write a value below 5e-4 with
 * one digit and a power of ten. */
static void value_text(char out[WQK_NUMBER_MAX], const Wqk *w, const ChartSeries *series) {
    out[0] = '\0';
    if (w->m->curve.count == 0 || w->m->request.rank != w->rank)
        return;
    double value = (double)chart_value(series, (float)w->rank);
    if (value > 0 && value < 5e-4) {
        int power = (int)floor(log10(value)), digit = (int)lround(value / pow(10, power));
        power += digit == 10;
        utf8_print(out, WQK_NUMBER_MAX, "%d × 10^{%s}", digit == 10 ? 1 : digit, FIXED(power, 0));
    } else {
        number_format_fixed(out, WQK_NUMBER_MAX, value, value == 0 ? 0 : value < 0.095 ? 3 : 2);
    }
}

/* Draw the heading. At its right, draw the names of the curves, each after a piece of its line,
 * with the values below the names. If that is too wide, a value may begin further left than its
 * name. */
static void curve_head(const Wqk *w, const ChartSeries *series, int count, Rect line) {
    Ui *ui = w->ui;
    char value[CURVES][WQK_NUMBER_MAX];
    float name_w[CURVES], value_w[CURVES], mark_w = 23, apart = 9, phase = 0;
    float wanted = text_width(ui, TEXT_HEADING, "Lost at r") + TEXT_GAP - apart;
    for (int i = 0; i < count; i++) {
        value_text(value[i], w, &series[i]);
        value_w[i] = text_width(ui, TEXT_COUNT, "%s", value[i]);
        name_w[i] = text_width(ui, CURVE_NAME, "%s", series[i].name);
        wanted += mark_w + name_w[i] + apart;
    }
    bool fits = wanted <= line.w;
    mark_w = fits ? mark_w : 18;
    apart = fits ? apart : 6;
    Rect values = {line.x, rect_bottom(line) - 6, line.w, VALUE_H};
    Rect names = text_section(ui, &line, HEAD_H, fits ? "Lost at r" : "Lost", NULL);
    names = (Rect){names.x - TEXT_GAP, names.y, names.w + TEXT_GAP, names.h};
    float need = -apart, end = rect_right(values);
    for (int i = 0; i < count; i++)
        need += fmaxf(mark_w + name_w[i], value_w[i]) + apart;
    bool columns = need <= names.w;
    for (int i = count - 1; i >= 0; i--) {
        float width = mark_w + name_w[i];
        Rect place = rect_cut_right(&names, columns ? fmaxf(width, value_w[i]) : width);
        float y = place.y + place.h / 2, x = fminf(place.x, end - value_w[i]);
        LineStyle stroke = {2.6f, series[i].colour, series[i].dashed ? 5.0f : 0, 4};
        phase = 0;
        polyline_piece(ui, &phase, (Vec2){place.x, y}, (Vec2){place.x + mark_w - 5, y}, &stroke);
        rect_cut_left(&place, mark_w);
        text_in(ui, place, CURVE_NAME, "%s", series[i].name);
        text_in(ui, (Rect){x, values.y, value_w[i] + 1, values.h}, TEXT_COUNT | TEXT_BRIGHT, "%s",
                value[i]);
        rect_cut_right(&names, apart);
        end = x - apart;
    }
}

void wqk_curve(const Wqk *w, Rect area) {
    Ui *ui = w->ui;
    const Theme *theme = ui->theme;
    draw_part(ui->list, PART_RECT(area), "wqk.curve");
    /* end the axis far enough after the cliff to show that the error stays 0 */
    float end = fminf((float)(w->p->count + (w->p->count + 3) / 4), (float)w->E);
    end = fmaxf(end, 1);
    const ShownCurve curve = curve_shown(w, end);
    const char *const names[CURVES] = {"W", w->scores ? "S" : "Y", "\"max\" |ΔA|", "\"KL\""};
    const Colour colours[CURVES] = {theme->beam, theme->control, view_head_colour(w->c, w->head),
                                    theme->text_3};
    ChartSeries series[CURVES];
    for (int k = 0; k < CURVES; k++)
        series[k] = (ChartSeries){.y = curve.value[k],
                                  .x = curve.rank,
                                  .count = curve.count,
                                  .name = names[k],
                                  .colour = colours[k],
                                  .dashed = k >= CURVE_A,
                                  .width = k % 2 == 0 ? 0 : 2};
    int count = !w->scores ? 2 : curve.count > 0 && isnan(curve.value[CURVE_A][0]) ? 1 : CURVES;
    curve_head(w, series, count, (Rect){area.x, area.y, area.w - 8, HEAD_H});
    const char *handle = PRINT("r = %d", w->rank);
    Chart chart = {.x = {.lo = 0, .hi = end, .whole = true},
                   .y = {.lo = 0, .hi = 1},
                   .series = series,
                   .series_count = count,
                   .marked_x = (float)w->rank,
                   .draggable = true,
                   .without_keys = true,
                   .steps = true,
                   .handle_w = chart_handle_width(ui, handle),
                   /* a curve that leaves the plot at the top does so at small ranks, at the left */
                   .backward = true};
    rect_cut_top(&area, HEAD_H - 6 + VALUE_H);
    UiId id = ui_id("wqk curve", 0);
    ChartState state = chart_draw(ui, id, area, &chart);
    if (state.moved)
        set_rank(w, (int)lroundf(state.x), state.serial);
    if (ui->focus == id)
        handle_keys(w);
    float at = chart_place(state.plot, &chart, fminf((float)w->rank, chart.x.hi), 0).x;
    chart_handle_draw(ui, state.plot, at, handle);
}
