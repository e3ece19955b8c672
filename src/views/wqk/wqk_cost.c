#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "lab/form_timing.h"
#include "model/analysis/cost.h"
#include "ui/button.h"
#include "ui/chart.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "ui/slider.h"
#include "views/wqk/wqk_view.h"

#define LINE            30
#define BAR_H           14
#define BARS_APART      3   /* so that the number beside a short bar is clear of the next one */
#define TIGHT           18  /* a line that larger numbers fill */
#define LEGEND_BESIDE_W 330 /* narrower ones have the legend in a line of its own */
#define CURVE_POINTS    65
#define VERDICT_H       34
#define NO_TIME         "–"
#define TOO_LONG        "too long" /* to be measured between two frames */

/* p tokens, a width of n and heads of m. */
typedef struct Sizes {
    int p, n, m, heads;
    bool one;    /* biases of the scores: a constant 1 in the input, n + 1 in place of n */
    bool turns;  /* RoPE: merged is one matrix for each of the 2p − 1 distances */
    bool scores; /* of W_QK; of W_OV the same counts are those from X to the head's output */
} Sizes;

/* Return the sizes of the layer itself. */
static Sizes layer_sizes(const Wqk *w) {
    const AttnShape *shape = &w->c->run->layers[0].shape[w->c->run->form];
    bool scores = w->m->product.kind == PRODUCT_QK;
    bool one = scores && shape->bias == BIAS_ALL, turns = scores && shape->rope;
    return (Sizes){shape->T, shape->D, scores ? shape->K : shape->V, shape->H, one, turns, scores};
}

/* Return the sizes that the page Cost asks about: the layer's own, or those chosen under What if.
 */
static Sizes what_if_sizes(const Wqk *w) {
    const Settings *s = w->c->settings;
    Sizes sizes = layer_sizes(w);
    sizes.p = s->wqk_p > 0 ? s->wqk_p : sizes.p;
    sizes.n = s->wqk_n > 0 ? s->wqk_n : sizes.n;
    sizes.m = s->wqk_m > 0 ? s->wqk_m : sizes.m;
    return sizes;
}

static int width_of(Sizes sizes) {
    return sizes.n + sizes.one;
}

/* Parameters of a head's factors less those of its product. */
static long long more_in_factors(Sizes sizes) {
    long long n = width_of(sizes), matrices = sizes.turns ? 2LL * sizes.p - 1 : 1;
    return 2 * n * sizes.m - matrices * n * n;
}

bool wqk_cost_holds_less(const Wqk *w) {
    return more_in_factors(what_if_sizes(w)) < 0;
}

/* Of the scores of so many heads in that form. */
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
    if (sizes.turns && form == FORM_MERGED) /* x_i·W_{i−j}·x_j for each pair */
        return (Cost){heads * (2 * p - 1) * n * n, heads * p * p * (n * n + n)};
    return cost_of_scores(&shape);
}

static void bar(const Wqk *w, Rect line, double value, double most, Colour colour) {
    char text[32];
    const Theme *theme = w->c->ui->theme;
    float size = line.h < TIGHT ? WQK_SMALL : WQK_BODY;
    LabelStyle number = {FONT_MONO, size, theme->text_1, LABEL_LEFT};
    number_format_grouped(text, sizeof text, (long long)value);
    float room = line.w - label_width(w->c->ui, FONT_MONO, size, text, strlen(text)) - 12;
    float width = fmaxf((float)(value / most) * fmaxf(room, 4), 2);
    float height = fminf(BAR_H, line.h - BARS_APART);
    draw_fill(w->c->ui->list, (Rect){line.x, line.y + (line.h - height) / 2, width, height},
              fminf(2, width / 2), colour);
    rect_cut_left(&line, width + 10);
    label_draw(w->c->ui, line, &number, text);
}

