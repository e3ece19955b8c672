/* A folder with a checkpoint of each architecture: choices of tensors that nearly fit, in one file
 * or in shards, and any bytes as config.json, as the index or as a shard. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "choices.h"
#include "io/architecture.h"
#include "io/weights_file.h"
#include "weights_check.h"

#define TEXT_MAX  16384
#define SIZE_MOST 512 /* above every random size of a dimension */

static char folder[64];

static void put_file(const char *name, const void *bytes, size_t size, size_t zeros) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    check(fd >= 0 && write(fd, bytes, size) == (ssize_t)size &&
          ftruncate(fd, (off_t)(size + zeros)) == 0 && close(fd) == 0);
}

static void remove_file(const char *name) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

/* A file of safetensors that is being written, and the index that names it. */
typedef struct Model {
    Choices choices;
    const Architecture *arch;
    const char *prefix;
    bool is_sharded;
    size_t D, H, G, K, V, words;
    char header[2][TEXT_MAX], index[TEXT_MAX];
    size_t used[2], index_used, zeros[2];
} Model;

static const char *const FILES[] = {"model.safetensors", "b.safetensors"};

/* The shape that the architecture gives a tensor. Return its rank. */
static int shape_of(size_t out[3], const Model *m, ArchTensor tensor) {
    ArchLayout layout = m->arch->layout;
    size_t heads = tensor == ARCH_W_Q || tensor == ARCH_B_Q ? m->H : m->G;
    size_t width = tensor == ARCH_W_V || tensor == ARCH_B_V ? m->V : m->K;
    size_t inputs = m->D, outputs = m->arch->fused != ARCH_APART ? 3 * m->H * m->K : heads * width;
    bool is_bias = tensor >= ARCH_B_Q && tensor <= ARCH_B_V;
    out[0] = m->D;
    if (tensor == ARCH_WORDS || tensor == ARCH_PLACES || tensor == ARCH_TYPES) {
        out[0] = tensor == ARCH_WORDS ? m->words : 8;
        out[1] = m->D;
        return 2;
    }
    bool is_step = tensor == ARCH_UP || tensor == ARCH_GATE || tensor == ARCH_DOWN ||
                   tensor == ARCH_TRANSFORM || tensor == ARCH_UNEMBEDDING;
    if (tensor == ARCH_UP_BIAS || tensor == ARCH_GATE_BIAS || tensor == ARCH_UNEMBEDDING_BIAS)
        out[0] = tensor == ARCH_UNEMBEDDING_BIAS ? m->words : m->K + m->V;
    else if (tensor == ARCH_Q_NORM || tensor == ARCH_K_NORM)
        out[0] = m->K;
    if (tensor >= ARCH_B_O && !is_step)
        return 1;
    if (tensor == ARCH_W_O) {
        inputs = m->H * m->V;
        outputs = m->D;
    }
    if (is_step) {
        inputs = tensor == ARCH_DOWN ? m->K + m->V : m->D;
        outputs = tensor == ARCH_UP || tensor == ARCH_GATE ? m->K + m->V
                  : tensor == ARCH_UNEMBEDDING             ? m->words
                                                           : m->D;
    }
    if (layout == ARCH_HEADS && !is_step) {
        out[0] = tensor == ARCH_W_O ? m->H : heads;
        out[1] = is_bias ? width : tensor == ARCH_W_O ? m->V : m->D;
        out[2] = tensor == ARCH_W_O ? m->D : width;
        return is_bias ? 2 : 3;
    }
    out[0] = is_bias || layout == ARCH_LINEAR ? outputs : inputs;
    out[1] = layout == ARCH_LINEAR ? inputs : outputs;
    return is_bias ? 1 : 2;
}

