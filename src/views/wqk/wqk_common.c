#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "draw/part.h"
#include "model/attention/form.h"
#include "ui/axis.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "ui/tween.h"
#include "views/wqk/wqk_view.h"

#define WORDS_APART 12 /* px between two numbers under a scale */

static const Entry AGAINST_ROWS[] = {
    {"merged", "Merged", "", "The same head with its factors merged into one matrix."},
    {"rank", "Rank r", "", "The same head with the product cut to rank r."},
    {"gauge", "With R", "", "The same head with R between its factors."},
};
const Registry WQK_AGAINST = {"comparisons", "comparison", AGAINST_ROWS, sizeof AGAINST_ROWS[0],
                              ARRAY_COUNT(AGAINST_ROWS)};

static const Entry PAGE_ROWS[] = {
    {"rank", "Rank", "", "Singular values, and what is lost if some are left out."},
    {"cost", "Cost", "", "Parameters, multiply-adds and time of both forms."},
    {"training", "Training", "", "One step of gradient descent on the factors and on the product."},
    {"parts", "Symmetry", "", "The symmetric and the antisymmetric part of the product."},
    {"nested", "Paper", "", "The paper’s notation: a matrix for all heads before each head’s own."},
    {"plain", "W = I", "", "Without weights: attention as similarity of word vectors."},
    {"gauge", "Gauge", "", "An invertible R between the factors."},
};
const Registry WQK_PAGES = {"pages", "page", PAGE_ROWS, sizeof PAGE_ROWS[0],
                            ARRAY_COUNT(PAGE_ROWS)};

static const Entry GAUGE_ROWS[] = {
    {"rotation", "Rotation", "", "R rotates: lengths stay the same."},
    {"any", "Any invertible", "", "R rotates and stretches."},
};
const Registry WQK_GAUGES = {"gauges", "gauge", GAUGE_ROWS, sizeof GAUGE_ROWS[0],
                             ARRAY_COUNT(GAUGE_ROWS)};

void wqk_cells(const ViewContext *c, UiId id, Rect rect, const Mat *m, float hi, bool is_signed) {
    float cell = rect.w / (float)(m->cols > 0 ? m->cols : 1);
    if (m->rows == 0)
        return;
    DrawCells cells = view_cells_of(c, rect, m, hi, is_signed);
    cells.gap = cell >= 12 ? 1 / c->ui->list->scale : 0;
    view_cells(c, id, &cells);
}

float wqk_largest(const Mat *m) {
    float most = mat_largest(m);
    return most > 0 ? most : 1;
}

double wqk_rounding(const Wqk *w) {
    const HeadResult *full = w->m->full;
    return w->m->product.kind == PRODUCT_QK
               ? form_rounding(&full->S)
               : WQK_AGREE * (double)wqk_largest(head_result_shown(full));
}

float wqk_snap(const ViewContext *c, float side) {
    float px = floorf(side * c->ui->list->scale + 0.01f);
    return px < 1 ? fmaxf(side, 1e-3f) : px / c->ui->list->scale;
}

void wqk_number(char *out, size_t capacity, double value) {
    double size = fabs(value);
    if (size == 0 || !isfinite(value) || (size >= 1e-3 && size < 1e4)) {
        number_format_fixed(out, capacity, value, size >= 100 ? 1 : size >= 1 ? 2 : 3);
        if (value == 0)
            snprintf(out, capacity, "0");
        return;
    }
    int power = (int)floor(log10(size) + 1e-9);
    char digits[32], raised[16];
    number_format_fixed(digits, sizeof digits, value / pow(10, power), 1);
    number_format_fixed(raised, sizeof raised, power, 0);
    snprintf(out, capacity, "%s × 10^{%s}", digits, raised);
}

static float words_width(const ViewContext *c, double value) {
    char text[48];
    wqk_number(text, sizeof text, value);
    return strchr(text, '^') == NULL ? label_width(c->ui, FONT_MONO, WQK_SMALL, text, strlen(text))
                                     : formula_width(c->ui, 16, text);
}

static void scale_words(const ViewContext *c, Vec2 at, LabelAlign align, double value) {
    char text[48];
    wqk_number(text, sizeof text, value);
    if (strchr(text, '^') == NULL) {
        LabelStyle style = {FONT_MONO, WQK_SMALL, c->ui->theme->text_2, align};
        label_at(c->ui, at, &style, text);
        return;
    }
    float width = formula_width(c->ui, 16, text);
    at.x -= align == LABEL_RIGHT ? width : align == LABEL_CENTRE ? width / 2 : 0;
    formula_draw(c->ui, at, 16, c->ui->theme->text_2, text);
}

/* ± its end, where two numbers have no room. */
static void scale_both(const ViewContext *c, Rect rect, float hi) {
    char number[48], text[64];
    wqk_number(number, sizeof number, (double)hi);
    snprintf(text, sizeof text, "± %s", number);
    float width = formula_width(c->ui, 16, text);
    formula_draw(c->ui, (Vec2){rect.x + fmaxf(rect.w - width, 0) / 2, rect.y + 28}, 16,
                 c->ui->theme->text_2, text);
}

