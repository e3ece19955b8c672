#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "ui/scale_bar.h"
#include "views/wqk/wqk_view.h"

#define RESULT_SIZE   22
#define EQUAL_W       34
#define SIGN_H        36 /* of the sign between two results, which one token's are lower than */
#define NAME_H        28
#define SCALE_H       40
#define SCALE_LEAST_H 34 /* of the same, to its last number */
#define DIVERGENCE_W  15
#define SCALE_W       84
#define LINE          26

/* What is set beside the head as it is, and how far apart the two are. */
typedef struct Pair {
    const HeadResult *first, *second;
    const char *first_name, *second_name;
    float S, A;
    double bound; /* of a difference that is rounding alone; 0 where they need not agree */
} Pair;

static Pair pair_of(const Wqk *w, char *room, size_t capacity) {
    const ProductAnalysis *m = w->m;
    Pair pair = {.first = m->full,
                 .first_name = m->product.has_factors ? "separate" : "free",
                 .bound = wqk_rounding(w)};
    switch ((WqkAgainst)w->c->settings->wqk_against) {
    case AGAINST_MERGED:
        pair.second = m->product.has_factors ? &m->merged : &m->separate;
        pair.second_name = m->product.has_factors ? "merged" : "free";
        pair.S = m->form_S;
        pair.A = m->form_A;
        break;
    case AGAINST_RANK:
        snprintf(room, capacity, "rank %d", m->request.rank);
        pair.second = &m->cut_result;
        pair.second_name = room;
        pair.S = m->cut_S;
        pair.A = m->cut_A;
        pair.bound = m->request.rank >= m->product.count ? pair.bound : 0;
        break;
    case AGAINST_GAUGE:
        pair.second = &m->turned;
        pair.second_name = "with R";
        pair.S = m->turned_S;
        pair.A = m->turned_A;
        break;
    case AGAINST_COUNT:
        break;
    }
    assert(pair.second != NULL);
    return pair;
}

static void against_row(const Wqk *w, Rect line) {
    char rank[24];
    snprintf(rank, sizeof rank, "Rank %d", w->rank);
    const char *labels[AGAINST_COUNT] = {"Merged", rank, "With R"};
    if (segmented_width(w->c->ui, labels, AGAINST_COUNT) > line.w) {
        snprintf(rank, sizeof rank, "r %d", w->rank);
        labels[AGAINST_GAUGE] = "R";
    }
    float width = segmented_width(w->c->ui, labels, AGAINST_COUNT);
    int clicked =
        segmented(w->c->ui, ui_id("wqk against", 0), rect_cut_left(&line, fminf(width, line.w)),
                  labels, AGAINST_COUNT, w->c->settings->wqk_against);
    if (clicked >= 0)
        view_set(w->c, "wqk-against", registry_entry(&WQK_AGAINST, clicked)->id, 0);
}

/* Whether a result's name and what it is of have room above its matrix. */
static bool is_named_within(const Wqk *w, float width, const char *name) {
    float used = formula_width(w->c->ui, RESULT_SIZE, w->names->result);
    return used + 8 + label_width(w->c->ui, FONT_SANS, WQK_SMALL, name, strlen(name)) + 12 <= width;
}

/* A result's name above its matrix, and what it is of. */
static void result_name(const Wqk *w, Rect line, const char *name) {
    const Theme *theme = w->c->ui->theme;
    float y = line.y + line.h - 9;
    float used =
        formula_draw(w->c->ui, (Vec2){line.x, y}, RESULT_SIZE, theme->text_1, w->names->result);
    LabelStyle style = {FONT_SANS, WQK_SMALL, theme->text_2, LABEL_LEFT};
    label_at(w->c->ui, (Vec2){line.x + used + 8, y}, &style, name);
}

/* m with closed pairs as such, in scratch; m itself where nothing is closed. */
static Mat masked(const Wqk *w, const Mat *m) {
    const ViewContext *c = w->c;
    bool closed = c->session->options.mask.row != MASK_NONE || c->run->edges_edited != 0;
    if (w->m->product.kind != PRODUCT_QK || !closed || m->rows == 0)
        return *m;
    Mat out = mat_push(c->scratch, m->rows, m->cols);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(&out, i)[j] =
                mask_row(&c->run->mask, i)[j] ? mat_row(m, i)[j] : DRAW_CELL_MASKED;
    return out;
}