/* equal: the m at which both are as long, or NaN. */
static void two_bars(const Wqk *w, Rect *area, const char *name, double equal, long long separate,
                     long long merged, float line) {
    char number[24], text[48];
    const Theme *theme = w->c->ui->theme;
    LabelStyle style = {FONT_SANS, WQK_BODY, theme->text_2, LABEL_LEFT};
    FormulaStyle formula = {.size = WQK_SMALL, .colour = theme->text_2, .align = LABEL_RIGHT};
    double most = fmax((double)separate, (double)merged);
    Rect names = rect_cut_top(area, line);
    rect_cut_left(&names, label_draw(w->c->ui, names, &style, name) + 8);
    number_format_fixed(number, sizeof number, equal, 1);
    snprintf(text, sizeof text, "\"equal at \" m = %s", number);
    if (!isnan(equal) && formula_width(w->c->ui, WQK_SMALL, text) <= names.w)
        formula_label(w->c->ui, names, &formula, text);
    bar(w, rect_cut_top(area, line - 7), (double)separate, most, theme->fill);
    bar(w, rect_cut_top(area, line - 7), (double)merged, most, theme->control);
}

static void legend(const Wqk *w, Rect line) {
    static const char *const names[] = {"merged", "separate"};
    const Theme *theme = w->c->ui->theme;
    const Colour colours[] = {theme->control, theme->fill};
    LabelStyle style = {FONT_SANS, line.w < 210 ? WQK_SMALL - 1 : WQK_BODY, theme->text_2,
                        LABEL_LEFT};
    for (int i = 0; i < 2; i++) {
        float width = label_width(w->c->ui, style.font, style.size, names[i], strlen(names[i]));
        if (line.w < width + 24)
            return;
        label_draw(w->c->ui, rect_cut_right(&line, width + 1), &style, names[i]);
        Rect mark = rect_cut_right(&line, style.size < WQK_BODY ? 18 : 20);
        draw_fill(w->c->ui->list, (Rect){mark.x + 2, mark.y + mark.h / 2 - 6, 12, 12}, 2,
                  colours[i]);
        rect_cut_right(&line, style.size < WQK_BODY ? 5 : 14);
    }
}

/* Where both forms hold as much, and what that is called. */
static float half_width(Sizes sizes) {
    return (float)width_of(sizes) / 2;
}

static const char *half_name(Sizes sizes) {
    return sizes.one ? "n + 1 = 2m" : "n = 2m";
}

/* The m at which both forms take as many multiply-adds: 2pnm + p²m = pn² + p²n. */
static double equal_products(Sizes sizes) {
    double n = width_of(sizes), p = sizes.p;
    return sizes.turns ? NAN : n * (n + p) / (2 * n + p);
}

/* m on a line from 1 to n, with the mark where both forms hold as many parameters. */
static void crossover(const Wqk *w, Rect area, Sizes sizes) {
    Ui *ui = w->c->ui;
    const Theme *theme = ui->theme;
    char text[32];
    Rect names = rect_cut_top(&area, 26), track = rect_inset(rect_cut_top(&area, 36), 9, 16);
    float each = track.w / fmaxf((float)sizes.n - 1, 1);
    float half = track.x + each * (half_width(sizes) - 1),
          dot = track.x + each * ((float)sizes.m - 1);
    draw_fill(ui->list, track, 2, theme->control);
    if (!sizes.turns) /* else two factors are smaller wherever m is */
        draw_fill(ui->list, (Rect){draw_snap(ui->list, half) - 1, track.y - 10, 2, 24}, 0,
                  theme->text_1);
    draw_fill(ui->list, (Rect){dot - 9, track.y - 7, 18, 18}, 9, theme->fill);
    snprintf(text, sizeof text, "m = %d", sizes.m);
    FormulaStyle style = {.size = 19, .colour = theme->text_1, .align = LABEL_CENTRE};
    float x = fminf(fmaxf(dot - 40, names.x), rect_right(names) - 80);
    formula_label(ui, (Rect){x, names.y, 80, 26}, &style, text);
}

void wqk_cost_brief(const Wqk *w, Rect area) {
    Sizes sizes = layer_sizes(w);
    Cost separate = cost_at(sizes, 1, FORM_SEPARATE), merged = cost_at(sizes, 1, FORM_MERGED);
    Rect line = rect_cut_top(&area, 30);
    Rect beside = wqk_heading(w->c, line, "Cost per head");
    if (area.w < LEGEND_BESIDE_W) {
        beside = rect_cut_top(&area, 24);
        beside.w = fminf(beside.w, 200);
    }
    legend(w, beside);
    rect_cut_top(&area, 4);
    bool has_mark = area.h >= 200;
    float each = fminf((area.h - (has_mark ? 84 : 2)) / 2 / 2.55f, LINE);
    two_bars(w, &area, "Parameters", sizes.turns ? NAN : (double)half_width(sizes),
             separate.parameters, merged.parameters, each);
    rect_cut_top(&area, 2);
    two_bars(w, &area, "Multiply-adds", equal_products(sizes), separate.multiply_adds,
             merged.multiply_adds, each);
    if (has_mark)
        crossover(w, area, sizes);
}