void wqk_signed_scale(const ViewContext *c, Rect rect, float hi) {
    const Palette *palette = &PALETTES[c->ui->theme->signed_palette];
    int pieces = palette->stop_count - 1;
    for (int i = 0; i < pieces; i++) {
        float left = draw_snap(c->ui->list, rect.x + rect.w * (float)i / (float)pieces);
        float right = draw_snap(c->ui->list, rect.x + rect.w * (float)(i + 1) / (float)pieces);
        draw_box(c->ui->list, &(DrawBox){.rect = {left, rect.y, right - left, 10},
                                         .fill = palette->stops[i],
                                         .fill_right = palette->stops[i + 1]});
    }
    float least = words_width(c, -(double)hi), most = words_width(c, (double)hi);
    float zero = words_width(c, 0) / 2 + WORDS_APART;
    if (rect.w >= least + WORDS_APART + most) {
        scale_words(c, (Vec2){rect.x, rect.y + 28}, LABEL_LEFT, -(double)hi);
        scale_words(c, (Vec2){rect_right(rect), rect.y + 28}, LABEL_RIGHT, (double)hi);
    } else {
        scale_both(c, rect, hi);
    }
    if (rect.w / 2 >= fmaxf(least, most) + zero)
        scale_words(c, (Vec2){rect.x + rect.w / 2, rect.y + 28}, LABEL_CENTRE, 0);
}

Rect wqk_heading(const ViewContext *c, Rect line, const char *text) {
    LabelStyle style = {FONT_SANS_BOLD, 20, c->ui->theme->text_1, LABEL_LEFT};
    rect_cut_left(&line, prose_draw(c->ui, line, &style, text) + 14);
    return line;
}

const char *wqk_fit(const Wqk *w, float size, float width, const char *words, const char *brief) {
    LabelStyle style = {.font = FONT_SANS, .size = size};
    return prose_width(w->c->ui, &style, words) <= width ? words : brief;
}

void wqk_pair(const ViewContext *c, Rect line, const char *name, const char *value) {
    wqk_pair_or(c, line, name, name, value);
}

void wqk_pair_or(const ViewContext *c, Rect line, const char *name, const char *brief,
                 const char *value) {
    bool is_formula = strchr(value, '^') != NULL;
    LabelStyle style = {FONT_SANS, WQK_BODY, c->ui->theme->text_2, LABEL_LEFT};
    LabelStyle number = {FONT_MONO, WQK_BODY, c->ui->theme->text_1, LABEL_RIGHT};
    FormulaStyle formula = {.size = 20, .colour = c->ui->theme->text_1, .align = LABEL_RIGHT};
    float used = is_formula ? formula_label(c->ui, line, &formula, value)
                            : label_draw(c->ui, line, &number, value);
    line.w -= used + 8;
    prose_draw(c->ui, line, &style, prose_width(c->ui, &style, name) <= line.w ? name : brief);
}

bool wqk_is_old_product(const Wqk *w) {
    const HeadChoice *want = &w->want.choice, *have = &w->m->request.choice;
    int most = w->c->run->T - 1, offset = want->offset;
    offset = !w->c->run->layers[0].shape[w->c->run->form].rope ? 0
             : offset > most                                   ? most
             : offset < -most                                  ? -most
                                                               : offset;
    return want->kind != have->kind || want->head != have->head || offset != have->offset;
}

bool wqk_is_old_cut(const Wqk *w) {
    return wqk_is_old_product(w) || w->want.rank != w->m->request.rank;
}

bool wqk_is_old_gauge(const Wqk *w) {
    const FactorTransform *want = &w->want.gauge, *have = &w->m->request.gauge;
    return wqk_is_old_product(w) || want->turn != have->turn || want->seed != have->seed ||
           want->is_rotation != have->is_rotation;
}

void wqk_computing(const Wqk *w, Rect area, const char *text) {
    LabelStyle style = {FONT_SANS, WQK_BODY, w->c->ui->theme->text_2, LABEL_LEFT};
    if (w->c->is_late)
        label_wrap(w->c->ui, area, &style, text);
}

void wqk_veil(const Wqk *w, const char *name, Rect rect, bool is_old) {
    const ViewContext *c = w->c;
    float to = is_old && c->is_late ? VIEW_VEIL : 0;
    float veil = ui_tween(c->ui, ui_id(name, 0), to, MOTION_VIEW);
    if (veil > 0)
        draw_fill(c->ui->list, rect, 0, colour_fade(c->ui->theme->canvas, veil));
}

int wqk_turned_by(const Wqk *w) {
    bool turns = w->m->site.turn != NULL && w->m->product.kind == PRODUCT_QK;
    return turns ? w->m->request.choice.offset : 0;
}

int wqk_rank_found(const Wqk *w) {
    const HeadProduct *p = &w->m->product;
    int rank = 0;
    double least = p->count > 0 ? p->sigma[0] * (double)FLT_EPSILON * w->E : 0;
    for (int i = 0; i < p->count; i++)
        rank += p->sigma[i] > least;
    return rank;
}

Rect wqk_whole(const Wqk *w, const WqkTop *top, Rect frame, bool rows, bool columns) {
    float all = (float)w->E * top->cell;
    return (Rect){columns ? frame.x - top->shift.x : frame.x,
                  rows ? frame.y - top->shift.y : frame.y, columns ? all : frame.w,
                  rows ? all : frame.h};
}

static void mark_part(const Wqk *w, const WqkTop *top, Rect frame, bool rows, bool columns,
                      const char *id) {
    draw_part(w->c->ui->list,
              &(DrawPart){.rect = frame,
                          .cells = wqk_whole(w, top, frame, rows, columns),
                          .rows = rows ? w->E : w->width,
                          .cols = columns ? w->E : w->width},
              "%s", id);
}

void wqk_mark_parts(const Wqk *w, const WqkTop *top) {
    if (w->m->product.has_factors) {
        mark_part(w, top, top->left, true, false, "wqk.left");
        mark_part(w, top, top->right, false, true, "wqk.right");
    }
    mark_part(w, top, top->product, true, true, "wqk.product");
}
