#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "model/analysis/cost.h"
#include "ui/bars.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "views/inspector/inspector.h"
#include "views/wqk/wqk_view.h"

#define LINE 30

static void section(const Wqk *w, Rect *rest, const char *name, const char *formula) {
    rect_cut_top(rest, 18);
    Rect line = wqk_heading(w->c, rect_cut_top(rest, 38), name);
    FormulaStyle style = {.size = 20, .colour = w->c->ui->theme->text_2, .align = LABEL_RIGHT};
    formula_label(w->c->ui, line, &style, formula);
}

static void head_line(const Wqk *w, Rect *rest, const char *text, bool is_bold) {
    Rect line = rect_cut_top(rest, LINE);
    const Theme *theme = w->c->ui->theme;
    int head = w->c->session->options.head - 1;
    draw_fill(w->c->ui->list, (Rect){line.x, line.y + 9, 12, 12}, 6, view_head_colour(w->c, head));
    rect_cut_left(&line, 22);
    LabelStyle style = {is_bold ? FONT_SANS_BOLD : FONT_SANS, WQK_BODY,
                        is_bold ? theme->text_1 : theme->text_2, LABEL_LEFT};
    label_draw(w->c->ui, line, &style, text);
}

static void entry_title(const Wqk *w, Rect *rest) {
    char text[96];
    Rect line = rect_cut_top(rest, 40);
    const Theme *theme = w->c->ui->theme;
    FormulaStyle name = {.size = 28, .colour = theme->text_1, .align = LABEL_LEFT};
    LabelStyle state = {FONT_SANS, WQK_BODY, theme->text_3, LABEL_RIGHT};
    formula_label(w->c->ui, line, &name, w->names->product);
    label_draw(w->c->ui, line, &state, w->is_hovered ? "Hovered" : "Pinned");
    snprintf(text, sizeof text, "Head %d · row %d · column %d", w->c->session->options.head,
             w->lit.first, w->lit.second);
    head_line(w, rest, text, false);
}

/* The products that an entry is the sum of: with the factors as they stand, R and all; but with
 * RoPE the left one turned by the distance, between which and the right one no R has a place. */
static double entry_terms(const Wqk *w, float *terms) {
    bool turned = wqk_turned_by(w) != 0;
    const Mat *left = turned ? &w->m->product.left : &w->m->turned_left;
    const Mat *right = turned ? &w->m->product.right : &w->m->turned_right;
    double sum = 0;
    for (int m = 0; m < w->width; m++) {
        terms[m] = mat_row(left, w->lit.first - 1)[m] * mat_row(right, w->lit.second - 1)[m];
        sum += (double)terms[m];
    }
    return sum;
}

static void entry_formula(const Wqk *w, char *formula, size_t capacity) {
    int i = w->lit.first, j = w->lit.second, by = wqk_turned_by(w);
    const WqkNames *names = w->names;
    if (by != 0)
        snprintf(formula, capacity, "Σ_m (W_Q B_{%d})[%d,m] W_K[%d,m]", by, i, j);
    else if (w->m->request.gauge.turn > 0)
        snprintf(formula, capacity, "Σ_m (%s)[%d,m] (%s)[m,%d]", names->left_turned, i,
                 names->right_turned, j);
    else if (w->m->product.kind == PRODUCT_QK)
        snprintf(formula, capacity, "Σ_m W_Q[%d,m] W_K[%d,m]", i, j);
    else
        snprintf(formula, capacity, "Σ_m W_V[%d,m] W_O[m,%d]", i, j);
}

