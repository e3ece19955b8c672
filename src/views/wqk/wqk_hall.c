/* The hall form of W_QK: factors and product in cells of one size; below, the row and the column
 * behind one entry in large cells; and the proof as one number. */
#include <math.h>

#include "ui/formula.h"
#include "views/wqk/wqk_view.h"

/* Shares of the stage's height. */
#define TOP          0.2f  /* space above the matrices, with their names */
#define FOOT         0.03f /* space below them */
#define SPACES       0.35f /* sum of the spaces around and between the matrices, */
#define SPACES_MOST  0.16f /* or at least this share of the width */
#define STRIP_H      0.052f
#define STRIP_NAME   0.045f
#define NUMBER_H     0.14f
#define APART        0.035f
#define SCALE_H      34 /* px */
#define PILL_AWAY    10
#define BESIDE_LEAST 0.36f /* room for the number under W_K^⊤; else it is below the row */
#define LOW          1.75f /* width / height; a narrower stage has the number below the row */

/* How SPACES is divided: left of W_Q, before W_K^⊤, before W_QK, right of W_QK. */
static const float SHARES[] = {0.26f, 0.24f, 0.31f, 0.19f};

/* Return the entry to explain: the focused one, or else the largest. */
static OptionPair entry_of(const Wqk *w) {
    const Mat *product = &w->m->product.product;
    OptionPair best = {1, 1};
    float most = -1;
    if (w->lit.first > 0)
        return w->lit;
    for (int i = 0; i < product->rows; i++)
        for (int j = 0; j < product->cols; j++)
            if (fabsf(mat_row(product, i)[j]) > most) {
                most = fabsf(mat_row(product, i)[j]);
                best = (OptionPair){i + 1, j + 1};
            }
    return best;
}

static WqkTop layout(const Wqk *w, Rect area, bool is_low) {
    const DrawList *list = w->c->ui->list;
    float E = (float)w->E, m = w->m->product.has_factors ? (float)w->width : 0;
    float wide = m > 0 ? 2 * E + m : 2 * E; /* one matrix leaves room for the number */
    float spaces = fminf(SPACES * area.h, SPACES_MOST * area.w);
    float height = area.h * (1 - TOP - FOOT - (is_low ? 2 * NUMBER_H : 0));
    float cell = wqk_snap(w->c, fminf((area.w - spaces) / wide, height / fmaxf(E, m)));
    spaces = area.w - wide * cell;
    float x = draw_snap(list, area.x + SHARES[0] * spaces),
          y = draw_snap(list, area.y + TOP * area.h);
    WqkTop top = {.cell = cell, .is_hall = true};
    if (m > 0) {
        top.left = (Rect){x, y, m * cell, E * cell};
        top.right = (Rect){draw_snap(list, rect_right(top.left) + SHARES[1] * spaces), y, E * cell,
                           m * cell};
        x = draw_snap(list, rect_right(top.right) + SHARES[2] * spaces);
    }
    top.product = (Rect){x, y, E * cell, E * cell};
    return top;
}

/* Draw the entry's row of W_Q above its column of W_K. Their products add up to the entry. */
static void strips(const Wqk *w, Rect *area, float unit) {
    const Mat *factors[] = {&w->m->transformed_left, &w->m->transformed_right};
    static const char *const names[] = {"i", "j"};
    int rows[] = {w->lit.first - 1, w->lit.second - 1};
    float hi = fmaxf(wqk_largest(factors[0]), wqk_largest(factors[1]));
    for (int f = 0; f < 2; f++) {
        Rect line = rect_cut_top(area, STRIP_H * unit);
        FormulaStyle name = {STRIP_NAME * unit, w->c->ui->theme->text_1, LABEL_RIGHT, false};
        Mat row = {mat_row(factors[f], rows[f]), 1, factors[f]->cols, factors[f]->cols};
        formula_label(w->c->ui, (Rect){line.x - unit * 0.1f, line.y, unit * 0.085f, line.h}, &name,
                      names[f]);
        wqk_cells(w->c, ui_id("wqk strip", f), line, &row, hi, true);
        rect_cut_top(area, 3);
    }
}

/* Write the entry's value above and right of it, or on the other side at an edge. */
static void value_draw(const Wqk *w, const WqkTop *top) {
    const Mat *product = &w->m->product.product;
    char text[32];
    int row = w->lit.first - 1, column = w->lit.second - 1;
    if (row < 0 || row >= product->rows || column >= product->cols)
        return;
    view_value_text(text, mat_row(product, row)[column], false);
    Vec2 size = view_pill_size(w->c, text),
         at = {top->product.x + top->cell * ((float)column + 0.5f),
               top->product.y + top->cell * ((float)row + 0.5f)};
    bool is_left = at.x + size.x + PILL_AWAY > rect_right(top->product);
    bool is_below = at.y - size.y - PILL_AWAY < top->product.y;
    at.x += (size.x / 2 + PILL_AWAY) * (is_left ? -1 : 1);
    at.y += (size.y / 2 + PILL_AWAY) * (is_below ? 1 : -1);
    view_pill(w->c, at, top->product, text);
}

void wqk_hall(Wqk *w, Rect area) {
    bool has_factors = w->m->product.has_factors;
    bool is_low = has_factors && area.w < LOW * area.h;
    float unit = area.h;
    WqkTop top = layout(w, area, is_low);
    if (has_factors && !is_low && top.product.h - top.right.h < BESIDE_LEAST * unit) {
        is_low = true;
        top = layout(w, area, is_low);
    }
    wqk_top_pointer(w, &top);
    w->lit = entry_of(w);
    wqk_top_draw(w, &top);
    value_draw(w, &top);
    Rect free = {top.right.x, rect_bottom(top.right) + APART * unit, top.right.w, 0};
    if (!has_factors)
        free = (Rect){rect_right(top.product) + unit * 0.05f, top.product.y, top.product.w, 0};
    free.h = rect_bottom(top.product) - free.y;
    if (is_low) {
        float y = rect_bottom(top.product) + APART * unit;
        free = (Rect){area.x + 0.14f * unit, y, area.w - 0.2f * unit, rect_bottom(area) - y};
    }
    Rect number = is_low ? rect_cut_right(&free, free.w * 0.44f) : free;
    rect_cut_right(&free, is_low ? 0.08f * unit : 0);
    if (has_factors && w->merged <= 0) {
        float from = free.y;
        strips(w, &free, unit);
        rect_cut_top(&number, is_low ? 0 : free.y - from);
    }
    Rect scale =
        is_low ? rect_cut_bottom(&free, fminf(SCALE_H, free.h)) : rect_cut_bottom(&number, SCALE_H);
    wqk_signed_scale(w->c, scale, wqk_hall_scale(w));
    wqk_proof_number(w, number);
}
