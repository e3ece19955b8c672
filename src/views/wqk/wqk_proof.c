/* The proof: the head's result in two ways, and how much they differ. */
#include <assert.h>
#include <math.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "views/wqk/wqk_view.h"

#define EQUAL_W       34
#define SIGN_H        36 /* px: height of the sign between two results */
#define NAME_H        28
#define SCALE_H       40
#define SCALE_LEAST_H 34 /* px: height of a colour scale with its numbers */
#define DIVERGENCE_W  15
#define SCALE_W       84
#define LINE          26
#define CELL_MOST     36
#define LOW_H         300 /* px: a proof lower than this has its verdict in place of the heading */
#define LOW_Y_H       340 /* px: the same limit for a proof of Y */
#define HIGH_LINE     64 /* px: height from which the verdict's number has a large line of its own */
#define VERDICT_H     88 /* px: height of the lines below a row of three matrices */
#define ROW_GAP       24
#define Y_GAP         6 /* px: between the scale of ΔY and the verdict */

/* Two results of a head (A or the output) that are compared, and the largest differences between
 * them. */
typedef struct Pair {
    const Mat *first, *second; /* second has no rows if it is not computed */
    const char *first_name, *second_name;
    float S, A;
    double bound; /* largest difference that rounding can cause; 0 if the results may differ */
    bool is_same;
} Pair;

static Pair pair_of(const Wqk *w) {
    const ProductAnalysis *m = w->m;
    bool factors = w->p->has_factors, is_edited = w->p->is_edited;
    const HeadResult *first = m->full, *second = NULL;
    Pair pair = {.first_name = is_edited ? "edited"
                               : factors ? "separate"
                                         : "free",
                 .bound = wqk_rounding(w)};
    switch ((WqkAgainst)w->settings->wqk_against) {
    case AGAINST_MERGED:
        first = factors ? &m->separate : m->full;
        pair.first_name = factors ? "separate" : "free";
        second = factors ? &m->merged : &m->separate;
        pair.second_name = is_edited ? "edited" : factors ? "merged" : "free";
        pair.bound = is_edited ? 0 : pair.bound;
        pair.S = m->form_S;
        pair.A = m->form_A;
        break;
    case AGAINST_RANK:
        second = &m->cut_result;
        pair.second_name = "rank r";
        pair.S = m->cut_S;
        pair.A = m->cut_A;
        pair.bound = m->request.rank >= w->p->count ? pair.bound : 0;
        break;
    case AGAINST_TRANSFORM:
        first = &m->separate;
        pair.first_name = "separate";
        second = &m->transformed;
        pair.second_name = "with R";
        pair.S = m->transformed_S;
        pair.A = m->transformed_A;
        break;
    case AGAINST_COUNT:
        break;
    }
    assert(second != NULL);
    pair.first = head_result_shown(first);
    pair.second = head_result_shown(second);
    pair.is_same = pair.bound > 0 && (double)pair.A <= pair.bound;
    return pair;
}

static void against_row(const Wqk *w, Rect line) {
    const char *labels[AGAINST_COUNT] = {"Merged", PRINT("Rank %d", w->rank), "With R"};
    const char *brief[AGAINST_COUNT] = {"Merged", PRINT("r %d", w->rank), "R"};
    bool fits = segmented_width(w->ui, labels, AGAINST_COUNT) <= line.w;
    const char *const *shown = fits ? labels : brief;
    line.w = fminf(segmented_width(w->ui, shown, AGAINST_COUNT), line.w);
    int clicked = segmented(w->ui, ui_id("wqk against", 0), line, shown, AGAINST_COUNT,
                            w->settings->wqk_against);
    if (clicked >= 0)
        view_set_row(w->c, "wqk-against", clicked);
}

/* Draw one result. In A, mark the masked pairs; pointing at a cell of A marks this pair of tokens
 * in every panel. */
static void result(const Wqk *w, Rect rect, const Mat *m, float hi, bool is_signed, int number) {
    const ViewContext *c = w->c;
    bool has_mask = c->session->options.mask.row != MASK_NONE || c->run->edges_edited != 0;
    Mat shown = *m;
    if (w->scores && has_mask && m->rows > 0) {
        shown = mat_push(c->scratch, m->rows, m->cols);
        for (int i = 0; i < m->rows; i++)
            for (int j = 0; j < m->cols; j++)
                mat_row(&shown, i)[j] =
                    mask_row(&c->run->mask, i)[j] ? mat_row(m, i)[j] : DRAW_CELL_MASKED;
    }
    wqk_cells(w, ui_id("wqk result cells", number), rect, &shown, hi, is_signed);
    if (!w->scores || m->rows == 0)
        return;
    UiState state = ui_control(w->ui, ui_id("wqk result", number), rect, UI_NO_FOCUS | UI_NO_HAND);
    AttnCell under = view_cell_under(c, rect, m->cols, w->head);
    if (state.hovered && attn_cell_is_set(under))
        view_light(c, under);
    if (view_focus(c).head == w->head)
        view_ring_focus(c, rect, m->cols);
}