/* One of p, n and m: its letter, what it is, a slider, its value. */
static void size_row(const Wqk *w, Rect line, const char *letter, const char *meaning,
                     const char *key, int value, int most) {
    const ViewContext *c = w->c;
    const Theme *theme = c->ui->theme;
    char text[16];
    float at = (float)value;
    FormulaStyle formula = {.size = 22, .colour = theme->text_1, .align = LABEL_LEFT};
    LabelStyle words = {FONT_SANS, WQK_BODY, theme->text_2, LABEL_LEFT};
    LabelStyle number = {FONT_MONO, WQK_BODY, theme->text_1, LABEL_RIGHT};
    formula_label(c->ui, rect_cut_left(&line, 24), &formula, letter);
    prose_draw(c->ui, rect_cut_left(&line, 84), &words, meaning);
    snprintf(text, sizeof text, "%d", value);
    label_draw(c->ui, rect_cut_right(&line, 56), &number, text);
    SliderRange range = {1, (float)most, 1, NAN, true};
    if (slider(c->ui, ui_id(key, 0), line, &range, &at))
        view_set_number(c, key, roundf(at), c->ui->drag_serial);
}

static void reset_row(const Wqk *w, Rect line) {
    const Settings *s = w->c->settings;
    bool own = s->wqk_p == 0 && s->wqk_n == 0 && s->wqk_m == 0;
    bool was = ui_disable(w->c->ui, own);
    const char *text = "Back to the layer";
    float width = label_width(w->c->ui, FONT_SANS, WQK_BODY, text, strlen(text)) + 32;
    if (button_text(w->c->ui, ui_id("wqk own sizes", 0), rect_cut_left(&line, width), text)) {
        view_set(w->c, "wqk-p", "auto", 0);
        view_set(w->c, "wqk-n", "auto", 0);
        view_set(w->c, "wqk-m", "auto", 0);
    }
    ui_disable(w->c->ui, was);
}

/* What is measured is one head's scores without RoPE. */
static bool is_timed(Sizes sizes) {
    return sizes.scores && !sizes.turns;
}

/* Measured where there is a clock, once for each choice of sizes and not during a drag. Returns
 * NULL, or what stands for the times that there are none of. */
static const char *measure(const Wqk *w, Sizes sizes) {
    WqkMemory *memory = &w->c->memory->wqk;
    if (w->c->now_s == NULL || !is_timed(sizes))
        return NO_TIME;
    bool known = memory->timed_p == sizes.p && memory->timed_n == width_of(sizes) &&
                 memory->timed_m == sizes.m;
    if (known)
        return memory->separate_s >= 0 ? NULL : TOO_LONG;
    if (w->c->ui->active != 0)
        return NO_TIME;
    FormTiming timing;
    memory->timed_p = sizes.p;
    memory->timed_n = width_of(sizes);
    memory->timed_m = sizes.m;
    memory->separate_s = -1;
    if (!form_timing(&timing, sizes.p, width_of(sizes), sizes.m, w->c->now_s))
        return TOO_LONG;
    memory->separate_s = timing.separate_s;
    memory->merged_s = timing.merged_s;
    return NULL;
}

static void time_text(char *out, size_t capacity, const char *none, double seconds) {
    if (none == NULL)
        number_format_fixed(out, capacity, seconds * 1e6, seconds < 1e-4 ? 1 : 0);
    else
        snprintf(out, capacity, "%s", none);
}

/* A column a form, a row a quantity. */
#define TABLE_FORMS 3
#define FORMS_LEAST 2 /* those that the page is about */
#define TABLE_ROWS  4 /* the last one is left out where nothing is measured */
typedef struct Table {
    char rows[TABLE_ROWS][24], cells[TABLE_FORMS][TABLE_ROWS][32];
    float size, names_w, column_w; /* of its numbers; of what they take */
    int forms, row_count;          /* that it has */
} Table;

static const struct {
    const char *name;
    AttnForm form;
} TABLE_COLUMNS[TABLE_FORMS] = {
    {"Separate", FORM_SEPARATE}, {"Merged", FORM_MERGED}, {"Nested", FORM_NESTED}};

