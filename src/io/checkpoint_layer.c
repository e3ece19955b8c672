#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"
#include "io/checkpoint_layer.h"

#define LAYERS_MAX OPTION_LAYER_MAX

float *layer_take_room(const Layer *l, size_t size) {
    LayerRoom *room = l->room;
    int i = room->count;
    assert(i < LAYER_ROOM_MAX);
    if (room->at[i].size < size) {
        free(room->at[i].own);
        room->at[i].own = heap_get(size * sizeof *room->at[i].own);
        room->at[i].size = room->at[i].own != NULL ? size : 0;
    }
    if (room->at[i].own != NULL)
        return room->at[room->count++].own;
    return err_null(l->err, "memory", "too little to read weights; close other programs");
}

float *layer_values(const Layer *l, const CheckpointTensor *t, size_t first, size_t count) {
    LayerRoom *room = l->room;
    assert(room->count < LAYER_ROOM_MAX);
    float *mapped = checkpoint_mapped(l->c, t, first, count);
    if (mapped != NULL) {
        memcpy(room->at[room->count].name, t->name, sizeof t->name);
        room->at[room->count].count = count;
        room->at[room->count++].mapped = mapped;
        return mapped;
    }
    float *values = layer_take_room(l, count);
    return values != NULL && checkpoint_read(values, l->c, t, first, count, l->err) ? values : NULL;
}

bool layer_clear_room(const Layer *l, const Mat *products) {
    LayerRoom *room = l->room;
    bool is_sound = true, is_finite = products != NULL && mat_is_finite(products);
    while (room->count > 0) {
        int i = --room->count;
        if (room->at[i].mapped != NULL && !is_finite)
            is_sound = checkpoint_check(room->at[i].mapped, l->c, room->at[i].name,
                                        room->at[i].count, l->err) &&
                       is_sound;
        room->at[i].mapped = NULL;
    }
    if (l->c->map != NULL && !file_map_is_whole(l->c->map))
        return err_fail(l->err, l->c->name, "was cut off while it was read; fetch it again");
    return is_sound;
}

void layer_release_room(LayerRoom *room) {
    for (int i = 0; i < LAYER_ROOM_MAX; i++)
        free(room->at[i].own);
    *room = (LayerRoom){0};
}

/* Write a tensor's name as in the file: the architecture's name (`bytes` bytes) with l->prefix and
 * the number of the layer. */
static void write_name(char out[CHECKPOINT_NAME_BYTES], const Layer *l, const char *name,
                       int bytes) {
    const char *at = memmem(name, (size_t)bytes, "{}", 2);
    bool is_rooted = name[0] == '/';
    name += is_rooted;
    bytes -= is_rooted;
    int before = at != NULL ? (int)(at - name) : bytes;
    int used = snprintf(out, CHECKPOINT_NAME_BYTES, "%.127s%.*s", is_rooted ? "" : l->prefix,
                        before < 60 ? before : 60, name);
    if (at != NULL)
        snprintf(out + used, CHECKPOINT_NAME_BYTES - (size_t)used, "%d%.*s", l->layer,
                 bytes - before - 2, at + 2);
}

/* Write the tensor's name; "" if the architecture has none. If there are two alternatives, write
 * the one that exists in the file. */
static void tensor_name(char out[CHECKPOINT_NAME_BYTES], const Layer *l, ArchTensor tensor) {
    char name[ARCH_NAME_BYTES];
    out[0] = '\0';
    if (!architecture_name(name, l->arch, tensor))
        return;
    size_t first = strcspn(name, "|");
    write_name(out, l, name, (int)first);
    if (name[first] == '|' && !checkpoint_has(l->c, out))
        write_name(out, l, name + first + 1, (int)strlen(name + first + 1));
}

bool layer_has(const Layer *l, ArchTensor tensor) {
    char name[CHECKPOINT_NAME_BYTES];
    tensor_name(name, l, tensor);
    return name[0] != '\0' && checkpoint_has(l->c, name);
}

