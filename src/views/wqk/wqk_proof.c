#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/scale_bar.h"
#include "views/wqk/wqk_view.h"

#define EQUAL_W       34
#define SIGN_H        36 /* height of the sign between two results */
#define NAME_H        28
#define SCALE_H       40
#define SCALE_LEAST_H 34 /* height of a scale with its numbers */
#define DIVERGENCE_W  15
#define SCALE_W       84
#define LINE          26

/* The two results of a head, and the largest differences between them. */
typedef struct Pair {
    const HeadResult *first, *second;
    const char *first_name, *second_name;
    float S, A;
    double bound; /* largest difference that rounding can cause; 0 if the results may differ */
} Pair;

static Pair pair_of(const Wqk *w, char *room, size_t capacity) {
    const ProductAnalysis *m = w->m;
    bool is_edited = m->product.is_edited;
    Pair pair = {.first = m->full,
                 .first_name = is_edited                ? "edited"
                               : m->product.has_factors ? "separate"
                                                        : "free",
                 .bound = wqk_rounding(w)};
    switch ((WqkAgainst)w->c->settings->wqk_against) {
    case AGAINST_MERGED:
        pair.first = m->product.has_factors ? &m->separate : m->full;
        pair.first_name = m->product.has_factors ? "separate" : "free";
        pair.second = m->product.has_factors ? &m->merged : &m->separate;
        pair.second_name = is_edited ? "edited" : m->product.has_factors ? "merged" : "free";
        pair.bound = is_edited ? 0 : pair.bound;
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
    case AGAINST_TRANSFORM:
        pair.first = &m->separate;
        pair.first_name = "separate";
        pair.second = &m->transformed;
        pair.second_name = "with R";
        pair.S = m->transformed_S;
        pair.A = m->transformed_A;
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
        labels[AGAINST_TRANSFORM] = "R";
    }
    float width = segmented_width(w->c->ui, labels, AGAINST_COUNT);
    int clicked =
        segmented(w->c->ui, ui_id("wqk against", 0), rect_cut_left(&line, fminf(width, line.w)),
                  labels, AGAINST_COUNT, w->c->settings->wqk_against);
    if (clicked >= 0)
        view_set(w->c, "wqk-against", registry_entry(&WQK_AGAINST, clicked)->id, 0);
}

/* Return the width of a result's name and of the words after it. */
static float result_name_width(const Wqk *w, const char *words) {
    return text_width(w->c->ui, TEXT_NAME, "%s", w->names->result) + TEXT_GAP +
           text_width(w->c->ui, TEXT_NOTE, "%s", words) + 12;
}

/* Return m with closed pairs marked, in scratch; m itself if no pair is closed. */
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

/* Draw one result. Hovering it lights its pair of tokens everywhere. */
static void result(const Wqk *w, Rect rect, const Mat *m, float hi, bool is_signed, int number) {
    const ViewContext *c = w->c;
    Mat shown = masked(w, m);
    wqk_cells(c, ui_id("wqk result cells", number), rect, &shown, hi, is_signed);
    if (w->m->product.kind != PRODUCT_QK || m->rows == 0)
        return;
    UiState state = ui_control(c->ui, ui_id("wqk result", number), rect, UI_NO_FOCUS | UI_NO_HAND);
    int head = c->session->options.head - 1;
    AttnCell under = view_cell_under(c, rect, m->cols, head);
    if (state.hovered && attn_cell_is_set(under))
        view_light(c, under);
    if (view_focus(c).head == head)
        view_ring_focus(c, rect, m->cols);
}

/* Return second − first, in scratch. */
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
    if (is_same(pair))
        icon_draw(w->c->ui, ICON_TICK, (Vec2){mark.x + 8, rect_centre(mark).y}, 16, theme->ok);
    else
        text_in(w->c->ui, mark, TEXT_HEADING | (warns ? TEXT_WARN : TEXT_DIM), warns ? "!" : "≠");
}

