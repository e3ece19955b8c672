/* The costs of both forms: parameters, multiply-adds and time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "lab/form_timing.h"
#include "model/attention/form.h"
#include "ui/button.h"
#include "ui/chart.h"
#include "ui/text.h"
#include "views/wqk/wqk_view.h"

#define BAR_H 14
/* Px: minimum space between two bars, so that a number does not touch the next bar. */
#define BARS_APART 3
#define TIGHT      18  /* px: a line lower than this has small numbers */
#define LEGEND_W   330 /* px: in a narrower part the legend has its own line */
/* Px: letter size of a formula in a hall, in which indices must be legible. */
#define HALL_FORMULA 26
#define CURVE_POINTS 65
#define SIZE_MOST    4096

/* Return the layer's shape for counting costs. For W_OV, the whole path from X to the head's output
 * is counted, so K is d_v, and biases are left out. */
static AttnShape layer_shape(const Wqk *w) {
    AttnShape shape = *w->shape;
    shape.K = w->scores ? shape.K : shape.V;
    shape.rope = w->rope;
    shape.bias = w->scores ? shape.bias : BIAS_NONE;
    return shape;
}

/* Return the shape that the page Cost uses: the layer's own, or one with the sizes that the user
 * set under What if. */
static AttnShape what_if_shape(const Wqk *w) {
    const Settings *s = w->settings;
    AttnShape shape = layer_shape(w);
    shape.T = s->wqk_p > 0 ? s->wqk_p : shape.T;
    shape.D = s->wqk_n > 0 ? s->wqk_n : shape.D;
    shape.K = s->wqk_m > 0 ? s->wqk_m : shape.K;
    return shape;
}

/* Return the cost of one head. With RoPE the product consists of a matrix for each of the 2T − 1
 * distances, and x_i·W_{i−j}·x_j is computed for each pair. */
static Cost cost_at(const AttnShape *layer, AttnForm form) {
    AttnShape shape = *layer;
    long long T = shape.T, n = attn_input_width(layer);
    shape.H = 1;
    shape.form = form;
    shape.rope = false;
    if (layer->rope && form == FORM_MERGED)
        return (Cost){(2 * T - 1) * n * n, T * T * (n * n + n)};
    return cost_of_scores(&shape);
}

static long long more_in_factors(const AttnShape *shape) {
    return cost_at(shape, FORM_SEPARATE).parameters - cost_at(shape, FORM_MERGED).parameters;
}

bool wqk_cost_holds_less(const Wqk *w) {
    AttnShape shape = what_if_shape(w);
    return more_in_factors(&shape) < 0;
}

/* Draw the costs of both forms as bars. equal: the d_k at which both cost the same, or NaN. */
static void two_bars(const Wqk *w, Rect *area, const char *name, const char *width, double equal,
                     long long separate, long long merged, float line_h) {
    Ui *ui = w->ui;
    const long long values[] = {separate, merged};
    const Colour colours[] = {ui->theme->fill, ui->theme->control};
    double most = fmax((double)separate, (double)merged);
    Rect names = rect_cut_top(area, line_h);
    text_left(ui, &names, TEXT_BODY, "%s", name);
    if (!isnan(equal))
        text_in(ui, names, TEXT_FORMULA | TEXT_DIM | TEXT_SMALL | TEXT_RIGHT,
                "\"equal at \" %s = %s\n", width, FIXED(equal, 1));
    for (int i = 0; i < 2; i++) {
        Rect line = rect_cut_top(area, line_h - 7);
        unsigned style = TEXT_NUMBER | (line.h < TIGHT ? TEXT_SMALL : 0);
        const char *number = GROUPED(values[i]);
        float room = line.w - text_width(ui, style, "%s", number) - 12;
        float bar = fmaxf((float)((double)values[i] / most) * fmaxf(room, 4), 2);
        float height = fminf(BAR_H, line.h - BARS_APART);
        Rect box = {line.x, line.y + (line.h - height) / 2, bar, height};
        draw_fill(ui->list, box, fminf(2, bar / 2), colours[i]);
        rect_cut_left(&line, bar + 10);
        text_in(ui, line, style, "%s", number);
    }
}

