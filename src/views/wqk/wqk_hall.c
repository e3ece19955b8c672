/* W_QK in a lecture hall: factors and product with cells of one size; below them, in large cells,
 * the row and the column that make one entry; and the proof as one number. */
#include <math.h>

#include "ui/formula.h"
#include "views/wqk/wqk_view.h"

/* Lengths as shares of the view's height. */
#define TOP         0.2f  /* space above the matrices, including their names */
#define FOOT        0.03f /* space below the matrices */
#define SPACES      0.35f /* sum of the spaces around and between the matrices */
#define SPACES_MOST 0.16f /* largest sum of these spaces as a share of the width */
#define STRIP_H     0.052f
#define STRIP_NAME  0.045f
#define NUMBER_H    0.14f
#define APART       0.035f
#define SCALE_H     34 /* px */
#define PILL_AWAY   10
/* Least room for the number below W_K^⊤; with less the number is below all matrices. */
#define BESIDE_LEAST 0.36f
/* Ratio of width to height; a narrower view has the number below all matrices. */
#define LOW 1.75f

/* How SPACES is divided: left of W_Q, before W_K^⊤, before W_QK, right of W_QK. */
static const float SHARES[] = {0.26f, 0.24f, 0.31f, 0.19f};

static WqkTop layout(const Wqk *w, Rect area, bool is_low) {
    const DrawList *list = w->ui->list;
    float E = (float)w->E, m = w->p->has_factors ? (float)w->width : 0;
    float wide = m > 0 ? 2 * E + m : 2 * E; /* a single matrix leaves room for the number */
    float spaces = fminf(SPACES * area.h, SPACES_MOST * area.w);
    float height = area.h * (1 - TOP - FOOT - (is_low ? 2 * NUMBER_H : 0));
    WqkTop top = {.is_hall = true};
    top.cell = wqk_snap(w, fminf((area.w - spaces) / wide, height / fmaxf(E, m)));
    spaces = area.w - wide * top.cell;
    Vec2 at = {draw_snap(list, area.x + SHARES[0] * spaces),
               draw_snap(list, area.y + TOP * area.h)};
    wqk_top_place(w, &top, at, SHARES[1] * spaces, SHARES[2] * spaces);
    return top;
}

/* Draw the entry's row of W_Q above its column of W_K^⊤. Their products add up to the entry. */
static void strips(const Wqk *w, Rect *area, float unit) {
    const Mat *factors[] = {&w->m->transformed_left, &w->m->transformed_right};
    static const char *const names[] = {"i", "j"};
    int rows[] = {w->lit.first - 1, w->lit.second - 1};
    float hi = fmaxf(wqk_largest(factors[0]), wqk_largest(factors[1]));
    for (int f = 0; f < 2; f++) {
        Rect line = rect_cut_top(area, STRIP_H * unit);
        FormulaStyle name = {STRIP_NAME * unit, w->ui->theme->text_1, LABEL_RIGHT};
        Mat row = {mat_row(factors[f], rows[f]), 1, factors[f]->cols, factors[f]->cols};
        formula_label(w->ui, (Rect){line.x - unit * 0.1f, line.y, unit * 0.085f, line.h}, &name,
                      names[f]);
        wqk_cells(w, ui_id("wqk strip", f), line, &row, hi, true);
        rect_cut_top(area, 3);
    }
}

void wqk_hall(Wqk *w, Rect area) {
    bool has_factors = w->p->has_factors;
    bool is_low = has_factors && area.w < LOW * area.h;
    float unit = area.h;
    WqkTop top = layout(w, area, is_low);
    if (has_factors && !is_low && top.product.frame.h - top.right.frame.h < BESIDE_LEAST * unit) {
        is_low = true;
        top = layout(w, area, is_low);
    }
    wqk_top_pointer(w, &top);
    Rect right = top.right.frame, product = top.product.frame;
    const Mat *m = &w->p->product;
    if (w->lit.first == 0) { /* without a chosen entry, explain the largest one */
        w->lit = (OptionPair){1, 1};
        for (int i = 0; i < m->rows * m->cols; i++)
            if (fabsf(mat_row(m, i / m->cols)[i % m->cols]) >
                fabsf(mat_row(m, w->lit.first - 1)[w->lit.second - 1]))
                w->lit = (OptionPair){i / m->cols + 1, i % m->cols + 1};
    }
    wqk_top_draw(w, &top);
    /* write the value above and right of the entry, or at the other side if it is at an edge */
    char text[32];
    int row = w->lit.first - 1, column = w->lit.second - 1;
    view_value_text(text, mat_row(m, row)[column], false);
    Vec2 size = view_pill_size(w->c, text);
    Vec2 at = {product.x + top.cell * ((float)column + 0.5f),
               product.y + top.cell * ((float)row + 0.5f)};
    bool is_left = at.x + size.x + PILL_AWAY > rect_right(product);
    bool is_below = at.y - size.y - PILL_AWAY < product.y;
    at.x += (size.x / 2 + PILL_AWAY) * (is_left ? -1 : 1);
    at.y += (size.y / 2 + PILL_AWAY) * (is_below ? 1 : -1);
    view_pill(w->c, at, product, text);
    Rect free = {right.x, rect_bottom(right) + APART * unit, right.w, 0};
    if (!has_factors)
        free = (Rect){rect_right(product) + unit * 0.05f, product.y, product.w, 0};
    free.h = rect_bottom(product) - free.y;
    if (is_low) {
        float y = rect_bottom(product) + APART * unit;
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
    wqk_signed_scale(w, scale, wqk_hall_scale(w));
    wqk_proof_number(w, number);
}