static float scale_top(const Wqk *w, const Pair *pair) {
    return w->scores ? view_scale_end(mat_largest(pair->first)) : wqk_largest(pair->first);
}

/* Draw a tick if the result is unchanged, "!" if it changes by more than rounding can explain, and
 * "≠" if a change is expected. Write whether it changes. */
static void verdict_words(const Wqk *w, Rect *line, const Pair *pair) {
    const Theme *theme = w->ui->theme;
    Rect mark = rect_cut_left(line, 24);
    bool warns = pair->bound > 0;
    if (pair->is_same)
        icon_draw(w->ui, ICON_TICK, (Vec2){mark.x + 8, rect_centre(mark).y}, 16, theme->ok);
    else
        text_in(w->ui, mark, TEXT_HEADING | (warns ? TEXT_WARN : TEXT_DIM), warns ? "!" : "≠");
    text_left(w->ui, line, TEXT_STRONG | TEXT_PLAIN, "%s %s", w->names->result,
              pair->is_same ? "unchanged" : "changes");
}

static void verdict_line(const Wqk *w, Rect line, const Pair *pair) {
    const char *A = WQK_NUMBER((double)pair->A), *S = WQK_NUMBER((double)pair->S);
    Rect number = rect_cut_bottom(&line, line.h >= HIGH_LINE ? line.h / 2 : 0);
    unsigned style = TEXT_FORMULA | (number.h > 0 ? TEXT_PX(24) : TEXT_SMALL);
    verdict_words(w, &line, pair);
    rect_cut_left(&line, 6);
    if (number.h > 0)
        line = number;
    if (w->scores)
        text_in(w->ui, line, style, "\"max\" |ΔA| %s,  |ΔS| %s\n\"max\" |ΔA| %s", A, S, A);
    else
        text_in(w->ui, line, style, "\"max\" |ΔY| %s", A);
}

typedef struct FormDifference {
    float S, A;
} FormDifference;

/* Return the differences between the forms separate and merged. If the layer's own check compared
 * these forms, take its results, otherwise those of the analysis. NaN if the proof compares
 * something else. */
static FormDifference over_all_heads(const Wqk *w) {
    int used = w->c->session->options.form.row, checked = w->c->run->layers[0].checked;
    bool has_both = (used == FORM_SEPARATE && checked == FORM_MERGED) ||
                    (used == FORM_MERGED && checked == FORM_SEPARATE);
    if (w->settings->wqk_against != AGAINST_MERGED)
        return (FormDifference){NAN, NAN};
    if (!w->scores || !has_both)
        return (FormDifference){w->m->all_S, w->m->all_A};
    const LayerFigures *figures = &w->c->run->layers[0].figures;
    return (FormDifference){figures->form_difference_S, figures->form_difference_A};
}

static void all_heads_line(const Wqk *w, Rect line) {
    const FormDifference all = over_all_heads(w);
    if (line.h >= 20 && !isnan(all.A))
        text_in(w->ui, line, TEXT_FORMULA | TEXT_SMALL | TEXT_DIM,
                w->scores ? "\"all heads: \" |ΔA| %s, |ΔS| %s" : "\"all heads: \" |ΔY| %s",
                WQK_NUMBER((double)all.A), WQK_NUMBER((double)all.S));
}

typedef struct Side {
    float w, h;
} Side;

/* Return the size with which a result fits into this width and height. The cells of A are squares;
 * those of Y may be flatter, so that Y keeps its width. */
static Side side_of(const Pair *pair, const Wqk *w, float width, float height) {
    float rows = (float)pair->first->rows, cols = (float)pair->first->cols;
    float across = wqk_snap(w, fminf(width / cols, CELL_MOST));
    float down = wqk_snap(w, fminf(height / rows, across));
    return (Side){(w->scores ? down : across) * cols, down * rows};
}

/* Draw the two results and their colour scale, in a row with = or ≠ between them, or in a column.
 * Reduce *area to the remaining room. */
