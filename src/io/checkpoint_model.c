#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "document/options.h"
#include "io/checkpoint_layer.h"
#include "io/vocabulary_file.h"
#include "io/weights_file.h"

/* The map of the file that was used last. It is kept, because reading the file again would take a
 * large part of each pass. The system can take back unused pages. Only one map is kept, because a
 * mapped file takes space on the disk even after it was replaced. */
typedef struct KeptMap {
    FileMap map;
    uint64_t stamp; /* checkpoint_stamp of the file */
    int owners;     /* number of passes that use the map, plus 1 if `kept` points to it */
} KeptMap;
static KeptMap *kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER; /* guards `kept` and all `owners` */

/* Memory for one block while it is computed. */
typedef struct Block {
    Arena arena, pass, scratch; /* pass: memory of the attention */
    Mat x, attention, hidden;   /* (T, D) */
} Block;

/* Set the shape and the mask of the block's attention. The shape has no biases, because
 * layer_project adds them. */
static bool block_shape(AttnShape *out, MaskKind *mask, int *number, const Layer *l, int T) {
    Options o = {0};
    option_set_standard(&o, &STATE_OPTIONS);
    weights_set_options(&o, l->weights, 0);
    o.d_model = l->D;
    o.heads = l->H;
    o.d_k = l->K;
    o.d_v = l->V;
    if (!options_check(&o, l->err))
        return false;
    *out = options_shape(&o, T, FORM_SEPARATE);
    *mask = (MaskKind)o.mask.row;
    *number = o.mask.number;
    return true;
}

static bool project(AttnTrace *trace, const AttnShape *shape, Block *b, const Layer *l) {
    bool fused = l->arch->fused != ARCH_APART, read = true;
    StackNorm norm;
    if (!layer_read_norm(&norm, l, ARCH_GAIN, ARCH_SHIFT))
        return false;
    norm.used = shape->block == BLOCK_PRE_NORM;
    mat_copy(&b->hidden, &b->x);
    stack_norm(&b->hidden, &norm);
    Mat all = {0}, *const out[] = {&trace->Q, &trace->K, &trace->V};
    for (int which = 0; which < 3 && read; which++) {
        LayerOutputs outputs = layer_outputs(l, which);
        if (which == 0 || !fused) {
            all = mat_push(&b->pass, b->x.rows, outputs.total);
            read = layer_project(&all, l, ARCH_W_Q + (ArchTensor)which,
                                 ARCH_B_Q + (ArchTensor)which, &b->hidden);
        }
        for (int h = 0; h < shape->H && read; h++) {
            Mat head = mat_cols(out[which], h * outputs.width, outputs.width);
            layer_copy_head(&head, &all, &outputs, h);
        }
    }
    return read;
}

static bool run_attention(Block *b, const Layer *l, const ModelPass *pass) {
    MaskKind kind;
    AttnShape shape;
    int number, T = b->x.rows;
    if (!block_shape(&shape, &kind, &number, l, T))
        return false;
    uint64_t bytes = attn_trace_bytes(&shape) + mask_bytes(T);
    for (int which = 0; which < 3; which++)
        bytes += mat_bytes(T, layer_outputs(l, which).total);
    if (bytes > ARENA_BYTES_MAX)
        return err_fail(l->err, "attention",
                        "would take %.1f GB for %d tokens and %d heads; use fewer tokens",
                        (double)bytes / 1e9, T, shape.H);
    if (!arena_reserve(&b->pass, bytes, l->err))
        return false;
    AttnParams params = {0};
    for (int i = 0; i < 2; i++)
        params.gain[i] = (Mat){l->weights->tensors[WEIGHTS_Q_GAIN + i].at, 1, shape.K, shape.K};
    AttnTrace trace = attn_trace_push(&b->pass, &shape);
    Mask mask = mask_push(&b->pass, T, kind, number);
    mask_limit(&mask, shape.traits.window);
    if (!project(&trace, &shape, b, l))
        return false;
    attn_heads(&trace, &shape, &params, &mask);
    if (!layer_project(&b->attention, l, ARCH_W_O, ARCH_B_O, &trace.Z))
        return false;
    if (pass->see != NULL)
        pass->see(pass->context, &(ModelBlock){l->layer, &b->x, &trace, &shape, &mask});
    return true;
}

static bool finish_block(Block *b, const Layer *l) {
    StackBlock rest;
    bool read =
        layer_read_block(&rest, l) &&
        arena_reserve(&b->scratch, stack_block_scratch_bytes(&rest, b->x.rows, b->x.cols), l->err);
    if (read) {
        stack_block_finish(&b->hidden, &rest, &b->x, &b->attention, l->job, &b->scratch);
        mat_copy(&b->x, &b->hidden);
    }
    return layer_clear_room(l, read ? &b->hidden : NULL) && read;
}

static bool run_block(Block *b, Layer *l, int heads, const ModelPass *pass) {
    const Mat *given = l->layer == pass->first ? pass->attention : NULL;
    l->weights = weights_new(l->c->name, l->err);
    bool ran = l->weights != NULL && layer_read_traits(l, heads) &&
               (l->D == b->x.cols || err_fail(l->err, l->c->name, "layer %d has d_model %d, not %d",
                                              l->layer + 1, l->D, b->x.cols));
    if (given != NULL)
        mat_copy(&b->attention, given);
    ran = ran && (given != NULL || run_attention(b, l, pass)) && finish_block(b, l);
    weights_drop(l->weights);
    l->weights = NULL;
    return ran;
}