/* Draw the colours and names of both forms. Leave out a name that does not fit. */
static void legend(const Wqk *w, Rect line) {
    static const char *const names[] = {"merged", "separate"};
    Ui *ui = w->ui;
    const Colour colours[] = {ui->theme->control, ui->theme->fill};
    unsigned style = line.w < 210 ? TEXT_NOTE : TEXT_BODY;
    for (int i = 0; i < 2 && line.w >= text_width(ui, style, "%s", names[i]) + 24; i++) {
        text_right(ui, &line, style, "%s", names[i]);
        Rect mark = rect_cut_right(&line, 12);
        draw_fill(ui->list, (Rect){mark.x, mark.y + mark.h / 2 - 6, 12, 12}, 2, colours[i]);
        rect_cut_right(&line, style == TEXT_NOTE ? 6 : 14);
    }
}

/* Return the d_k at which both forms have the same number of parameters: half of d_model, or of
 * d_model + 1 with biases. */
static float equal_parameters(const AttnShape *shape) {
    return (float)attn_input_width(shape) / 2;
}

/* Return the d_k at which both forms need the same number of multiply-adds: 2·T·n·d_k + T²·d_k =
 * T·n² + T²·n, where n is d_model, or d_model + 1 with biases. NaN with RoPE. */
static double equal_products(const AttnShape *shape) {
    double n = attn_input_width(shape), T = shape->T;
    return shape->rope ? NAN : n * (n + T) / (2 * n + T);
}

/* Draw the costs of one head and, if there is room, a line of d_k from 1 to d_model, with a mark
 * where both forms have the same number of parameters. With RoPE there is no such mark. */
void wqk_cost_brief(const Wqk *w, Rect area) {
    Ui *ui = w->ui;
    const Theme *theme = ui->theme;
    const AttnShape shape = layer_shape(w);
    const char *width = w->names->width;
    Cost separate = cost_at(&shape, FORM_SEPARATE), merged = cost_at(&shape, FORM_MERGED);
    float equal = equal_parameters(&shape);
    Rect rest = text_section(ui, &area, 30, "Cost per head", NULL);
    if (area.w < LEGEND_W) {
        rest = rect_cut_top(&area, 24);
        rest.w = fminf(rest.w, 200);
    }
    legend(w, rest);
    rect_cut_top(&area, 4);
    bool has_mark = area.h >= 200;
    float line = fminf((area.h - (has_mark ? 84 : 2)) / 2 / 2.55f, 30);
    two_bars(w, &area, "Parameters", width, shape.rope ? NAN : (double)equal, separate.parameters,
             merged.parameters, line);
    rect_cut_top(&area, 2);
    two_bars(w, &area, "Multiply-adds", width, equal_products(&shape), separate.multiply_adds,
             merged.multiply_adds, line);
    if (!has_mark)
        return;
    Rect names = rect_cut_top(&area, 26), track = rect_inset(rect_cut_top(&area, 36), 9, 16);
    float each = track.w / fmaxf((float)shape.D - 1, 1);
    float half = draw_snap(ui->list, track.x + each * (equal - 1));
    float dot = track.x + each * ((float)shape.K - 1);
    draw_fill(ui->list, track, 2, theme->control);
    if (!shape.rope)
        draw_fill(ui->list, (Rect){half - 1, track.y - 10, 2, 24}, 0, theme->text_1);
    draw_fill(ui->list, (Rect){dot - 9, track.y - 7, 18, 18}, 9, theme->fill);
    text_in(ui, rect_within((Rect){dot - 40, names.y, 80, 26}, names), TEXT_FORMULA | TEXT_CENTRE,
            "%s = %d", width, shape.K);
}

