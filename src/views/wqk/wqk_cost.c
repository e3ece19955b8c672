/* What both forms cost: parameters, multiply-adds and time. */
#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "base/util.h"
#include "lab/form_timing.h"
#include "model/attention/cost.h"
#include "ui/button.h"
#include "ui/chart.h"
#include "ui/formula.h"
#include "ui/layout.h"
#include "ui/text.h"
#include "views/wqk/wqk_view.h"

#define BAR_H        14
#define BARS_APART   3   /* least space between bars, so that a number is clear of the next bar */
#define TIGHT        18  /* px: a line this low has small numbers */
#define LEGEND_W     330 /* px: a narrower part shows the legend in its own line */
#define HALL_FORMULA 26  /* px, so that a room can read the indices */
#define CURVE_POINTS 65
#define SIZE_MOST    4096
#define NO_TIME      "–"
#define TOO_LONG     "too long" /* timing would take longer than a frame */

/* The numbers that a cost depends on: p tokens, d_model n, and m for d_k, or d_v of W_OV. */
typedef struct Sizes {
    int p, n, m, heads;
    bool one;    /* true if the scores have biases: X has a column of 1, so n + 1 replaces n */
    bool rope;   /* the merged form has one matrix for each of the 2p − 1 distances */
    bool scores; /* true for the costs of W_QK's scores; false for W_OV: from X to the head's output
                  */
} Sizes;

static Sizes layer_sizes(const Wqk *w) {
    const AttnShape *shape = w->shape;
    return (Sizes){.p = shape->T,
                   .n = shape->D,
                   .m = w->scores ? shape->K : shape->V,
                   .heads = shape->H,
                   .one = w->scores && shape->bias == BIAS_ALL,
                   .rope = w->scores && shape->rope,
                   .scores = w->scores};
}

/* Return the sizes that the page Cost uses: the layer's own, or those chosen under What if. */
static Sizes what_if_sizes(const Wqk *w) {
    const Settings *s = w->settings;
    Sizes sizes = layer_sizes(w);
    sizes.p = s->wqk_p > 0 ? s->wqk_p : sizes.p;
    sizes.n = s->wqk_n > 0 ? s->wqk_n : sizes.n;
    sizes.m = s->wqk_m > 0 ? s->wqk_m : sizes.m;
    return sizes;
}

static int width_of(Sizes sizes) {
    return sizes.n + sizes.one;
}

/* Return the parameters of a head's factors minus those of its product. */
static long long more_in_factors(Sizes sizes) {
    long long n = width_of(sizes), matrices = sizes.rope ? 2LL * sizes.p - 1 : 1;
    return 2 * n * sizes.m - matrices * n * n;
}

bool wqk_cost_holds_less(const Wqk *w) {
    return more_in_factors(what_if_sizes(w)) < 0;
}

static Cost cost_at(Sizes sizes, int heads, AttnForm form) {
    AttnShape shape = {.T = sizes.p,
                       .D = sizes.n,
                       .H = heads,
                       .K = sizes.m,
                       .V = sizes.m,
                       .bias = sizes.one ? BIAS_ALL : BIAS_NONE,
                       .form = form,
                       .score_factor = 1,
                       .rank = 1};
    long long p = sizes.p, n = width_of(sizes);
    if (sizes.rope && form == FORM_MERGED) /* computed as x_i·W_{i−j}·x_j for each pair */
        return (Cost){heads * (2 * p - 1) * n * n, heads * p * p * (n * n + n)};
    return cost_of_scores(&shape);
}

/* Draw the bars of both forms under their name, each with its number. equal: the d_k at which both
 * are equal, or NaN. */
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

/* Draw the names of both forms at the right of line, shortened if there is too little room. */
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

/* Return the m at which both forms have the same number of parameters. */
static float equal_parameters(Sizes sizes) {
    return (float)width_of(sizes) / 2;
}

/* Return the m at which both forms need the same number of multiply-adds: 2pnm + p²m = pn² + p²n.
 * NaN with RoPE. */
static double equal_products(Sizes sizes) {
    double n = width_of(sizes), p = sizes.p;
    return sizes.rope ? NAN : n * (n + p) / (2 * n + p);
}

/* Draw the costs of one head and, if there is room, m on a line from 1 to n, with a mark where both
 * forms have the same number of parameters. With RoPE there is no such m. */
