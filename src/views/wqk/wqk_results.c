/* Writes the numbers of the W_QK view as CSV or JSON. */
#include "base/util.h"
#include "views/shared/matrix_results.h"
#include "views/wqk/wqk_view.h"

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