static void results(const Wqk *w, Rect *area, const Pair *pair, Side side, bool in_row) {
    Ui *ui = w->ui;
    const Mat *const m[] = {pair->first, pair->second};
    const char *rank = PRINT("rank %d", w->m->request.rank);
    bool is_rank = w->settings->wqk_against == AGAINST_RANK, has_words = true;
    const char *words[] = {pair->first_name, is_rank ? rank : pair->second_name};
    float top = scale_top(w, pair), room = side.w + EQUAL_W, right = 0;
    for (int i = 0; i < 2; i++)
        has_words = has_words && text_width(ui, TEXT_NAME, "%s", w->names->result) + TEXT_GAP +
                                         text_width(ui, TEXT_NOTE, "%s", words[i]) + 12 <=
                                     room;
    Rect names = rect_cut_top(area, NAME_H);
    Rect place = rect_cut_top(area, in_row ? fmaxf(side.h, SIGN_H) : side.h);
    Rect cells = {draw_snap(ui->list, place.x), 0, side.w, side.h};
    cells.y = draw_snap(ui->list, place.y + (place.h - side.h) / 2);
    for (int i = 0; i < 2; i++) {
        Rect line = {names.x, names.y + 4, fminf(names.w, room + 8), names.h};
        if (i == 1 && in_row) {
            Rect sign = {rect_right(cells), cells.y + (side.h - SIGN_H) / 2, EQUAL_W, SIGN_H};
            text_in(ui, sign, TEXT_FORMULA | TEXT_PX(30) | TEXT_CENTRE, pair->is_same ? "=" : "≠");
            line.x = cells.x = draw_snap(ui->list, cells.x + room);
        } else if (i == 1) {
            line.y = rect_cut_top(area, NAME_H).y + 4;
            cells.y = draw_snap(ui->list, rect_cut_top(area, side.h).y);
        }
        text_left(ui, &line, TEXT_NAME, "%s", w->names->result);
        text_in(ui, line, TEXT_NOTE, "%s", has_words ? words[i] : "");
        result(w, cells, m[i], top, !w->scores, i);
        right = rect_right(cells);
    }
    rect_cut_top(area, 8);
    Rect scale = rect_cut_top(area, SCALE_H);
    scale.w = right - draw_snap(ui->list, place.x);
    if (w->scores)
        wqk_weight_scale(w, scale, top);
    else
        wqk_signed_scale(w, scale, top);
}

/* Draw the KL divergence of each row as a bar at the right end of the row. The longest bar is
 * DIVERGENCE_W wide. */
static void row_divergences(const Wqk *w, Rect cells, const Pair *pair) {
    const Mat *a = pair->first, *b = pair->second;
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
        draw_fill(w->ui->list, bar, 0, w->ui->theme->text_3);
    }
}

/* Draw the switch for the scale of the difference. Return false if it does not fit the line. */
static bool magnify(const Wqk *w, Rect line, const char *label) {
    bool is_on = w->settings->wqk_delta == DELTA_MAGNIFIED;
    float width = segmented_width(w->ui, &label, 1);
    if (width > line.w)
        return false;
    line.w = width;
    if (segmented(w->ui, ui_id("wqk delta", 0), line, &label, 1, is_on ? 0 : -1) == 0)
        view_set_row(w->c, "wqk-delta", is_on ? DELTA_SAME : DELTA_MAGNIFIED);
    return true;
}

/* Draw the difference, second − first, and next to its name the switch. Return false if the switch
 * does not fit. */
static bool difference(const Wqk *w, Rect area, const Pair *pair, Side side) {
    Ui *ui = w->ui;
    const Mat *a = pair->first, *b = pair->second;
    Mat m = mat_push(w->c->scratch, a->rows, a->cols);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->cols; j++)
            mat_row(&m, i)[j] = mat_row(b, i)[j] - mat_row(a, i)[j];
    bool is_magnified = w->settings->wqk_delta == DELTA_MAGNIFIED;
    float hi = is_magnified ? wqk_largest(&m) : scale_top(w, pair);
    Rect line = rect_cut_top(&area, NAME_H), name = line;
    name.y += 4;
    text_left(ui, &name, TEXT_NAME, "Δ%s", w->names->result);
    rect_cut_left(&line, name.x - line.x);
    bool has_switch =
        magnify(w, rect_inset(line, 0, 2), registry_entry(&WQK_DELTAS, DELTA_MAGNIFIED)->label);
    Rect cells = {draw_snap(ui->list, area.x), draw_snap(ui->list, area.y), side.w, side.h};
    result(w, cells, &m, hi, true, 2);
    wqk_signed_scale(
        w, (Rect){cells.x, rect_bottom(cells) + 8, fmaxf(side.w, SCALE_W), SCALE_LEAST_H}, hi);
    if (w->scores && w->settings->wqk_against == AGAINST_RANK)
        row_divergences(w, cells, pair);
    return has_switch;
}

