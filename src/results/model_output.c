#include "results/model_output.h"

#include <assert.h>

#include "results/layer.h"

static bool push(ModelOutput *out, Mat *attention, Mat *x, const Results *run,
                 const WeightsModel *model, int n, Err *err) {
    int T = run->T, D = run->X.cols;
    uint64_t narrow = mat_bytes(T, D), wide = mat_bytes(n, model->logits);
    uint64_t bytes = narrow + narrow + narrow + wide;
    if (bytes > ARENA_BYTES_MAX)
        return err_fail(err, "logits", "would take %.1f GB for %d tokens; use fewer",
                        (double)bytes / 1e9, T);
    if (!arena_reserve(&out->arena, bytes, err))
        return false;
    out->hidden = mat_push(&out->arena, T, D);
    *attention = mat_push(&out->arena, T, D);
    *x = mat_push(&out->arena, T, D);
    if (model->logits > 0)
        out->logits = mat_push(&out->arena, n, model->logits);
    return true;
}

bool model_output_make(ModelOutput *out, const Results *run, int n, const Job *job, Err *err) {
    const Session *session = results_source(run);
    const WeightsModel *model = session->weights != NULL ? session->weights->model : NULL;
    const LayerResults *layer = &run->layers[0];
    Mat attention, x;
    *out = (ModelOutput){0};
    assert(run->valid && run->T > 0);
    if (model == NULL || model->D != run->X.cols)
        return true;
    if (!push(out, &attention, &x, run, model, n, err))
        return false;
    int first = session->weights->layer - 1;
    attn_output(&attention, results_trace(run, 0), &layer->shape[run->form], &layer->params);
    mat_copy(&out->hidden, &run->X);
    ModelPass block = {
        .x = &out->hidden, .first = first, .last = first + 1, .attention = &attention, .job = job};
    if (!model->run(model, &block, err))
        return false;
    mat_copy(&x, &out->hidden);
    ModelPass above = {.x = &x,
                       .first = first + 1,
                       .last = session->weights->layers,
                       .logits = &out->logits,
                       .job = job};
    return out->logits.rows == 0 || model->run(model, &above, err);
}

void model_output_release(ModelOutput *out) {
    arena_release(&out->arena);
    *out = (ModelOutput){0};
}