/* If `name` is the first layer's W_Q, set the prefix of all names: the part before the name that
 * the architecture gives to W_Q. Return false if the name or the other tensors do not fit. */
static bool take_prefix(Layer *l, const char *name) {
    char end[CHECKPOINT_NAME_BYTES];
    l->prefix[0] = '\0';
    tensor_name(end, l, ARCH_W_Q);
    size_t size = strlen(name), bytes = strlen(end);
    if (size < bytes || size - bytes >= sizeof l->prefix || strcmp(name + size - bytes, end) != 0 ||
        (size > bytes && name[size - bytes - 1] != '.'))
        return false;
    snprintf(l->prefix, sizeof l->prefix, "%.*s", (int)(size - bytes), name);
    return layer_has(l, ARCH_W_O) && (l->arch->fused != ARCH_APART || layer_has(l, ARCH_W_K));
}

typedef struct NameList {
    char text[240]; /* the first names, separated by commas, with {} for the number of a layer */
    int count;
    bool is_cut;
} NameList;

/* Count a name, and append it with {} for the number of its layer. Names of layers other than the
 * first are only counted. */
static void list_name(NameList *list, const char *name) {
    char shown[64];
    size_t used = strlen(list->text);
    const char *number = NULL;
    for (const char *dot = strchr(name, '.'); dot != NULL && number == NULL;
         dot = strchr(dot + 1, '.'))
        number = isdigit((unsigned char)dot[1]) && dot[1 + strspn(dot + 1, "0123456789")] == '.'
                     ? dot + 1
                     : NULL;
    list->count++;
    if (number != NULL && strncmp(number, "0.", 2) != 0)
        return;
    if (number != NULL)
        snprintf(shown, sizeof shown, "%.*s{}%s", (int)(number - name), name, number + 1);
    else
        snprintf(shown, sizeof shown, "%s", name);
    list->is_cut = list->is_cut || used + strlen(shown) + 3 > sizeof list->text;
    if (!list->is_cut)
        snprintf(list->text + used, sizeof list->text - used, "%s%s", used > 0 ? ", " : "", shown);
}

static bool has_word(const char *list, const char *word, size_t bytes) {
    for (const char *at = list; bytes > 0 && at != NULL && *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (length == bytes && memcmp(at, word, bytes) == 0)
            return true;
        at += length;
    }
    return false;
}

static bool is_of_type(const Layer *l, const char *type) {
    const Architecture *a = l->arch;
    return a->types == NULL || (type != NULL ? has_word(a->types, type, strlen(type))
                                             : !a->needs_type || has_word(a->types, l->prefix,
                                                                          strcspn(l->prefix, ".")));
}

static bool find_architecture(Layer *l) {
    const char *type = json_string_value(checkpoint_value(l->c, "model_type"));
    const Architecture *similar = NULL;
    const char *name;
    json_t *value;
    l->layer = 0;
    int count = l->c->described != NULL ? 1 : ARCHITECTURE_REGISTRY.count;
    for (int i = 0; i < count; i++) {
        l->arch = l->c->described != NULL ? l->c->described : &ARCHITECTURES[i];
        l->prefix[0] = '\0';
        json_object_foreach(l->c->names, name, value) {
            if (take_prefix(l, name))
                break;
        }
        if (!layer_has(l, ARCH_W_Q) || !layer_has(l, ARCH_W_O))
            continue;
        if (is_of_type(l, type))
            return true;
        similar = l->arch;
    }
    if (similar != NULL && type != NULL)
        return err_fail(
            l->err, l->c->name,
            "config.json: model_type “%.60s” is unknown, although its tensors have the "
            "names of %s; if it computes the same, write “like = %s” to " ARCHITECTURE_FILE
            " next to it (assets/doc/files.md)",
            type, similar->entry.label, similar->entry.id);
    NameList list = {0};
    json_object_foreach(l->c->names, name, value) {
        if (strcmp(name, SAFETENSORS_METADATA) != 0)
            list_name(&list, name);
    }
    return err_fail(l->err, l->c->name,
                    "holds none of X, W_Q and so on, and no architecture has its %d names: %s%s; "
                    "describe them in " ARCHITECTURE_FILE " next to it (assets/doc/files.md)",
                    list.count, list.text, list.is_cut ? ", …" : "");
}