static void what_if(const Wqk *w, Rect *area, const AttnShape *shape, float line) {
    static const char *const keys[] = {"wqk-p", "wqk-n", "wqk-m"};
    const char *const names[] = {"T \"tokens\"", "d_model", w->names->width};
    const int values[] = {shape->T, shape->D, shape->K};
    const Settings *s = w->settings;
    Ui *ui = w->ui;
    text_section(ui, area, 30, "What if", NULL);
    for (int i = 0; i < 3; i++) {
        float at = (float)values[i];
        SliderRow row = {names[i], NULL, PRINT("%d", values[i]),      108,
                         0,        56,   {1, SIZE_MOST, 1, NAN, true}};
        if (slider_row(ui, ui_id(keys[i], 0), rect_cut_top(area, line), &row, &at))
            view_set_number(w->c, keys[i], roundf(at), ui->drag_serial);
    }
    rect_cut_top(area, 6);
    if (area->h < BUTTON_HEIGHT)
        return;
    const char *text = "Back to the layer";
    bool was = ui_disable(ui, s->wqk_p == 0 && s->wqk_n == 0 && s->wqk_m == 0);
    Rect place = rect_cut_top(area, BUTTON_HEIGHT);
    place.w = text_width(ui, TEXT_BODY, "%s", text) + 32;
    bool is_reset = button_text(ui, ui_id("wqk own sizes", 0), place, text);
    for (int i = 0; i < 3 && is_reset; i++)
        view_set(w->c, keys[i], "auto", 0);
    ui_disable(ui, was);
}

/* Only the scores of one head without RoPE can be timed. */
static bool is_timed(const Wqk *w) {
    return w->scores && !w->rope;
}

/* Measure the times of both forms, once for each choice of sizes, but not during a drag. Return
 * NULL if the times are known, otherwise a text to show instead. */
static const char *measure(const Wqk *w, const AttnShape *shape) {
    WqkMemory *memory = w->memory;
    int n = attn_input_width(shape);
    bool is_known =
        memory->timed_p == shape->T && memory->timed_n == n && memory->timed_m == shape->K;
    if (w->c->now_s == NULL || !is_timed(w) || (!is_known && w->ui->active != 0))
        return "–";
    if (!is_known) {
        FormTiming timing = {-1, -1};
        bool is_short = form_timing(&timing, shape->T, n, shape->K, w->c->now_s);
        memory->timed_p = shape->T;
        memory->timed_n = n;
        memory->timed_m = shape->K;
        memory->separate_s = is_short ? timing.separate_s : -1;
        memory->merged_s = timing.merged_s;
    }
    return memory->separate_s >= 0 ? NULL : "too long"; /* even one run would delay a frame */
}

#define FORMS_LEAST 2 /* separate and merged, which the page always compares */
static const struct {
    const char *name;
    AttnForm form;
} COSTS[] = {{"Separate", FORM_SEPARATE}, {"Merged", FORM_MERGED}, {"Nested", FORM_NESTED}};

/* The nested form has a column only if it is in use, and not for W_OV. Its heads share two D × D
 * matrices. */
static TextTable cost_table(const Wqk *w, const AttnShape *shape) {
    const WqkMemory *memory = w->memory;
    const char *no_time = measure(w, shape);
    long long heads = shape->H, D = shape->D;
    bool has_nested = w->scores && w->c->run->form == FORM_NESTED;
    TextTable t = {.rows = is_timed(w) ? 5 : 4,
                   .columns = 1 + (has_nested ? (int)ARRAY_COUNT(COSTS) : FORMS_LEAST),
                   .marked = w->c->run->form == FORM_SEPARATE ? 1
                             : w->c->run->form == FORM_NESTED ? 3
                                                              : 2};
    snprintf(t.cells[1][0], NUMBER_TEXT, "parameters");
    snprintf(t.cells[2][0], NUMBER_TEXT, heads == 1 ? "of its one head" : "of all %d heads",
             shape->H);
    snprintf(t.cells[3][0], NUMBER_TEXT, "multiply-adds");
    snprintf(t.cells[4][0], NUMBER_TEXT, "µs measured");
    for (int c = 1; c < t.columns; c++) {
        AttnForm form = COSTS[c - 1].form;
        bool is_nested = form == FORM_NESTED;
        Cost head = cost_at(shape, is_nested ? FORM_SEPARATE : form);
        Cost all = {heads * head.parameters + (is_nested ? 2 * D * D : 0),
                    heads * head.multiply_adds + (is_nested ? 2 * shape->T * D * D : 0)};
        double us = 1e6 * (form == FORM_MERGED ? memory->merged_s : memory->separate_s);
        const char *no = is_nested ? "–" : no_time;
        snprintf(t.cells[0][c], NUMBER_TEXT, "%s", COSTS[c - 1].name);
        number_format_grouped(t.cells[1][c], NUMBER_TEXT, all.parameters / heads);
        number_format_grouped(t.cells[2][c], NUMBER_TEXT, all.parameters);
        number_format_grouped(t.cells[3][c], NUMBER_TEXT, all.multiply_adds / heads);
        snprintf(t.cells[4][c], NUMBER_TEXT, "%s", no != NULL ? no : FIXED(us, us < 100 ? 1 : 0));
    }
    return t;
}

