/* The page Why √d_k, with three histograms: the product of one entry of a query and of a key, the
 * sum of n such products, and the sum divided by √n. They are measured on the session's layer and
 * compared with the law σ² = n·σ_q²·σ_k². */
#include <math.h>

#include "base/utf8.h"
#include "model/analysis/stats.h"
#include "ui/bars.h"
#include "ui/layout.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define BINS   49
#define TOKENS 64 /* maximum number of tokens whose pairs are counted */
/* Maximum number of pairs of tokens counted over all heads, so that a drag stays smooth. */
#define PAIRS   4096
#define SINGLES 64  /* entries of a head's q and k whose single products are counted, at most */
#define REACH   3.2 /* ends of the axis, in standard deviations of the sum of all d_k products */
#define BETWEEN 40
#define LEAST_W 300
#define LEAST_H 250
#define TITLE_H 40
#define ROW_H   28
#define LAW_H   34
#define BAR_H   40

#define HALL_WIDE   1.75f /* ratio of width to height; a narrower view has two panels */
#define HALL_NAME   24
#define HALL_NUMBER 30
#define HALL_LINE   44

typedef enum Panel { PANEL_ONE, PANEL_SUM, PANEL_ROOT, PANEL_COUNT } Panel;

typedef struct Products {
    Mat Q, K; /* queries and keys of all heads */
    AttnShape shape;
    int tokens, heads, terms;
    double square_q, square_k; /* mean squares of the entries of q and k */
    float end;                 /* value at the end of the axis, on both sides of 0 */
    float counts[PANEL_COUNT][BINS];
    long all[PANEL_COUNT];       /* number of values counted */
    double square[PANEL_COUNT];  /* measured mean square in each panel */
    double largest[PANEL_COUNT]; /* mean, over rows, of the largest weight after a softmax */
} Products;

static double mean_square(const Mat *m) {
    return stats_sum_of_squares(m) / ((double)m->rows * m->cols);
}

static double law_of(const Products *p, Panel panel) {
    return sqrt(p->square_q * p->square_k * (panel == PANEL_SUM ? p->terms : 1));
}

/* Count one query's values in the histogram of a panel, and add to its mean square. If is_row, the
 * values are the query's scores: also add the largest weight of their softmax to the mean in
 * p->largest. */
static void row_count(Products *p, Panel panel, const float *values, int count, bool is_row) {
    float most = -INFINITY, sum = 0;
    int rows = p->heads * p->tokens;
    histogram_add(p->counts[panel], BINS, -p->end, p->end, values, count);
    p->all[panel] += count;
    for (int j = 0; j < count; j++) {
        p->square[panel] += (double)values[j] * (double)values[j] / ((double)rows * count);
        most = fmaxf(most, values[j]);
    }
    for (int j = 0; is_row && j < count; j++)
        sum += expf(values[j] - most);
    if (is_row)
        p->largest[panel] += 1 / ((double)sum * rows);
}

/* Count, for one query and every key, the products of their first SINGLES entries, the sum of the
 * first n products, and this sum divided by √n. */
static void query_count(Products *p, const Mat *Q, const Mat *K, int query) {
    const float *q = mat_row(Q, query);
    float one[TOKENS * SINGLES], sum[TOKENS], root[TOKENS];
    int singles = Q->cols < SINGLES ? Q->cols : SINGLES, ones = 0, tokens = p->tokens;
    for (int j = 0; j < tokens; j++) {
        const float *k = mat_row(K, j);
        sum[j] = 0;
        for (int m = 0; m < p->terms; m++)
            sum[j] += q[m] * k[m];
        for (int m = 0; m < singles; m++)
            one[ones++] = q[m] * k[m];
        root[j] = sum[j] / sqrtf((float)p->terms);
    }
    row_count(p, PANEL_ONE, one, ones, false);
    row_count(p, PANEL_SUM, sum, tokens, true);
    row_count(p, PANEL_ROOT, root, tokens, true);
}

static Products products_of(const ViewContext *c) {
    const AttnTrace *trace = results_trace(c->run, 0);
    Products p = {.Q = trace->Q, .K = trace->K, .shape = c->run->layers[0].shape[c->run->form]};
    p.tokens = c->run->T < TOKENS ? c->run->T : TOKENS;
    p.heads = PAIRS / (p.tokens * p.tokens);
    p.heads = p.heads < p.shape.H ? p.heads : p.shape.H;
    p.terms = c->settings->compare.terms < p.shape.K ? c->settings->compare.terms : p.shape.K;
    if (p.Q.rows == 0)
        return p;
    p.square_q = mean_square(&p.Q);
    p.square_k = mean_square(&p.K);
    p.end = (float)(REACH * sqrt(p.square_q * p.square_k * p.shape.K));
    if (!(p.end > 0) || !isfinite(p.end))
        return p;
    for (int h = 0; h < p.heads; h++) {
        Mat Q = attn_head_query(&p.Q, &p.shape, h), K = attn_head_query(&p.K, &p.shape, h);
        for (int i = 0; i < p.tokens; i++)
            query_count(&p, &Q, &K, i);
    }
    return p;
}

static const char *const NAMES[] = {"One product", "Sum of %d", "Divided by √%d"};

/* Draw one histogram; the band is ±σ as the law predicts it. */
static void spread_draw(const ViewContext *c, Rect area, const Products *p, Panel panel) {
    double law = law_of(p, panel);
    Histogram histogram = {.counts = p->counts[panel],
                           .bins = BINS,
                           .lo = -p->end,
                           .hi = p->end,
                           .band_lo = (float)-law,
                           .band_hi = (float)law,
                           .all = p->all[panel],
                           .colour = column_colour(c, 0)};
    histogram_draw(c->ui, ui_id("compare root bins", (int)panel), area, &histogram);
}