static void table_fill(Table *t, const Wqk *w, Sizes sizes) {
    const WqkMemory *memory = &w->c->memory->wqk;
    const char *none = measure(w, sizes);
    t->row_count = is_timed(sizes) ? TABLE_ROWS : TABLE_ROWS - 1;
    snprintf(t->rows[0], sizeof t->rows[0], "parameters");
    snprintf(t->rows[1], sizeof t->rows[1],
             sizes.heads == 1 ? "of its one head" : "of all %d heads", sizes.heads);
    snprintf(t->rows[2], sizeof t->rows[2], "multiply-adds");
    snprintf(t->rows[3], sizeof t->rows[3], "µs measured");
    for (int f = 0; f < TABLE_FORMS; f++) {
        AttnForm form = TABLE_COLUMNS[f].form;
        Cost head = cost_at(sizes, 1, form), all = cost_at(sizes, sizes.heads, form);
        if (form == FORM_NESTED)
            head = (Cost){all.parameters / sizes.heads, all.multiply_adds / sizes.heads};
        number_format_grouped(t->cells[f][0], sizeof t->cells[f][0], head.parameters);
        number_format_grouped(t->cells[f][1], sizeof t->cells[f][1], all.parameters);
        number_format_grouped(t->cells[f][2], sizeof t->cells[f][2], head.multiply_adds);
        time_text(t->cells[f][3], sizeof t->cells[f][3], form == FORM_NESTED ? NO_TIME : none,
                  form == FORM_MERGED ? memory->merged_s : memory->separate_s);
    }
}

/* What its columns take with numbers of that size. */
static float table_measure(Table *t, const Wqk *w, int forms, float size) {
    const Ui *ui = w->c->ui;
    t->size = size;
    t->forms = forms;
    t->names_w = t->column_w = 0;
    for (int r = 0; r < t->row_count; r++)
        t->names_w =
            fmaxf(t->names_w, label_width(ui, FONT_SANS, size, t->rows[r], strlen(t->rows[r])) + 8);
    for (int f = 0; f < forms; f++) {
        const char *name = TABLE_COLUMNS[f].name;
        t->column_w = fmaxf(t->column_w, label_width(ui, FONT_SANS, size, name, strlen(name)));
        for (int r = 0; r < t->row_count; r++)
            t->column_w = fmaxf(t->column_w, label_width(ui, FONT_MONO, size, t->cells[f][r],
                                                         strlen(t->cells[f][r])));
    }
    t->column_w += 20;
    return t->names_w + (float)forms * t->column_w;
}

/* In the larger size that fits; false where neither does. */
static bool table_fits(Table *t, const Wqk *w, int forms, float width) {
    return table_measure(t, w, forms, WQK_BODY) <= width ||
           table_measure(t, w, forms, WQK_SMALL) <= width;
}

/* Which of its columns the form in use is. */
static int table_in_use(const Wqk *w) {
    AttnForm form = w->c->run->form;
    return form == FORM_SEPARATE ? 0 : form == FORM_NESTED ? 2 : 1;
}

/* In as many columns as have room beside a curve so wide, which says more than how much the nested
 * form holds; but the form in use stays. Whether the curve has room. */
static bool table_set(Table *t, const Wqk *w, int most, float width, float curve_w) {
    int least = table_in_use(w) < FORMS_LEAST ? FORMS_LEAST : most;
    for (int forms = most; forms >= least; forms--)
        if (table_fits(t, w, forms, width - curve_w))
            return true;
    for (int forms = most; forms >= FORMS_LEAST; forms--)
        if (table_fits(t, w, forms, width))
            return false;
    return true;
}

