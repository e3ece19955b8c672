#include "io/checkpoint.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/util.h"
#include "io/architecture.h"
#include "io/checkpoint_files.h"

#define NAME_BYTES   256
#define PREFIX_BYTES 128
#define LAYERS_MAX   1024
#define GPT2_WORDS   50257

/* The layer being read. */
typedef struct Layer {
    Checkpoint *c;
    const Architecture *arch;
    char prefix[PREFIX_BYTES]; /* before the names of the architecture's row */
    int layer, layers;         /* from 0 */
    int D, H, G, K, V;         /* G: key heads */
    Weights *weights;
    Err *err;
} Layer;

/* The tensor's name; "" if the architecture has none. */
static void tensor_name(char out[NAME_BYTES], const Layer *l, ArchTensor tensor, int layer) {
    const char *name = l->arch->names[tensor];
    const char *at = name != NULL ? strstr(name, "{}") : NULL;
    out[0] = '\0';
    int before = at != NULL ? (int)(at - name) : 0;
    if (at != NULL)
        snprintf(out, NAME_BYTES, "%.127s%.*s%d%.60s", l->prefix, before < 60 ? before : 60, name,
                 layer, at + 2);
    else if (name != NULL)
        snprintf(out, NAME_BYTES, "%.127s%.60s", l->prefix, name);
}

static bool has(const Layer *l, ArchTensor tensor, int layer) {
    char name[NAME_BYTES];
    tensor_name(name, l, tensor, layer);
    return name[0] != '\0' && checkpoint_has(l->c, name);
}

/* Take the prefix of a name that ends as the first layer's W_Q does. */
static bool take_prefix(void *context, const char *name) {
    Layer *l = context;
    char end[NAME_BYTES];
    l->prefix[0] = '\0';
    tensor_name(end, l, ARCH_W_Q, 0);
    size_t size = strlen(name), bytes = strlen(end);
    if (size < bytes || size - bytes >= sizeof l->prefix || strcmp(name + size - bytes, end) != 0 ||
        (size > bytes && name[size - bytes - 1] != '.'))
        return false;
    snprintf(l->prefix, sizeof l->prefix, "%.*s", (int)(size - bytes), name);
    return has(l, ARCH_W_O, 0) && (l->arch->fused != ARCH_APART || has(l, ARCH_W_K, 0));
}

typedef struct NameList {
    char text[240];
    int count;
} NameList;

static bool list_name(void *context, const char *name) {
    NameList *list = context;
    size_t used = strlen(list->text);
    if (list->count++ < 6)
        snprintf(list->text + used, sizeof list->text - used, "%s%.60s", used > 0 ? ", " : "",
                 name);
    return false;
}

static bool find_architecture(Layer *l) {
    for (int i = 0; i < ARCHITECTURE_REGISTRY.count; i++) {
        l->arch = &ARCHITECTURES[i];
        l->prefix[0] = '\0';
        checkpoint_names(l->c, take_prefix, l);
        if (has(l, ARCH_W_Q, 0) && has(l, ARCH_W_O, 0))
            return true;
    }
    NameList list = {0};
    checkpoint_names(l->c, list_name, &list);
    return err_fail(l->err, l->c->name,
                    "holds none of X, W_Q and so on, and no architecture has its %d names: %s%s",
                    list.count, list.text, list.count > 6 ? ", …" : "");
}

static bool find_layer(Layer *l, int wanted) {
    bool stacked = strstr(l->arch->names[ARCH_W_Q], "{}") != NULL;
    while (l->layers < LAYERS_MAX && has(l, ARCH_W_Q, l->layers) && (stacked || l->layers == 0))
        l->layers++;
    char what[32];
    snprintf(what, sizeof what, "--layer %d", wanted);
    l->layer = wanted - 1;
    return wanted <= l->layers || err_usage(l->err, what, "%.160s has %d layer%s", l->c->name,
                                            l->layers, l->layers == 1 ? "" : "s");
}

static bool shape_fail(const Layer *l, const char *name, const SafetensorsTensor *t,
                       const char *why) {
    char text[300], shape[100] = "";
    for (int d = 0; d < t->rank; d++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%zu", d > 0 ? ", " : "",
                 t->shape[d]);
    snprintf(text, sizeof text, "shape is [%s]; %s", shape, why);
    return checkpoint_fail(l->c, name, text, l->err);
}