bool layer_find_model(Layer *l) {
    if (!find_architecture(l) || !layer_check_config(l))
        return false;
    bool stacked = strstr(architecture_given(l->arch, ARCH_W_Q), "{}") != NULL;
    l->layers = 0;
    if (stacked &&
        !checkpoint_config(&l->layers, l->c, "num_hidden_layers n_layer n_layers num_layers",
                           LAYERS_MAX, l->err))
        return false;
    /* If config.json does not state the number of layers, count up to the last layer that has W_Q
     * or W_O. If a layer lacks one of them, layer_check_tensors reports that. */
    int most = l->layers > 0 ? 0 : stacked ? LAYERS_MAX : 1;
    for (l->layer = 0; l->layer < most; l->layer++)
        if (layer_has(l, ARCH_W_Q) || layer_has(l, ARCH_W_O))
            l->layers = l->layer + 1;
    l->layer = 0;
    return true;
}

bool layer_shape_fail(const Layer *l, const CheckpointTensor *t, const char *why) {
    char shape[100] = "";
    for (int d = 0; d < t->at->rank; d++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%zu", d > 0 ? ", " : "",
                 t->at->shape[d]);
    return checkpoint_fail(l->c, t->name, PRINT("shape is [%s]; %s", shape, why), l->err);
}

bool layer_find(const Layer *l, CheckpointTensor *out, ArchTensor tensor) {
    tensor_name(out->name, l, tensor);
    return checkpoint_find(l->c, out, l->err);
}

bool layer_find_count(const Layer *l, CheckpointTensor *out, ArchTensor tensor, size_t count) {
    return layer_find(l, out, tensor) &&
           (out->at->count == count ||
            layer_shape_fail(l, out, PRINT("%zu entries are needed", count)));
}

/* Set *outputs to the number of outputs of a weight (rank 2). Check that its other side is D; if D
 * is 0, set it. */
static bool take_outputs(Layer *l, ArchTensor tensor, size_t *outputs) {
    CheckpointTensor t;
    if (!layer_find(l, &t, tensor))
        return false;
    if (t.at->rank != 2)
        return layer_shape_fail(l, &t, "rank 2 is needed");
    bool linear = l->arch->layout == ARCH_LINEAR;
    size_t inputs = t.at->shape[linear ? 1 : 0];
    *outputs = t.at->shape[linear ? 0 : 1];
    if (inputs < 1 || inputs > OPTION_WIDTH_MAX || (l->D != 0 && inputs != (size_t)l->D))
        return layer_shape_fail(l, &t, "it must have d_model inputs, 1 to 4096");
    l->D = (int)inputs;
    return true;
}

/* Find all sizes of a layer whose W_Q, W_K and W_V have the shape (heads, inputs, outputs of one
 * head). */
