/* Refuses checkpoints whose numbers would be wrong, because tensors are missing or because
 * config.json has settings that this program does not compute. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "io/checkpoint_layer.h"

/* Settings in config.json that change the numbers, unless their value is the neutral number or
 * word. true counts as 1, false as 0. NAN: no number is neutral. */
static const struct {
    const char *key;
    double number;
    const char *word;
    const char *only; /* id of the only architecture with the setting; NULL: any may have it */
} SETTINGS[] = {
    {"scale_attn_by_inverse_layer_idx", 0, NULL, NULL}, /* GPT-2 */
    {"embedding_multiplier", 1, NULL, NULL},            /* Granite */
    {"residual_multiplier", 1, NULL, NULL},
    {"logits_scaling", 1, NULL, NULL},
    {"scale_emb", 1, NULL, NULL}, /* MiniCPM */
    {"scale_depth", NAN, NULL, NULL},
    {"logit_scale", 1, NULL, NULL},    /* Cohere */
    {"no_rope_layers", 1, NULL, NULL}, /* SmolLM 3: a list with a number for each layer */
    {"qk_layernorm", 0, NULL, NULL},   /* Phi */
    {"use_bidirectional_attention", 0, NULL, NULL},   /* Gemma 3 */
    {"position_embedding_type", 0, "absolute", NULL}, /* BERT */
    {"is_decoder", 0, NULL, "bert"},
    {"is_decoder", 0, NULL, "roberta"},
    {"pad_token_id", 1, NULL, "roberta"}, /* positions count from the number after it */
};

/* Tensors with the same number belong together: a model with one of them has all of them that its
 * architecture names. 0: no group. */
static const char GROUPS[ARCH_TENSOR_COUNT] = {
    [ARCH_Q_NORM] = 1,
    [ARCH_K_NORM] = 1,
    [ARCH_B_Q] = 2,
    [ARCH_B_K] = 2,
    [ARCH_SHIFT] = 3,
    [ARCH_MIDDLE_SHIFT] = 3,
    [ARCH_END_SHIFT] = 3,
    [ARCH_WORDS_SHIFT] = 3,
    [ARCH_FINAL_SHIFT] = 3,
    [ARCH_TRANSFORMED_SHIFT] = 3,
    [ARCH_UP] = 4,
    [ARCH_GATE] = 4,
    [ARCH_DOWN] = 4,
    [ARCH_UP_BIAS] = 5,
    [ARCH_GATE_BIAS] = 5,
    [ARCH_DOWN_BIAS] = 5,
    [ARCH_TRANSFORM] = 6,
    [ARCH_TRANSFORM_BIAS] = 6,
    [ARCH_TRANSFORMED_GAIN] = 6,
    [ARCH_UNEMBEDDING_BIAS] = 6,
};

static bool is_neutral(const json_t *value, double number, const char *word) {
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!is_neutral(json_array_get(value, i), number, word))
            return false;
    return json_is_array(value) || (json_is_number(value) && json_number_value(value) == number) ||
           (json_is_boolean(value) && json_is_true(value) == (number != 0)) ||
           (json_is_string(value) && word != NULL && strcmp(json_string_value(value), word) == 0);
}

bool layer_check_config(const Layer *l) {
    for (size_t i = 0; i < ARRAY_COUNT(SETTINGS); i++) {
        const json_t *value = checkpoint_value(l->c, SETTINGS[i].key);
        const char *only = SETTINGS[i].only;
        bool applies = only == NULL || strcmp(only, l->arch->entry.id) == 0;
        if (applies && value != NULL && !is_neutral(value, SETTINGS[i].number, SETTINGS[i].word))
            return err_fail(l->err, l->c->name,
                            "config.json: Headlight does not compute “%s” with this value, so its "
                            "numbers would be wrong",
                            SETTINGS[i].key);
    }
    return true;
}

/* True if config.json says that the model has no MLP, and the tensor belongs to the MLP or to the
 * norm before it. */
static bool is_left_out(const Layer *l, ArchTensor tensor) {
    const json_t *neurons = checkpoint_value(l->c, "intermediate_size");
    bool is_of_mlp = (tensor >= ARCH_UP && tensor <= ARCH_DOWN_BIAS) ||
                     (tensor == ARCH_MIDDLE_GAIN && l->arch->order == STACK_PRE);
    return is_of_mlp && json_is_integer(neurons) && json_integer_value(neurons) == 0;
}

