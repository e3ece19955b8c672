#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/number.h"
#include "base/utf8.h"
#include "io/checkpoint_layer.h"
#include "io/vocabulary_file.h"
#include "text/vocabulary.h"

LayerOutputs layer_outputs(const Layer *l, int which) {
    const Architecture *a = l->arch;
    int heads = which == 0 ? l->H : l->G, rope = l->weights->traits.rope.width;
    LayerOutputs out = {.group = l->H / heads, .width = which == 2 ? l->V : l->K};
    out.step = out.width;
    out.total = heads * out.width;
    if (a->fused != ARCH_APART) {
        out.first = which * (a->fused == ARCH_BLOCKS ? l->H : 1) * l->K;
        out.step = a->fused == ARCH_BLOCKS ? l->K : 3 * l->K;
        out.total = 3 * l->H * l->K;
    }
    out.pairs = which == 2 || a->rope != ARCH_HALVES ? 0 : rope > 0 ? rope : l->K;
    return out;
}

/* Return the index in the file of a head's column k. The file stores the first `pairs` columns as
 * two halves. */
static int paired(int k, int pairs) {
    return k < pairs ? k % 2 * (pairs / 2) + k / 2 : k;
}

void layer_copy_head(Mat *out, const Mat *m, const LayerOutputs *outputs, int head) {
    int first = outputs->first + head / outputs->group * outputs->step;
    for (int i = 0; i < out->rows; i++)
        for (int k = 0; k < out->cols; k++)
            mat_row(out, i)[k] = mat_row(m, i)[first + paired(k, outputs->pairs)];
}

static bool push(Layer *l, WeightsPart part, const size_t *shape, int rank) {
    WeightsTensor *tensor = &l->weights->tensors[part];
    size_t count = 1;
    for (int d = 0; d < rank; d++)
        count *= tensor->shape[d] = shape[d];
    tensor->rank = rank;
    tensor->at = heap_get_zero(count, sizeof *tensor->at);
    return tensor->at != NULL ||
           err_fail(l->err, "memory", "too little for “%s”; close other programs",
                    WEIGHTS_PARTS[part].name);
}

/* Read a matrix as (inputs, outputs). With ARCH_HEADS the values keep the file's order, head by
 * head. */
static bool find_matrix(Mat *out, const Layer *l, ArchTensor from, int inputs, int outputs) {
    CheckpointTensor t;
    size_t count = (size_t)inputs * (size_t)outputs;
    if (!layer_find_count(l, &t, from, count))
        return false;
    float *values = layer_values(l, &t, 0, count);
    *out = (Mat){values, inputs, outputs, outputs};
    if (values == NULL || l->arch->layout != ARCH_LINEAR || inputs == 1)
        return values != NULL;
    out->at = layer_take_room(l, count);
    if (out->at != NULL)
        mat_transpose(out, &(Mat){values, outputs, inputs, inputs});
    return out->at != NULL;
}

static bool read_projection(Layer *l, int which, ArchTensor from, bool is_bias) {
    LayerOutputs outputs = layer_outputs(l, which);
    WeightsPart part = (is_bias ? WEIGHTS_B_Q : WEIGHTS_W_Q) + (WeightsPart)which;
    int inputs = is_bias ? 1 : l->D;
    const size_t shape[] = {(size_t)l->H, (size_t)inputs, (size_t)outputs.width};
    const size_t bias[] = {shape[0], shape[2]};
    bool by_heads = l->arch->layout == ARCH_HEADS;
    Mat m;
    if (!find_matrix(&m, l, from, inputs, outputs.total) ||
        !push(l, part, is_bias ? bias : shape, is_bias ? 2 : 3))
        return false;
    for (int h = 0; h < l->H; h++) {
        size_t size = (size_t)inputs * shape[2];
        Mat head = {l->weights->tensors[part].at + (size_t)h * size, inputs, outputs.width,
                    outputs.width};
        Mat own = {m.at + (size_t)(h / outputs.group) * size, inputs, outputs.width, outputs.width};
        if (by_heads)
            mat_copy(&head, &own);
        else
            layer_copy_head(&head, &m, &outputs, h);
    }
    return layer_clear_room(l, NULL);
}

