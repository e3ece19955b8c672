#include <math.h>

#include "base/utf8.h"
#include "ui/bars.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "views/wqk/wqk_view.h"

#define LINE 30

/* Draw a line that begins with a dot in the colour of the head. */
static void head_line(const Wqk *w, Rect *rest, unsigned style, const char *text) {
    Rect line = rect_cut_top(rest, LINE), dot = rect_cut_left(&line, 22);
    draw_fill(w->c->ui->list, (Rect){dot.x, dot.y + 9, 12, 12}, 6,
              view_head_colour(w->c, w->c->session->options.head - 1));
    text_in(w->c->ui, line, style, "%s", text);
}

/* Fill terms with the products whose sum is the entry, and return the sum. The factors include R,
 * except with RoPE, where the rotation is between the factors. */
static double entry_terms(const Wqk *w, float *terms) {
    bool rotated = wqk_rotated_by(w) != 0;
    const Mat *left = rotated ? &w->m->product.left : &w->m->transformed_left;
    const Mat *right = rotated ? &w->m->product.right : &w->m->transformed_right;
    double sum = 0;
    for (int m = 0; m < w->width; m++) {
        terms[m] = mat_row(left, w->lit.first - 1)[m] * mat_row(right, w->lit.second - 1)[m];
        sum += (double)terms[m];
    }
    return sum;
}

static const char *entry_formula(const Wqk *w, char out[PRINT_MAX]) {
    int i = w->lit.first, j = w->lit.second, by = wqk_rotated_by(w);
    const WqkNames *names = w->names;
    if (by != 0)
        return utf8_print(out, PRINT_MAX, "Σ_m (W_Q B_{%d})[%d,m] W_K[%d,m]", by, i, j);
    if (w->m->request.transform.turn > 0)
        return utf8_print(out, PRINT_MAX, "Σ_m (%s)[%d,m] (%s)[m,%d]", names->left_transformed, i,
                          names->right_transformed, j);
    return utf8_print(out, PRINT_MAX,
                      w->m->product.kind == PRODUCT_QK ? "Σ_m W_Q[%d,m] W_K[%d,m]"
                                                       : "Σ_m W_V[%d,m] W_O[m,%d]",
                      i, j);
}

static void entry_sum(const Wqk *w, Rect *rest) {
    Ui *ui = w->c->ui;
    char formula[PRINT_MAX];
    float *terms = arena_push(w->c->scratch, (size_t)w->width * sizeof *terms);
    double sum = entry_terms(w, terms);
    rect_cut_top(rest, 18);
    text_section(ui, rest, 38, PRINT("Sum of %d", w->width), entry_formula(w, formula));
    bars_draw(ui, rect_cut_top(rest, 84),
              &(Bars){.values = terms, .count = w->width, .palette = ui->theme->signed_palette});
    rect_cut_top(rest, 8);
    text_pair(ui, rect_cut_top(rest, LINE), "sum", "%s", FIXED(sum, 4));
    text_in(ui, rect_cut_top(rest, LINE), TEXT_BODY, "%s",
            w->m->product.is_edited        ? "The factors give this: W_QK is edited."
            : wqk_rotated_by(w) != 0       ? "B rotates W_Q by the distance."
            : w->c->settings->wqk_turn > 0 ? "R changes the terms, not the sum."
                                           : "Rotate by R: the terms change.");
}

static void entry_section(const Wqk *w, Rect *rest) {
    Ui *ui = w->c->ui;
    Rect line = rect_cut_top(rest, 40);
    float entry = mat_row(&w->m->product.product, w->lit.first - 1)[w->lit.second - 1];
    FormulaStyle name = {.size = 28, .colour = ui->theme->text_1};
    formula_label(ui, line, &name, w->names->product);
    text_in(ui, line, TEXT_BODY | TEXT_FAINT | TEXT_RIGHT, w->is_hovered ? "Hovered" : "Pinned");
    head_line(w, rest, TEXT_BODY,
              PRINT("Head %d · row %d · column %d", w->c->session->options.head, w->lit.first,
                    w->lit.second));
    LabelStyle big = {FONT_MONO_BOLD, 48, ui->theme->text_1, LABEL_LEFT};
    label_draw(ui, rect_cut_top(rest, 64), &big,
               PRINT("%s%s", entry > 0 ? "+" : "", FIXED((double)entry, 3)));
    bool has_one = w->E > w->c->run->layers[0].shape[0].D;
    if (has_one && (w->lit.first == w->E || w->lit.second == w->E))
        text_in(ui, rect_cut_top(rest, LINE), TEXT_BODY,
                "where the constant 1 meets: biases\nthe constant 1: biases");
    if (w->m->product.has_factors && rest->h > 220)
        entry_sum(w, rest);
}