/* One result, hovered to light its pair of tokens everywhere. */
static void result(const Wqk *w, Rect rect, const Mat *m, float hi, bool is_signed, int number) {
    const ViewContext *c = w->c;
    Mat shown = masked(w, m);
    wqk_cells(c, ui_id("wqk result cells", number), rect, &shown, hi, is_signed);
    if (w->m->product.kind != PRODUCT_QK || m->rows == 0)
        return;
    float cell = rect.w / (float)m->cols;
    UiState state = ui_control(c->ui, ui_id("wqk result", number), rect, UI_NO_FOCUS | UI_NO_HAND);
    int head = c->session->options.head - 1;
    if (state.hovered) {
        int i = (int)((c->ui->pointer.y - rect.y) / cell);
        int j = (int)((c->ui->pointer.x - rect.x) / cell);
        if (i >= 0 && j >= 0 && i < m->rows && j < m->cols)
            view_light(c, (AttnCell){0, head, i, j});
    }
    AttnCell focus = view_focus(c);
    if (!attn_cell_is_set(focus) || focus.head != head)
        return;
    Rect at = {rect.x + (float)focus.key * cell - 1.5f, rect.y + (float)focus.query * cell - 1.5f,
               cell + 3, cell + 3};
    draw_ring(c->ui->list, rect_inset(at, -1.5f, -1.5f), 4, 3.4f, c->ui->theme->casing);
    draw_ring(c->ui->list, at, 3, 1.8f, c->ui->theme->ring);
}

/* second − first, in scratch. */
static Mat difference_of(const Wqk *w, const Pair *pair) {
    const Mat *a = head_result_shown(pair->first), *b = head_result_shown(pair->second);
    Mat out = mat_push(w->c->scratch, a->rows, a->cols);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++)
            mat_row(&out, i)[j] = mat_row(b, i)[j] - mat_row(a, i)[j];
    return out;
}

static float scale_top(const Wqk *w, const Mat *first) {
    if (w->m->product.kind == PRODUCT_OV)
        return wqk_largest(first);
    return view_scale_end(mat_largest(first));
}

static bool is_same(const Pair *pair) {
    return pair->bound > 0 && (double)pair->A <= pair->bound;
}

static void verdict_mark(const Wqk *w, Rect mark, const Pair *pair) {
    const Theme *theme = w->c->ui->theme;
    bool warns = pair->bound > 0;
    LabelStyle style = {FONT_SANS_BOLD, 20, warns ? theme->warn : theme->text_2, LABEL_LEFT};
    if (is_same(pair))
        icon_draw(w->c->ui, ICON_TICK, (Vec2){mark.x + 8, rect_centre(mark).y}, 16, theme->ok);
    else
        label_draw(w->c->ui, mark, &style, warns ? "!" : "≠");
}

static void verdict(const Wqk *w, Rect area, const Pair *pair) {
    const Theme *theme = w->c->ui->theme;
    char text[64], markup[96];
    bool same = is_same(pair);
    FormulaStyle name = {.size = 20, .colour = theme->text_2, .align = LABEL_LEFT};
    FormulaStyle value = {.size = 24, .colour = theme->text_1, .align = LABEL_LEFT};
    snprintf(markup, sizeof markup, "\"max\" |Δ%s|", w->names->result);
    formula_label(w->c->ui, rect_cut_top(&area, LINE), &name, markup);
    wqk_number(text, sizeof text, (double)pair->A);
    formula_label(w->c->ui, rect_cut_top(&area, LINE + 4), &value, text);
    if (w->m->product.kind == PRODUCT_QK) {
        wqk_number(text, sizeof text, (double)pair->S);
        snprintf(markup, sizeof markup, "\"max\" |ΔS|  %s", text);
        formula_label(w->c->ui, rect_cut_top(&area, LINE), &name, markup);
    }
    LabelStyle words = {FONT_SANS, WQK_SMALL, theme->text_2, LABEL_LEFT};
    if (same && area.h > LINE + 22)
        label_draw(w->c->ui, rect_cut_top(&area, 22), &words,
                   pair->A > 0 ? "float32 rounding" : "to the last bit");
    if (!same && w->c->settings->wqk_against == AGAINST_RANK && isfinite(w->m->cut_KL)) {
        wqk_number(text, sizeof text, (double)w->m->cut_KL);
        snprintf(markup, sizeof markup, "\"KL a row:\" %s", text);
        formula_label(w->c->ui, rect_cut_top(&area, LINE), &name, markup);
    }
    Rect line = rect_cut_top(&area, LINE + 4);
    LabelStyle bold = {FONT_SANS_BOLD, WQK_BODY, theme->text_1, LABEL_LEFT};
    if (line.h < LINE)
        return;
    verdict_mark(w, rect_cut_left(&line, 26), pair);
    snprintf(text, sizeof text, "%s %s", w->names->result, same ? "unchanged" : "changes");
    label_draw(w->c->ui, line, &bold, text);
}