static bool sizes_of_heads(Layer *l) {
    static const ArchTensor order[] = {ARCH_W_Q, ARCH_W_K, ARCH_W_V};
    for (size_t i = 0; i < ARRAY_COUNT(order); i++) {
        CheckpointTensor found;
        if (!layer_find(l, &found, order[i]))
            return false;
        const SafetensorsTensor *t = found.at;
        if (t->rank != 3 || t->shape[0] < 1 || t->shape[0] > OPTION_HEADS_MAX || t->shape[1] < 1 ||
            t->shape[1] > OPTION_WIDTH_MAX || t->shape[2] < 1 || t->shape[2] > OPTION_WIDTH_MAX)
            return layer_shape_fail(l, &found,
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

/* Return the number of heads that follows from the gain of QK-norm, which has d_k entries. Return 0
 * if there is no gain, or if all heads are normalised together. */
static int heads_by_norm(const Layer *l, size_t outputs) {
    CheckpointTensor gain;
    if (!layer_has(l, ARCH_Q_NORM) || !layer_find(l, &gain, ARCH_Q_NORM))
        return 0;
    size_t K = gain.at->count;
    bool fits = K > 0 && K < outputs && outputs % K == 0 && outputs / K <= OPTION_HEADS_MAX;
    return fits ? (int)(outputs / K) : 0;
}

/* Find K and V from the numbers of outputs, and also H and G if these are 0. */
static bool sizes_of_outputs(Layer *l) {
    bool apart = l->arch->fused == ARCH_APART;
    size_t q = 0, k = 0, v = 0;
    char name[CHECKPOINT_NAME_BYTES];
    if (!take_outputs(l, ARCH_W_Q, &q) ||
        (apart && (!take_outputs(l, ARCH_W_K, &k) || !take_outputs(l, ARCH_W_V, &v))))
        return false;
    if (l->H == 0)
        l->H = heads_by_norm(l, q);
    if (l->H == 0)
        return err_usage(l->err, "--heads",
                         "is missing, because no config.json next to %.160s has it; give --heads",
                         l->c->name);
    size_t H = (size_t)l->H, K = apart ? q / H : q / (3 * H);
    if (l->G == 0)
        l->G = apart && K > 0 && k % K == 0 && k / K > 0 && k / K <= H ? (int)(k / K) : l->H;
    size_t G = (size_t)l->G;
    bool even =
        apart ? q % H == 0 && k % G == 0 && v % G == 0 && K == k / G : q % (3 * H) == 0 && G == H;
    even = even && q / H <= 3 * OPTION_WIDTH_MAX && v / G <= OPTION_WIDTH_MAX;
    l->K = (int)K;
    l->V = apart ? (int)(v / G) : l->K;
    tensor_name(name, l, ARCH_W_Q);
    return (even && l->K >= 1 && l->V >= 1) ||
           checkpoint_fail(l->c, name,
                           PRINT("its outputs, %zu, do not fit %d heads and %d key heads of one "
                                 "width",
                                 q, l->H, l->G),
                           l->err);
}

bool layer_find_sizes(Layer *l, int heads) {
    Err *err = l->err;
    l->D = 0;
    if (l->arch->layout == ARCH_HEADS) {
        if (!sizes_of_heads(l))
            return false;
    } else {
        l->H = heads;
        l->G = 0;
        if (!checkpoint_config(&l->H, l->c, "num_attention_heads n_head n_heads num_heads nhead",
                               OPTION_HEADS_MAX, err) ||
            !checkpoint_config(&l->G, l->c, "num_key_value_heads", OPTION_HEADS_MAX, err) ||
            !sizes_of_outputs(l))
            return false;
    }
    return l->H % l->G == 0 ||
           err_fail(err, l->c->name, "%d heads cannot share %d key heads", l->H, l->G);
}

bool layer_read_vector(Mat *out, const Layer *l, ArchTensor tensor, int count) {
    CheckpointTensor t;
    *out = (Mat){0};
    if (!layer_has(l, tensor))
        return true;
    if (!layer_find_count(l, &t, tensor, (size_t)count))
        return false;
    *out = (Mat){layer_take_room(l, (size_t)count), 1, count, count};
    return out->at != NULL && checkpoint_read(out->at, l->c, &t, 0, (size_t)count, l->err);
}

bool layer_read_gain(Mat *out, const Layer *l, ArchTensor tensor, int count) {
    bool read = layer_read_vector(out, l, tensor, count);
    for (int j = 0; read && l->arch->gains_from_one && j < out->cols; j++)
        out->at[j] += 1;
    return read;
}

bool layer_norm_kind(NormKind *out, const Layer *l) {
    double epsilon = (double)l->arch->epsilon;
    *out = (NormKind){.rms = l->arch->rms};
    if (!checkpoint_number(&epsilon, l->c,
                           "rms_norm_eps layer_norm_epsilon layer_norm_eps norm_epsilon eps", 0, 1,
                           l->err))
        return false;
    out->epsilon = epsilon > 1e-30 ? (float)epsilon : 1e-30f; /* 0 means the default */
    return true;
}