static bool take_projections(Layer *l) {
    bool fused = l->arch->fused != ARCH_APART;
    for (int which = 0; which < 3; which++) {
        ArchTensor from = fused ? ARCH_W_Q : ARCH_W_Q + (ArchTensor)which;
        ArchTensor bias = fused ? ARCH_B_Q : ARCH_B_Q + (ArchTensor)which;
        if (!read_projection(l, which, from, false) ||
            (layer_has(l, bias) && !read_projection(l, which, bias, true)))
            return false;
    }
    return true;
}

static bool read_output(Layer *l, WeightsPart part, ArchTensor from, int rows) {
    const size_t shape[] = {(size_t)rows, (size_t)l->D};
    bool is_bias = part == WEIGHTS_B_O;
    Mat m;
    bool read = find_matrix(&m, l, from, rows, l->D) &&
                push(l, part, is_bias ? &shape[1] : shape, is_bias ? 1 : 2);
    if (read)
        memcpy(l->weights->tensors[part].at, m.at, shape[0] * shape[1] * sizeof *m.at);
    return read && layer_clear_room(l, NULL);
}

/* Fold the norm's gain g and shift s into the projections. With n = norm(x), (n∘g + s)·W is n times
 * W with row i multiplied by g_i, plus s·W, which is added to the biases. */
static bool fold_norm(Layer *l) {
    Mat gain, shift;
    bool read = layer_read_gain(&gain, l, ARCH_GAIN, l->D) &&
                layer_read_vector(&shift, l, ARCH_SHIFT, l->D);
    for (int which = 0; which < 3 && read && (gain.rows > 0 || shift.rows > 0); which++) {
        WeightsPart bias = WEIGHTS_B_Q + (WeightsPart)which;
        const WeightsTensor *w = &l->weights->tensors[WEIGHTS_W_Q + (WeightsPart)which];
        const size_t *n = w->shape, shape[] = {n[0], n[2]};
        if (shift.rows > 0 && !weights_has(l->weights, bias))
            read = push(l, bias, shape, 2);
        for (size_t i = 0; i < n[0] * n[1] && read; i++) {
            float *row = w->at + i * n[2], *b = l->weights->tensors[bias].at;
            for (size_t k = 0; k < n[2] && shift.rows > 0; k++)
                b[i / n[1] * n[2] + k] += shift.at[i % n[1]] * row[k];
            for (size_t k = 0; k < n[2] && gain.rows > 0; k++)
                row[k] *= gain.at[i % n[1]];
        }
    }
    return layer_clear_room(l, NULL) && read;
}

static bool all_finite(const Layer *l) {
    for (WeightsPart p = WEIGHTS_W_Q; p <= WEIGHTS_B_V; p++) {
        const WeightsTensor *t = &l->weights->tensors[p];
        size_t count = weights_tensor_count(t);
        if (count > 0 && !mat_is_finite(&(Mat){t->at, 1, (int)count, (int)count}))
            return err_fail(l->err, l->c->name,
                            "%s overflows when it is multiplied by the gain of the norm before it",
                            WEIGHTS_PARTS[p].name);
    }
    return true;
}

/* Return a layer's kind from GPT-Neo's list of [kinds, times]: an item stands for layers of its
 * kinds in order, repeated `times` times. */
static const char *kind_in_turn(const json_t *types, int layer) {
    for (size_t i = 0; i < json_array_size(types); i++) {
        const json_t *kinds = json_array_get(json_array_get(types, i), 0);
        json_int_t times = json_integer_value(json_array_get(json_array_get(types, i), 1));
        int count = (int)json_array_size(kinds);
        if (count > 0 && times > 0 && layer / count < times)
            return json_string_value(json_array_get(kinds, (size_t)(layer % count)));
        layer -= count > 0 && times > 0 && times <= OPTION_LAYER_MAX ? count * (int)times : 0;
    }
    return NULL;
}

/* The first layers of Qwen have no window; this is their number unless config.json states it. */
#define QWEN_WHOLE_LAYERS 28