void wqk_cost_brief(const Wqk *w, Rect area) {
    Ui *ui = w->ui;
    const Theme *theme = ui->theme;
    Sizes sizes = layer_sizes(w);
    const char *width = w->names->width;
    Cost separate = cost_at(sizes, 1, FORM_SEPARATE), merged = cost_at(sizes, 1, FORM_MERGED);
    float equal = equal_parameters(sizes);
    Rect rest = text_section(ui, &area, 30, "Cost per head", NULL);
    if (area.w < LEGEND_W) {
        rest = rect_cut_top(&area, 24);
        rest.w = fminf(rest.w, 200);
    }
    legend(w, rest);
    rect_cut_top(&area, 4);
    bool has_mark = area.h >= 200;
    float line = fminf((area.h - (has_mark ? 84 : 2)) / 2 / 2.55f, 30);
    two_bars(w, &area, "Parameters", width, sizes.rope ? NAN : (double)equal, separate.parameters,
             merged.parameters, line);
    rect_cut_top(&area, 2);
    two_bars(w, &area, "Multiply-adds", width, equal_products(sizes), separate.multiply_adds,
             merged.multiply_adds, line);
    if (!has_mark)
        return;
    Rect names = rect_cut_top(&area, 26), track = rect_inset(rect_cut_top(&area, 36), 9, 16);
    float each = track.w / fmaxf((float)sizes.n - 1, 1);
    float half = draw_snap(ui->list, track.x + each * (equal - 1));
    float dot = track.x + each * ((float)sizes.m - 1);
    draw_fill(ui->list, track, 2, theme->control);
    if (!sizes.rope)
        draw_fill(ui->list, (Rect){half - 1, track.y - 10, 2, 24}, 0, theme->text_1);
    draw_fill(ui->list, (Rect){dot - 9, track.y - 7, 18, 18}, 9, theme->fill);
    text_in(ui, rect_within((Rect){dot - 40, names.y, 80, 26}, names), TEXT_FORMULA | TEXT_CENTRE,
            "%s = %d", width, sizes.m);
}

