#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "model/attention/form.h"
#include "model/attention/rope.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "ui/scale_bar.h"
#include "ui/slider.h"
#include "views/wqk/wqk_view.h"

#define NAME_H  30
#define SCALE_H 34
#define LINE    28
#define GAP     30.0f

#define STEP_LINES 5   /* of numbers about the step of training */
#define STEP_W     340 /* of them, beside words */

/* A square matrix with its name above and its scale to ±hi below; returns the width that they took.
 */
static float panel(const Wqk *w, Rect area, const Mat *m, float hi, const char *name,
                   const char *words) {
    const Theme *theme = w->c->ui->theme;
    float side = fminf(area.w, area.h - NAME_H - SCALE_H - 6);
    if (side < 20 || m->rows == 0)
        return 0;
    float cell = wqk_snap(w->c, side / (float)m->rows);
    side = cell * (float)m->rows;
    float used = formula_draw(w->c->ui, (Vec2){area.x, area.y + 20}, 22, theme->text_1, name);
    LabelStyle style = {FONT_SANS, WQK_SMALL, theme->text_2, LABEL_LEFT};
    Rect line = {area.x + used + 8, area.y + 1, area.w + GAP - 6 - used - 8, 28};
    if (label_width(w->c->ui, style.font, style.size, words, strlen(words)) <= line.w)
        used += 8 + label_draw(w->c->ui, line, &style, words);
    Rect cells = {draw_snap(w->c->ui->list, area.x), draw_snap(w->c->ui->list, area.y + NAME_H),
                  side, side};
    wqk_cells(w->c, ui_id(words[0] != '\0' ? words : name, 1), cells, m, hi, true);
    wqk_signed_scale(w->c, (Rect){cells.x, rect_bottom(cells) + 6, side, SCALE_H}, hi);
    return fmaxf(side, used - GAP + 12);
}

/* The end of the scale that matrices beside each other share, so that their colours compare. */
static float one_scale(const Mat *const *m, int count) {
    float hi = 0;
    for (int i = 0; i < count; i++)
        hi = fmaxf(hi, mat_largest(m[i]));
    return hi > 0 ? hi : 1;
}

static void rate_row(const Wqk *w, Rect line) {
    const ViewContext *c = w->c;
    char text[32];
    float rate = c->settings->wqk_rate;
    FormulaStyle name = {.size = 22, .colour = c->ui->theme->text_1, .align = LABEL_LEFT};
    LabelStyle number = {FONT_MONO, WQK_BODY, c->ui->theme->text_1, LABEL_RIGHT};
    formula_label(c->ui, rect_cut_left(&line, 24), &name, "η");
    number_format_fixed(text, sizeof text, (double)rate, rate < 0.1f ? 3 : 2);
    label_draw(c->ui, rect_cut_right(&line, 64), &number, text);
    rect_cut_right(&line, 6);
    SliderRange range = {0.001f, 10, 0, 0.1f, true};
    if (!slider(c->ui, ui_id("wqk rate", 0), line, &range, &rate))
        return;
    double digit = pow(10, floor(log10((double)rate)) - 1);
    view_set_number(c, "wqk-rate", round((double)rate / digit) * digit, c->ui->drag_serial);
}

static void step_numbers(const Wqk *w, Rect area) {
    const ProductStep *s = &w->m->step;
    char text[64], factors[32], product[32];
    wqk_number(factors, sizeof factors, s->norm_factors);
    wqk_number(product, sizeof product, s->norm_product);
    float line = fminf(LINE, area.h / STEP_LINES);
    wqk_pair_or(w->c, rect_cut_top(&area, line), "size of the step by factors", "by factors",
                factors);
    wqk_pair(w->c, rect_cut_top(&area, line), "by product", product);
    number_format_fixed(text, sizeof text, s->cosine, 3);
    wqk_pair(w->c, rect_cut_top(&area, line), "cosine between them", text);
    snprintf(text, sizeof text, "%d, %d", s->rank_factors, s->rank_product);
    wqk_pair_or(w->c, rect_cut_top(&area, line), "rank of the step: factors, product",
                "rank of the step", text);
    snprintf(text, sizeof text, "%d, %d", s->rank_after_factors, s->rank_after_product);
    wqk_pair_or(w->c, rect_cut_top(&area, line), "rank after it", "rank after", text);
}