static void entry_sum(const Wqk *w, Rect *rest) {
    char text[64], formula[96];
    float *terms = arena_push(w->c->scratch, (size_t)w->width * sizeof *terms);
    double sum = entry_terms(w, terms);
    float most = 0;
    for (int m = 0; m < w->width; m++)
        most = fmaxf(most, fabsf(terms[m]));
    snprintf(text, sizeof text, "Sum of %d", w->width);
    entry_formula(w, formula, sizeof formula);
    section(w, rest, text, formula);
    bars_draw(w->c->ui, rect_cut_top(rest, 84),
              &(Bars){terms, w->width, w->c->ui->theme->signed_palette, -most, most, -1});
    rect_cut_top(rest, 8);
    number_format_fixed(formula, sizeof formula, sum, 4);
    wqk_pair(w->c, rect_cut_top(rest, LINE), "sum", formula);
    LabelStyle note = {FONT_SANS, WQK_BODY, w->c->ui->theme->text_2, LABEL_LEFT};
    bool turns = w->c->settings->wqk_turn > 0;
    prose_draw(w->c->ui, rect_cut_top(rest, LINE), &note,
               wqk_turned_by(w) != 0 ? "B rotates W_Q by the distance."
               : turns               ? "R changes the terms, not the sum."
                                     : "Rotate by R: the terms change.");
}

static void entry_section(const Wqk *w, Rect *rest) {
    char value[32];
    float entry = mat_row(&w->m->product.product, w->lit.first - 1)[w->lit.second - 1];
    entry_title(w, rest);
    number_format_fixed(value + 1, sizeof value - 1, (double)entry, 3);
    value[0] = '+';
    const char *shown = entry > 0 ? value : value + 1;
    LabelStyle big = {FONT_MONO_BOLD, 48, w->c->ui->theme->text_1, LABEL_LEFT};
    label_draw(w->c->ui, rect_cut_top(rest, 64), &big, shown);
    bool one =
        w->E > w->c->run->layers[0].shape[0].D && (w->lit.first == w->E || w->lit.second == w->E);
    if (one) {
        LabelStyle note = {FONT_SANS, WQK_BODY, w->c->ui->theme->text_2, LABEL_LEFT};
        label_draw(w->c->ui, rect_cut_top(rest, LINE), &note,
                   wqk_fit(w, WQK_BODY, rest->w, "where the constant 1 meets: biases",
                           "the constant 1: biases"));
    }
    if (w->m->product.has_factors && rest->h > 220)
        entry_sum(w, rest);
}

static void number_line(const Wqk *w, Rect *rest, const char *name, double value) {
    char text[48];
    wqk_number(text, sizeof text, value);
    wqk_pair(w->c, rect_cut_top(rest, LINE), name, text);
}

static void head_section(const Wqk *w, Rect *rest) {
    char text[64], number[32];
    const HeadProduct *p = &w->m->product;
    rect_cut_top(rest, 16);
    snprintf(text, sizeof text, "Head %d", w->c->session->options.head);
    head_line(w, rest, text, true);
    if (p->count == 0)
        return;
    int rank = wqk_rank_found(w);
    snprintf(text, sizeof text, "%d of %d", rank, w->E);
    wqk_pair(w->c, rect_cut_top(rest, LINE), "Rank", text);
    number_line(w, rest, "Largest σ", p->sigma[0]);
    number_line(w, rest, "Smallest kept σ", p->sigma[p->count - 1]);
    number_format_fixed(number, sizeof number, w->m->symmetric_share * 100, 0);
    bool some = isfinite(w->m->symmetric_share);
    snprintf(text, sizeof text, "%s%s", some ? number : "–", some ? " %" : "");
    wqk_pair(w->c, rect_cut_top(rest, LINE), "Symmetric part", text);
}