/* Append a tensor to one of the files and to the index; oddities spoil its shape, type or place. */
static void add_tensor(Model *m, ArchTensor tensor, unsigned layer) {
    static const char *const types[] = {"F32", "F16", "BF16", "F64", "F8_E4M3", "I8"};
    static const size_t widths[] = {4, 2, 2, 8, 1, 1};
    char name[ARCH_NAME_BYTES];
    bool is_named = architecture_name(name, m->arch, tensor);
    name[strcspn(name, "|")] = '\0';
    const char *at = strstr(name, "{}");
    unsigned oddity = choices_take(&m->choices);
    if (!is_named || oddity == 255)
        return;
    size_t shape[3] = {1, 1, 1}, type = oddity < 250 ? oddity % 5 : 5,
           file = m->is_sharded ? oddity / 8 % 2 : 0, count = 1;
    int rank = shape_of(shape, m, tensor);
    if (oddity == 254)
        shape[choices_take(&m->choices) % (unsigned)rank] = choices_take(&m->choices) % SIZE_MOST;
    if (oddity == 253)
        rank = 1 + (rank + 1) % 3;
    size_t *used = &m->used[file], room = TEXT_MAX - *used;
    char full[128], list[80] = "";
    if (at != NULL)
        snprintf(full, sizeof full, "%s%.*s%u%s", name[0] == '/' ? "" : m->prefix, (int)(at - name),
                 name, layer, at + 2);
    else
        snprintf(full, sizeof full, "%s%s", name[0] == '/' ? "" : m->prefix,
                 name + (name[0] == '/'));
    for (int d = 0; d < rank; d++) {
        size_t end = strlen(list);
        snprintf(list + end, sizeof list - end, "%s%zu", d > 0 ? "," : "", shape[d]);
        count *= shape[d];
    }
    size_t end = m->zeros[file] + count * widths[type];
    *used +=
        (size_t)snprintf(m->header[file] + *used, room,
                         "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}",
                         *used > 1 ? "," : "", full, types[type], list, m->zeros[file], end);
    m->zeros[file] = end;
    m->index_used +=
        (size_t)snprintf(m->index + m->index_used, TEXT_MAX - m->index_used, "%s\"%s\":\"%s\"",
                         m->index_used > 16 ? "," : "", full, FILES[file ^ (oddity == 252)]);
}

/* Values, mostly small numbers, at the beginning; zeros follow. */
static void put_model(Model *m) {
    for (int file = 0; file < 2; file++) {
        static unsigned char bytes[8 + TEXT_MAX + 256];
        size_t used = m->used[file], values = m->zeros[file] < 256 ? m->zeros[file] : 256;
        m->header[file][used++] = '}';
        for (int i = 0; i < 8; i++)
            bytes[i] = (unsigned char)(used >> 8 * i);
        memcpy(bytes + 8, m->header[file], used);
        for (size_t i = 0; i < values; i++)
            bytes[8 + used + i] = (unsigned char)choices_take(&m->choices);
        put_file(FILES[file], bytes, 8 + used + values, m->zeros[file] - values);
    }
    m->index_used += (size_t)snprintf(m->index + m->index_used, 3, "}}");
    if (m->is_sharded)
        put_file("model.safetensors.index.json", m->index, m->index_used, 0);
}

/* Fields of config.json besides the numbers of heads; each has one number. */
static const char *const FIELDS[] = {
    "\"sliding_window\":%d",
    "\"rope_theta\":%de1",
    "\"rotary_pct\":0.%d",
    "\"attn_logit_softcapping\":%d",
    "\"query_pre_attn_scalar\":%de1",
    "\"attention_multiplier\":%d",
    "\"sliding_window_pattern\":%d",
    "\"rope_local_base_freq\":%d",
    "\"layer_types\":[\"sliding_attention\",\"full_attention\",%d]",
    "\"attention_types\":[[[\"global\",\"local\"],%d],[[],2]]",
    "\"model_type\":\"qwen2\",\"num_hidden_layers\":%d",
    "\"use_sliding_window\":false,\"rotary_dim\":%d",
    "\"rope_scaling\":{\"rope_type\":\"linear\",\"factor\":%d}",
    "\"rope_scaling\":{\"type\":\"llama3\",\"factor\":2,\"high_freq_factor\":%d}",
    "\"rope_scaling\":{\"rope_type\":\"yarn\",\"factor\":%d}",
};

