#include <float.h>
#include <math.h>

#include "base/number.h"
#include "base/utf8.h"
#include "draw/part.h"
#include "model/attention/form.h"
#include "ui/text.h"
#include "ui/tween.h"
#include "views/wqk/wqk_view.h"

#define NAME_H      44 /* px above a matrix for its name */
#define HALL_DASH   8  /* px: smaller cells have no dashes in a hall */
#define WORDS_APART 12 /* px between two numbers under a scale */

static const Entry AGAINST_ROWS[] = {
    {"merged", "Merged", "", "The same head with its factors merged into one matrix."},
    {"rank", "Rank r", "", "The same head with the product cut to rank r."},
    {"gauge", "With R", "", "The same head with R between its factors."},
};
const Registry WQK_AGAINST = REGISTRY("comparisons", "comparison", AGAINST_ROWS);

static const Entry DELTA_ROWS[] = {
    {"same", "Same scale", "", "The difference on the scale of the two results."},
    {"magnify", "Magnify", "", "The difference on a scale of its own, so that rounding is seen."},
};
const Registry WQK_DELTAS = REGISTRY("difference scales", "difference scale", DELTA_ROWS);

static const Entry PAGE_ROWS[] = {
    {"rank", "Rank", "", "Singular values, and what is lost if some are left out."},
    {"cost", "Cost", "", "Parameters, multiply-adds and time of both forms."},
    {"training", "Training", "", "One step of gradient descent on the factors and on the product."},
    {"parts", "Symmetry", "", "The symmetric and the antisymmetric part of the product."},
    {"nested", "Paper", "", "The paper’s notation: a matrix for all heads before each head’s own."},
    {"plain", "W = I", "", "Without weights: attention as similarity of word vectors."},
    {"gauge", "Gauge", "", "An invertible R between the factors."},
};
const Registry WQK_PAGES = REGISTRY("pages", "page", PAGE_ROWS);

static const Entry TRANSFORM_ROWS[] = {
    {"rotation", "Rotation", "", "R rotates: lengths stay the same."},
    {"any", "Any invertible", "", "R rotates and stretches."},
};
const Registry WQK_TRANSFORMS = REGISTRY("gauges", "gauge", TRANSFORM_ROWS);

void wqk_cells(const ViewContext *c, UiId id, Rect rect, const Mat *m, float hi, bool is_signed) {
    float cell = rect.w / (float)(m->cols > 0 ? m->cols : 1);
    if (m->rows == 0)
        return;
    DrawCells cells = view_cells_of(c, rect, m, hi, is_signed);
    cells.gap = cell >= 12 ? 1 / c->ui->list->scale : 0;
    cells.has_numbers = c->is_hall && cell < HALL_DASH; /* from far away dashes would be noise */
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

const char *wqk_number(char out[WQK_NUMBER_MAX], double value) {
    double size = fabs(value);
    if (value == 0)
        return "0";
    if (!isfinite(value) || (size >= 1e-3 && size < 1e4))
        return number_format_fixed(out, WQK_NUMBER_MAX, value, size >= 100 ? 1 : size >= 1 ? 2 : 3);
    int power = (int)floor(log10(size) + 1e-9);
    return utf8_print(out, WQK_NUMBER_MAX, "%s × 10^{%s}", FIXED(value / pow(10, power), 1),
                      FIXED(power, 0));
}

void wqk_signed_scale(const ViewContext *c, Rect rect, float hi) {
    Ui *ui = c->ui;
    const Palette *palette = &PALETTES[ui->theme->signed_palette];
    int pieces = palette->stop_count - 1;
    for (int i = 0; i < pieces; i++) {
        float left = draw_snap(ui->list, rect.x + rect.w * (float)i / (float)pieces);
        float right = draw_snap(ui->list, rect.x + rect.w * (float)(i + 1) / (float)pieces);
        draw_box(ui->list, &(DrawBox){.rect = {left, rect.y, right - left, 10},
                                      .fill = palette->stops[i],
                                      .fill_right = palette->stops[i + 1]});
    }
    Rect line = {rect.x, rect.y + 12, rect.w, 22};
    const char *lo_text = WQK_NUMBER(-(double)hi), *hi_text = WQK_NUMBER((double)hi);
    float least = text_width(ui, TEXT_COUNT, "%s", lo_text);
    float most = text_width(ui, TEXT_COUNT, "%s", hi_text);
    float zero = text_width(ui, TEXT_COUNT, "0") / 2 + WORDS_APART;
    if (rect.w < least + WORDS_APART + most) {
        text_in(ui, line, TEXT_FORMULA | TEXT_SMALL | TEXT_DIM | TEXT_CENTRE, "± %s", hi_text);
        return;
    }
    text_in(ui, line, TEXT_COUNT, "%s", lo_text);
    text_in(ui, line, TEXT_COUNT | TEXT_RIGHT, "%s", hi_text);
    if (rect.w / 2 >= fmaxf(least, most) + zero)
        text_in(ui, line, TEXT_COUNT | TEXT_CENTRE, "0");
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

bool wqk_is_old_transform(const Wqk *w) {
    const FactorTransform *want = &w->want.transform, *have = &w->m->request.transform;
    return wqk_is_old_product(w) || want->turn != have->turn || want->seed != have->seed ||
           want->is_rotation != have->is_rotation;
}

void wqk_veil(const Wqk *w, const char *name, Rect rect, bool is_old) {
    const ViewContext *c = w->c;
    float to = is_old && c->is_late ? VIEW_VEIL : 0;
    float veil = ui_tween(c->ui, ui_id(name, 0), to, MOTION_VIEW);
    if (veil > 0)
        draw_fill(c->ui->list, rect, 0, colour_fade(c->ui->theme->canvas, veil));
}

int wqk_rotated_by(const Wqk *w) {
    bool turns = w->m->inputs.rotations != NULL && w->m->product.kind == PRODUCT_QK;
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

static void mark_part(const Wqk *w, const WqkTop *top, Rect frame, float name_w, bool rows,
                      bool columns, const char *id) {
    Rect named = {frame.x, frame.y - NAME_H, fmaxf(frame.w, name_w), frame.h + NAME_H};
    draw_part(w->c->ui->list,
              &(DrawPart){.rect = named,
                          .cells = wqk_whole(w, top, frame, rows, columns),
                          .rows = rows ? w->E : w->width,
                          .cols = columns ? w->E : w->width},
              "%s", id);
}

void wqk_mark_parts(const Wqk *w, const WqkTop *top, float left_name_w) {
    if (w->m->product.has_factors) {
        mark_part(w, top, top->left, left_name_w, true, false, "wqk.left");
        mark_part(w, top, top->right, 0, false, true, "wqk.right");
    }
    mark_part(w, top, top->product, 0, true, true, "wqk.product");
}
