#include "io/tensors.h"

#include <assert.h>

#include "model/params.h"

size_t tensor_count(const TensorView *tensor) {
    size_t count = 1;
    for (int i = 0; i < tensor->rank; i++)
        count *= tensor->shape[i];
    return count;
}

/* Where entry number `first` lies, and in *run how many follow it in the innermost dimension. */
static size_t tensor_offset(size_t *run, const TensorView *tensor, size_t first) {
    size_t offset = 0;
    int last = tensor->rank - 1;
    *run = tensor->shape[last] - first % tensor->shape[last];
    for (int i = last; i >= 0; i--) {
        offset += first % tensor->shape[i] * tensor->stride[i];
        first /= tensor->shape[i];
    }
    return offset;
}

void tensor_read(float *out, const TensorView *tensor, size_t first, size_t count) {
    assert(first + count <= tensor_count(tensor));
    size_t step = tensor->stride[tensor->rank - 1];
    while (count > 0) {
        size_t run, offset = tensor_offset(&run, tensor, first);
        run = run < count ? run : count;
        for (size_t i = 0; i < run; i++)
            out[i] = tensor->flags != NULL ? (float)tensor->flags[offset + i * step]
                                           : tensor->at[offset + i * step];
        out += run;
        first += run;
        count -= run;
    }
}

/* The matrix as it is. */
static TensorView flat(const char *name, const Mat *m) {
    return (TensorView){.name = name,
                        .at = m->at,
                        .rank = 2,
                        .shape = {(size_t)m->rows, (size_t)m->cols},
                        .stride = {(size_t)m->stride, 1}};
}

/* A matrix whose heads are blocks of columns, as (heads, rows, columns of one). */
static TensorView by_columns(const char *name, const Mat *m, int heads) {
    size_t width = (size_t)(m->cols / heads);
    return (TensorView){.name = name,
                        .at = m->at,
                        .rank = 3,
                        .shape = {(size_t)heads, (size_t)m->rows, width},
                        .stride = {width, (size_t)m->stride, 1}};
}

/* A matrix whose heads are blocks of rows, as (heads, rows of one, columns). */
static TensorView by_rows(const char *name, const Mat *m, int heads) {
    size_t height = (size_t)(m->rows / heads);
    return (TensorView){.name = name,
                        .at = m->at,
                        .rank = 3,
                        .shape = {(size_t)heads, height, (size_t)m->cols},
                        .stride = {height * (size_t)m->stride, (size_t)m->stride, 1}};
}

static TensorView mask_view(const Mask *mask) {
    size_t T = (size_t)mask->T;
    return (TensorView){
        .name = "M", .flags = mask->open, .rank = 2, .shape = {T, T}, .stride = {T, 1}};
}

static int params_of_layer(TensorView *out, const AttnParams *params, int heads) {
    int count = 0;
    for (int i = 0; i < ATTN_PARAM_COUNT; i++) {
        const Mat *m = &params->p[i];
        if (m->rows > 0)
            out[count++] = PARAMS[i].heads_in_rows ? flat(PARAMS[i].entry.id, m)
                                                   : by_columns(PARAMS[i].entry.id, m, heads);
    }
    return count;
}

int tensors_of_run(TensorView out[TENSORS_MAX], const Run *run, int layer) {
    assert(run->valid && layer < run->layer_count);
    const AttnTrace *trace = run_trace(run, layer);
    int heads = run->layers[layer].shape[run->form].H, count = 0;
    out[count++] = flat("X", &run->X);
    count += params_of_layer(out + count, &run->layers[layer].params, heads);
    if (trace->W_QK.rows > 0)
        out[count++] = by_rows("W_QK", &trace->W_QK, heads);
    if (trace->Q.rows > 0)
        out[count++] = by_columns("Q", &trace->Q, heads);
    if (trace->K.rows > 0)
        out[count++] = by_columns("K", &trace->K, heads);
    out[count++] = by_columns("V", &trace->V, heads);
    out[count++] = by_rows("S", &trace->S, heads);
    out[count++] = mask_view(&run->mask);
    out[count++] = by_rows("A", &trace->A, heads);
    out[count++] = by_columns("Z", &trace->Z, heads);
    out[count++] = flat("Y", &trace->Y);
    return count;
}
