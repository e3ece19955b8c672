#include "io/tensors.h"

#include <assert.h>
#include <stdio.h>

#include "base/utf8.h"
#include "model/attention/params.h"

size_t tensor_count(const TensorView *tensor) {
    size_t count = 1;
    for (int i = 0; i < tensor->rank; i++)
        count *= tensor->shape[i];
    return count;
}

/* Return the offset of entry `first` from the tensor's address, and set *run to the number of
 * entries from there to the end of the row. */
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

/* Return a view of a matrix as a whole or, if its heads are blocks of columns or rows, as (heads,
 * rows of one head, columns of one head). */
static TensorView view(const char *name, const Mat *m, int heads, ParamLayout layout) {
    size_t H = (size_t)heads, rows = (size_t)m->rows, cols = (size_t)m->cols;
    size_t stride = (size_t)m->stride;
    TensorView out = {.at = m->at, .rank = 2, .shape = {rows, cols}, .stride = {stride, 1}};
    snprintf(out.name, sizeof out.name, "%s", name);
    if (layout == PARAM_WHOLE)
        return out;
    bool in_rows = layout == PARAM_HEADS_IN_ROWS;
    out.rank = 3;
    out.shape[0] = H;
    out.shape[1] = in_rows ? rows / H : rows;
    out.shape[2] = in_rows ? cols : cols / H;
    out.stride[0] = in_rows ? rows / H * stride : cols / H;
    out.stride[1] = stride;
    out.stride[2] = 1;
    return out;
}

/* Return a view of S or A, whose matrix may have room for more than T tokens. */
static TensorView by_query(const char *name, const Mat *m, int heads, int T) {
    TensorView out = view(name, m, heads, PARAM_HEADS_IN_ROWS);
    out.shape[1] = out.shape[2] = (size_t)T;
    return out;
}

static TensorView squeezed(TensorView out, int dimension) {
    out.rank--;
    for (int i = dimension; i < out.rank; i++) {
        out.shape[i] = out.shape[i + 1];
        out.stride[i] = out.stride[i + 1];
    }
    return out;
}

static TensorView param_view(const char *prefix, AttnParam param, const Mat *m, int heads) {
    const char *name = PRINT("%s%s", prefix, PARAMS[param].entry.id);
    TensorView out = view(name, m, heads, PARAMS[param].layout);
    return param_is_bias(param) ? squeezed(out, out.rank - 2) : out;
}

/* Return a view of the W_QK of all distances as (distances, heads, E, E). */
static TensorView offset_view(const char *name, const Mat *m, int heads) {
    size_t E = (size_t)m->cols, H = (size_t)heads;
    TensorView out = {.at = m->at,
                      .rank = 4,
                      .shape = {(size_t)m->rows / (H * E), H, E, E},
                      .stride = {H * E * E, E * E, E, 1}};
    snprintf(out.name, sizeof out.name, "%s", name);
    return out;
}

/* List the matrices from which scores are computed: the products if the form has them, otherwise Q
 * and K. With RoPE the merged form has neither a single product nor its own Q and K. */
static int score_parts(TensorView *out, const LayerResults *layer, const AttnTrace *trace,
                       const AttnShape *shape) {
    int count = 0;
    if (trace->W_QK.rows > 0 && shape->form != FORM_FREE)
        out[count++] = view("W_QK", &trace->W_QK, shape->H, PARAM_HEADS_IN_ROWS);
    if (trace->W_QK_exact.rows > 0)
        out[count++] = view("W_QK_exact", &trace->W_QK_exact, shape->H, PARAM_HEADS_IN_ROWS);
    if (trace->sigma.rows > 0)
        out[count++] = view("sigma", &trace->sigma, 1, PARAM_WHOLE);
    if (layer->W_QK_offset.rows > 0)
        out[count++] = offset_view("W_QK_offset", &layer->W_QK_offset, shape->H);
    if (trace->Q.rows > 0 && shape->form != FORM_MERGED) {
        out[count++] = view("Q", &trace->Q, shape->H, PARAM_HEADS_IN_COLUMNS);
        out[count++] = view("K", &trace->K, shape->H, PARAM_HEADS_IN_COLUMNS);
    }
    return count;
}