static bool find(const Layer *l, ArchTensor tensor, char name[NAME_BYTES],
                 const SafetensorsTensor **out, FloatType *type) {
    tensor_name(name, l, tensor, l->layer);
    return checkpoint_find(l->c, out, type, name, l->err);
}

/* Find the number of outputs of a weight (rank 2), and check or set D. */
static bool take_outputs(Layer *l, ArchTensor tensor, size_t *outputs) {
    const SafetensorsTensor *t;
    FloatType type;
    char name[NAME_BYTES];
    if (!find(l, tensor, name, &t, &type))
        return false;
    if (t->rank != 2)
        return shape_fail(l, name, t, "rank 2 is needed");
    bool linear = l->arch->layout == ARCH_LINEAR;
    size_t inputs = t->shape[linear ? 1 : 0];
    *outputs = t->shape[linear ? 0 : 1];
    if (inputs < 1 || inputs > OPTION_WIDTH_MAX || (l->D != 0 && inputs != (size_t)l->D))
        return shape_fail(l, name, t, "its inputs must be as many as d_model, 1 to 4096");
    l->D = (int)inputs;
    return true;
}

/* A matrix for each head says everything itself. */
static bool sizes_of_heads(Layer *l) {
    static const ArchTensor order[] = {ARCH_W_Q, ARCH_W_K, ARCH_W_V};
    for (size_t i = 0; i < ARRAY_COUNT(order); i++) {
        const SafetensorsTensor *t;
        FloatType type;
        char name[NAME_BYTES];
        if (!find(l, order[i], name, &t, &type))
            return false;
        if (t->rank != 3 || t->shape[0] < 1 || t->shape[0] > OPTION_HEADS_MAX || t->shape[1] < 1 ||
            t->shape[1] > OPTION_WIDTH_MAX || t->shape[2] < 1 || t->shape[2] > OPTION_WIDTH_MAX)
            return shape_fail(l, name, t,
                              "heads (1 to 64), d_model and d_k (1 to 4096) are needed");
        if (i == 0) {
            l->H = (int)t->shape[0];
            l->D = (int)t->shape[1];
            l->K = (int)t->shape[2];
        }
        l->G = (int)t->shape[0];
        l->V = (int)t->shape[2];
    }
    return true;
}

static bool sizes_of_outputs(Layer *l) {
    const Architecture *a = l->arch;
    size_t q = 0, k = 0, v = 0, H = (size_t)l->H, G = (size_t)l->G;
    char name[NAME_BYTES];
    if (!take_outputs(l, ARCH_W_Q, &q))
        return false;
    if (a->fused == ARCH_APART &&
        (!take_outputs(l, ARCH_W_K, &k) || !take_outputs(l, ARCH_W_V, &v)))
        return false;
    bool even = a->fused == ARCH_APART ? q % H == 0 && k % G == 0 && v % G == 0 && q / H == k / G
                                       : q % (3 * H) == 0 && G == H;
    l->K = (int)(a->fused == ARCH_APART ? q / H : q / (3 * H));
    l->V = a->fused == ARCH_APART ? (int)(v / G) : l->K;
    tensor_name(name, l, ARCH_W_Q, l->layer);
    char why[160];
    snprintf(why, sizeof why, "its outputs, %zu, do not fit %d heads and %d key heads of one width",
             q, l->H, l->G);
    return even && l->K >= 1 && l->V >= 1 ? true : checkpoint_fail(l->c, name, why, l->err);
}

static bool find_sizes(Layer *l, const WeightsWish *wish) {
    Err *err = l->err;
    if (l->arch->layout == ARCH_HEADS) {
        if (!sizes_of_heads(l))
            return false;
    } else {
        l->H = wish->heads;
        if (!checkpoint_config(&l->H, l->c, "num_attention_heads n_head n_heads num_heads",
                               OPTION_HEADS_MAX, err))
            return false;
        if (l->H == 0)
            return err_usage(err, "--heads", "is missing: %.160s has no config.json with it",
                             l->c->name);
        l->G = l->H;
        if (!checkpoint_config(&l->G, l->c, "num_key_value_heads", OPTION_HEADS_MAX, err) ||
            !sizes_of_outputs(l))
            return false;
    }
    return l->H % l->G == 0 ||
           err_fail(err, l->c->name, "%d heads cannot share %d key heads", l->H, l->G);
}