static void table_draw(const Wqk *w, Rect *area, const Table *t) {
    const Theme *theme = w->c->ui->theme;
    LabelStyle words = {FONT_SANS, t->size, theme->text_2, LABEL_LEFT};
    LabelStyle title = {FONT_SANS, t->size, theme->text_2, LABEL_RIGHT};
    LabelStyle number = {FONT_MONO, t->size, theme->text_1, LABEL_RIGHT};
    float line_h = fminf(LINE, area->h / (TABLE_ROWS + 1));
    Rect table = rect_cut_top(area, (float)(t->row_count + 1) * line_h);
    float each = fminf((table.w - t->names_w) / (float)t->forms, t->column_w + 40);
    int in_use = table_in_use(w);
    Rect used = {table.x + t->names_w + each * (float)in_use + 6, table.y, each + 4, table.h};
    if (in_use < t->forms)
        draw_fill(w->c->ui->list, used, 6, theme->raised);
    for (int r = -1; r < t->row_count; r++) {
        Rect line = rect_cut_top(&table, line_h), name = rect_cut_left(&line, t->names_w);
        if (r >= 0)
            label_draw(w->c->ui, name, &words, t->rows[r]);
        for (int f = 0; f < t->forms; f++)
            label_draw(w->c->ui, rect_cut_left(&line, each), r < 0 ? &title : &number,
                       r < 0 ? TABLE_COLUMNS[f].name : t->cells[f][r]);
    }
}

/* What decides it: in one line, or in two where one has no room. */
static void verdict(const Wqk *w, Rect area, Sizes sizes) {
    char sums[128], says[96], text[288], two[32], one[32];
    long long n = width_of(sizes), more = more_in_factors(sizes);
    const char *wide = sizes.one ? "(n + 1)" : "n", *sum = sizes.one ? "n + 1" : "n";
    number_format_grouped(two, sizeof two, 2 * n * sizes.m);
    number_format_grouped(one, sizeof one, 2 * n * sizes.m - more);
    const char *sign = more < 0 ? ">" : more > 0 ? "<" : "=";
    const char *what = more < 0   ? "so two factors have fewer parameters"
                       : more > 0 ? "so one matrix has fewer parameters"
                                  : "so both have as many";
    snprintf(sums, sizeof sums, "2·%s·m = %s \"  against  \" %s%s^2 = %s", wide, two,
             sizes.turns ? "(2p − 1)·" : "", wide, one);
    if (sizes.turns)
        snprintf(says, sizeof says, "\"%s\"", what);
    else
        snprintf(says, sizeof says, "%s %s 2m\", %s\"", sum, sign, what);
    snprintf(text, sizeof text, "%s\"%s\" %s", sums, sizes.turns ? ", " : ":  ", says);
    FormulaStyle style = {.size = 20, .colour = w->c->ui->theme->text_1, .align = LABEL_LEFT};
    Rect line = rect_cut_top(&area, VERDICT_H);
    bool is_long = formula_width(w->c->ui, style.size, text) > line.w && area.h >= VERDICT_H - 4;
    formula_label(w->c->ui, line, &style, is_long ? sums : text);
    if (is_long)
        formula_label(w->c->ui, rect_cut_top(&area, VERDICT_H - 4), &style, says);
    if (sizes.turns || area.h < VERDICT_H - 8)
        return;
    number_format_fixed(one, sizeof one, equal_products(sizes), 1);
    snprintf(text, sizeof text, "\"multiply-adds are equal at \" m = %s(%s + p)/(2%s + p) = %s",
             wide, sum, wide, one);
    formula_label(w->c->ui, rect_cut_top(&area, VERDICT_H - 4), &style, text);
}

/* Parameters of one head against m, with the crossover. */
static void cost_curve(const Wqk *w, Rect area, Sizes sizes) {
    static const AttnForm forms[] = {FORM_SEPARATE, FORM_MERGED};
    const Theme *theme = w->c->ui->theme;
    float x[CURVE_POINTS], y[2][CURVE_POINTS], most = 1;
    int here =
        sizes.n > 1 ? ((sizes.m - 1) * (CURVE_POINTS - 1) + sizes.n / 2) / (sizes.n - 1) : -1;
    for (int i = 0; i < CURVE_POINTS; i++) {
        Sizes at = sizes;
        at.m = i == here ? sizes.m : 1 + (sizes.n - 1) * i / (CURVE_POINTS - 1);
        x[i] = (float)at.m;
        for (int f = 0; f < 2; f++) {
            y[f][i] = (float)cost_at(at, 1, forms[f]).parameters;
            most = fmaxf(most, y[f][i]);
        }
    }
    ChartSeries series[] = {
        {y[0], x, 0, CURVE_POINTS, "separate", NULL, theme->fill, MARK_NONE, false, 0},
        {y[1], x, 0, CURVE_POINTS, "merged", NULL, theme->control, MARK_NONE, false, 0}};
    ChartLine half = {half_width(sizes), true, half_name(sizes), theme->text_2};
    float values[] = {0, most};
    Chart chart = {.x = {.lo = 0, .hi = fmaxf((float)sizes.n, 2), .whole = true},
                   .y = axis_of(values, 2, false),
                   .series = series,
                   .series_count = 2,
                   .lines = &half,
                   .line_count = sizes.turns ? 0 : 1,
                   .marked_x = (float)sizes.m,
                   .draggable = true,
                   .steps = true};
    Rect line = rect_cut_top(&area, 28);
    legend(w, wqk_heading(w->c, line, "Parameters"));
    ChartState state = chart_draw(w->c->ui, ui_id("wqk cost curve", 0), area, &chart);
    if (state.moved)
        view_set_number(w->c, "wqk-m", roundf(state.x), state.serial);
}