static void verdict(const Wqk *w, Rect area, const Pair *pair) {
    Ui *ui = w->c->ui;
    bool same = is_same(pair), scores = w->m->product.kind == PRODUCT_QK;
    if (area.h < 2 * LINE + 4) {
        text_in(ui, rect_cut_top(&area, LINE), TEXT_FORMULA | TEXT_SMALL, "\"max\" |Δ%s|  %s",
                w->names->result, WQK_NUMBER((double)pair->A));
        return;
    }
    text_in(ui, rect_cut_top(&area, LINE), TEXT_FORMULA | TEXT_DIM, "\"max\" |Δ%s|",
            w->names->result);
    FormulaStyle value = {.size = 24, .colour = ui->theme->text_1, .align = LABEL_LEFT};
    formula_label(ui, rect_cut_top(&area, LINE + 4), &value, WQK_NUMBER((double)pair->A));
    if (scores && area.h >= LINE)
        text_in(ui, rect_cut_top(&area, LINE), TEXT_FORMULA | TEXT_DIM, "\"max\" |ΔS|  %s",
                WQK_NUMBER((double)pair->S));
    if (same && area.h > LINE + 22)
        text_in(ui, rect_cut_top(&area, 22), TEXT_NOTE,
                pair->A > 0 ? "float32 rounding" : "to the last bit");
    if (!same && w->c->settings->wqk_against == AGAINST_RANK && isfinite(w->m->cut_KL))
        text_in(ui, rect_cut_top(&area, LINE), TEXT_FORMULA | TEXT_DIM, "\"KL a row:\" %s",
                WQK_NUMBER((double)w->m->cut_KL));
    Rect line = rect_cut_top(&area, LINE + 4);
    if (line.h < LINE)
        return;
    verdict_mark(w, rect_cut_left(&line, 26), pair);
    text_in(ui, line, TEXT_STRONG | TEXT_PLAIN, "%s %s", w->names->result,
            same ? "unchanged" : "changes");
}

static void verdict_line(const Wqk *w, Rect line, const Pair *pair) {
    Ui *ui = w->c->ui;
    verdict_mark(w, rect_cut_left(&line, 24), pair);
    text_left(ui, &line, TEXT_STRONG | TEXT_PLAIN, "%s %s", w->names->result,
              is_same(pair) ? "unchanged" : "changes");
    rect_cut_left(&line, 6);
    if (w->m->product.kind == PRODUCT_QK)
        text_in(ui, line, TEXT_FORMULA | TEXT_SMALL, "\"max\" |ΔA| %s,  |ΔS| %s\n\"max\" |ΔA| %s",
                WQK_NUMBER((double)pair->A), WQK_NUMBER((double)pair->S),
                WQK_NUMBER((double)pair->A));
    else
        text_in(ui, line, TEXT_FORMULA | TEXT_SMALL, "\"max\" |ΔY| %s",
                WQK_NUMBER((double)pair->A));
}

/* Return the largest differences of S and A between the two forms over all heads; NaN if unknown.
 * */
typedef struct FormDifference {
    float S, A;
} FormDifference;

/* Return the text of the status line if it compares the same two forms as this part. */
static FormDifference over_all_heads(const Wqk *w) {
    int used = w->c->session->options.form.row, checked = w->c->run->layers[0].checked;
    bool has_both = (used == FORM_SEPARATE && checked == FORM_MERGED) ||
                    (used == FORM_MERGED && checked == FORM_SEPARATE);
    if (w->c->settings->wqk_against != AGAINST_MERGED)
        return (FormDifference){NAN, NAN};
    if (w->m->product.kind != PRODUCT_QK || !has_both)
        return (FormDifference){w->m->all_S, w->m->all_A};
    const LayerFigures *figures = &w->c->run->layers[0].figures;
    return (FormDifference){figures->form_difference_S, figures->form_difference_A};
}

static void all_heads_line(const Wqk *w, Rect line) {
    const FormDifference all = over_all_heads(w);
    if (line.h < 20 || isnan(all.A))
        return;
    bool scores = w->m->product.kind == PRODUCT_QK;
    text_in(w->c->ui, line, TEXT_FORMULA | TEXT_SMALL | TEXT_DIM,
            scores ? "\"all heads: \" |ΔA| %s, |ΔS| %s" : "\"all heads: \" |ΔY| %s",
            WQK_NUMBER((double)all.A), WQK_NUMBER((double)all.S));
}