static void what_if(const Wqk *w, Rect *area, Sizes sizes, float line) {
    static const char *const keys[] = {"wqk-p", "wqk-n", "wqk-m"};
    const char *const names[] = {"T \"tokens\"", "d_model", w->names->width};
    const int values[] = {sizes.p, sizes.n, sizes.m};
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

/* True if these sizes can be timed: only one head's scores without RoPE can. */
static bool is_timed(Sizes sizes) {
    return sizes.scores && !sizes.rope;
}

/* Return the times of both forms, measured once for each choice of sizes but not during a drag.
 * Return NULL if there is no clock, and set the text to show instead. */
static const char *measure(const Wqk *w, Sizes sizes) {
    WqkMemory *memory = w->memory;
    int n = width_of(sizes);
    bool is_known =
        memory->timed_p == sizes.p && memory->timed_n == n && memory->timed_m == sizes.m;
    if (w->c->now_s == NULL || !is_timed(sizes) || (!is_known && w->ui->active != 0))
        return NO_TIME;
    if (!is_known) {
        FormTiming timing = {-1, -1};
        bool is_short = form_timing(&timing, sizes.p, n, sizes.m, w->c->now_s);
        memory->timed_p = sizes.p;
        memory->timed_n = n;
        memory->timed_m = sizes.m;
        memory->separate_s = is_short ? timing.separate_s : -1;
        memory->merged_s = timing.merged_s;
    }
    return memory->separate_s >= 0 ? NULL : TOO_LONG;
}

#define FORMS_LEAST 2 /* separate and merged, which the page compares */
static const struct {
    const char *name;
    AttnForm form;
} FORMS[] = {{"Separate", FORM_SEPARATE}, {"Merged", FORM_MERGED}, {"Nested", FORM_NESTED}};

/* Return the numbers of each form, one column each. In W_OV only one matrix is nested, so W_OV has
 * no third column. */
static TextTable cost_table(const Wqk *w, Sizes sizes) {
    const WqkMemory *memory = w->memory;
    const char *no_time = measure(w, sizes);
    AttnForm used = w->c->run->form;
    TextTable t = {.rows = is_timed(sizes) ? 5 : 4,
                   .columns = 1 + (sizes.scores ? (int)ARRAY_COUNT(FORMS) : FORMS_LEAST),
                   .marked = used == FORM_SEPARATE ? 1
                             : used == FORM_NESTED ? 3
                                                   : 2};
    snprintf(t.cells[1][0], NUMBER_TEXT, "parameters");
    snprintf(t.cells[2][0], NUMBER_TEXT, sizes.heads == 1 ? "of its one head" : "of all %d heads",
             sizes.heads);
    snprintf(t.cells[3][0], NUMBER_TEXT, "multiply-adds");
    snprintf(t.cells[4][0], NUMBER_TEXT, "µs measured");
    for (int c = 1; c < t.columns; c++) {
        AttnForm form = FORMS[c - 1].form;
        Cost head = cost_at(sizes, 1, form), all = cost_at(sizes, sizes.heads, form);
        double us = 1e6 * (form == FORM_MERGED ? memory->merged_s : memory->separate_s);
        if (form == FORM_NESTED)
            head = (Cost){all.parameters / sizes.heads, all.multiply_adds / sizes.heads};
        const char *no = form == FORM_NESTED ? NO_TIME : no_time;
        snprintf(t.cells[0][c], NUMBER_TEXT, "%s", FORMS[c - 1].name);
        number_format_grouped(t.cells[1][c], NUMBER_TEXT, head.parameters);
        number_format_grouped(t.cells[2][c], NUMBER_TEXT, all.parameters);
        number_format_grouped(t.cells[3][c], NUMBER_TEXT, head.multiply_adds);
        snprintf(t.cells[4][c], NUMBER_TEXT, "%s", no != NULL ? no : FIXED(us, us < 100 ? 1 : 0));
    }
    return t;
}

/* Choose the columns and the letter size that fit width. If there is too little room, omit the
 * nested form before the curve, because the curve explains more, unless that form is in use. Return
 * true if the curve, curve_w wide, fits too. */
static bool fit_table(const Wqk *w, TextTable *t, float width, float curve_w) {
    int most = t->columns, least = t->marked > FORMS_LEAST ? most : 1 + FORMS_LEAST;
    for (int curve = 1; curve >= 0; curve--)
        for (t->columns = most; t->columns >= (curve ? least : 1 + FORMS_LEAST); t->columns--)
            for (int small = 0; small < 2; small++) {
                t->is_small = small;
                if (text_table_width(w->ui, t) <= width - (curve ? curve_w : 0))
                    return curve;
            }
    t->columns = 1 + FORMS_LEAST;
    return false;
}

/* Write the parameters of both forms as a formula. */
static const char *sums_of(char out[PRINT_MAX], const Wqk *w, Sizes sizes) {
    long long two = 2LL * width_of(sizes) * sizes.m;
    const char *wide = sizes.one ? "(d_model + 1)" : "d_model";
    return utf8_print(out, PRINT_MAX, "2·%s·%s = %s \"  against  \" %s%s^2 = %s", wide,
                      w->names->width, GROUPED(two), sizes.rope ? "(2T − 1)·" : "", wide,
                      GROUPED(two - more_in_factors(sizes)));
}

/* Draw the inequality that decides which form has fewer parameters, in one line or in two. */
static void verdict(const Wqk *w, Rect area, Sizes sizes) {
    Ui *ui = w->ui;
    long long more = more_in_factors(sizes);
    const char *wide = sizes.one ? "(d_model + 1)" : "d_model";
    const char *sum = sizes.one ? "d_model + 1" : "d_model", *width = w->names->width;
    const char *sign = more < 0 ? ">" : more > 0 ? "<" : "=";
    const char *what = more < 0   ? "so two factors have fewer parameters"
                       : more > 0 ? "so one matrix has fewer parameters"
                                  : "so both have as many";
    const char *sums = sums_of((char[PRINT_MAX]){0}, w, sizes);
    const char *says =
        sizes.rope
            ? PRINT("\"%s\"\n\"%s\"", what, more < 0 ? "two have fewer" : "one has fewer")
            : PRINT("%s %s 2·%s\", %s\"\n%s %s 2·%s", sum, sign, width, what, sum, sign, width);
    const char *text = PRINT("%s\"%s\" %s", sums, sizes.rope ? ", " : ":  ", says);
    bool is_long = text_width(ui, TEXT_FORMULA, "%s", text) > area.w && area.h >= 58;
    rect_cut_top(&area, 2);
    text_line(ui, &area, TEXT_FORMULA, "%s", is_long ? sums : text);
    if (is_long)
        text_line(ui, &area, TEXT_FORMULA, "%s", says);
    if (!sizes.rope && area.h >= 26)
        text_line(ui, &area, TEXT_FORMULA,
                  "\"multiply-adds are equal at \" %s = %s·(%s + T)/(2·%s + T) = %s", width, wide,
                  sum, wide, FIXED(equal_products(sizes), 1));
}

/* Draw the parameters of one head against m, with the crossover. */
static void cost_curve(const Wqk *w, Rect area, Sizes sizes) {
    static const AttnForm forms[] = {FORM_SEPARATE, FORM_MERGED};
    const Theme *theme = w->ui->theme;
    float x[CURVE_POINTS], y[2][CURVE_POINTS], most = 1;
    int last = CURVE_POINTS - 1, steps = sizes.n - 1;
    int here = steps > 0 ? ((sizes.m - 1) * last + sizes.n / 2) / steps : -1;
    for (int i = 0; i < CURVE_POINTS; i++) {
        Sizes at = sizes;
        at.m = i == here ? sizes.m : 1 + steps * i / last;
        x[i] = (float)at.m;
        for (int f = 0; f < 2; f++) {
            y[f][i] = (float)cost_at(at, 1, forms[f]).parameters;
            most = fmaxf(most, y[f][i]);
        }
    }
    ChartSeries series[] = {
        {y[0], x, 0, CURVE_POINTS, "separate", NULL, theme->fill, MARK_NONE, false, 0},
        {y[1], x, 0, CURVE_POINTS, "merged", NULL, theme->control, MARK_NONE, false, 0}};
    ChartLine half = {equal_parameters(sizes), true, "equal", theme->text_2};
    float values[] = {0, most};
    Chart chart = {.x = {.lo = 0, .hi = fmaxf((float)sizes.n, 2), .whole = true},
                   .y = axis_of(values, 2, false),
                   .series = series,
                   .series_count = 2,
                   .lines = &half,
                   .line_count = sizes.rope ? 0 : 1,
                   .marked_x = (float)sizes.m,
                   .draggable = true,
                   .steps = true};
    legend(w, text_section(w->ui, &area, 28, "Parameters", NULL));
    ChartState state = chart_draw(w->ui, ui_id("wqk cost curve", 0), area, &chart);
    if (state.moved)
        view_set_number(w->c, "wqk-m", roundf(state.x), state.serial);
}

static void cost_narrow(const Wqk *w, Rect area, Sizes sizes) {
    TextTable t = cost_table(w, sizes);
    what_if(w, &area, sizes, 40);
    for (int c = 1; c <= FORMS_LEAST; c++) {
        text_section(w->ui, &area, 34, t.cells[0][c], NULL);
        for (int r = 1; r < t.rows; r++)
            text_pair(w->ui, rect_cut_top(&area, 28), t.cells[r][0], "%s", t.cells[r][c]);
    }
    rect_cut_top(&area, 12);
    cost_curve(w, rect_cut_top(&area, 220), sizes);
}

/* Draw the hall form: the table, and the parameters as a formula. */
static void cost_hall(const Wqk *w, Rect area, Sizes sizes) {
    TextTable t = cost_table(w, sizes);
    t.rows = 4; /* omit the measured times */
    t.columns = 1 + FORMS_LEAST;
    text_section(w->ui, &area, 40,
                 sizes.scores ? "From X to S, for one head" : "From X to Y, for one head", NULL);
    text_table(w->ui, &area, &t, area.h / 7);
    rect_cut_top(&area, 12);
    FormulaStyle style = {HALL_FORMULA, w->ui->theme->text_1, LABEL_LEFT, false};
    formula_label(w->ui, rect_cut_top(&area, 2 * HALL_FORMULA), &style,
                  sums_of((char[PRINT_MAX]){0}, w, sizes));
}

void wqk_cost_page(const Wqk *w, Rect area) {
    enum { CONTROLS, TABLE, CURVE, PLACES };
    Sizes sizes = what_if_sizes(w);
    if (w->c->is_hall) {
        cost_hall(w, area, sizes);
        return;
    }
    if (area.w < WQK_NARROW) {
        cost_narrow(w, area, sizes);
        return;
    }
    TextTable table = cost_table(w, sizes);
    float side = fminf(330, area.w * 0.27f);
    bool has_curve = fit_table(w, &table, area.w - side - 32, side + 32);
    Rect places[PLACES];
    layout_row(places, area, 32, (Track[]){{.least = side}, {.share = 1}, {.least = side}},
               has_curve ? PLACES : CURVE);
    what_if(w, &places[CONTROLS], sizes, fminf(42, (area.h - 74) / 3));
    text_section(w->ui, &places[TABLE], 30,
                 sizes.scores ? "From X to S, counted for one head"
                              : "From X to Y, counted for one head",
                 NULL);
    text_table(w->ui, &places[TABLE], &table, fminf(30, places[TABLE].h / 5));
    if (places[TABLE].h >= 28)
        verdict(w, places[TABLE], sizes);
    if (has_curve)
        cost_curve(w, places[CURVE], sizes);
}