/* The verdict in one line. */
static void verdict_line(const Wqk *w, Rect line, const Pair *pair) {
    const Theme *theme = w->c->ui->theme;
    char A[64], S[64], text[200];
    LabelStyle bold = {FONT_SANS_BOLD, WQK_BODY, theme->text_1, LABEL_LEFT};
    verdict_mark(w, rect_cut_left(&line, 24), pair);
    snprintf(text, sizeof text, "%s %s", w->names->result, is_same(pair) ? "unchanged" : "changes");
    rect_cut_left(&line, label_draw(w->c->ui, line, &bold, text) + 14);
    wqk_number(A, sizeof A, (double)pair->A);
    wqk_number(S, sizeof S, (double)pair->S);
    if (w->m->product.kind == PRODUCT_QK)
        snprintf(text, sizeof text, "\"max\" |ΔA| %s,  |ΔS| %s", A, S);
    else
        snprintf(text, sizeof text, "\"max\" |ΔY| %s", A);
    FormulaStyle style = {.size = 19, .colour = theme->text_1, .align = LABEL_LEFT};
    formula_label(w->c->ui, line, &style, text);
}

/* Whether the layer's two forms are the two whose A stand here. */
static bool has_both_forms(const Wqk *w) {
    int used = w->c->session->options.form.row, checked = w->c->run->layers[0].checked;
    return (used == FORM_SEPARATE && checked == FORM_MERGED) ||
           (used == FORM_MERGED && checked == FORM_SEPARATE);
}

/* What the two forms differ by over all heads of the layer, as the status line has it too where the
 * Results compares them; not numbers where nobody knows. */
typedef struct Apart {
    float S, A;
} Apart;

static Apart over_all(const Wqk *w) {
    if (w->c->settings->wqk_against != AGAINST_MERGED)
        return (Apart){NAN, NAN};
    if (w->m->product.kind != PRODUCT_QK || !has_both_forms(w))
        return (Apart){w->m->all_S, w->m->all_A};
    const LayerFigures *figures = &w->c->run->layers[0].figures;
    return (Apart){figures->form_difference_S, figures->form_difference_A};
}

/* The same as a line; "" where nobody knows. */
static void over_all_text(const Wqk *w, char *text, size_t capacity) {
    char A[48], S[48];
    const Apart apart = over_all(w);
    wqk_number(A, sizeof A, (double)apart.A);
    wqk_number(S, sizeof S, (double)apart.S);
    if (isnan(apart.A))
        snprintf(text, capacity, "%s", "");
    else if (w->m->product.kind == PRODUCT_QK)
        snprintf(text, capacity, "\"all heads: \" |ΔA| %s, |ΔS| %s", A, S);
    else
        snprintf(text, capacity, "\"all heads: \" |ΔY| %s", A);
}

static void over_all_line(const Wqk *w, Rect line) {
    char text[160];
    over_all_text(w, text, sizeof text);
    FormulaStyle style = {.size = 18, .colour = w->c->ui->theme->text_2, .align = LABEL_LEFT};
    if (line.h >= 20 && text[0] != '\0')
        formula_label(w->c->ui, line, &style, text);
}

/* Why there is nothing to set beside the head. */
static const char *absent(const Wqk *w) {
    if (w->m->product.has_factors && !w->m->has_family)
        return w->c->is_late ? "Computing…" : "";
    if (w->m->product.has_factors)
        return "With RoPE each distance i − j has a matrix of its own, and so many of this size "
               "take too long: use fewer tokens or a smaller d_model.";
    return "The free form has one matrix and no factors: there is nothing to merge.";
}