static void sentence(const Wqk *w, Rect area, const char *text) {
    LabelStyle style = {FONT_SANS, WQK_BODY, w->c->ui->theme->text_2, LABEL_LEFT};
    area.w = fminf(area.w, 720);
    prose_wrap(w->c->ui, area, &style, text);
}

/* What is left of a page beside its pictures, whose right end is given; in a narrow one below. */
static Rect words_place(Rect area, float right, float pictures_h) {
    if (area.w < WQK_NARROW) {
        rect_cut_top(&area, pictures_h + GAP);
        return area;
    }
    rect_cut_left(&area, right + GAP - area.x);
    return area;
}

/* The side of one of so many square panels beside words that are words_w wide. */
static float panel_side(Rect area, int count, float words_w) {
    bool narrow = area.w < WQK_NARROW;
    float wide = narrow ? area.w - (float)(count - 1) * GAP : area.w - (float)count * GAP - words_w;
    return fminf(area.h - NAME_H - SCALE_H - 6, wide / (float)count);
}

/* One in place, of which the rest is left behind it. */
static void next_panel(const Wqk *w, Rect *place, float side, const Mat *m, float hi,
                       const char *name, const char *words) {
    Rect area = *place;
    area.w = side;
    rect_cut_left(place, panel(w, area, m, hi, name, words) + GAP);
}

void wqk_training_page(const Wqk *w, Rect area) {
    const ProductStep *s = &w->m->step;
    char by_factors[48], by_product[48];
    bool is_none = !w->m->product.has_factors && !wqk_is_old_product(w);
    if (s->by_factors.rows == 0 && !is_none) {
        sentence(w, area, w->c->is_late ? "Computing the step…" : "");
        return;
    }
    if (s->by_factors.rows == 0) {
        sentence(w, area, "The free form has no factors: its only step is on the matrix itself.");
        return;
    }
    float side = panel_side(area, 3, 330);
    snprintf(by_factors, sizeof by_factors, "Δ%s", w->names->product);
    snprintf(by_product, sizeof by_product, "Δ%s", w->names->product);
    Rect place = area;
    const Mat *shown[] = {&s->by_factors, &s->by_product, &s->difference};
    float hi = one_scale(shown, 3);
    next_panel(w, &place, side, &s->by_factors, hi, by_factors, "by factors");
    next_panel(w, &place, side, &s->by_product, hi, by_product, "by product");
    next_panel(w, &place, side, &s->difference, hi, "\"difference\"", "");
    Rect steps = {area.x, area.y, place.x - area.x, area.h};
    wqk_veil(w, "wqk step veil", steps,
             w->want.rate != w->m->request.rate || wqk_is_old_product(w));
    place = words_place(area, place.x - GAP / 2, side + NAME_H + SCALE_H);
    Rect below = place, numbers = rect_cut_left(&place, fminf(place.w, STEP_W));
    rect_cut_top(&below, 34 + SLIDER_HEIGHT + STEP_LINES * LINE + 12);
    snprintf(by_factors, sizeof by_factors, "One step on W of i − j = %d",
             w->m->request.choice.offset);
    bool turns = w->m->site.turn != NULL && w->m->product.kind == PRODUCT_QK;
    wqk_heading(w->c, rect_cut_top(&numbers, 30), turns ? by_factors : "One step, same start");
    rate_row(w, rect_cut_top(&numbers, SLIDER_HEIGHT + 4));
    step_numbers(w, numbers);
    rect_cut_left(&place, GAP);
    rect_cut_top(&place, 34);
    if (place.w > 160 || area.w < WQK_NARROW)
        sentence(w, place.w > 160 ? place : below,
                 turns
                     ? "A step on the factors changes the matrices of all distances, each still "
                       "of rank at most d_k. A step on one alone adds up to one rank for each pair "
                       "at that distance."
                 : w->m->product.kind == PRODUCT_QK
                     ? "A step on the factors keeps the rank of W_QK at most d_k. A step on the "
                       "product adds up to one rank for each token."
                     : "A step on the factors keeps the rank of W_OV at most d_v. A step on the "
                       "product adds up to one rank for each token.");
}