/* Fill pass->logits from the last rows of x, and overwrite these rows. */
static bool run_head(const ModelPass *pass, const Mat *x, const Layer *l) {
    int count = pass->logits->rows;
    Mat last = mat_rows(x, x->rows - count, count);
    Arena scratch = {0};
    StackHead head;
    bool ran =
        layer_read_head(&head, l) && arena_reserve(&scratch, mat_bytes(count, x->cols), l->err);
    if (ran)
        stack_head_enter(&last, &head, &scratch);
    arena_release(&scratch);
    return layer_clear_room(l, &last) && ran && layer_unembed(pass->logits, l, &last);
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

static bool check_stamps(const Layer *l, uint64_t a, uint64_t b) {
    return a == b || err_fail(l->err, l->c->name, "has changed since it was opened; open it again");
}

static void drop_map(KeptMap *map) {
    if (map == NULL || --map->owners > 0)
        return;
    file_unmap(&map->map);
    free(map);
}

/* Map the file of a checkpoint without an index. Return NULL on failure, or if the file was written
 * to after it was opened. */
static KeptMap *new_map(const Checkpoint *c) {
    KeptMap *map = c->index == NULL ? heap_get(sizeof *map) : NULL;
    if (map == NULL)
        return NULL;
    *map = (KeptMap){.stamp = c->stamp, .owners = 1};
    if (file_map(&map->map, &c->in, 0, (size_t)c->in.size) && checkpoint_stamp(c) == c->stamp)
        return map;
    drop_map(map);
    return NULL;
}

/* Return the map of the checkpoint's file, to be released with drop_map; NULL if there is none. */
static KeptMap *take_map(const Checkpoint *c) {
    pthread_mutex_lock(&kept_lock);
    if (kept == NULL || kept->stamp != c->stamp || !file_map_is_whole(&kept->map)) {
        drop_map(kept);
        kept = new_map(c);
    }
    KeptMap *map = kept;
    if (map != NULL)
        map->owners++;
    pthread_mutex_unlock(&kept_lock);
    return map;
}

static void leave_map(KeptMap *map) {
    pthread_mutex_lock(&kept_lock);
    drop_map(map);
    pthread_mutex_unlock(&kept_lock);
}

static bool run(const WeightsModel *model, const ModelPass *pass, Err *err) {
    Checkpoint c;
    Block b = {0};
    LayerRoom room = {0};
    Layer l = {.c = &c, .room = &room, .job = pass->job, .err = err};
    int T = pass->x->rows, D = pass->x->cols;
    bool ran = checkpoint_open(&c, model->path, model->path, err) && layer_find_model(&l) &&
               arena_reserve(&b.arena, 3 * mat_bytes(T, D), err);
    if (ran) {
        b.x = mat_push(&b.arena, T, D);
        b.attention = mat_push(&b.arena, T, D);
        b.hidden = mat_push(&b.arena, T, D);
        KeptMap *map = take_map(&c);
        c.map = map != NULL ? &map->map : NULL;
        ran = check_stamps(&l, model->stamp, c.stamp) && run_pass(model, pass, &b, &l) &&
              check_stamps(&l, model->stamp, checkpoint_stamp(&c));
        leave_map(map);
    }
    layer_release_room(&room);
    arena_release(&b.scratch);
    arena_release(&b.pass);
    arena_release(&b.arena);
    checkpoint_close(&c);
    return ran;
}

static bool take_vocabulary(WeightsModel *model, const Layer *l, const Weights *other) {
    const WeightsModel *shared = other != NULL ? other->model : NULL;
    char *bytes;
    size_t size;
    if (model->words == 0 || !checkpoint_has_file(l->c, VOCABULARY_FILE))
        return true;
    if (shared != NULL && shared->stamp == model->stamp && shared->vocabulary != NULL) {
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

/* Set l->weights->model, unless the file has only attention. */
static bool add_model(Layer *l, const char *path, const WeightsRequest *request) {
    const char *up = architecture_given(l->arch, ARCH_UP);
    bool is_attention = up != NULL && !layer_has(l, ARCH_UP) && !layer_has(l, ARCH_DOWN) &&
                        !layer_has(l, ARCH_GATE) && !layer_has(l, ARCH_WORDS);
    if (is_attention)
        return true;
    size_t bytes = strlen(path) + 1;
    WeightsModel *model = heap_get_zero(1, sizeof *model + bytes);
    if (model == NULL)
        return err_fail(l->err, "memory", "too little to read weights; close other programs");
    *model = (WeightsModel){.run = run, .D = l->D, .stamp = l->c->stamp, .heads = request->heads};
    memcpy(model->path, path, bytes);
    model->words = (int)layer_rows(l, ARCH_WORDS);
    model->logits = layer_logits(l);
    l->weights->model = model;
    return take_vocabulary(model, l, request->other);
}

static bool choose_layer(Layer *l, int wanted) {
    l->layer = wanted - 1;
    return wanted <= l->layers ||
           err_usage(l->err, PRINT("--layer %d", wanted), "%.160s has %d layer%s", l->c->name,
                     l->layers, l->layers == 1 ? "" : "s");
}

Weights *checkpoint_load(const char *path, const char *name, const WeightsRequest *request,
                         Err *err) {
    static const WeightsRequest FIRST = {.layer = 1};
    Checkpoint c;
    LayerRoom room = {0};
    Layer l = {.c = &c, .weights = weights_new(name, err), .room = &room, .err = err};
    request = request != NULL ? request : &FIRST;
    bool loaded = checkpoint_open(&c, path, name, err) && l.weights != NULL &&
                  layer_find_model(&l) && choose_layer(&l, request->layer) &&
                  layer_read(&l, request->heads) && add_model(&l, path, request) &&
                  check_stamps(&l, c.stamp, checkpoint_stamp(&c));
    layer_release_room(&room);
    checkpoint_close(&c);
    if (loaded)
        return l.weights;
    weights_drop(l.weights);
    return NULL;
}