/* The two results and between them the sign of what they are to each other. */
static Rect results(const Wqk *w, Rect *area, const Pair *pair, float side_w, float side_h,
                    bool beside) {
    const Mat *a = head_result_shown(pair->first), *b = head_result_shown(pair->second);
    float top = scale_top(w, a);
    bool is_signed = w->m->product.kind == PRODUCT_OV;
    Rect names = rect_cut_top(area, NAME_H);
    Rect place = rect_cut_top(area, beside ? fmaxf(side_h, SIGN_H) : side_h);
    Rect left = {draw_snap(w->c->ui->list, place.x),
                 draw_snap(w->c->ui->list, place.y + (place.h - side_h) / 2), side_w, side_h};
    Rect right = left;
    float room = side_w + EQUAL_W;
    bool named =
        is_named_within(w, room, pair->first_name) && is_named_within(w, room, pair->second_name);
    result_name(w, names, named ? pair->first_name : "");
    result(w, left, a, top, is_signed, 0);
    if (!beside) {
        names = rect_cut_top(area, NAME_H);
        place = rect_cut_top(area, side_h);
        right = (Rect){left.x, draw_snap(w->c->ui->list, place.y), side_w, side_h};
    } else {
        right.x = draw_snap(w->c->ui->list, left.x + side_w + EQUAL_W);
        names.x = right.x;
        bool same = is_same(pair);
        FormulaStyle style = {.size = 30, .colour = w->c->ui->theme->text_1, .align = LABEL_CENTRE};
        formula_label(w->c->ui,
                      (Rect){rect_right(left), left.y + (side_h - SIGN_H) / 2, EQUAL_W, SIGN_H},
                      &style, same ? "=" : "≠");
    }
    result_name(w, names, named ? pair->second_name : "");
    result(w, right, b, top, is_signed, 1);
    rect_cut_top(area, 8);
    Rect scale = rect_cut_top(area, SCALE_H);
    scale.w = rect_right(right) - left.x;
    if (is_signed)
        wqk_signed_scale(w->c, scale, top);
    else
        scale_bar(
            w->c->ui, scale,
            &(ScaleBar){.palette = w->c->settings->palette, .hi = top, .name = "", .marked = NAN});
    return left;
}

/* The divergence of each row, as a bar beside it; the largest is DIVERGENCE_W long. */
static void row_divergences(const Wqk *w, Rect cells, const Pair *pair) {
    const Mat *a = &pair->first->A, *b = &pair->second->A;
    float *rows = arena_push(w->c->scratch, (size_t)a->rows * sizeof *rows), most = 0;
    float step = cells.h / (float)a->rows, height = fmaxf(step * 0.6f, 1);
    for (int i = 0; i < a->rows; i++) {
        rows[i] = (float)rank_curve_divergence(mat_row(a, i), mat_row(b, i), a->cols);
        most = isfinite(rows[i]) ? fmaxf(most, rows[i]) : most;
    }
    for (int i = 0; i < a->rows && most > 0; i++) {
        float width = isfinite(rows[i]) ? DIVERGENCE_W * rows[i] / most : DIVERGENCE_W;
        Rect bar = {rect_right(cells) + 3, cells.y + step * (float)i + (step - height) / 2,
                    fmaxf(width, 1), height};
        draw_fill(w->c->ui->list, bar, 0, w->c->ui->theme->text_3);
    }
}

static void difference_row(const Wqk *w, Rect area, const Pair *pair, float side_w, float side_h,
                           bool has_verdict) {
    char name[32];
    Mat difference = difference_of(w, pair);
    float hi = wqk_largest(&difference);
    snprintf(name, sizeof name, "Δ%s", w->names->result);
    formula_draw(w->c->ui, (Vec2){area.x, area.y + 19}, 22, w->c->ui->theme->text_1, name);
    Rect below = area;
    rect_cut_top(&below, NAME_H);
    Rect cells = {draw_snap(w->c->ui->list, below.x), draw_snap(w->c->ui->list, below.y), side_w,
                  side_h};
    result(w, cells, &difference, hi, true, 2);
    wqk_signed_scale(w->c, (Rect){cells.x, rect_bottom(cells) + 8, fmaxf(side_w, SCALE_W), 34}, hi);
    if (w->c->settings->wqk_against == AGAINST_RANK && pair->first->A.rows > 0)
        row_divergences(w, cells, pair);
    rect_cut_left(&below, fmaxf(side_w, SCALE_W) + 24);
    rect_cut_top(&below, 2);
    if (has_verdict)
        verdict(w, below, pair);
}

