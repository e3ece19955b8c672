#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "ui/chart.h"
#include "ui/polyline.h"
#include "views/wqk/wqk_view.h"

#define HEAD_H      30
#define HANDLE_H    34
#define HALL_NUMBER 0.2f /* letters of the rank, as a share of the plot's height */
#define BARS_GAP    0.22f
#define PAST_LEAST  100  /* px right of r's line; if fewer, words may cross the line */
#define CLIFF       0.01 /* a value's successor below this share of it makes a cliff */
#define FREE_PIECES 1024 /* most pieces of the free form's line */
#define CURVES      4
#define VALUE_H     18
#define CLIFF_NAME  TEXT_FORMULA
#define CURVE_NAME  (TEXT_FORMULA | TEXT_SMALL)

/* Return the plot inside the area, without the axes' numbers and the handle. */
static Rect plot_of(const Wqk *w, Rect area) {
    rect_cut_top(&area, HEAD_H + 6);
    rect_cut_bottom(&area, AXIS_X_HEIGHT);
    rect_cut_left(&area, w->c->is_hall ? 56 : 40);
    rect_cut_right(&area, 8);
    return area;
}

static float bar_x(const Wqk *w, Rect plot, float rank) {
    return plot.x + plot.w * rank / (float)w->E;
}

static float spectrum_top(const Wqk *w) {
    const HeadProduct *p = w->p;
    float top = p->count > 0 ? (float)p->sigma[0] : 1;
    if (w->m->free_count > 0)
        top = fmaxf(top, (float)w->m->free_sigma[0]);
    return top > 0 ? top * 1.04f : 1;
}

/* Draw the free form's spectrum over the bars: a line, because it has no cliff. */
static void free_line(const Wqk *w, Rect plot, float top) {
    int count = w->m->free_count;
    const double *sigma = w->m->free_sigma;
    float phase = 0;
    LineStyle style = {1.8f, w->ui->theme->text_3, 5, 4};
    int each = (count + FREE_PIECES - 1) / FREE_PIECES;
    for (int r = 0; r + 1 < count; r += each) {
        int end = r + each < count ? r + each : count - 1;
        Vec2 from = {bar_x(w, plot, (float)r + 0.5f),
                     rect_bottom(plot) - plot.h * (float)sigma[r] / top};
        Vec2 to = {bar_x(w, plot, (float)end + 0.5f),
                   rect_bottom(plot) - plot.h * (float)sigma[end] / top};
        polyline_piece(w->ui, &phase, from, to, &style);
    }
}

static void spectrum_bars(const Wqk *w, Rect plot, float top) {
    const Theme *theme = w->ui->theme;
    const HeadProduct *p = w->p;
    float step = plot.w / (float)w->E, width = fmaxf(step * (1 - BARS_GAP), 0.8f);
    int lit = w->memory->lit_sigma;
    for (int r = 0; r < p->count; r++) {
        float height = plot.h * fminf((float)p->sigma[r] / top, 1);
        Colour colour = r + 1 == lit ? theme->ring : r < w->rank ? theme->beam : theme->control;
        Rect bar = {plot.x + step * (float)r + (step - width) / 2, rect_bottom(plot) - height,
                    width, height};
        draw_fill(w->ui->list, bar, fminf(2, fminf(width, height) / 2), colour);
    }
}

/* True if the values drop at the rank. Those of a wide head decrease slowly instead, until rounding
 * hides them. */
static bool has_cliff(const Wqk *w, int rank) {
    const HeadProduct *p = w->p;
    return rank > 0 && rank < w->E &&
           (rank >= p->count || p->sigma[rank] < CLIFF * p->sigma[rank - 1]);
}