/* True if some models of the architecture lack the tensor: it belongs to QK-norm or to the model's
 * output. */
static bool is_optional(ArchTensor tensor) {
    return tensor == ARCH_Q_NORM || tensor == ARCH_K_NORM || tensor >= ARCH_TRANSFORM;
}

/* True if config.json says that the model has this bias. */
static bool is_announced(const Layer *l, ArchTensor bias) {
    const char *key = bias >= ARCH_B_Q && bias <= ARCH_B_O   ? "attention_bias"
                      : GROUPS[bias] == GROUPS[ARCH_UP_BIAS] ? "mlp_bias"
                                                             : NULL;
    return key != NULL && json_is_true(checkpoint_value(l->c, key));
}

/* True if the model must have the tensor, for a reason that layer_check_tensors gives. With
 * ARCH_HEADS the norms may be missing, because they can be folded into the heads' matrices. But a
 * norm with a gain needs a shift, because a norm without one would be RMSNorm. */
static bool wants(const Layer *l, ArchTensor tensor) {
    char name[ARCH_NAME_BYTES];
    ArchTensor weight = architecture_weight(tensor);
    bool is_given = architecture_given(l->arch, tensor) != NULL;
    /* BERT has a bias for the unembedding, but no weight: its weight is the embedding. */
    bool needs_weight =
        weight < ARCH_TENSOR_COUNT && !(is_given && tensor == ARCH_UNEMBEDDING_BIAS);
    bool has_parts = l->arch->layout != ARCH_HEADS;
    if (!architecture_name(name, l->arch, tensor) || is_left_out(l, tensor) ||
        (needs_weight && !layer_has(l, weight)))
        return false;
    for (ArchTensor t = 0; t < ARCH_TENSOR_COUNT; t++)
        if (GROUPS[t] != 0 && GROUPS[t] == GROUPS[tensor] && layer_has(l, t) && has_parts)
            return true;
    bool is_needed = tensor == ARCH_PLACES || (has_parts && !is_optional(tensor));
    return is_announced(l, tensor) || (is_given && is_needed && layer_has(l, ARCH_WORDS)) ||
           (!has_parts && GROUPS[tensor] == GROUPS[ARCH_SHIFT]);
}

/* Fail if a layer lacks the tensor although another layer has it or the model must have it. */
static bool check_tensor(Layer *l, ArchTensor tensor) {
    int count = tensor < ARCH_FIRST_OF_MODEL ? l->layers : 1, missing = -1;
    bool is_wanted = false;
    CheckpointTensor none;
    for (l->layer = 0; l->layer < count; l->layer++) {
        bool has = layer_has(l, tensor);
        is_wanted = is_wanted || has || wants(l, tensor);
        missing = has || missing >= 0 ? missing : l->layer;
    }
    l->layer = missing;
    return !is_wanted || missing < 0 || layer_find(l, &none, tensor);
}

/* Fail if architecture.txt gives the tensor a name that the file lacks. */
static bool check_key(const Layer *l, ArchTensor tensor) {
    char key[ARCHITECTURE_KEY_BYTES];
    CheckpointTensor none;
    Err err;
    Layer quiet = *l;
    quiet.err = &err;
    quiet.layer = 0;
    return l->c->described == NULL || !architecture_key(key, l->arch, tensor) ||
           layer_has(&quiet, tensor) || layer_find(&quiet, &none, tensor) ||
           err_fail(l->err, l->c->name, ARCHITECTURE_FILE ", key “%s”: %s", key, err.why);
}

/* Fail if the file has tables for RoPE although its architecture does not rotate. */
static bool check_rope(const Layer *l) {
    const char *name;
    json_t *value;
    json_object_foreach(l->c->names, name, value) {
        if (l->arch->rope == ARCH_NO_ROPE && strstr(name, "rotary") != NULL)
            return checkpoint_fail(l->c, name,
                                   PRINT("Headlight does not compute RoPE for %s, so its numbers "
                                         "would be wrong",
                                         l->arch->entry.label),
                                   l->err);
    }
    return true;
}

bool layer_check_tensors(Layer *l) {
    int layer = l->layer;
    bool has_all = check_rope(l);
    for (ArchTensor t = 0; t < ARCH_TENSOR_COUNT && has_all; t++)
        has_all = check_key(l, t);
    for (ArchTensor t = 0; t < ARCH_TENSOR_COUNT && has_all; t++)
        has_all = check_tensor(l, t);
    l->layer = layer;
    return has_all;
}