static void panel_draw(const ViewContext *c, Rect area, const Products *p, Panel panel) {
    static const char *const formulas[] = {"q_m·k_m", "\"sum of \" q_m·k_m", "\"sum\"/√n"};
    Ui *ui = c->ui;
    double law = law_of(p, panel);
    const char *rule =
        panel == PANEL_SUM    ? PRINT("√%d·%s = ", p->terms, FIXED(law_of(p, PANEL_ONE), 2))
        : panel == PANEL_ROOT ? PRINT("%s/√%d = ", FIXED(law_of(p, PANEL_SUM), 2), p->terms)
                              : "";
    text_section(ui, &area, TITLE_H, PRINT(NAMES[panel], p->terms), formulas[panel]);
    Rect rows = rect_cut_bottom(&area, 3 * ROW_H);
    spread_draw(c, area, p, panel);
    text_pair(ui, rect_cut_top(&rows, ROW_H), "σ expected", "%s%s", rule, FIXED(law, 2));
    text_pair(ui, rect_cut_top(&rows, ROW_H), "σ measured", "%s", FIXED(sqrt(p->square[panel]), 2));
    if (panel != PANEL_ONE)
        text_pair(ui, rows, "mean max A", "%s", FIXED(p->largest[panel], 2));
}

static void laws_draw(const ViewContext *c, Rect area, const Products *p) {
    const Mat *W = &c->run->layers[0].params.p[ATTN_W_Q];
    text_line(c->ui, &area, TEXT_FORMULA, "σ^2 = n·σ_q^2·σ_k^2 = %d · %s · %s = %s", p->terms,
              FIXED(p->square_q, 2), FIXED(p->square_k, 2),
              FIXED(p->square_q * p->square_k * p->terms, 2));
    if (W->rows == 0 || p->shape.rope)
        return;
    double w = mean_square(W), x = mean_square(&results_trace(c->run, 0)->input);
    text_line(c->ui, &area, TEXT_FORMULA,
              "σ_q^2 = d_{\"model\"}·σ_W^2·σ_x^2 = %d · %s · %s = %s \" by the same rule\"",
              p->shape.D, FIXED(w, 4), FIXED(x, 2), FIXED(p->shape.D * w * x, 2));
}

static const char *why_none(const Products *p) {
    return p->Q.rows == 0  ? "This form multiplies X by W_QK and has no q and k. Choose Separate "
                             "under Form."
           : !(p->end > 0) ? "Every product is 0. Choose another scheme under Init."
           : !isfinite(p->end) ? "The products overflowed. Choose a scheme with smaller "
                                 "weights under Init."
                               : NULL;
}

/* A narrow view omits the first histogram. */
static void hall_draw(const ViewContext *c, Rect area, const Products *p) {
    int first = area.w > area.h * HALL_WIDE ? PANEL_ONE : PANEL_SUM;
    for (int i = first; i < PANEL_COUNT; i++) {
        Rect panel = layout_part(area, BETWEEN, i - first, PANEL_COUNT - first);
        text_in(c->ui, rect_cut_top(&panel, HALL_LINE), TEXT_STRONG | TEXT_PX(HALL_NAME), NAMES[i],
                p->terms);
        text_in(c->ui, rect_cut_top(&panel, HALL_LINE), TEXT_NUMBER | TEXT_PX(HALL_NUMBER),
                "σ = %s", FIXED(sqrt(p->square[i]), 1));
        rect_cut_top(&panel, BETWEEN / 2);
        spread_draw(c, panel, p, (Panel)i);
    }
}

void compare_root_draw(const ViewContext *c, Rect area) {
    Products p = products_of(c);
    if (why_none(&p) != NULL) {
        text_wrap(c->ui, &area, TEXT_BODY, why_none(&p));
        return;
    }
    if (c->is_hall) {
        hall_draw(c, area, &p);
        return;
    }
    float terms = (float)p.terms;
    SliderRow row = {.name = "n",
                     .meaning = "products added",
                     .shown = PRINT("%d of %d", p.terms, p.shape.K),
                     .name_w = 24,
                     .meaning_w = 150,
                     .shown_w = 110,
                     .range = {1, fmaxf((float)p.shape.K, 2), 1, 1, false}};
    Rect bar = rect_cut_top(&area, BAR_H);
    bar.w = fminf(bar.w, 720);
    if (slider_row(c->ui, ui_id("compare terms", 0), bar, &row, &terms))
        view_set_number(c, "compare-terms", (double)terms, c->ui->drag_serial);
    int across = area.w < PANEL_COUNT * LEAST_W ? 1 : PANEL_COUNT, down = PANEL_COUNT / across;
    float least = (float)down * LEAST_H + 2 * LAW_H;
    ScrollArea scroll =
        scroll_begin(c->ui, ui_id("compare root", 0), area, &c->memory->compare->scroll,
                     (Vec2){area.w, fmaxf(least, area.h)});
    Rect all = scroll.content, laws = rect_cut_bottom(&all, 2 * LAW_H + 8);
    all.w -= SCROLL_BAR;
    for (int i = 0; i < PANEL_COUNT; i++)
        panel_draw(c, layout_cell(all, BETWEEN, all.h / (float)down, i, across), &p, (Panel)i);
    laws_draw(c, rect_inset(laws, 0, 4), &p);
    scroll_end(c->ui, &scroll);
}