/* The cut of W_Q, W_K, W_V (inputs D) or, with inputs 1, of their biases. */
static Cut projection_cut(const Layer *l, int which, size_t inputs) {
    const Architecture *a = l->arch;
    size_t H = (size_t)l->H, G = which == 0 ? H : (size_t)l->G, K = (size_t)l->K;
    size_t width = which == 2 ? (size_t)l->V : K, step = width, outputs = G * width;
    Cut cut = {.count = {H, inputs, width}, .group = H / G};
    size_t first = 0; /* output */
    if (a->fused == ARCH_BLOCKS) {
        first = (size_t)which * H * K;
        outputs = 3 * H * K;
    } else if (a->fused == ARCH_INTERLEAVED) {
        first = (size_t)which * K;
        step = 3 * K;
        outputs = 3 * H * K;
    }
    bool linear = a->layout == ARCH_LINEAR;
    cut.start = first * (linear ? inputs : 1);
    cut.stride[0] = step * (linear || a->layout == ARCH_HEADS ? inputs : 1);
    cut.stride[1] = linear ? 1 : a->layout == ARCH_HEADS ? width : outputs;
    cut.stride[2] = linear ? inputs : 1;
    cut.entries = outputs * inputs;
    return cut;
}

static Cut output_cut(const Layer *l) {
    size_t H = (size_t)l->H, V = (size_t)l->V, D = (size_t)l->D;
    bool linear = l->arch->layout == ARCH_LINEAR;
    return (Cut){.count = {H, V, D},
                 .stride = {linear ? V : V * D, linear ? 1 : D, linear ? H * V : 1},
                 .group = 1,
                 .entries = H * V * D};
}

static bool push(Layer *l, WeightsPart part, const size_t *shape, int rank) {
    WeightsTensor *tensor = &l->weights->tensors[part];
    size_t count = 1;
    for (int d = 0; d < rank; d++)
        count *= tensor->shape[d] = shape[d];
    tensor->rank = rank;
    tensor->at = heap_get_zero(count, sizeof *tensor->at);
    return tensor->at != NULL || err_fail(l->err, "memory", "too little for “%s”; close programs",
                                          WEIGHTS_PARTS[part].name);
}

static bool take(Layer *l, WeightsPart part, ArchTensor from, const Cut *cut, const size_t *shape,
                 int rank) {
    const SafetensorsTensor *t;
    FloatType type;
    char name[NAME_BYTES], why[80];
    if (!find(l, from, name, &t, &type))
        return false;
    snprintf(why, sizeof why, "%zu entries are needed", cut->entries);
    if (t->count != cut->entries)
        return shape_fail(l, name, t, why);
    return push(l, part, shape, rank) &&
           checkpoint_read_cut(l->weights->tensors[part].at, l->c, name, t, type, cut, l->err);
}

/* W_Q, W_K, W_V and their biases; of a fused tensor, each its own part. */
static bool take_projections(Layer *l) {
    bool fused = l->arch->fused != ARCH_APART;
    for (int which = 0; which < 3; which++) {
        Cut cut = projection_cut(l, which, (size_t)l->D);
        cut.pairs = l->arch->has_rope && which < 2;
        WeightsPart part = WEIGHTS_W_Q + (WeightsPart)which;
        if (!take(l, part, fused ? ARCH_W_Q : ARCH_W_Q + (ArchTensor)which, &cut, cut.count, 3))
            return false;
        ArchTensor bias = fused ? ARCH_B_Q : ARCH_B_Q + (ArchTensor)which;
        const size_t shape[] = {cut.count[0], cut.count[2]};
        bool pairs = cut.pairs;
        cut = projection_cut(l, which, 1);
        cut.pairs = pairs;
        if (has(l, bias, l->layer) &&
            !take(l, WEIGHTS_B_Q + (WeightsPart)which, bias, &cut, shape, 2))
            return false;
    }
    return true;
}

static bool take_output(Layer *l) {
    Cut cut = output_cut(l);
    const size_t shape[] = {(size_t)l->H * (size_t)l->V, (size_t)l->D};
    Cut bias = {.count = {1, 1, (size_t)l->D}, .stride = {0, 0, 1}, .group = 1};
    bias.entries = (size_t)l->D;
    return take(l, WEIGHTS_W_O, ARCH_W_O, &cut, shape, 2) &&
           (!has(l, ARCH_B_O, l->layer) || take(l, WEIGHTS_B_O, ARCH_B_O, &bias, &shape[1], 1));
}

