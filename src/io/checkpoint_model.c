#include "io/checkpoint_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "document/options.h"
#include "io/vocabulary_file.h"

/* Memory for one block while it runs. */
typedef struct Block {
    StackBlock rest;
    LayerRoom room; /* memory of rest */
    AttnShape shape;
    Arena arena, pass, scratch; /* pass: of the attention */
    Mat x, attention, hidden;   /* (T, D) */
} Block;

/* Return the layer's options as a session has them. */
static bool block_shape(AttnShape *out, MaskKind *mask, int *number, const Layer *l, int T) {
    Options o = {0};
    option_set_standard(&o, &STATE_OPTIONS);
    weights_set_options(&o, l->weights, 0);
    if (!weights_fit(&o, l->weights, 0, l->err) || !options_check(&o, l->err))
        return false;
    *out = options_shape(&o, T, FORM_SEPARATE);
    *mask = (MaskKind)o.mask.row;
    *number = o.mask.number;
    return true;
}

/* Compute block->attention from block->x and l->weights. */
static bool run_attention(Block *b, Layer *l, const ModelPass *pass) {
    MaskKind kind;
    int number, T = b->x.rows;
    Arena *arena = &b->pass;
    if (!block_shape(&b->shape, &kind, &number, l, T))
        return false;
    size_t bytes = mat_bytes_add(attn_params_bytes(&b->shape), attn_trace_bytes(&b->shape));
    bytes = mat_bytes_add(bytes, mask_bytes(T));
    if (bytes > ARENA_BYTES_MAX)
        return err_fail(l->err, "attention",
                        "would take %.1f GB for %d tokens and %d heads; use fewer tokens",
                        (double)bytes / 1e9, T, b->shape.H);
    if (!arena_reserve(arena, bytes, l->err))
        return false;
    AttnParams params = attn_params_push(arena, &b->shape);
    AttnTrace trace = attn_trace_push(arena, &b->shape);
    Mask mask = mask_push(arena, T, kind, number);
    mask_limit(&mask, b->shape.traits.window);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        Mat *m = &params.p[p];
        if (m->rows > 0 && weights_give(l->weights, p))
            weights_copy(m, l->weights, p);
        else
            for (int i = 0; i < m->rows; i++)
                memset(mat_row(m, i), 0, (size_t)m->cols * sizeof(float));
    }
    weights_copy_gains(&params, l->weights);
    attn_forward(&trace, &b->shape, &params, &b->x, &mask);
    attn_output(&b->attention, &trace, &b->shape, &params);
    if (pass->see != NULL)
        pass->see(pass->context, &(ModelBlock){l->layer, &b->x, &trace, &b->shape, &mask});
    return true;
}

/* Run the block l->layer: b->x becomes its output. */
static bool run_block(Block *b, Layer *l, int heads, const ModelPass *pass) {
    const Mat *given = l->layer == pass->first ? pass->attention : NULL;
    l->weights = weights_new(l->c->name, l->err);
    bool ran = l->weights != NULL;
    if (given != NULL)
        mat_copy(&b->attention, given);
    ran = ran && (given != NULL ? layer_find_sizes(l, heads)
                                : layer_read(l, heads) && run_attention(b, l, pass));
    layer_drop_weights(l);
    int T = b->x.rows, D = b->x.cols;
    ran = ran &&
          (l->D == D || err_fail(l->err, l->c->name, "layer %d has d_model %d, not %d",
                                 l->layer + 1, l->D, D)) &&
          layer_read_block(&b->rest, l, &b->room) &&
          arena_reserve(&b->scratch, stack_block_scratch_bytes(&b->rest, T, D), l->err);
    if (ran) {
        stack_block_finish(&b->hidden, &b->rest, &b->x, &b->attention, &b->scratch);
        mat_copy(&b->x, &b->hidden);
    }
    b->room.count = 0;
    return ran;
}