/* Return why there is no second result to compare with. */
static const char *absent(const Wqk *w) {
    if (w->m->product.has_factors && !w->m->has_family)
        return w->c->is_late ? "Computing…" : "";
    if (w->m->product.has_factors)
        return "With RoPE each distance i − j has a matrix of its own, and so many of this size "
               "take too long: use fewer tokens or a smaller d_model.";
    return "The free form has one matrix and no factors: there is nothing to merge.";
}

static void named_result(const Wqk *w, Rect line, Rect cells, const Mat *m, float hi,
                         const char *words, int number) {
    line.y += 4;
    text_left(w->c->ui, &line, TEXT_NAME, "%s", w->names->result);
    text_in(w->c->ui, line, TEXT_NOTE, "%s", words);
    result(w, cells, m, hi, w->m->product.kind == PRODUCT_OV, number);
}

/* Draw the two results and their scale: in a row with = or ≠ between them, or in a column. Reduce
 * *area to the rest. */
static void results(const Wqk *w, Rect *area, const Pair *pair, float side_w, float side_h,
                    bool in_row) {
    Ui *ui = w->c->ui;
    const Mat *a = head_result_shown(pair->first), *b = head_result_shown(pair->second);
    float top = scale_top(w, a), room = side_w + EQUAL_W;
    Rect names = rect_cut_top(area, NAME_H);
    Rect place = rect_cut_top(area, in_row ? fmaxf(side_h, SIGN_H) : side_h);
    Rect left = {draw_snap(ui->list, place.x),
                 draw_snap(ui->list, place.y + (place.h - side_h) / 2), side_w, side_h};
    Rect right = left;
    bool named = result_name_width(w, pair->first_name) <= room &&
                 result_name_width(w, pair->second_name) <= room;
    names.w = fminf(names.w, room + 8);
    named_result(w, names, left, a, top, named ? pair->first_name : "", 0);
    if (in_row) {
        names.x = right.x = draw_snap(ui->list, left.x + room);
        FormulaStyle style = {.size = 30, .colour = ui->theme->text_1, .align = LABEL_CENTRE};
        formula_label(ui, (Rect){rect_right(left), left.y + (side_h - SIGN_H) / 2, EQUAL_W, SIGN_H},
                      &style, is_same(pair) ? "=" : "≠");
    } else {
        names.y = rect_cut_top(area, NAME_H).y;
        right.y = draw_snap(ui->list, rect_cut_top(area, side_h).y);
    }
    named_result(w, names, right, b, top, named ? pair->second_name : "", 1);
    rect_cut_top(area, 8);
    Rect scale = rect_cut_top(area, SCALE_H);
    scale.w = rect_right(right) - left.x;
    if (w->m->product.kind == PRODUCT_OV)
        wqk_signed_scale(w->c, scale, top);
    else
        scale_bar(
            ui, scale,
            &(ScaleBar){.palette = w->c->settings->palette, .hi = top, .name = "", .marked = NAN});
}

/* Draw the divergence of each row as a bar at the row's right end. The longest bar is DIVERGENCE_W
 * wide. */
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

/* Draw the name of the difference, with a switch for its scale. */
static void difference_name(const Wqk *w, Rect line, bool is_magnified) {
    const char *label = registry_entry(&WQK_DELTAS, DELTA_MAGNIFIED)->label;
    text_left(w->c->ui, &line, TEXT_NAME, "Δ%s", w->names->result);
    line = rect_inset(rect_cut_left(&line, segmented_width(w->c->ui, &label, 1)), 0, 2);
    if (segmented(w->c->ui, ui_id("wqk delta", 0), line, &label, 1, is_magnified ? 0 : -1) == 0)
        view_set(w->c, "wqk-delta", is_magnified ? "same" : "magnify", 0);
}