/* True if the layer attends only to a sliding window of keys, in a model that has a window. */
static bool slides(const Layer *l) {
    const char *kind = json_string_value(
        json_array_get(checkpoint_value(l->c, "layer_types attention_layers"), (size_t)l->layer));
    const char *model = json_string_value(checkpoint_value(l->c, "model_type"));
    const json_t *used = checkpoint_value(l->c, "use_sliding_window");
    bool is_qwen = model != NULL && strncmp(model, "qwen", 4) == 0;
    int every = l->arch->whole_every;
    double first = is_qwen ? QWEN_WHOLE_LAYERS : 0;
    Err none;
    kind = kind != NULL ? kind : kind_in_turn(checkpoint_value(l->c, "attention_types"), l->layer);
    if (kind != NULL)
        return strcmp(kind, "local") == 0 || strcmp(kind, "sliding_attention") == 0;
    if (used != NULL ? !json_is_true(used) : is_qwen)
        return false;
    checkpoint_number(&first, l->c, "max_window_layers", 0, 1e9, &none);
    checkpoint_config(&every, l->c, "sliding_window_pattern", OPTION_LAYER_MAX, &none);
    return l->layer >= first && (every == 0 || (l->layer + 1) % every != 0);
}

static bool read_rope(Rope *out, const Layer *l) {
    Checkpoint *c = l->c;
    double base = 10000, part = l->arch->rope_part, width = 0, factor = 1, low = 1, high = 4,
           old = 0;
    *out = (Rope){0};
    c->layer_kind = slides(l) ? "sliding_attention" : "full_attention";
    bool is_local = slides(l) && checkpoint_value(c, "rope_local_base_freq") != NULL;
    if (!checkpoint_number(&base, c,
                           is_local ? "rope_local_base_freq" : "rope_theta rotary_emb_base", 1,
                           1e30, l->err) ||
        !checkpoint_number(&part, c, "partial_rotary_factor rotary_pct", 0, 1, l->err) ||
        !checkpoint_number(&width, c, "rotary_dim", 0, OPTION_WIDTH_MAX, l->err))
        return false;
    width = width > 0 ? width : part > 0 ? floor(part * l->K) : l->K;
    out->base = (float)base;
    out->width = (int)fmin(width, l->K);
    if (out->width % 2 != 0 || out->width == 0 || l->K % 2 != 0)
        return err_fail(l->err, l->c->name,
                        "RoPE rotates pairs of columns; it cannot rotate %d of a head’s %d columns",
                        out->width, l->K);
    const char *kind = json_string_value(checkpoint_value(c, "rope_type type"));
    if (kind == NULL || is_local || strcmp(kind, "default") == 0)
        return true;
    if (strcmp(kind, "linear") != 0 && strcmp(kind, "llama3") != 0)
        return err_fail(
            l->err, l->c->name,
            "config.json: Headlight does not compute RoPE scaling of type “%.60s”, so its "
            "numbers would be wrong",
            kind);
    if (!checkpoint_number(&factor, c, "factor", 1, 1e6, l->err))
        return false;
    out->factor = (float)factor;
    if (strcmp(kind, "linear") == 0)
        return true;
    old = 8192;
    if (!checkpoint_number(&low, c, "low_freq_factor", 0, 1e6, l->err) ||
        !checkpoint_number(&high, c, "high_freq_factor", 0, 1e6, l->err) ||
        !checkpoint_number(&old, c, "original_max_position_embeddings", 1, 1e9, l->err))
        return false;
    out->low = (float)low;
    out->high = (float)high;
    out->old = (float)old;
    return high > low ||
           err_fail(l->err, c->name,
                    "config.json: “high_freq_factor” must be more than “low_freq_factor”");
}

static bool read_gain(Layer *l, WeightsPart part, ArchTensor from) {
    Mat gain;
    LayerOutputs outputs = layer_outputs(l, 0);
    bool read = layer_read_gain(&gain, l, from, l->K) &&
                (gain.rows == 0 || push(l, part, &(size_t){(size_t)l->K}, 1));
    for (int k = 0; read && k < gain.cols; k++)
        l->weights->tensors[part].at[k] = gain.at[paired(k, outputs.pairs)];
    return layer_clear_room(l, NULL) && read;
}