/* The table's numbers as lines, where its columns have no room. */
static void list_numbers(const Wqk *w, Rect *area, const char *name, Sizes sizes, AttnForm form,
                         const char *none, double seconds) {
    char text[48];
    Cost head = cost_at(sizes, 1, form), all = cost_at(sizes, sizes.heads, form);
    wqk_heading(w->c, rect_cut_top(area, 34), name);
    number_format_grouped(text, sizeof text, head.parameters);
    wqk_pair(w->c, rect_cut_top(area, 28), "parameters a head", text);
    number_format_grouped(text, sizeof text, all.parameters);
    wqk_pair(w->c, rect_cut_top(area, 28), "of all heads", text);
    number_format_grouped(text, sizeof text, head.multiply_adds);
    wqk_pair(w->c, rect_cut_top(area, 28), "multiply-adds", text);
    if (!is_timed(sizes))
        return;
    time_text(text, sizeof text, none, seconds);
    wqk_pair(w->c, rect_cut_top(area, 28), "µs measured", text);
}

static void size_rows(const Wqk *w, Rect *controls, Sizes sizes, float line) {
    size_row(w, rect_cut_top(controls, line), "p", "tokens", "wqk-p", sizes.p, 4096);
    size_row(w, rect_cut_top(controls, line), "n", "d_model", "wqk-n", sizes.n, 4096);
    size_row(w, rect_cut_top(controls, line), "m", sizes.scores ? "d_k" : "d_v", "wqk-m", sizes.m,
             4096);
    rect_cut_top(controls, 6);
    if (controls->h >= 36)
        reset_row(w, rect_cut_top(controls, 36));
}

static void cost_narrow(const Wqk *w, Rect area, Sizes sizes) {
    const WqkMemory *memory = &w->c->memory->wqk;
    const char *none = measure(w, sizes);
    wqk_heading(w->c, rect_cut_top(&area, 30), "What if");
    size_rows(w, &area, sizes, 40);
    list_numbers(w, &area, "Separate", sizes, FORM_SEPARATE, none, memory->separate_s);
    list_numbers(w, &area, "Merged", sizes, FORM_MERGED, none, memory->merged_s);
    rect_cut_top(&area, 12);
    cost_curve(w, rect_cut_top(&area, 220), sizes);
}

void wqk_cost_page(const Wqk *w, Rect area) {
    Sizes sizes = what_if_sizes(w);
    if (area.w < WQK_NARROW) {
        cost_narrow(w, area, sizes);
        return;
    }
    Table t = {0};
    float side = fminf(330, area.w * 0.27f);
    Rect controls = rect_cut_left(&area, side);
    rect_cut_left(&area, 32);
    table_fill(&t, w, sizes);
    int forms = sizes.scores ? TABLE_FORMS : FORMS_LEAST; /* of W_OV one matrix alone is nested */
    bool has_curve = table_set(&t, w, forms, area.w, side + 32);
    Rect curve = has_curve ? rect_cut_right(&area, side) : (Rect){0};
    rect_cut_right(&area, has_curve ? 32 : 0);
    wqk_heading(w->c, rect_cut_top(&controls, 30), "What if");
    size_rows(w, &controls, sizes, fminf(42, (controls.h - 44) / 3));
    wqk_heading(w->c, rect_cut_top(&area, 30),
                sizes.scores ? "From X to S, counted for one head"
                             : "From X to Y, counted for one head");
    table_draw(w, &area, &t);
    if (area.h >= 28)
        verdict(w, area, sizes);
    if (has_curve)
        cost_curve(w, curve, sizes);
}