/* Fill pass->logits from the last rows of x, which it overwrites. */
static bool run_head(const ModelPass *pass, const Mat *x, const Layer *l) {
    int count = pass->logits->rows;
    Mat last = mat_rows(x, x->rows - count, count);
    LayerRoom room = {0};
    Arena scratch = {0};
    StackHead head;
    bool ran = layer_read_head(&head, l, &room) &&
               arena_reserve(&scratch, mat_bytes(count, x->cols), l->err);
    if (ran)
        stack_head_enter(&last, &head, &scratch);
    layer_room_release(&room);
    arena_release(&scratch);
    return ran && layer_unembed(pass->logits, l, &last);
}

static bool run_pass(const WeightsModel *model, const ModelPass *pass, Block *b, Layer *l) {
    l->layer = 0;
    if (!layer_find_sizes(l, model->heads))
        return false;
    if (l->D != b->x.cols || l->layers < pass->last)
        return err_fail(l->err, l->c->name, "has changed since it was opened; open it again");
    if (pass->ids == NULL)
        mat_copy(&b->x, pass->x);
    else if (!layer_embed(&b->x, l, pass->ids))
        return false;
    for (l->layer = pass->first; l->layer < pass->last; l->layer++) {
        if (!job_goes_on(pass->job))
            return err_fail(l->err, "computing", "was stopped");
        if (!run_block(b, l, model->heads, pass))
            return false;
    }
    mat_copy(pass->x, &b->x);
    l->layer = 0;
    return pass->logits == NULL || run_head(pass, &b->x, l);
}

static bool run(const WeightsModel *model, const ModelPass *pass, Err *err) {
    Checkpoint c;
    Block b = {0};
    Layer l = {.c = &c, .err = err};
    int T = pass->x->rows, D = pass->x->cols;
    bool ran = checkpoint_open(&c, model->path, model->path, err) && layer_find_model(&l) &&
               arena_reserve(&b.arena, 3 * mat_bytes(T, D), err);
    if (ran) {
        b.x = mat_push(&b.arena, T, D);
        b.attention = mat_push(&b.arena, T, D);
        b.hidden = mat_push(&b.arena, T, D);
        ran = run_pass(model, pass, &b, &l);
    }
    layer_release_spare(&l);
    layer_room_release(&b.room);
    arena_release(&b.scratch);
    arena_release(&b.pass);
    arena_release(&b.arena);
    checkpoint_close(&c);
    return ran;
}

/* Share the vocabulary of another layer of the same model, or read it. */
static bool take_vocabulary(WeightsModel *model, const Layer *l, const Weights *other) {
    const WeightsModel *shared = other != NULL ? other->model : NULL;
    char *bytes;
    size_t size;
    if (model->words == 0 || !checkpoint_has_file(l->c, VOCABULARY_FILE))
        return true;
    if (shared != NULL && strcmp(shared->path, model->path) == 0 && shared->vocabulary != NULL) {
        model->vocabulary = shared->vocabulary;
        model->vocabulary->owners++;
        return true;
    }
    if (!checkpoint_read_file(&bytes, &size, l->c, VOCABULARY_FILE, VOCABULARY_FILE_MAX, l->err))
        return false;
    model->vocabulary = bytes != NULL ? vocabulary_read(bytes, size, l->err) : NULL;
    free(bytes);
    return bytes == NULL || model->vocabulary != NULL;
}

bool checkpoint_add_model(Layer *l, const char *path, const WeightsRequest *request) {
    const char *up = l->arch->names[ARCH_UP];
    bool is_attention = up != NULL && !layer_has(l, ARCH_UP) && !layer_has(l, ARCH_DOWN) &&
                        !layer_has(l, ARCH_GATE) && !layer_has(l, ARCH_WORDS);
    if (is_attention)
        return true;
    size_t bytes = strlen(path) + 1;
    WeightsModel *model = heap_get_zero(1, sizeof *model + bytes);
    if (model == NULL)
        return err_fail(l->err, "memory", "too little to read weights; close other programs");
    *model = (WeightsModel){.run = run, .D = l->D, .heads = request->heads};
    memcpy(model->path, path, bytes);
    model->words = (int)layer_rows(l, ARCH_WORDS);
    model->logits = layer_logits(l);
    l->weights->model = model;
    return take_vocabulary(model, l, request->other);
}