/* What a cut keeps, holds and takes: r columns of either side, σ folded into one. */
static void cut_numbers(const Wqk *w, Rect *rest) {
    char text[64], number[32];
    const AttnShape *shape = &w->c->run->layers[0].shape[w->c->run->form];
    int E = w->E, r = w->rank < w->m->product.count ? w->rank : w->m->product.count;
    long long p = shape->T, sides = E + (w->m->product.kind == PRODUCT_QK ? E : shape->D);
    double lost = rank_curve_loss(w->m->product.sigma, w->m->product.count, w->rank);
    double kept = 1 - lost * lost;
    bool some = wqk_rank_found(w) > 0; /* of nothing no share is kept */
    number_format_fixed(number, sizeof number, kept * 100, kept > 0.9995 || kept < 0.1 ? 1 : 0);
    snprintf(text, sizeof text, "%s%s", some ? number : "–", some ? " %" : "");
    wqk_pair(w->c, rect_cut_top(rest, LINE), "Energy kept", text);
    number_format_grouped(text, sizeof text, sides * r);
    wqk_pair(w->c, rect_cut_top(rest, LINE), "Parameters", text);
    number_format_grouped(text, sizeof text, p * sides * r + p * p * r);
    wqk_pair(w->c, rect_cut_top(rest, LINE), "Multiply-adds", text);
}

static void cut_button(const Wqk *w, Rect line) {
    const ViewContext *c = w->c;
    char text[48];
    const OptionChoice *form = &c->session->options.form;
    bool in_use = form->row == FORM_RANK && form->number == w->rank;
    bool was = ui_disable(c->ui, w->m->site.turn != NULL);
    UiId id = ui_id("wqk use rank", 0);
    UiState state = ui_control(c->ui, id, line, 0);
    const Theme *theme = c->ui->theme;
    draw_fill(c->ui->list, line, 8,
              state.disabled  ? theme->raised
              : state.hovered ? theme->ring
                              : theme->fill);
    snprintf(text, sizeof text, in_use ? "Back to separate" : "Use rank %d in every view", w->rank);
    LabelStyle style = {FONT_SANS_BOLD, WQK_BODY,
                        state.disabled ? theme->text_2 : theme->text_on_fill, LABEL_CENTRE};
    label_draw(c->ui, line, &style, text);
    ui_focus_ring(c->ui, id, line, 8);
    if (state.clicked && in_use)
        edit_push_state(c->edits, "form", "separate");
    else if (state.clicked)
        edit_push_state(c->edits, "form", "rank:%d", w->rank);
    ui_disable(c->ui, was);
}

static void cut_section(const Wqk *w, Rect *rest) {
    char text[32];
    rect_cut_top(rest, 16);
    snprintf(text, sizeof text, "\"At \" r = %d", w->rank);
    FormulaStyle style = {.size = 22, .colour = w->c->ui->theme->text_1, .align = LABEL_LEFT};
    formula_label(w->c->ui, rect_cut_top(rest, 34), &style, text);
    cut_numbers(w, rest);
    rect_cut_top(rest, 10);
    if (w->m->product.kind == PRODUCT_QK && rest->h >= 36)
        cut_button(w, rect_cut_top(rest, 38));
    if (w->m->product.kind != PRODUCT_QK || w->m->site.turn == NULL)
        return;
    LabelStyle note = {FONT_SANS, WQK_BODY, w->c->ui->theme->text_2, LABEL_LEFT};
    rect_cut_top(rest, 8);
    prose_wrap(w->c->ui, *rest, &note,
               "Here the matrix of every distance is cut. A form of the layer has one W_QK, and "
               "with RoPE there is none.");
}

void wqk_inspector(const ViewContext *c, Rect area) {
    Wqk w = wqk_of(c);
    Rect rest = rect_inset(area, 24, 20), clip = draw_clip(c->ui->list, area);
    if (w.lit.first > 0) {
        entry_section(&w, &rest);
    } else {
        LabelStyle style = {FONT_SANS, WQK_BODY, c->ui->theme->text_2, LABEL_LEFT};
        rect_cut_top(&rest, prose_wrap(c->ui, rest, &style,
                                       "Hover an entry of the product to see the row and the "
                                       "column that make it. Click to pin it."));
    }
    head_section(&w, &rest);
    if (w.m->product.count > 0 && rest.h > 150)
        cut_section(&w, &rest);
    draw_clip_restore(c->ui->list, clip);
}