/* Choose the columns and the letter size with which the table fits into width. If there is too
 * little room, first leave out the curve, then the nested form. Return true if the curve (curve_w
 * wide) fits, too. */
static bool fit_table(const Wqk *w, TextTable *t, float width, float curve_w) {
    int most = t->columns;
    for (int curve = 1; curve >= 0; curve--)
        for (t->columns = most; t->columns >= (curve ? most : 1 + FORMS_LEAST); t->columns--)
            for (int small = 0; small < 2; small++) {
                t->is_small = small;
                if (text_table_width(w->ui, t) <= width - (curve ? curve_w : 0))
                    return curve;
            }
    t->columns = 1 + FORMS_LEAST;
    return false;
}

/* Return `out` with the numbers of parameters of both forms as a formula. */
static const char *sums_of(char out[PRINT_MAX], const Wqk *w, const AttnShape *shape) {
    long long two = 2LL * attn_input_width(shape) * shape->K;
    const char *wide = shape->bias == BIAS_ALL ? "(d_model + 1)" : "d_model";
    return utf8_print(out, PRINT_MAX, "2·%s·%s = %s \"  against  \" %s%s^2 = %s", wide,
                      w->names->width, GROUPED(two), shape->rope ? "(2T − 1)·" : "", wide,
                      GROUPED(two - more_in_factors(shape)));
}

static void verdict(const Wqk *w, Rect area, const AttnShape *shape) {
    Ui *ui = w->ui;
    long long more = more_in_factors(shape);
    bool one = shape->bias == BIAS_ALL;
    const char *wide = one ? "(d_model + 1)" : "d_model", *sum = one ? "d_model + 1" : "d_model";
    const char *sign = more < 0 ? ">" : more > 0 ? "<" : "=", *width = w->names->width;
    const char *what = more < 0   ? "so two factors have fewer parameters"
                       : more > 0 ? "so one matrix has fewer parameters"
                                  : "so both have the same number";
    const char *says =
        shape->rope
            ? PRINT("\"%s\"\n\"%s\"", what, more < 0 ? "two have fewer" : "one has fewer")
            : PRINT("%s %s 2·%s\", %s\"\n%s %s 2·%s", sum, sign, width, what, sum, sign, width);
    rect_cut_top(&area, 2);
    text_line(ui, &area, TEXT_FORMULA, "%s", sums_of((char[PRINT_MAX]){0}, w, shape));
    if (area.h >= 26)
        text_line(ui, &area, TEXT_FORMULA, "%s", says);
    if (!shape->rope && area.h >= 26)
        text_line(ui, &area, TEXT_FORMULA,
                  "\"multiply-adds are equal at \" %s = %s·(%s + T)/(2·%s + T) = %s", width, wide,
                  sum, wide, FIXED(equal_products(shape), 1));
}