/* Read a vector of D entries, which the caller frees. NULL if the file has none. Sets *read to false
 * on failure, and does nothing if it is false already. */
static float *read_vector(Layer *l, ArchTensor tensor, bool *read) {
    const SafetensorsTensor *t;
    FloatType type;
    char name[NAME_BYTES];
    if (!*read || !has(l, tensor, l->layer))
        return NULL;
    *read = find(l, tensor, name, &t, &type) &&
            (t->count == (size_t)l->D || shape_fail(l, name, t, "d_model entries are needed"));
    float *out = *read ? heap_get((size_t)l->D * sizeof *out) : NULL;
    *read = *read && (out != NULL || err_fail(l->err, "memory", "too little to read weights")) &&
            checkpoint_read(out, l->c, name, t, type, 0, (size_t)l->D, l->err);
    return out;
}

/* Fold the LayerNorm's gain and shift into the projections: LN(x)∘g + s is LN(x) with the weights'
 * rows times g, and s·W in the biases. */
static bool fold_norm(Layer *l) {
    bool read = true;
    float *gain = read_vector(l, ARCH_GAIN, &read), *shift = read_vector(l, ARCH_SHIFT, &read);
    for (int which = 0; which < 3 && read && (gain != NULL || shift != NULL); which++) {
        WeightsPart bias = WEIGHTS_B_Q + (WeightsPart)which;
        const WeightsTensor *w = &l->weights->tensors[WEIGHTS_W_Q + (WeightsPart)which];
        const size_t *n = w->shape, shape[] = {n[0], n[2]};
        if (shift != NULL && !weights_has(l->weights, bias))
            read = push(l, bias, shape, 2);
        float *b = l->weights->tensors[bias].at;
        for (size_t i = 0; i < n[0] * n[1] && read; i++)
            for (size_t k = 0; k < n[2]; k++) {
                float *entry = w->at + i * n[2] + k;
                if (shift != NULL)
                    b[i / n[1] * n[2] + k] += shift[i % n[1]] * *entry;
                *entry *= gain != NULL ? gain[i % n[1]] : 1;
            }
    }
    free(gain);
    free(shift);
    return read;
}

/* A table of rows of D entries, of the words or positions of the model's own. */
static bool take_table(Layer *l, ArchTensor from, float **out, size_t *rows) {
    const SafetensorsTensor *t;
    FloatType type;
    char name[NAME_BYTES];
    if (!find(l, from, name, &t, &type))
        return false;
    if (t->rank != 2 || t->shape[1] != (size_t)l->D || t->bytes > ((size_t)1 << 30))
        return shape_fail(l, name, t, "rows of d_model entries are needed");
    *rows = t->shape[0];
    *out = heap_get(t->count * sizeof **out + 1);
    return (*out != NULL || err_fail(l->err, "memory", "too little for the word vectors")) &&
           checkpoint_read(*out, l->c, name, t, type, 0, t->count, l->err);
}

/* Whether the first layer can run on the model's own word vectors: GPT-2's, whose tokens we have.
 */
static bool has_own_input(Layer *l) {
    const SafetensorsTensor *t;
    FloatType type;
    char name[NAME_BYTES];
    Err *err = l->err, none;
    l->err = &none;
    bool own = l->layer == 0 && has(l, ARCH_WORDS, 0) && has(l, ARCH_PLACES, 0) &&
               find(l, ARCH_PLACES, name, &t, &type) && t->rank == 2 && t->shape[0] >= 1 &&
               t->shape[0] <= TOKENS_MAX && find(l, ARCH_WORDS, name, &t, &type) && t->rank == 2 &&
               t->shape[0] == GPT2_WORDS;
    l->err = err;
    return own;
}

static bool take_input(Layer *l) {
    Weights *w = l->weights;
    WeightsTensor *places = &w->tensors[WEIGHTS_POSITIONS];
    size_t rows;
    if (!take_table(l, ARCH_WORDS, &w->vocabulary, &w->vocabulary_rows) ||
        !take_table(l, ARCH_PLACES, &places->at, &rows))
        return false;
    places->rank = 2;
    places->shape[0] = rows;
    places->shape[1] = (size_t)l->D;
    return true;
}