/* Write the meaning of the singular values, and which of them are zero. */
static void cliff_words(const Wqk *w, int rank, bool brief, char *name, char *words,
                        size_t capacity) {
    const char *cliff = brief ? "Cliff at " : "Rank cliff at ";
    const HeadProduct *p = w->p;
    const char *width = p->kind == PRODUCT_QK ? "d_k" : "d_v";
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

/* Draw next to the cliff the meaning of the singular values, and the legend of the free form. The
 * words have a background, because bars and lines may pass under them. */
static void cliff_says(const Wqk *w, Rect plot, float x, int rank) {
    Ui *ui = w->ui;
    char name[64] = "", words[64];
    bool falls = has_cliff(w, rank);
    float right = rect_right(plot) - x - 10, left = x - 10 - plot.x, need = INFINITY;
    for (int brief = 0; brief < 2 && need > right; brief++) {
        cliff_words(w, rank, brief, name, words, sizeof name);
        need =
            fmaxf(text_width(ui, CLIFF_NAME, "%s", name), text_width(ui, TEXT_NOTE, "%s", words));
    }
    bool is_right = falls && (need <= right || right >= left);
    float past = rect_right(plot) - bar_x(w, plot, (float)w->rank) - 10; /* x of r's line */
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
    text_in(ui, rect_cut_top(&block, 24), CLIFF_NAME | side, "%s", name);
    if (rank < w->E)
        text_line(ui, &block, TEXT_NOTE | side, "%s", words);
    text_in(ui, block, TEXT_NOTE | side, "%s", free);
}

/* Draw the hall form: the rank in large letters, and the meaning of the line. */
static void hall_says(const Wqk *w, Rect plot, int rank) {
    Ui *ui = w->ui;
    LabelStyle number = {FONT_SANS_BOLD, plot.h * HALL_NUMBER, ui->theme->text_1, LABEL_RIGHT};
    const char *words = PRINT("rank %d", rank);
    Rect place = rect_cut_top(&plot, number.size * 1.3f), ground = place;
    ground =
        rect_cut_right(&ground, label_width(ui, number.font, number.size, words, strlen(words)));
    draw_fill(ui->list, ground, 4, ui->theme->canvas); /* covers the lines of the axis */
    label_draw(ui, place, &number, words);
    if (w->m->free_count > 0)
        text_line(ui, &plot, TEXT_BODY | TEXT_RIGHT, "– – free: one matrix, no cliff");
}

static void cliff(const Wqk *w, Rect plot) {
    int rank = wqk_rank_found(w);
    float x = draw_snap(w->ui->list, bar_x(w, plot, (float)rank)), phase = 0;
    if (has_cliff(w, rank))
        polyline_piece(w->ui, &phase, (Vec2){x, rect_bottom(plot)}, (Vec2){x, plot.y},
                       &(LineStyle){1.5f, w->ui->theme->text_2, 4, 4});
    if (w->c->is_hall)
        hall_says(w, plot, rank);
    else
        cliff_says(w, plot, x, rank);
}

static void handle_keys(const Wqk *w) {
    Ui *ui = w->ui;
    int step = ui_keys(ui, KEY_RIGHT, 0) + ui_keys(ui, KEY_UP, 0) - ui_keys(ui, KEY_LEFT, 0) -
               ui_keys(ui, KEY_DOWN, 0);
    step += 10 * (ui_keys(ui, KEY_RIGHT, KEY_MOD_SHIFT) - ui_keys(ui, KEY_LEFT, KEY_MOD_SHIFT));
    int to = ui_keys(ui, KEY_HOME, 0) > 0 ? 1 : ui_keys(ui, KEY_END, 0) > 0 ? w->E : w->rank + step;
    if (to != w->rank)
        wqk_set_rank(w, to, ui->drag_serial);
}

/* Let a drag move r. The plot shows the ranks lo to hi. */
static UiState drag_rank(const Wqk *w, const char *name, Rect plot, float lo, float hi) {
    Ui *ui = w->ui;
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
    Rect plot = plot_of(w, area);
    DrawPart part = {.rect = area, .cells = plot, .rows = 1, .cols = w->E};
    draw_part(c->ui->list, &part, "wqk.sigma");
    Rect head = {area.x, area.y, area.w - 8, HEAD_H};
    const HandNumber *dragged = wqk_sigma_dragged(w);
    text_section(c->ui, &head, HEAD_H, "Singular values",
                 dragged != NULL
                     ? PRINT("σ_{%d} = %s", dragged->row + 1, SHORT((double)dragged->value))
                     : PRINT("σ_1 … σ_{%d}", w->E));
    float top = wqk_sigma_top(w, spectrum_top(w));
    Axis y = {.lo = 0, .hi = top}, x = {.lo = 0, .hi = (float)w->E, .whole = true};
    bool is_over_end = wqk_sigma_drag(w, plot, top);
    UiState state = drag_rank(w, "wqk spectrum", plot, 0, (float)w->E);
    c->ui->cursor = is_over_end ? 4 : c->ui->cursor;
    wqk_sigma_edit(w, plot, top, state);
    int lit = 0;
    if (state.hovered && !state.held && c->ui->pointer.y < rect_bottom(plot))
        lit = (int)((c->ui->pointer.x - plot.x) / plot.w * (float)w->E) + 1;
    lit = lit > w->p->count || lit < 0 ? 0 : lit;
    if (lit != c->memory->wqk.lit_sigma) {
        c->memory->wqk.lit_sigma = lit;
        c->ui->again = true;
    }
    axis_draw_y(c->ui, plot, &y);
    float at = bar_x(w, plot, (float)w->rank);
    axis_draw_x_beside(c->ui, plot, &x,
                       chart_handle(plot, at, chart_handle_width(c->ui, PRINT("r = %d", w->rank))));
    if (w->p->count == 0) {
        Rect rest = rect_inset(plot, 8, 4);
        text_wrap(c->ui, &rest, TEXT_BODY,
                  "Over 2,048 singular values take half a minute and more than a gigabyte to find: "
                  "use a smaller d_k.");
        return;
    }
    spectrum_bars(w, plot, top);
    wqk_sigma_marks(w, plot, top);
    free_line(w, plot, top);
    float line = draw_snap(c->ui->list, at);
    draw_fill(c->ui->list, (Rect){line - 1, plot.y, 2, plot.h}, 0, c->ui->theme->ring);
    cliff(w, plot);
    chart_handle_draw(c->ui, plot, at, PRINT("r = %d", w->rank));
}

/* Return the rank at which the curve ends: far enough past the cliff to show that the error stays
 * 0. */
static float curve_end(const Wqk *w) {
    int count = w->p->count;
    int end = count + (count + 3) / 4;
    return (float)(end < w->E ? end : w->E);
}

/* The curves' points, including the exact error at the chosen rank, and a last point at the end of
 * the axis. */
#define SHOWN_MAX (RANK_CURVE_MAX + 3)
typedef struct ShownCurve {
    int count;
    float rank[SHOWN_MAX], W[SHOWN_MAX], S[SHOWN_MAX], A[SHOWN_MAX], KL[SHOWN_MAX];
} ShownCurve;

static void curve_add(ShownCurve *to, const RankCurve *from, int i, float rank) {
    int at = to->count++;
    to->rank[at] = rank;
    to->W[at] = from->W[i];
    to->S[at] = from->S[i];
    to->A[at] = from->A[i];
    to->KL[at] = from->KL[i];
}

static void curve_add_cut(ShownCurve *to, const ProductAnalysis *m) {
    int at = to->count++;
    to->rank[at] = (float)m->request.rank;
    to->W[at] = (float)m->cut_loss;
    to->S[at] = m->cut_S / m->curve.S_most;
    to->A[at] = m->cut_A;
    to->KL[at] = m->cut_KL;
}

static void curve_shown(ShownCurve *out, const Wqk *w, float end) {
    const RankCurve *curve = &w->m->curve;
    float r = (float)w->m->request.rank;
    out->count = 0;
    for (int i = 0; i < curve->count; i++) {
        if (!isnan(w->m->cut_loss) && r < curve->rank[i] && (i == 0 || r > curve->rank[i - 1]))
            curve_add_cut(out, w->m);
        curve_add(out, curve, i, curve->rank[i]);
    }
    if (curve->count == 0 || end <= curve->rank[curve->count - 1])
        return;
    if (!isnan(w->m->cut_loss) && r > curve->rank[curve->count - 1] && r < end)
        curve_add_cut(out, w->m);
    curve_add(out, curve, curve->count - 1, end);
}

/* The legend of one curve: a piece of its line, its name, and its value at r, "" while that is
 * computed. */
typedef struct CurveWords {
    const ChartSeries *series;
    char value[WQK_NUMBER_MAX];
    float name_w, value_w;
} CurveWords;

/* Write a value that is only rounding with one digit and a power of ten. */
static void rounding_text(char out[WQK_NUMBER_MAX], double value) {
    int power = (int)floor(log10(value)), digit = (int)lround(value / pow(10, power));
    power += digit == 10;
    utf8_print(out, WQK_NUMBER_MAX, "%d × 10^{%s}", digit == 10 ? 1 : digit, FIXED(power, 0));
}

static CurveWords curve_words(const Wqk *w, const ChartSeries *series, float mark_w) {
    CurveWords words = {.series = series};
    words.name_w = mark_w + text_width(w->ui, CURVE_NAME, "%s", series->name);
    if (w->m->curve.count == 0 || w->m->request.rank != w->rank)
        return words;
    double value = (double)chart_value(series, (float)w->rank);
    if (value > 0 && value < 5e-4)
        rounding_text(words.value, value);
    else
        number_format_fixed(words.value, sizeof words.value, value,
                            value == 0      ? 0
                            : value < 0.095 ? 3
                                            : 2);
    words.value_w = text_width(w->ui, TEXT_COUNT, "%s", words.value);
    return words;
}

static void curve_name(const Wqk *w, const ChartSeries *series, float mark_w, Rect place) {
    Ui *ui = w->ui;
    float y = place.y + place.h / 2, phase = 0;
    LineStyle stroke = {2.6f, series->colour, series->dashed ? 5.0f : 0, 4};
    polyline_piece(ui, &phase, (Vec2){place.x, y}, (Vec2){place.x + mark_w - 5, y}, &stroke);
    rect_cut_left(&place, mark_w);
    text_in(ui, place, CURVE_NAME, "%s", series->name);
}

/* Draw the curves' names at the right of a line, and each value below its name. If the line is too
 * short for columns, a value may be left of its name. */
static void curve_legend(const Wqk *w, const ChartSeries *series, int count, float mark_w,
                         float apart, Rect names, Rect values) {
    CurveWords words[CURVES];
    float need = -apart;
    for (int i = 0; i < count; i++) {
        words[i] = curve_words(w, &series[i], mark_w);
        need += fmaxf(words[i].name_w, words[i].value_w) + apart;
    }
    bool columns = need <= names.w;
    float end = rect_right(values);
    for (int i = count - 1; i >= 0; i--) {
        float width = columns ? fmaxf(words[i].name_w, words[i].value_w) : words[i].name_w;
        Rect place = rect_cut_right(&names, width);
        curve_name(w, &series[i], mark_w, place);
        float x = fminf(place.x, end - words[i].value_w);
        text_in(w->ui, (Rect){x, values.y, words[i].value_w + 1, values.h},
                TEXT_COUNT | TEXT_BRIGHT, "%s", words[i].value);
        rect_cut_right(&names, apart);
        end = x - apart;
    }
}

/* Draw the heading and the legend, in a short form if the line is too short. */
static void curve_head(const Wqk *w, const ChartSeries *series, int count, Rect line) {
    float wanted = text_width(w->ui, TEXT_HEADING, "Lost at r") + TEXT_GAP - 9;
    for (int i = 0; i < count; i++)
        wanted += curve_words(w, &series[i], 23).name_w + 9;
    bool fits = wanted <= line.w;
    Rect values = {line.x, rect_bottom(line) - 6, line.w, VALUE_H};
    Rect rest = text_section(w->ui, &line, HEAD_H, fits ? "Lost at r" : "Lost", NULL);
    rest.x -= TEXT_GAP;
    rest.w += TEXT_GAP;
    curve_legend(w, series, count, fits ? 23 : 18, fits ? 9 : 6, rest, values);
}

void wqk_curve(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    const Theme *theme = c->ui->theme;
    ShownCurve curve;
    draw_part(c->ui->list, PART_RECT(area), "wqk.curve");
    float end = fmaxf(curve_end(w), 1);
    curve_shown(&curve, w, end);
    bool scores = w->scores;
    Colour head = view_head_colour(c, c->session->options.head - 1);
    ChartSeries series[CURVES] = {
        {curve.W, curve.rank, 0, curve.count, "W", NULL, theme->beam, MARK_NONE, false, 0},
        {curve.S, curve.rank, 0, curve.count, scores ? "S" : "Y", NULL, theme->control, MARK_NONE,
         false, 2},
        {curve.A, curve.rank, 0, curve.count, "\"max\" |ΔA|", NULL, head, MARK_NONE, true, 0},
        {curve.KL, curve.rank, 0, curve.count, "\"KL\"", NULL, theme->text_3, MARK_NONE, true, 2},
    };
    int count = !scores ? 2 : curve.count > 0 && isnan(curve.A[0]) ? 1 : 4;
    curve_head(w, series, count, (Rect){area.x, area.y, area.w - 8, HEAD_H});
    Chart chart = {.x = {.lo = 0, .hi = end, .whole = true},
                   .y = {.lo = 0, .hi = 1},
                   .series = series,
                   .series_count = count,
                   .marked_x = (float)w->rank,
                   .draggable = true,
                   .without_keys = true,
                   .steps = true,
                   .handle_w = chart_handle_width(c->ui, PRINT("r = %d", w->rank)),
                   .backward = true}; /* the merge is played in reverse */
    rect_cut_top(&area, HEAD_H - 6 + VALUE_H);
    UiId id = ui_id("wqk curve", 0);
    ChartState state = chart_draw(c->ui, id, area, &chart);
    if (state.moved)
        wqk_set_rank(w, (int)lroundf(state.x), state.serial);
    if (c->ui->focus == id)
        handle_keys(w);
    float at = chart_place(state.plot, &chart, fminf((float)w->rank, chart.x.hi), 0).x;
    chart_handle_draw(c->ui, state.plot, at, PRINT("r = %d", w->rank));
}