static void put_config(Model *m) {
    char text[512];
    unsigned kind = choices_take(&m->choices);
    int used = snprintf(text, sizeof text, "{\"x\":1");
    if (kind % 8 != 0)
        used = snprintf(text, sizeof text,
                        "{\"num_attention_heads\":%zu,\"num_key_value_heads\":%zu", m->H, m->G);
    for (unsigned i = 0; i < kind % 4; i++) {
        const char *field = FIELDS[choices_take(&m->choices) % (sizeof FIELDS / sizeof *FIELDS)];
        used += snprintf(text + used, sizeof text - (size_t)used, ",");
        used += snprintf(text + used, sizeof text - (size_t)used, field,
                         (int)choices_number(&m->choices));
    }
    text[used++] = '}';
    if (kind > 8)
        put_file("config.json", text, (size_t)used, 0);
}

/* A tokenizer of three words, or an invalid one. */
static void put_tokenizer(Model *m) {
    static const char text[] = "{\"model\":{\"type\":\"WordPiece\",\"unk_token\":\"[UNK]\","
                               "\"vocab\":{\"[UNK]\":0,\"a\":1,\"##b\":2}}}";
    unsigned kind = choices_take(&m->choices);
    if (kind % 4 == 1)
        put_file("tokenizer.json", text, kind == 1 ? sizeof text / 2 : sizeof text - 1, 0);
}

static void check_load(Choices *choices) {
    Err err = {0};
    unsigned chosen = choices_take(choices);
    const Options options = {.layer = 1 + (int)(chosen % 3), .heads = (int)(chosen / 64)};
    WeightsRequest wish = weights_request(&options, chosen < 64 ? 0 : WEIGHTS_FIXED_ALL);
    Weights *weights = weights_file_load(folder, &wish, &err);
    wish.other = weights;
    if (weights != NULL && chosen % 8 == 7) /* shares the vocabulary */
        weights_drop(weights_file_load(folder, &wish, &err));
    if (weights != NULL)
        check_weights(weights);
    else
        check_err(&err);
}

static void clear(void) {
    remove_file("config.json");
    remove_file("tokenizer.json");
    remove_file("model.safetensors.index.json");
}

static void put_folder(Choices *choices) {
    static const char *const prefixes[] = {"", "model.", "a.b.c.", "x"};
    static Model m;
    m = (Model){.choices = *choices, .header = {"{", "{"}, .used = {1, 1}};
    m.index_used = (size_t)snprintf(m.index, sizeof m.index, "{\"weight_map\":{");
    unsigned kind = choices_take(&m.choices);
    m.arch = &ARCHITECTURES[kind % (unsigned)ARCHITECTURE_REGISTRY.count];
    m.is_sharded = kind >= 128;
    m.prefix = prefixes[choices_take(&m.choices) % 4];
    m.G = 1 + choices_take(&m.choices) % 2;
    m.H = m.arch->fused != ARCH_APART ? m.G : m.G * (1 + choices_take(&m.choices) % 2);
    m.D = 1 + choices_take(&m.choices) % 4;
    m.K = 1 + choices_take(&m.choices) % 3;
    m.V = m.arch->fused != ARCH_APART ? m.K : 1 + choices_take(&m.choices) % 3;
    m.words = 1 + choices_take(&m.choices) % 9;
    unsigned layers = 1 + choices_take(&m.choices) % 3;
    for (unsigned layer = 0; layer < layers; layer++)
        for (ArchTensor tensor = 0; tensor < ARCH_TENSOR_COUNT; tensor++)
            if (layer == 0 || tensor < ARCH_FIRST_OF_MODEL)
                add_tensor(&m, tensor, layer);
    clear();
    put_config(&m);
    put_tokenizer(&m);
    put_model(&m);
    *choices = m.choices;
}

/* JSON is put into two files of a folder, other bytes are choices, or first a shard. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "/dev/shm/headlight-fuzz-%ld.checkpoint", (long)getpid());
        check(mkdir(folder, 0700) == 0);
    }
    static const char *const files[] = {"config.json", "model.safetensors.index.json"};
    Choices choices = {data, size};
    bool is_json = size > 0 && data[0] == '{', is_shard = size > 0 && data[0] == 255;
    put_folder(&choices);
    if (is_shard)
        put_file(FILES[1], data + 1, size - 1, 0);
    if (!is_json)
        check_load(&choices);
    for (int i = 0; i < 2 && is_json; i++) {
        put_file(files[i], data, size, 0);
        check_load(&choices);
        remove_file(files[i]);
    }
    return 0;
}