/* Config keys of what the layer leaves out. */
static const struct {
    const char *key, *name;
} LEFT_OUT[] = {{"attn_logit_softcapping", "soft cap"},
                {"query_pre_attn_scalar", "own scale"},
                {"attention_multiplier", "own scale"}};

static double config_number(const Layer *l, const char *key, const char *other, double standard) {
    const json_t *value = json_object_get(l->c->config, key);
    value = value != NULL ? value : json_object_get(l->c->config, other);
    return json_is_number(value) ? json_number_value(value) : standard;
}

/* Append what of the model the layer leaves out. Return true if RoPE is. */
static bool left_out(char *out, size_t capacity, const Layer *l) {
    double base = config_number(l, "rope_theta", "rotary_emb_base", 10000);
    double part = config_number(l, "partial_rotary_factor", "rotary_pct", 1);
    bool rope = l->arch->has_rope && (base != 10000 || part != 1 || l->K % 2 != 0);
    if (rope)
        snprintf(out, capacity, "; without its RoPE (base %.0f, %.0f %% of d_k)", base, 100 * part);
    if (has(l, ARCH_Q_NORM, l->layer))
        snprintf(out + strlen(out), capacity - strlen(out), "; without its QK-norm");
    for (size_t i = 0; i < ARRAY_COUNT(LEFT_OUT); i++)
        if (json_is_number(json_object_get(l->c->config, LEFT_OUT[i].key)))
            snprintf(out + strlen(out), capacity - strlen(out), "; without its %s",
                     LEFT_OUT[i].name);
    return rope;
}

/* The options and the note, which says whose X it is. */
static bool describe(Layer *l, bool own) {
    char text[300], lacks[160] = "";
    bool lacks_rope = left_out(lacks, sizeof lacks, l);
    const char *positions = own ? "learned" : l->arch->has_rope && !lacks_rope ? "rope" : "none";
    snprintf(text, sizeof text, "%s&tokenizer=%s&embedding=random&positions=%s", l->arch->options,
             own ? "gpt2" : "words", positions);
    if (!weights_take_options(l->weights, text, l->err))
        return false;
    snprintf(text, sizeof text, "%s, layer %d of %d, on %s%s", l->arch->entry.label, l->layer + 1,
             l->layers, own ? "its own word vectors" : "random X, not its hidden states", lacks);
    l->weights->note = heap_copy(text, strlen(text));
    l->weights->layer = l->layer + 1;
    return l->weights->note != NULL || err_fail(l->err, "memory", "too little to read weights");
}

static bool all_finite(const Layer *l) {
    for (WeightsPart p = WEIGHTS_W_Q; p <= WEIGHTS_B_V; p++) {
        const WeightsTensor *t = &l->weights->tensors[p];
        size_t count = t->rank > 0;
        for (int d = 0; d < t->rank; d++)
            count *= t->shape[d];
        for (size_t i = 0; i < count; i++)
            if (!isfinite(t->at[i]))
                return err_fail(l->err, l->c->name, "%s overflows with the LayerNorm's gain",
                                WEIGHTS_PARTS[p].name);
    }
    return true;
}

static bool load(Layer *l, const WeightsWish *wish) {
    if (!find_architecture(l) || !find_layer(l, wish->layer) || !find_sizes(l, wish))
        return false;
    double bytes = 4.0 * l->H * l->D * (2.0 * l->K + 2.0 * l->V);
    if (bytes > (double)ARENA_BYTES_MAX)
        return err_fail(l->err, l->c->name, "its layer would take %.1f GB", bytes / 1e9);
    bool own = has_own_input(l);
    return take_projections(l) && take_output(l) && fold_norm(l) && all_finite(l) &&
           (!own || take_input(l)) && describe(l, own) && weights_agree(l->weights, l->err);
}

Weights *checkpoint_load(const char *path, const char *name, const WeightsWish *wish, Err *err) {
    static const WeightsWish FIRST = {.layer = 1};
    Checkpoint c;
    Layer l = {.c = &c, .weights = weights_new(name, err), .err = err};
    bool loaded = checkpoint_open(&c, path, name, err) && l.weights != NULL &&
                  load(&l, wish != NULL ? wish : &FIRST);
    checkpoint_close(&c);
    if (loaded)
        return l.weights;
    weights_drop(l.weights);
    return NULL;
}