int tensors_of_run(TensorView out[TENSORS_MAX], const Results *run, int layer) {
    assert(run->valid && layer < run->layer_count);
    const AttnTrace *trace = results_trace(run, layer);
    int heads = run->layers[layer].shape[run->form].H, count = 0;
    size_t T = (size_t)run->mask.T;
    out[count++] = view("X", &run->X, 1, PARAM_WHOLE);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (run->layers[layer].params.p[p].rows > 0)
            out[count++] = param_view("", p, &run->layers[layer].params.p[p], heads);
    for (int i = 0; i < 2; i++) { /* gains of QK-norm */
        TensorView gain =
            view(i == 0 ? "q_gain" : "k_gain", &run->layers[layer].params.gain[i], 1, PARAM_WHOLE);
        if (gain.shape[0] > 0)
            out[count++] = squeezed(gain, 0);
    }
    count +=
        score_parts(out + count, &run->layers[layer], trace, &run->layers[layer].shape[run->form]);
    out[count++] = view("V", &trace->V, heads, PARAM_HEADS_IN_COLUMNS);
    out[count++] = by_query("S", &trace->S, heads, run->T);
    out[count++] = (TensorView){
        .name = "M", .flags = run->mask.open, .rank = 2, .shape = {T, T}, .stride = {T, 1}};
    out[count++] = by_query("A", &trace->A, heads, run->T);
    out[count++] = view("Z", &trace->Z, heads, PARAM_HEADS_IN_COLUMNS);
    out[count++] = view("Y", &trace->Y, 1, PARAM_WHOLE);
    return count;
}

int tensors_of_model(TensorView *out, const ModelOutput *model) {
    int count = 0;
    if (model->hidden.rows > 0)
        out[count++] = view("hidden", &model->hidden, 1, PARAM_WHOLE);
    if (model->logits.rows > 0)
        out[count++] = view("logits", &model->logits, 1, PARAM_WHOLE);
    return count;
}

/* True if other gradients replace the gradient of this parameter: in the nested form the gradients
 * of its factors, in the merged form the gradient of W_QK or W_QK_offset. */
static bool is_derived(AttnParam p, const AttnShape *shape) {
    bool is_factor = p == ATTN_W_Q || p == ATTN_W_K || p == ATTN_B_Q || p == ATTN_B_K;
    bool is_folded = p == ATTN_W_Q || p == ATTN_W_K || p == ATTN_W_V;
    return (shape->form == FORM_NESTED && is_folded) || (shape->form == FORM_MERGED && is_factor);
}

int tensors_of_gradient(TensorView *out, const Results *run, int layer) {
    const GradientResults *gradient = &run->layers[layer].gradient;
    const AttnShape *shape = &run->layers[layer].shape[run->form];
    int count = 0;
    assert(run->valid && layer < run->layer_count && gradient->G.rows > 0);
    out[count++] = view("G", &gradient->G, 1, PARAM_WHOLE);
    out[count++] = view("grad.X", &gradient->back.X, 1, PARAM_WHOLE);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (gradient->params.p[p].rows > 0 && !is_derived(p, shape))
            out[count++] = param_view("grad.", p, &gradient->params.p[p], shape->H);
    if (gradient->W_QK_offset.rows > 0)
        out[count++] = offset_view("grad.W_QK_offset", &gradient->W_QK_offset, shape->H);
    out[count++] = view("grad.S", &gradient->back.S, shape->H, PARAM_HEADS_IN_ROWS);
    out[count++] = view("grad.A", &gradient->back.A, shape->H, PARAM_HEADS_IN_ROWS);
    return count;
}