void wqk_parts_page(const Wqk *w, Rect area) {
    const ProductAnalysis *m = w->m;
    bool scores = m->product.kind == PRODUCT_QK;
    char text[64], number[32];
    float side = panel_side(area, 2, 360);
    Rect place = area;
    snprintf(text, sizeof text, "(%s + %s^⊤)/2", "W", "W");
    const Mat *parts[] = {&m->symmetric, &m->antisymmetric};
    float hi = one_scale(parts, 2);
    next_panel(w, &place, side, &m->symmetric, hi, text, "");
    next_panel(w, &place, side, &m->antisymmetric, hi, "(W − W^⊤)/2", "");
    place = words_place(area, place.x - GAP / 2, side + NAME_H + SCALE_H);
    place.w = fminf(place.w, 560);
    wqk_heading(w->c, rect_cut_top(&place, 30), "Mutual and one-way");
    number_format_fixed(number, sizeof number, m->symmetric_share * 100, 1);
    snprintf(text, sizeof text, "%s %%", number);
    wqk_pair_or(w->c, rect_cut_top(&place, LINE),
                scores ? "mutual: equally in both directions" : "symmetric: stretches",
                "symmetric part", text);
    number_format_fixed(number, sizeof number, (1 - m->symmetric_share) * 100, 1);
    snprintf(text, sizeof text, "%s %%", number);
    wqk_pair_or(w->c, rect_cut_top(&place, LINE),
                scores ? "one-way: a attends to b more than b to a" : "antisymmetric: rotates",
                "antisymmetric part", text);
    rect_cut_top(&place, 8);
    sentence(w, place,
             scores ? "Shares of the sum of squares. Two independently initialised factors give "
                      "about half of each; with W_Q = W_K nothing is one-way."
                    : "Shares of the sum of squares. Two independently initialised factors give "
                      "about half of each.");
}

/* One matrix to scale, its name above and its size below. Returns the width it took. */
static float nested_matrix(const Wqk *w, Vec2 at, const Mat *m, float unit, const char *name) {
    char size[32];
    Rect cells = {draw_snap(w->c->ui->list, at.x), draw_snap(w->c->ui->list, at.y + NAME_H),
                  fmaxf(unit * (float)m->cols, 6), fmaxf(unit * (float)m->rows, 6)};
    formula_draw(w->c->ui, (Vec2){at.x, at.y + 20}, 22, w->c->ui->theme->text_1, name);
    wqk_cells(w->c, ui_id(name, 2), cells, m, wqk_largest(m), true);
    snprintf(size, sizeof size, "%d×%d", m->rows, m->cols);
    LabelStyle style = {FONT_MONO, WQK_SMALL, w->c->ui->theme->text_2, LABEL_LEFT};
    label_at(w->c->ui, (Vec2){cells.x, rect_bottom(cells) + 20}, &style, size);
    return fmaxf(cells.w, fmaxf(formula_width(w->c->ui, 22, name),
                                label_width(w->c->ui, FONT_MONO, WQK_SMALL, size, strlen(size))));
}

static float operator(const Wqk *w, float x, float y, const char *text) {
    FormulaStyle style = {.size = 30, .colour = w->c->ui->theme->text_1, .align = LABEL_CENTRE};
    if (strcmp(text, "·") == 0)
        draw_fill(w->c->ui->list, (Rect){x + 18, y - 4, 8, 8}, 4, w->c->ui->theme->text_1);
    else
        formula_label(w->c->ui, (Rect){x, y - 18, 44, 36}, &style, text);
    return 44;
}