static void cost_curve(const Wqk *w, Rect area, const AttnShape *shape) {
    const Theme *theme = w->ui->theme;
    float x[CURVE_POINTS], y[FORMS_LEAST][CURVE_POINTS], most = 1;
    int last = CURVE_POINTS - 1, steps = shape->D - 1;
    int here = steps > 0 ? ((shape->K - 1) * last + shape->D / 2) / steps : -1;
    for (int i = 0; i < CURVE_POINTS; i++) {
        AttnShape at = *shape;
        at.K = i == here ? shape->K : 1 + steps * i / last;
        x[i] = (float)at.K;
        for (int f = 0; f < FORMS_LEAST; f++) {
            y[f][i] = (float)cost_at(&at, COSTS[f].form).parameters;
            most = fmaxf(most, y[f][i]);
        }
    }
    ChartSeries series[] = {
        {.y = y[0], .x = x, .count = CURVE_POINTS, .name = "separate", .colour = theme->fill},
        {.y = y[1], .x = x, .count = CURVE_POINTS, .name = "merged", .colour = theme->control}};
    ChartLine half = {equal_parameters(shape), true, "equal", theme->text_2};
    float values[] = {0, most};
    Chart chart = {.x = {.lo = 0, .hi = fmaxf((float)shape->D, 2), .whole = true},
                   .y = axis_of(values, 2, false),
                   .series = series,
                   .series_count = 2,
                   .lines = &half,
                   .line_count = shape->rope ? 0 : 1,
                   .marked_x = (float)shape->K,
                   .draggable = true,
                   .steps = true};
    legend(w, text_section(w->ui, &area, 28, "Parameters", NULL));
    ChartState state = chart_draw(w->ui, ui_id("wqk cost curve", 0), area, &chart);
    if (state.moved)
        view_set_number(w->c, "wqk-m", roundf(state.x), state.serial);
}

void wqk_cost_page(const Wqk *w, Rect area) {
    enum { CONTROLS, TABLE, CURVE, PLACES };
    Ui *ui = w->ui;
    const AttnShape shape = what_if_shape(w);
    TextTable table = cost_table(w, &shape);
    const char *scope = w->scores ? "From X to S, counted for one head\nFrom X to S, for one head"
                                  : "From X to Y, counted for one head\nFrom X to Y, for one head";
    if (w->c->is_hall) { /* in a hall: the table without times, and the parameters as a formula */
        table.rows = 4;
        table.columns = 1 + FORMS_LEAST;
        text_section(ui, &area, 40, strchr(scope, '\n') + 1, NULL);
        text_table(ui, &area, &table, area.h / 7);
        rect_cut_top(&area, 12);
        text_in(ui, rect_cut_top(&area, 2 * HALL_FORMULA), TEXT_FORMULA | TEXT_PX(HALL_FORMULA),
                "%s", sums_of((char[PRINT_MAX]){0}, w, &shape));
        return;
    }
    float side = fminf(330, area.w * 0.27f);
    Rect places[PLACES];
    bool is_narrow = area.w < WQK_NARROW, has_curve = true;
    if (is_narrow) {
        fit_table(w, &table, area.w, 0);
        places[CONTROLS] = rect_cut_top(&area, 30 + 3 * 40 + 6 + BUTTON_HEIGHT);
        rect_cut_top(&area, 12);
        places[TABLE] = rect_cut_top(&area, 30 + 5 * 30 + 94);
        places[CURVE] = rect_cut_top(&area, 220);
    } else {
        has_curve = fit_table(w, &table, area.w - side - 32, side + 32);
        places[CONTROLS] = rect_cut_left(&area, side);
        places[CURVE] = rect_cut_right(&area, has_curve ? side : 0);
        places[TABLE] = rect_inset(area, 32, 0);
        places[TABLE].w += has_curve ? 0 : 32;
    }
    what_if(w, &places[CONTROLS], &shape, fminf(42, (places[CONTROLS].h - 74) / 3));
    text_section(ui, &places[TABLE], 30, scope, NULL);
    text_table(ui, &places[TABLE], &table, fminf(30, places[TABLE].h / 5));
    if (places[TABLE].h >= 28)
        verdict(w, places[TABLE], &shape);
    if (has_curve)
        cost_curve(w, places[CURVE], &shape);
}
