#include <math.h>

#include "base/utf8.h"
#include "ui/bars.h"
#include "ui/button.h"
#include "views/wqk/wqk_view.h"

#define LINE 30

static void head_line(const Wqk *w, Rect *rest, unsigned style, const char *text) {
    Rect line = rect_cut_top(rest, LINE), dot = rect_cut_left(&line, 22);
    draw_fill(w->ui->list, (Rect){dot.x, dot.y + 9, 12, 12}, 6, view_head_colour(w->c, w->head));
    text_in(w->ui, line, style, "%s", text);
}

/* Show the products whose sum is the entry. The rotation R is applied to both factors, so that
 * their product is the same. With RoPE at a distance other than 0 the rotation of that distance is
 * applied instead, to the left factor. */
static void entry_sum(const Wqk *w, Rect *rest) {
    Ui *ui = w->ui;
    const WqkNames *names = w->names;
    int i = w->lit.first, j = w->lit.second;
    const Mat *left = w->offset != 0 ? &w->p->left : &w->m->transformed_left;
    const Mat *right = w->offset != 0 ? &w->p->right : &w->m->transformed_right;
    const char *formula =
        w->offset != 0 ? PRINT("Σ_m (W_Q B_{%d})[%d,m] W_K[%d,m]", w->offset, i, j)
        : w->m->request.transform.turn > 0
            ? PRINT("Σ_m (%s)[%d,m] (%s)[m,%d]", names->left_transformed, i,
                    names->right_transformed, j)
            : PRINT(w->scores ? "Σ_m W_Q[%d,m] W_K[%d,m]" : "Σ_m W_V[%d,m] W_O[m,%d]", i, j);
    float *terms = arena_push(w->c->scratch, (size_t)w->width * sizeof *terms);
    double sum = 0;
    for (int m = 0; m < w->width; m++) {
        terms[m] = mat_row(left, i - 1)[m] * mat_row(right, j - 1)[m];
        sum += (double)terms[m];
    }
    rect_cut_top(rest, 18);
    text_section(ui, rest, 38, PRINT("Sum of %d", w->width), formula);
    bars_draw(ui, rect_cut_top(rest, 84),
              &(Bars){.values = terms, .count = w->width, .palette = ui->theme->signed_palette});
    rect_cut_top(rest, 8);
    text_pair(ui, rect_cut_top(rest, LINE), "sum", "%s", FIXED(sum, 4));
    text_in(ui, rect_cut_top(rest, LINE), TEXT_BODY, "%s",
            w->p->is_edited             ? "The product of the factors; W_QK itself was edited."
            : w->offset != 0            ? "B rotates W_Q by the distance."
            : w->settings->wqk_turn > 0 ? "R changes the terms, not the sum."
                                        : "Rotate by R: the terms change.");
}

static void entry_section(const Wqk *w, Rect *rest) {
    Ui *ui = w->ui;
    int row = w->lit.first, column = w->lit.second;
    Rect line = rect_cut_top(rest, 40);
    float entry = mat_row(&w->p->product, row - 1)[column - 1];
    text_in(ui, line, TEXT_FORMULA | TEXT_PX(28), "%s", w->names->product);
    text_in(ui, line, TEXT_BODY | TEXT_FAINT | TEXT_RIGHT, w->is_hovered ? "Hovered" : "Pinned");
    head_line(w, rest, TEXT_BODY, PRINT("Head %d · row %d · column %d", w->head + 1, row, column));
    text_in(ui, rect_cut_top(rest, 64), TEXT_NUMBER | TEXT_BOLD | TEXT_PX(48), "%s%s",
            entry > 0 ? "+" : "", FIXED((double)entry, 3));
    if (w->E > w->shape->D && (row == w->E || column == w->E))
        text_in(ui, rect_cut_top(rest, LINE), TEXT_BODY,
                "row or column of the constant 1: biases\nthe constant 1: biases");
    if (w->p->has_factors && rest->h > 220)
        entry_sum(w, rest);
}

static void head_section(const Wqk *w, Rect *rest) {
    Ui *ui = w->ui;
    const HeadProduct *p = w->p;
    double share = w->m->symmetric_share;
    rect_cut_top(rest, 16);
    head_line(w, rest, TEXT_STRONG, PRINT("Head %d", w->head + 1));
    if (p->count == 0)
        return;
    text_pair(ui, rect_cut_top(rest, LINE), "Rank", "%d of %d", wqk_rank_found(w), w->E);
    text_pair(ui, rect_cut_top(rest, LINE), "Largest σ", "%s", WQK_NUMBER(p->sigma[0]));
    text_pair(ui, rect_cut_top(rest, LINE), "Smallest kept σ", "%s",
              WQK_NUMBER(p->sigma[p->count - 1]));
    text_pair(ui, rect_cut_top(rest, LINE), "Symmetric part", "%s",
              isfinite(share) ? PERCENT(share) : "–");
}

/* Show what a cut to rank r keeps and costs. The cut is stored as two factors with r columns each;
 * one of them includes σ. */
static void cut_section(const Wqk *w, Rect *rest) {
    Ui *ui = w->ui;
    const OptionChoice *form = &w->c->session->options.form;
    int r = w->rank < w->p->count ? w->rank : w->p->count;
    long long T = w->shape->T, sides = w->E + (w->scores ? w->E : w->shape->D);
    double lost = rank_curve_loss(w->p->sigma, w->p->count, w->rank), kept = 1 - lost * lost;
    rect_cut_top(rest, 16);
    text_in(ui, rect_cut_top(rest, 34), TEXT_NAME, "\"At \" r = %d", w->rank);
    text_pair(ui, rect_cut_top(rest, LINE), "Energy kept", wqk_rank_found(w) == 0 ? "–" : "%s %%",
              FIXED(kept * 100, kept > 0.9995 || kept < 0.1 ? 1 : 0));
    text_pair(ui, rect_cut_top(rest, LINE), "Parameters", "%s", GROUPED(sides * r));
    text_pair(ui, rect_cut_top(rest, LINE), "Multiply-adds", "%s",
              GROUPED(T * sides * r + T * T * r));
    rect_cut_top(rest, 10);
    if (w->scores && rest->h >= 36) {
        bool in_use = form->row == FORM_RANK && form->number == w->rank;
        bool was = ui_disable(ui, w->rope);
        const char *text =
            PRINT(in_use ? "Back to separate" : "Use rank %d in every view", w->rank);
        if (button_main(ui, ui_id("wqk use rank", 0), rect_cut_top(rest, 38), text))
            edit_push_state(w->c->edits, "form", in_use ? "separate" : "rank:%d", w->rank);
        ui_disable(ui, was);
    }
    rect_cut_top(rest, 8);
    if (w->rope)
        text_wrap(ui, rest, TEXT_BODY,
                  "Here the matrix of each distance is cut. No form of the layer can do this: with "
                  "RoPE there is no single W_QK.");
}

void wqk_inspector(const ViewContext *c, Rect area) {
    Wqk w = wqk_of(c);
    Rect rest = rect_inset(area, 24, 20), clip = draw_clip(c->ui->list, area);
    if (w.lit.first > 0)
        entry_section(&w, &rest);
    else
        text_wrap(c->ui, &rest, TEXT_BODY,
                  "Hover an entry of the product to see the row and the column that make it. Click "
                  "to pin it.");
    head_section(&w, &rest);
    if (w.p->count > 0 && rest.h > 150)
        cut_section(&w, &rest);
    draw_clip_restore(c->ui->list, clip);
}