/* The paper's names of the projection that is shown. */
typedef struct NestedNames {
    const char *full, *own, *folded, *formula;
} NestedNames;

static const NestedNames NESTED_NAMES[PRODUCT_COUNT] = {
    [PRODUCT_QK] = {"W^Q", "W_i^Q", "W_i^{Q*}", "(X W^Q) W_i^Q = X (W^Q W_i^Q) = X W_i^{Q*}"},
    [PRODUCT_OV] = {"W^V", "W_i^V", "W_i^{V*}", "(X W^V) W_i^V = X (W^V W_i^V) = X W_i^{V*}"},
};

/* Returns the right end of the matrices and their lower one. */
static Vec2 nested_matrices(const Wqk *w, const Rect *area) {
    const NestedReading *n = &w->m->nested;
    const NestedNames *names = &NESTED_NAMES[w->m->product.kind];
    int D = n->full.rows, K = n->own.cols;
    float signs = 2 * 44, wide = fminf(area->w - signs - 40, 360);
    float unit = fminf((area->h - NAME_H - 26) / (float)D, wide / (float)(D + 2 * K));
    float x = area->x, middle = area->y + NAME_H + fminf(unit * (float)D / 2, 90);
    x += nested_matrix(w, (Vec2){x, area->y}, &n->full, unit, names->full);
    x += operator(w, x, middle, "·");
    x += nested_matrix(w, (Vec2){x, area->y}, &n->own, unit, names->own);
    x += operator(w, x, middle, "=");
    x += nested_matrix(w, (Vec2){x, area->y}, &n->folded, unit, names->folded);
    return (Vec2){x + 40 - GAP, area->y + NAME_H + fmaxf(unit * (float)D, 6) + 26};
}

/* Both attentions with the sign of what they are to each other, where there is room. */
static void nested_attention(const Wqk *w, Rect area) {
    const NestedReading *n = &w->m->nested;
    static const char *const words[] = {"nested", "folded"};
    const Mat *both[] = {&n->A_nested, &n->A_folded};
    Mat scores = results_scores(w->c->run, 0, w->c->session->options.head - 1);
    bool same = (double)n->head_A <= form_rounding(&scores);
    float top = view_scale_end(mat_largest(&n->A_nested));
    float room = fminf((area.w - 44) / 2, area.h - NAME_H - SCALE_H - 6);
    float side = wqk_snap(w->c, fminf(room / (float)n->A_nested.rows, 36));
    side *= (float)n->A_nested.rows;
    if (room < 90)
        return;
    for (int i = 0; i < 2; i++) {
        Vec2 at = {draw_snap(w->c->ui->list, area.x + (float)i * (side + 44)),
                   draw_snap(w->c->ui->list, area.y + NAME_H)};
        float used =
            formula_draw(w->c->ui, (Vec2){at.x, area.y + 20}, 22, w->c->ui->theme->text_1, "A");
        LabelStyle style = {FONT_SANS, WQK_SMALL, w->c->ui->theme->text_2, LABEL_LEFT};
        label_at(w->c->ui, (Vec2){at.x + used + 8, area.y + 20}, &style, words[i]);
        wqk_cells(w->c, ui_id("wqk nested A", i), (Rect){at.x, at.y, side, side}, both[i], top,
                  false);
    }
    operator(w, area.x + side, area.y + NAME_H + side / 2, same ? "=" : "≠");
    scale_bar(
        w->c->ui, (Rect){area.x, area.y + NAME_H + side + 6, 2 * side + 44, SCALE_H},
        &(ScaleBar){.palette = w->c->settings->palette, .hi = top, .name = "", .marked = NAN});
}