static void unknown_draw(const Wqk *w, Rect area) {
    const char *wait = w->c->is_late ? "Computing…" : "";
    rect_cut_top(&area, 10);
    text_wrap(w->ui, &area, TEXT_BODY,
              !w->p->has_factors
                  ? "The free form has one matrix and no factors: there is nothing to merge."
              : !w->m->has_family
                  ? wait
                  : "With RoPE each distance i − j has its own matrix, and to compute all of "
                    "them takes too long: use fewer tokens or a smaller d_model.");
}

static void proof(const Wqk *w, Rect area, const Pair *pair) {
    bool scores = w->scores, known = pair->second->rows > 0;
    const char *text = !known          ? w->names->unknown
                       : pair->is_same ? w->names->unchanged
                                       : w->names->changed;
    const char *brief = !known ? "" : pair->is_same ? "stays" : "changes";
    bool has_all = known && isfinite(over_all_heads(w).A),
         is_low = known && area.h < (scores ? LOW_H : LOW_Y_H);
    if (is_low) {
        verdict_line(w, rect_cut_top(&area, 24), pair);
        if (has_all)
            all_heads_line(w, rect_cut_top(&area, 20));
    } else
        text_section(w->ui, &area, 30, PRINT("%s\n%s %s", text, w->names->result, brief), NULL);
    rect_cut_top(&area, is_low ? 2 : 6);
    against_row(w, rect_cut_top(&area, 36));
    rect_cut_top(&area, is_low ? 2 : 6);
    if (!known) {
        unknown_draw(w, area);
        return;
    }
    /* Both results and their difference are in a row for A, in a column for Y. A low proof of Y has
     * a row without the difference. */
    bool in_row = scores || is_low, has_switch = true;
    float width = area.w - EQUAL_W - (scores ? ROW_GAP : 0);
    float fixed = 3 * NAME_H + 8 + SCALE_H + 6 + 44 + 24 + Y_GAP;
    float row_fixed = NAME_H + 8 + SCALE_H + (is_low ? 0 : VERDICT_H);
    Side side = !in_row
                    ? side_of(pair, w, area.w, (area.h - fixed) / 3)
                    : side_of(pair, w, scores ? fminf(width / 3, (width - SCALE_W) / 2) : width / 2,
                              area.h - row_fixed);
    if (in_row) {
        Rect row = rect_cut_top(&area, NAME_H + side.h + 8 + SCALE_H), right = row;
        results(w, &row, pair, side, true);
        rect_cut_left(&right, 2 * side.w + EQUAL_W + ROW_GAP);
        has_switch = !scores || difference(w, right, pair, side);
    } else {
        results(w, &area, pair, side, false);
        difference(w, rect_cut_top(&area, NAME_H + side.h + 8 + SCALE_LEAST_H), pair, side);
        rect_cut_top(&area, Y_GAP);
    }
    if (is_low)
        return;
    bool is_high = area.h >= HIGH_LINE + 24 + 22 + NAME_H + 6;
    verdict_line(w, rect_cut_top(&area, is_high ? HIGH_LINE : in_row ? 30 : LINE), pair);
    if (has_all)
        all_heads_line(w, rect_cut_top(&area, 24));
    if (area.h >= 22 + NAME_H + 6 && pair->is_same)
        text_line(w->ui, &area, TEXT_NOTE, pair->A > 0 ? "float32 rounding" : "to the last bit");
    else if (area.h >= LINE + NAME_H + 6 && w->settings->wqk_against == AGAINST_RANK &&
             isfinite(w->m->cut_KL))
        text_in(w->ui, rect_cut_top(&area, LINE), TEXT_FORMULA | TEXT_SMALL | TEXT_DIM,
                "\"KL a row:\" %s", WQK_NUMBER((double)w->m->cut_KL));
    rect_cut_top(&area, 6);
    if (!has_switch)
        magnify(w, rect_cut_top(&area, NAME_H), "Magnify the difference");
}

void wqk_proof(const Wqk *w, Rect area) {
    Pair pair = pair_of(w);
    proof(w, area, &pair);
    draw_part(w->ui->list, PART_RECT(area), "wqk.proof");
}

void wqk_proof_number(const Wqk *w, Rect area) {
    Pair pair = pair_of(w);
    if (pair.second->rows == 0 || area.h < LINE)
        return;
    draw_part(w->ui->list, PART_RECT(area), "wqk.proof");
    FormulaStyle style = {area.h * 0.3f, w->ui->theme->text_1, LABEL_CENTRE};
    formula_label(w->ui, rect_cut_top(&area, area.h * 0.4f), &style,
                  PRINT("\"max\" |Δ%s| =", w->names->result));
    style.size = area.h;
    formula_label(w->ui, area, &style, WQK_NUMBER((double)pair.A));
}
