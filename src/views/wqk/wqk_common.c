#include <float.h>
#include <math.h>

#include "base/number.h"
#include "base/utf8.h"
#include "model/attention/form.h"
#include "views/shared/matrix_results.h"
#include "views/wqk/wqk_view.h"

#define BOTH_ENDS_W 96   /* px: a narrower colour scale has a single number for both ends */
#define HALL_MARK   8    /* px: in a hall, smaller cells do not mark negative values */
#define AGREE       1e-5 /* largest rounding error of Y, as a share of its largest entry */

void wqk_cells(const Wqk *w, UiId id, Rect rect, const Mat *m, float hi, bool is_signed) {
    float cell = rect.w / (float)(m->cols > 0 ? m->cols : 1);
    if (m->rows == 0)
        return;
    DrawCells cells = view_cells_of(w->c, rect, m, hi, is_signed);
    cells.gap = cell >= 12 ? 1 / w->ui->list->scale : 0;
    /* Hide the marks of negative values (see DrawCells), which look like noise from far away. */
    cells.has_numbers = w->c->is_hall && cell < HALL_MARK;
    view_cells(w->c, id, &cells);
}

void wqk_signed_scale(const Wqk *w, Rect rect, float hi) {
    ScaleBar bar = view_scale_of(w->c, hi, true);
    bar.words[0] = rect.w < BOTH_ENDS_W ? "" : NULL;
    bar.words[1] = PRINT("±%s", FIXED((double)hi, 3));
    bar.words[2] = "";
    bar.is_inside = true;
    scale_bar(w->ui, rect, &bar);
}

void wqk_weight_scale(const Wqk *w, Rect rect, float hi) {
    ScaleBar bar = view_scale_of(w->c, hi, false);
    bar.is_inside = true;
    scale_bar(w->ui, rect, &bar);
}

float wqk_largest(const Mat *m) {
    float most = mat_largest(m);
    return most > 0 ? most : 1;
}

double wqk_rounding(const Wqk *w) {
    const HeadResult *full = w->m->full;
    return w->scores ? form_rounding(&full->S)
                     : AGREE * (double)wqk_largest(head_result_shown(full));
}

float wqk_snap(const Wqk *w, float side) {
    float px = floorf(side * w->ui->list->scale + 0.01f);
    return px < 1 ? fmaxf(side, 1e-3f) : px / w->ui->list->scale;
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

int wqk_rank_found(const Wqk *w) {
    int rank = 0;
    double least = w->p->count > 0 ? w->p->sigma[0] * (double)FLT_EPSILON * w->E : 0;
    for (int i = 0; i < w->p->count; i++)
        rank += w->p->sigma[i] > least;
    return rank;
}

static NamedMatrix named(const char *name, const Mat *m) {
    return (NamedMatrix){
        .name = name, .values = m->at, .rows = m->rows, .cols = m->cols, .stride = m->stride};
}

bool wqk_results(const ViewContext *c, ViewResult result, TextOut *out) {
    static const char *const names[PRODUCT_COUNT][3] = {
        [PRODUCT_QK] = {"W_QK", "W_Q", "W_K"}, [PRODUCT_OV] = {"W_OV", "W_V", "W_O^T"}};
    float sigma[HEAD_PRODUCT_SIGMA_MAX];
    if (!product_analysis_is_current(c->run))
        return false;
    const HeadProduct *p = &c->run->analysis->product;
    for (int i = 0; i < p->count; i++)
        sigma[i] = (float)p->sigma[i];
    const NamedMatrix matrices[] = {named(names[p->kind][0], &p->product),
                                    {.name = "sigma",
                                     .values = sigma,
                                     .rows = p->count > 0 ? 1 : 0,
                                     .cols = p->count,
                                     .stride = p->count},
                                    named(names[p->kind][1], &p->left),
                                    named(names[p->kind][2], &p->right)};
    return matrix_results(out, c, result, matrices, p->has_factors ? 4 : 2);
}