static void nested_numbers(const Wqk *w, Rect *area) {
    const NestedReading *n = &w->m->nested;
    char text[64];
    number_format_grouped(text, sizeof text, n->parameters);
    wqk_pair_or(w->c, rect_cut_top(area, LINE), "parameters, nested", "nested", text);
    number_format_grouped(text, sizeof text, n->folded_parameters);
    wqk_pair_or(w->c, rect_cut_top(area, LINE), "folded, as implementations hold them", "folded",
                text);
    wqk_number(text, sizeof text, (double)n->head_A);
    wqk_pair_or(w->c, rect_cut_top(area, LINE), "max |ΔA| of this head, nested and folded",
                "max |ΔA|", text);
    wqk_number(text, sizeof text, (double)n->all_A);
    wqk_pair_or(w->c, rect_cut_top(area, LINE), "max |ΔA| over all heads", "over all heads", text);
}

/* The way into the form and out of it, beside the formula or, where that has no room, below. */
static void nested_button(const Wqk *w, Rect *words, float used) {
    bool nested = w->c->run->form == FORM_NESTED;
    const char *text = nested ? "Fold into one matrix a head" : "Use the nested form";
    float width = label_width(w->c->ui, FONT_SANS, WQK_BODY, text, strlen(text)) + 32;
    bool beside = used + GAP + width <= words->w;
    Rect line = beside ? *words : rect_cut_bottom(words, BUTTON_HEIGHT);
    line.h = BUTTON_HEIGHT;
    Rect place = beside ? rect_cut_right(&line, width) : rect_cut_left(&line, width);
    if (button_text(w->c->ui, ui_id("wqk nested", 0), place, text))
        edit_push_state(w->c->edits, "form", nested ? "separate" : "nested");
}

static void nested_words(const Wqk *w, Rect words) {
    const char *formula = NESTED_NAMES[w->m->product.kind].formula;
    const char *heading =
        wqk_fit(w, 22, words.w, "The second matrix multiplied in", "Multiplied in");
    wqk_heading(w->c, rect_cut_top(&words, 30), heading);
    nested_numbers(w, &words);
    FormulaStyle style = {.size = 22, .colour = w->c->ui->theme->text_1, .align = LABEL_LEFT};
    rect_cut_top(&words, 6);
    Rect line = words;
    line.h = BUTTON_HEIGHT;
    nested_button(w, &words, formula_width(w->c->ui, style.size, formula));
    if (words.h >= line.h)
        formula_label(w->c->ui, line, &style, formula);
    rect_cut_top(&words, line.h + 6);
    const char *text = "In the paper each head projects its input once. Two maps in a row are one: "
                       "a head can keep "
                       "their product.";
    LabelStyle small = {.font = FONT_SANS, .size = WQK_BODY};
    int lines = prose_lines(w->c->ui, &small, text, fminf(words.w, 720));
    if (words.h >= (float)lines * WQK_BODY * LABEL_LINE)
        sentence(w, words, text);
}

void wqk_nested_page(const Wqk *w, Rect area) {
    const NestedReading *n = &w->m->nested;
    if (n->full.rows == 0 && !w->m->request.nested) {
        wqk_computing(w, area, "Computing the nested form…");
        return;
    }
    if (n->full.rows == 0) {
        sentence(w, area,
                 "Too large to hold nested and folded at once: use fewer tokens or heads.");
        return;
    }
    Rect page = area;
    Vec2 end = nested_matrices(w, &area);
    area = words_place(area, end.x, end.y - area.y);
    Rect words = rect_cut_left(&area, fminf(area.w, 560));
    rect_cut_left(&area, GAP);
    if (page.w >= WQK_NARROW)
        nested_attention(w, area);
    nested_words(w, words);
    wqk_veil(w, "wqk nested veil", page, wqk_is_old_product(w));
}

/* With RoPE: of the product of another distance every so manieth row and column. */
static void offset_matrix(const Wqk *w, Mat *out, int offset, int each) {
    const HeadProduct *p = &w->m->product;
    Arena *scratch = w->c->scratch;
    size_t mark = scratch->used;
    Mat turn = mat_push(scratch, 1, w->width);
    Mat left = mat_push(scratch, out->rows, w->width), right = p->right;
    right.rows = out->rows;
    right.stride *= each;
    Mat from = p->left;
    from.rows = out->rows;
    from.stride *= each;
    mat_copy(&left, &from);
    rope_angles(turn.at, w->width, offset - w->m->request.choice.offset);
    rope_turn(&left, &turn);
    mat_mul_bt(out, &left, &right, 1);
    scratch->used = mark;
}