static void title(const Wqk *w, Rect line, const Pair *pair, bool known) {
    const char *text = !known          ? w->names->unknown
                       : is_same(pair) ? w->names->unchanged
                                       : w->names->changed;
    char brief[32];
    LabelStyle style = {.font = FONT_SANS_BOLD, .size = 20};
    snprintf(brief, sizeof brief, "%s %s", w->names->result,
             !known          ? ""
             : is_same(pair) ? "stays"
                             : "changes");
    wqk_heading(w->c, line, prose_width(w->c->ui, &style, text) > line.w ? brief : text);
}

/* The side of a T × T matrix, or the height of a T × E one that is side_w wide. */
static float fit(const Wqk *w, float width, float height) {
    const Mat *shown = head_result_shown(w->m->full);
    float cell = fminf(width / (float)shown->cols, height / (float)shown->rows);
    return wqk_snap(w->c, fminf(cell, 36));
}

/* All of it in a low area: both results, and their difference where it has room. */
static void proof_wide(const Wqk *w, Rect area, const Pair *pair) {
    const Mat *shown = head_result_shown(w->m->full);
    bool scores = w->m->product.kind == PRODUCT_QK;
    float cell =
        fit(w, (area.w - EQUAL_W - 24) / (scores ? 3 : 2), area.h - NAME_H - 8 - SCALE_LEAST_H);
    float side_w = cell * (float)shown->cols, side_h = cell * (float)shown->rows;
    Rect left = area;
    results(w, &left, pair, side_w, side_h, true);
    rect_cut_left(&area, 2 * side_w + EQUAL_W + 24);
    if (scores)
        difference_row(w, area, pair, side_w, side_h, false);
}

static void proof(const Wqk *w, Rect area, bool wide) {
    char room[24];
    Pair pair = pair_of(w, room, sizeof room);
    const Mat *shown = head_result_shown(w->m->full);
    bool scores = w->m->product.kind == PRODUCT_QK;
    bool known = head_result_shown(pair.second)->rows > 0;
    bool is_low = wide && known && isfinite(over_all(w).A); /* two lines of words */
    float apart = is_low ? 2 : 6;
    if (is_low) {
        verdict_line(w, rect_cut_top(&area, 24), &pair);
        over_all_line(w, rect_cut_top(&area, 20));
    } else if (wide && known)
        verdict_line(w, rect_cut_top(&area, 30), &pair);
    else
        title(w, rect_cut_top(&area, 30), &pair, known);
    rect_cut_top(&area, apart);
    against_row(w, rect_cut_top(&area, 36));
    rect_cut_top(&area, apart);
    if (!known) {
        LabelStyle style = {FONT_SANS, WQK_BODY, w->c->ui->theme->text_2, LABEL_LEFT};
        rect_cut_top(&area, 10);
        label_wrap(w->c->ui, area, &style, absent(w));
        return;
    }
    if (wide) {
        proof_wide(w, area, &pair);
        return;
    }
    float width = scores ? (area.w - EQUAL_W) / 2 : area.w;
    int stacked = scores ? 2 : 3;
    float fixed = (float)stacked * NAME_H + 8 + SCALE_H + 6 + 44 + 24;
    float cell = fit(w, width, (area.h - fixed) / (float)stacked);
    float side_w = cell * (float)shown->cols, side_h = cell * (float)shown->rows;
    results(w, &area, &pair, side_w, side_h, scores);
    rect_cut_top(&area, 6);
    Rect row = rect_cut_top(&area, NAME_H + fmaxf(side_h + 44, scores ? 140 : 0));
    difference_row(w, row, &pair, side_w, side_h, scores);
    if (!scores)
        verdict_line(w, rect_cut_top(&area, 30), &pair);
    over_all_line(w, rect_cut_top(&area, 24));
}

/* Whether what is compared is not what is asked for. */
static bool is_old(const Wqk *w) {
    switch ((WqkAgainst)w->c->settings->wqk_against) {
    case AGAINST_RANK:
        return wqk_is_old_cut(w);
    case AGAINST_GAUGE:
        return wqk_is_old_gauge(w);
    case AGAINST_MERGED:
    case AGAINST_COUNT:
        break;
    }
    return wqk_is_old_product(w);
}

void wqk_proof(const Wqk *w, Rect area, bool wide) {
    proof(w, area, wide);
    draw_part(w->c->ui->list, PART_RECT(area), "wqk.proof");
    wqk_veil(w, "wqk proof veil", area, is_old(w));
}