static void difference_row(const Wqk *w, Rect area, const Pair *pair, float side_w, float side_h,
                           bool has_verdict) {
    Ui *ui = w->c->ui;
    Mat difference = difference_of(w, pair);
    bool is_magnified = w->c->settings->wqk_delta == DELTA_MAGNIFIED;
    float hi =
        is_magnified ? wqk_largest(&difference) : scale_top(w, head_result_shown(pair->first));
    difference_name(w, rect_cut_top(&area, NAME_H), is_magnified);
    Rect cells = {draw_snap(ui->list, area.x), draw_snap(ui->list, area.y), side_w, side_h};
    result(w, cells, &difference, hi, true, 2);
    wqk_signed_scale(w->c, (Rect){cells.x, rect_bottom(cells) + 8, fmaxf(side_w, SCALE_W), 34}, hi);
    if (w->c->settings->wqk_against == AGAINST_RANK && pair->first->A.rows > 0)
        row_divergences(w, cells, pair);
    rect_cut_left(&area, fmaxf(side_w, SCALE_W) + 24);
    rect_cut_top(&area, 2);
    if (has_verdict)
        verdict(w, area, pair);
}

static void title(const Wqk *w, Rect *area, const Pair *pair, bool is_known) {
    const char *text = !is_known       ? w->names->unknown
                       : is_same(pair) ? w->names->unchanged
                                       : w->names->changed;
    const char *brief = !is_known ? "" : is_same(pair) ? "stays" : "changes";
    text_section(w->c->ui, area, 30, PRINT("%s\n%s %s", text, w->names->result, brief), NULL);
}

/* Return the size of a cell with which a result fits this width and height. */
static float fit(const Wqk *w, float width, float height) {
    const Mat *shown = head_result_shown(w->m->full);
    float cell = fminf(width / (float)shown->cols, height / (float)shown->rows);
    return wqk_snap(w->c, fminf(cell, 36));
}

/* Draw the proof in a low area: both results, and their difference if it fits. */
static void proof_wide(const Wqk *w, Rect area, const Pair *pair) {
    const Mat *shown = head_result_shown(w->m->full);
    bool scores = w->m->product.kind == PRODUCT_QK;
    float width = (area.w - EQUAL_W - 24) / (scores ? 3 : 2);
    float cell = fit(w, width, area.h - NAME_H - 8 - SCALE_LEAST_H);
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
    bool has_all = wide && known && isfinite(over_all_heads(w).A);
    float apart = has_all ? 2 : 6;
    if (has_all) {
        verdict_line(w, rect_cut_top(&area, 24), &pair);
        all_heads_line(w, rect_cut_top(&area, 20));
    } else if (wide && known)
        verdict_line(w, rect_cut_top(&area, 30), &pair);
    else
        title(w, &area, &pair, known);
    rect_cut_top(&area, apart);
    against_row(w, rect_cut_top(&area, 36));
    rect_cut_top(&area, apart);
    if (!known) {
        rect_cut_top(&area, 10);
        text_wrap(w->c->ui, &area, TEXT_BODY, absent(w));
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
    all_heads_line(w, rect_cut_top(&area, 24));
}

void wqk_proof_number(const Wqk *w, Rect area) {
    char room[24];
    Ui *ui = w->c->ui;
    Pair pair = pair_of(w, room, sizeof room);
    if (head_result_shown(pair.second)->rows == 0 || area.h < LINE)
        return;
    draw_part(ui->list, PART_RECT(area), "wqk.proof");
    FormulaStyle style = {area.h * 0.3f, ui->theme->text_1, LABEL_CENTRE, false};
    formula_label(ui, rect_cut_top(&area, area.h * 0.4f), &style,
                  PRINT("\"max\" |Δ%s| =", w->names->result));
    style.size = area.h;
    formula_label(ui, area, &style, WQK_NUMBER((double)pair.A));
}

/* True while the result on screen belongs to the previous setting. */
static bool is_old(const Wqk *w) {
    switch ((WqkAgainst)w->c->settings->wqk_against) {
    case AGAINST_RANK:
        return wqk_is_old_cut(w);
    case AGAINST_TRANSFORM:
        return wqk_is_old_transform(w);
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