/* The distance under a pointer that scrubs the strip, which stays as it is while it is held: at the
 * first of so many. Returns the first that is shown. */
static int scrub(const Wqk *w, Rect strip, int count, float pitch) {
    const ViewContext *c = w->c;
    int T = c->run->T, offset = w->m->request.choice.offset, *held = &c->memory->wqk.strip_first;
    int first = offset - count / 2;
    first = first < 1 - T ? 1 - T : first + count > T ? T - count : first;
    UiState state = ui_control(c->ui, ui_id("wqk family", 0), strip, UI_NO_FOCUS);
    if (state.pressed)
        *held = first;
    if (!state.held || *held < 1 - T || *held + count > T)
        return first;
    int at = (int)floorf((c->ui->pointer.x - strip.x) / pitch);
    int to = *held + (at < 0 ? 0 : at >= count ? count - 1 : at);
    if (to != offset)
        view_set_number(c, "wqk-offset", to, c->ui->drag_serial);
    return *held;
}

/* Seven or more of the family about the distance that is shown, each the whole matrix, or of a wide
 * one as many entries as such a small picture has. */
static void family(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    int T = c->run->T, offset = w->m->request.choice.offset, E = w->E;
    float side = area.h - 18, pitch = side + 6;
    int count = (int)((area.w + 6) / pitch);
    count = count > 2 * T - 1 ? 2 * T - 1 : count;
    int first = scrub(w, (Rect){area.x, area.y, (float)count * pitch - 6, side}, count, pitch);
    int each = (E + WQK_THUMB_MAX - 1) / WQK_THUMB_MAX, side_entries = E / each;
    for (int i = 0; i < count; i++) {
        int o = first + i;
        Rect place = {draw_snap(c->ui->list, area.x + pitch * (float)i), area.y, side, side};
        Mat m = mat_push(c->scratch, side_entries, side_entries);
        offset_matrix(w, &m, o, each);
        wqk_cells(c, ui_id("wqk family cells", o + T), place, &m,
                  wqk_largest(&w->m->product.product), true);
        if (o == offset)
            draw_ring(c->ui->list, rect_inset(place, -2, -2), 3, 2, c->ui->theme->ring);
        char text[16];
        number_format_fixed(text, sizeof text, o, 0);
        LabelStyle style = {FONT_MONO, 13, c->ui->theme->text_2, LABEL_CENTRE};
        label_draw(c->ui, (Rect){place.x - 4, rect_bottom(place), side + 8, 18}, &style, text);
    }
}

void wqk_offsets(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    int T = c->run->T;
    float offset = (float)w->m->request.choice.offset;
    char text[80], number[16];
    rect_cut_top(&area, 8);
    bool narrow = area.w < WQK_NARROW; /* no room for the strip */
    Rect controls = rect_cut_left(&area, narrow ? area.w : fminf(300, area.w * 0.4f));
    number_format_fixed(number, sizeof number, (double)offset, 0);
    snprintf(text, sizeof text, "\"One matrix for each \" i − j,  \"here \" %s", number);
    FormulaStyle style = {.size = 19, .colour = c->ui->theme->text_1, .align = LABEL_LEFT};
    formula_label(c->ui, rect_cut_top(&controls, 24), &style, text);
    if (T < 2)
        return;
    SliderRange range = {(float)(1 - T), (float)(T - 1), 1, 0, false};
    if (slider(c->ui, ui_id("wqk offset", 0), rect_cut_top(&controls, 32), &range, &offset))
        view_set_number(c, "wqk-offset", (double)offset, c->ui->drag_serial);
    rect_cut_left(&area, 24);
    if (!narrow)
        family(w, area);
}