static bool read_traits(Layer *l) {
    AttnTraits *traits = &l->weights->traits;
    double cap = 0, window = 0;
    if (!layer_norm_kind(&traits->norm, l) ||
        !checkpoint_number(&cap, l->c, "attn_logit_softcapping", 0, 1e6, l->err) ||
        !checkpoint_number(&window, l->c, "sliding_window window_size", 0, 1e9, l->err) ||
        (l->arch->rope != ARCH_NO_ROPE && !read_rope(&traits->rope, l)))
        return false;
    traits->cap = (float)cap;
    traits->window = slides(l) && window < TOKENS_MAX ? (int)window : 0;
    traits->key_heads = l->G < l->H ? l->G : 0;
    if (layer_has(l, ARCH_Q_NORM) && layer_has(l, ARCH_K_NORM))
        traits->qk_epsilon = traits->norm.epsilon;
    return true;
}

/* Set the options that the layer needs, and the note for the user. */
static bool describe(Layer *l) {
    char text[300], number[NUMBER_EXACT_MAX];
    size_t words = layer_rows(l, ARCH_WORDS);
    bool is_own = words > 0 && checkpoint_has_file(l->c, VOCABULARY_FILE);
    const char *positions = l->arch->rope != ARCH_NO_ROPE ? "rope" : "none";
    /* Headlight itself divides scores by √d_k. If the model divides by another number, the
     * temperature corrects that. */
    double scalar = l->K, factor = 0, range = 0;
    if (!checkpoint_number(&scalar, l->c, "query_pre_attn_scalar", 1e-6, 1e9, l->err) ||
        !checkpoint_number(&factor, l->c, "attention_multiplier", 1e-9, 1e9, l->err) ||
        !checkpoint_number(&range, l->c, "initializer_range", 0, 1e9, l->err))
        return false;
    if (json_is_false(checkpoint_value(l->c, "scale_attn_weights")))
        scalar = 1;
    bool is_normal = range == 0.02 && strstr(l->arch->options, "init=") == NULL;
    number_write_exact(number,
                       (float)(factor > 0 ? 1 / (factor * sqrt(l->K)) : sqrt(scalar / l->K)));
    snprintf(text, sizeof text, "%s%s&embedding=random&positions=%s&temperature=%s&tokenizer=%s",
             l->arch->options, is_normal ? "&init=normal_002" : "", positions, number,
             is_own                ? "model"
             : words == GPT2_WORDS ? "gpt2"
                                   : "words");
    if (!weights_take_options(l->weights, text, l->err))
        return false;
    const char *note = safetensors_note(&l->c->file);
    snprintf(text, sizeof text, "%s",
             note != NULL
                 ? note
                 : PRINT("%s, layer %d of %d", l->arch->entry.label, l->layer + 1, l->layers));
    l->weights->note = heap_copy(text, strlen(text));
    l->weights->card = safetensors_card(&l->c->file);
    l->weights->layer = l->layer + 1;
    l->weights->layers = l->layers;
    return l->weights->note != NULL || err_fail(l->err, "memory", "too little to read weights");
}

bool layer_read_traits(Layer *l, int heads) {
    return layer_find_sizes(l, heads) && read_traits(l) &&
           read_gain(l, WEIGHTS_Q_GAIN, ARCH_Q_NORM) && read_gain(l, WEIGHTS_K_GAIN, ARCH_K_NORM) &&
           describe(l);
}

bool layer_read(Layer *l, int heads) {
    if (!layer_check_tensors(l) || !layer_read_traits(l, heads))
        return false;
    double bytes = 4.0 * l->H * l->D * (2.0 * l->K + 2.0 * l->V);
    if (bytes > (double)ARENA_BYTES_MAX)
        return err_fail(l->err, l->c->name, "its layer would take %.1f GB", bytes / 1e9);
    return take_projections(l) && read_output(l, WEIGHTS_W_O, ARCH_W_O, l->H * l->V) &&
           (!layer_has(l, ARCH_B_O) || read_output(l, WEIGHTS_B_O, ARCH_B_O, 1)) && fold_norm(l) &&
           all_finite(l) && weights_agree(l->weights, l->err);
}