static void head_section(const Wqk *w, Rect *rest) {
    Ui *ui = w->c->ui;
    const HeadProduct *p = &w->m->product;
    double share = w->m->symmetric_share;
    rect_cut_top(rest, 16);
    head_line(w, rest, TEXT_STRONG, PRINT("Head %d", w->c->session->options.head));
    if (p->count == 0)
        return;
    text_pair(ui, rect_cut_top(rest, LINE), "Rank", "%d of %d", wqk_rank_found(w), w->E);
    text_pair(ui, rect_cut_top(rest, LINE), "Largest σ", "%s", WQK_NUMBER(p->sigma[0]));
    text_pair(ui, rect_cut_top(rest, LINE), "Smallest kept σ", "%s",
              WQK_NUMBER(p->sigma[p->count - 1]));
    text_pair(ui, rect_cut_top(rest, LINE), "Symmetric part", "%s",
              isfinite(share) ? PERCENT(share) : "–");
}

/* List what a cut to rank r keeps, and its costs: r columns of either side, with σ in one of them.
 */
static void cut_numbers(const Wqk *w, Rect *rest) {
    Ui *ui = w->c->ui;
    const AttnShape *shape = &w->c->run->layers[0].shape[w->c->run->form];
    int E = w->E, r = w->rank < w->m->product.count ? w->rank : w->m->product.count;
    long long p = shape->T, sides = E + (w->m->product.kind == PRODUCT_QK ? E : shape->D);
    double lost = rank_curve_loss(w->m->product.sigma, w->m->product.count, w->rank);
    double kept = 1 - lost * lost;
    bool is_zero = wqk_rank_found(w) == 0; /* then no share of it can be kept */
    text_pair(ui, rect_cut_top(rest, LINE), "Energy kept", is_zero ? "–" : "%s %%",
              FIXED(kept * 100, kept > 0.9995 || kept < 0.1 ? 1 : 0));
    text_pair(ui, rect_cut_top(rest, LINE), "Parameters", "%s", GROUPED(sides * r));
    text_pair(ui, rect_cut_top(rest, LINE), "Multiply-adds", "%s",
              GROUPED(p * sides * r + p * p * r));
}

static void cut_button(const Wqk *w, Rect line) {
    const ViewContext *c = w->c;
    const OptionChoice *form = &c->session->options.form;
    bool in_use = form->row == FORM_RANK && form->number == w->rank;
    bool was = ui_disable(c->ui, w->m->inputs.rotations != NULL);
    const char *text = PRINT(in_use ? "Back to separate" : "Use rank %d in every view", w->rank);
    if (button_main(c->ui, ui_id("wqk use rank", 0), line, text))
        edit_push_state(c->edits, "form", in_use ? "separate" : "rank:%d", w->rank);
    ui_disable(c->ui, was);
}

static void cut_section(const Wqk *w, Rect *rest) {
    bool scores = w->m->product.kind == PRODUCT_QK;
    rect_cut_top(rest, 16);
    text_in(w->c->ui, rect_cut_top(rest, 34), TEXT_NAME, "\"At \" r = %d", w->rank);
    cut_numbers(w, rest);
    rect_cut_top(rest, 10);
    if (scores && rest->h >= 36)
        cut_button(w, rect_cut_top(rest, 38));
    rect_cut_top(rest, 8);
    if (scores && w->m->inputs.rotations != NULL)
        text_wrap(w->c->ui, rest, TEXT_BODY,
                  "Here the matrix of every distance is cut. A form of the layer has one W_QK, and "
                  "with RoPE there is none.");
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
    if (w.m->product.count > 0 && rest.h > 150)
        cut_section(&w, &rest);
    draw_clip_restore(c->ui->list, clip);
}
