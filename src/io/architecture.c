#include "io/architecture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/pairs.h"
#include "base/utf8.h"

#define PRE_NORM "mask=causal&block=pre-norm"

static const char *const GPT2[ARCH_TENSOR_COUNT] = {
    [ARCH_GAIN] = "h.{}.ln_1.weight",   [ARCH_MIDDLE_GAIN] = "h.{}.ln_2.weight",
    [ARCH_UP] = "h.{}.mlp.c_fc.weight", [ARCH_DOWN] = "h.{}.mlp.c_proj.weight",
    [ARCH_WORDS] = "wte.weight",        [ARCH_PLACES] = "wpe.weight",
    [ARCH_FINAL_GAIN] = "ln_f.weight",  [ARCH_UNEMBEDDING] = "/lm_head.weight",
};
static const char *const LLAMA[ARCH_TENSOR_COUNT] = {
    [ARCH_W_Q] = "layers.{}.self_attn.q_proj.weight",
    [ARCH_W_K] = "layers.{}.self_attn.k_proj.weight",
    [ARCH_W_V] = "layers.{}.self_attn.v_proj.weight",
    [ARCH_W_O] = "layers.{}.self_attn.o_proj.weight",
    [ARCH_GAIN] = "layers.{}.input_layernorm.weight",
    [ARCH_Q_NORM] = "layers.{}.self_attn.q_norm.weight",
    [ARCH_K_NORM] = "layers.{}.self_attn.k_norm.weight",
    [ARCH_UP] = "layers.{}.mlp.up_proj.weight",
    [ARCH_GATE] = "layers.{}.mlp.gate_proj.weight",
    [ARCH_DOWN] = "layers.{}.mlp.down_proj.weight",
    [ARCH_WORDS] = "embed_tokens.weight",
    [ARCH_FINAL_GAIN] = "norm.weight",
    [ARCH_UNEMBEDDING] = "/lm_head.weight",
    [ARCH_MIDDLE_GAIN] = "layers.{}.post_attention_layernorm.weight",
};
/* Older files of BERT call a norm's gain "gamma" and its shift "beta". */
#define OLD_GAIN(norm)  norm ".gamma|" norm ".weight"
#define OLD_SHIFT(norm) norm ".beta|" norm ".bias"
static const char *const BERT[ARCH_TENSOR_COUNT] = {
    [ARCH_W_Q] = "encoder.layer.{}.attention.self.query.weight",
    [ARCH_W_K] = "encoder.layer.{}.attention.self.key.weight",
    [ARCH_W_V] = "encoder.layer.{}.attention.self.value.weight",
    [ARCH_W_O] = "encoder.layer.{}.attention.output.dense.weight",
    [ARCH_MIDDLE_GAIN] = OLD_GAIN("encoder.layer.{}.attention.output.LayerNorm"),
    [ARCH_MIDDLE_SHIFT] = OLD_SHIFT("encoder.layer.{}.attention.output.LayerNorm"),
    [ARCH_END_GAIN] = OLD_GAIN("encoder.layer.{}.output.LayerNorm"),
    [ARCH_END_SHIFT] = OLD_SHIFT("encoder.layer.{}.output.LayerNorm"),
    [ARCH_UP] = "encoder.layer.{}.intermediate.dense.weight",
    [ARCH_DOWN] = "encoder.layer.{}.output.dense.weight",
    [ARCH_WORDS] = "embeddings.word_embeddings.weight",
    [ARCH_PLACES] = "embeddings.position_embeddings.weight",
    [ARCH_TYPES] = "embeddings.token_type_embeddings.weight",
    [ARCH_WORDS_GAIN] = OLD_GAIN("embeddings.LayerNorm"),
    [ARCH_WORDS_SHIFT] = OLD_SHIFT("embeddings.LayerNorm"),
};

/* The fields of all Gemma models, and of all models like BERT. */
#define GEMMA                                                                                      \
    .needs_type = true, .rope = ARCH_HALVES, .rms = true, .gains_from_one = true,                  \
    .scales_words = true, .is_tied = true, .epsilon = 1e-6f, .activation = "gelu_pytorch_tanh",    \
    .options = PRE_NORM, .shared = LLAMA
#define AS_BERT                                                                                    \
    .order = STACK_POST, .is_tied = true, .epsilon = 1e-12f, .activation = "gelu",                 \
    .options = "mask=none"

const Architecture ARCHITECTURES[] = {
    {.entry = {"gpt2", "GPT-2", "", "One fused Conv1D for queries, keys and values."},
     .types = "gpt2",
     .layout = ARCH_CONV1D,
     .fused = ARCH_BLOCKS,
     .is_tied = true,
     .epsilon = 1e-5f,
     .activation = "gelu_new",
     .options = PRE_NORM "&init=gpt2",
     .shared = GPT2,
     .names = {[ARCH_W_Q] = "h.{}.attn.c_attn.weight", [ARCH_W_O] = "h.{}.attn.c_proj.weight"}},
    {.entry = {"gpt-neo", "GPT-Neo", "", "Three projections, scores that are not scaled."},
     .types = "gpt_neo",
     .is_tied = true,
     .epsilon = 1e-5f,
     .activation = "gelu_new",
     .options = PRE_NORM "&scale=none",
     .shared = GPT2,
     .names = {[ARCH_W_Q] = "h.{}.attn.attention.q_proj.weight",
               [ARCH_W_K] = "h.{}.attn.attention.k_proj.weight",
               [ARCH_W_V] = "h.{}.attn.attention.v_proj.weight",
               [ARCH_W_O] = "h.{}.attn.attention.out_proj.weight"}},
    {.entry = {"gpt-j", "GPT-J", "",
               "Attention and MLP have the same input, the output of one LayerNorm; RoPE rotates "
               "neighbouring columns."},
     .types = "gptj",
     .rope = ARCH_NEIGHBOURS,
     .order = STACK_PARALLEL,
     .epsilon = 1e-5f,
     .activation = "gelu_new",
     .options = PRE_NORM,
     .shared = GPT2,
     .names = {[ARCH_W_Q] = "h.{}.attn.q_proj.weight",
               [ARCH_W_K] = "h.{}.attn.k_proj.weight",
               [ARCH_W_V] = "h.{}.attn.v_proj.weight",
               [ARCH_W_O] = "h.{}.attn.out_proj.weight",
               [ARCH_MIDDLE_GAIN] = "h.{}.ln_1.weight",
               [ARCH_UP] = "h.{}.mlp.fc_in.weight",
               [ARCH_DOWN] = "h.{}.mlp.fc_out.weight",
               [ARCH_PLACES] = ""}},
    {.entry = {"gpt-neox", "GPT-NeoX, Pythia", "",
               "One fused tensor, head by head; partial RoPE; parallel MLP."},
     .types = "gpt_neox",
     .fused = ARCH_INTERLEAVED,
     .rope = ARCH_HALVES,
     .rope_part = 0.25f,
     .order = STACK_PARALLEL,
     .epsilon = 1e-5f,
     .activation = "gelu",
     .options = PRE_NORM "&init=small",
     .names = {[ARCH_W_Q] = "layers.{}.attention.query_key_value.weight",
               [ARCH_W_O] = "layers.{}.attention.dense.weight",
               [ARCH_GAIN] = "layers.{}.input_layernorm.weight",
               [ARCH_MIDDLE_GAIN] = "layers.{}.post_attention_layernorm.weight",
               [ARCH_UP] = "layers.{}.mlp.dense_h_to_4h.weight",
               [ARCH_DOWN] = "layers.{}.mlp.dense_4h_to_h.weight",
               [ARCH_WORDS] = "embed_in.weight",
               [ARCH_FINAL_GAIN] = "final_layer_norm.weight",
               [ARCH_UNEMBEDDING] = "/embed_out.weight"}},
    {.entry = {"phi", "Phi", "",
               "Attention and MLP have the same input, the output of one LayerNorm; partial RoPE."},
     .types = "phi",
     .rope = ARCH_HALVES,
     .rope_part = 0.5f,
     .order = STACK_PARALLEL,
     .epsilon = 1e-5f,
     .activation = "gelu_new",
     .options = PRE_NORM,
     .shared = LLAMA,
     .names = {[ARCH_W_O] = "layers.{}.self_attn.dense.weight",
               [ARCH_MIDDLE_GAIN] = "layers.{}.input_layernorm.weight",
               [ARCH_UP] = "layers.{}.mlp.fc1.weight",
               [ARCH_GATE] = "",
               [ARCH_DOWN] = "layers.{}.mlp.fc2.weight",
               [ARCH_FINAL_GAIN] = "final_layernorm.weight"}},
    {.entry = {"gemma3", "Gemma 3", "", "Norms before and after attention and MLP; QK-norm."},
     .types = "gemma3 gemma3_text",
     .whole_every = 6,
     GEMMA,
     .names = {[ARCH_ATTENTION_GAIN] = "layers.{}.post_attention_layernorm.weight",
               [ARCH_MIDDLE_GAIN] = "layers.{}.pre_feedforward_layernorm.weight",
               [ARCH_END_GAIN] = "layers.{}.post_feedforward_layernorm.weight"}},
    {.entry = {"gemma2", "Gemma 2", "",
               "Norms before and after attention and MLP; tanh limits the scores."},
     .types = "gemma2",
     .whole_every = 2,
     GEMMA,
     .names = {[ARCH_ATTENTION_GAIN] = "layers.{}.post_attention_layernorm.weight",
               [ARCH_MIDDLE_GAIN] = "layers.{}.pre_feedforward_layernorm.weight",
               [ARCH_END_GAIN] = "layers.{}.post_feedforward_layernorm.weight"}},
    {.entry = {"gemma", "Gemma", "",
               "Like Llama, but gains are stored minus 1, and the embedding is scaled."},
     .types = "gemma",
     GEMMA},
    {.entry = {"llama", "Llama, Mistral, Qwen", "",
               "A key head for several query heads; RoPE; RMSNorm; a gated MLP."},
     .types = "llama mistral qwen2 qwen3",
     .rope = ARCH_HALVES,
     .rms = true,
     .epsilon = 1e-6f,
     .activation = "silu",
     .options = PRE_NORM,
     .shared = LLAMA},
    {.entry = {"roberta", "RoBERTa", "", "Like BERT, but positions count from 2."},
     .types = "roberta xlm-roberta camembert",
     .needs_type = true,
     .first_place = 2,
     AS_BERT,
     .shared = BERT,
     .names = {[ARCH_TRANSFORM] = "/lm_head.dense.weight",
               [ARCH_TRANSFORMED_GAIN] = "/lm_head.layer_norm.weight",
               [ARCH_UNEMBEDDING] = "/lm_head.decoder.weight",
               [ARCH_UNEMBEDDING_BIAS] = "/lm_head.bias|/lm_head.decoder.bias"}},
    {.entry = {"bert", "BERT", "", "Three projections with biases; norms after each sum."},
     .types = "bert",
     AS_BERT,
     .shared = BERT,
     .names = {[ARCH_TRANSFORM] = "/cls.predictions.transform.dense.weight",
               [ARCH_TRANSFORMED_GAIN] = OLD_GAIN("/cls.predictions.transform.LayerNorm"),
               [ARCH_TRANSFORMED_SHIFT] = OLD_SHIFT("/cls.predictions.transform.LayerNorm"),
               [ARCH_UNEMBEDDING] = "/cls.predictions.decoder.weight",
               [ARCH_UNEMBEDDING_BIAS] = "/cls.predictions.bias|/cls.predictions.decoder.bias"}},
    {.entry = {"distilbert", "DistilBERT", "",
               "Three projections with biases; norms after each sum."},
     .types = "distilbert",
     AS_BERT,
     .names = {[ARCH_W_Q] = "transformer.layer.{}.attention.q_lin.weight",
               [ARCH_W_K] = "transformer.layer.{}.attention.k_lin.weight",
               [ARCH_W_V] = "transformer.layer.{}.attention.v_lin.weight",
               [ARCH_W_O] = "transformer.layer.{}.attention.out_lin.weight",
               [ARCH_MIDDLE_GAIN] = "transformer.layer.{}.sa_layer_norm.weight",
               [ARCH_END_GAIN] = "transformer.layer.{}.output_layer_norm.weight",
               [ARCH_UP] = "transformer.layer.{}.ffn.lin1.weight",
               [ARCH_DOWN] = "transformer.layer.{}.ffn.lin2.weight",
               [ARCH_WORDS] = "embeddings.word_embeddings.weight",
               [ARCH_PLACES] = "embeddings.position_embeddings.weight",
               [ARCH_WORDS_GAIN] = "embeddings.LayerNorm.weight",
               [ARCH_TRANSFORM] = "/vocab_transform.weight",
               [ARCH_TRANSFORMED_GAIN] = "/vocab_layer_norm.weight",
               [ARCH_UNEMBEDDING] = "/vocab_projector.weight"}},
    {.entry = {"torch-encoder", "nn.TransformerEncoder", "", "PyTorch's own stack of layers."},
     .fused = ARCH_BLOCKS,
     .order = STACK_POST,
     .epsilon = 1e-5f,
     .activation = "relu",
     .options = "mask=none&init=xavier_fused&init-o=pytorch_linear",
     .names = {[ARCH_W_Q] = "layers.{}.self_attn.in_proj_weight",
               [ARCH_W_O] = "layers.{}.self_attn.out_proj.weight",
               [ARCH_MIDDLE_GAIN] = "layers.{}.norm1.weight",
               [ARCH_END_GAIN] = "layers.{}.norm2.weight",
               [ARCH_UP] = "layers.{}.linear1.weight",
               [ARCH_DOWN] = "layers.{}.linear2.weight",
               [ARCH_FINAL_GAIN] = "norm.weight"}},
    {.entry = {"torch", "nn.MultiheadAttention", "", "PyTorch's own layer."},
     .fused = ARCH_BLOCKS,
     .order = STACK_ALONE,
     .options = "mask=none&init=xavier_fused&init-o=pytorch_linear",
     .names = {[ARCH_W_Q] = "in_proj_weight", [ARCH_W_O] = "out_proj.weight"}},
    {.entry = {"transformer-lens", "TransformerLens", "",
               "A matrix for each head, as in Headlight."},
     .layout = ARCH_HEADS,
     .epsilon = 1e-5f,
     .activation = "gelu_new",
     .options = PRE_NORM,
     .names = {[ARCH_W_Q] = "blocks.{}.attn.W_Q",        [ARCH_W_K] = "blocks.{}.attn.W_K",
               [ARCH_W_V] = "blocks.{}.attn.W_V",        [ARCH_W_O] = "blocks.{}.attn.W_O",
               [ARCH_B_Q] = "blocks.{}.attn.b_Q",        [ARCH_B_K] = "blocks.{}.attn.b_K",
               [ARCH_B_V] = "blocks.{}.attn.b_V",        [ARCH_B_O] = "blocks.{}.attn.b_O",
               [ARCH_GAIN] = "blocks.{}.ln1.w",          [ARCH_SHIFT] = "blocks.{}.ln1.b",
               [ARCH_MIDDLE_GAIN] = "blocks.{}.ln2.w",   [ARCH_MIDDLE_SHIFT] = "blocks.{}.ln2.b",
               [ARCH_UP] = "blocks.{}.mlp.W_in",         [ARCH_UP_BIAS] = "blocks.{}.mlp.b_in",
               [ARCH_GATE] = "blocks.{}.mlp.W_gate",     [ARCH_DOWN] = "blocks.{}.mlp.W_out",
               [ARCH_DOWN_BIAS] = "blocks.{}.mlp.b_out", [ARCH_WORDS] = "embed.W_E",
               [ARCH_PLACES] = "pos_embed.W_pos",        [ARCH_FINAL_GAIN] = "ln_final.w",
               [ARCH_FINAL_SHIFT] = "ln_final.b",        [ARCH_UNEMBEDDING] = "unembed.W_U",
               [ARCH_UNEMBEDDING_BIAS] = "unembed.b_U"}},
};
const Registry ARCHITECTURE_REGISTRY = REGISTRY("architectures", "architecture", ARCHITECTURES);

/* Key of each tensor in architecture.txt. NULL for a bias or shift, whose key is the key of its
 * weight or gain with "-bias" appended. */
static const char *const KEYS[ARCH_TENSOR_COUNT] = {
    [ARCH_W_Q] = "query",
    [ARCH_W_K] = "key",
    [ARCH_W_V] = "value",
    [ARCH_W_O] = "output",
    [ARCH_GAIN] = "norm",
    [ARCH_Q_NORM] = "query-norm",
    [ARCH_K_NORM] = "key-norm",
    [ARCH_ATTENTION_GAIN] = "attention-norm",
    [ARCH_MIDDLE_GAIN] = "middle-norm",
    [ARCH_END_GAIN] = "end-norm",
    [ARCH_UP] = "up",
    [ARCH_GATE] = "gate",
    [ARCH_DOWN] = "down",
    [ARCH_WORDS] = "words",
    [ARCH_PLACES] = "positions",
    [ARCH_TYPES] = "types",
    [ARCH_WORDS_GAIN] = "words-norm",
    [ARCH_FINAL_GAIN] = "final-norm",
    [ARCH_TRANSFORM] = "transform",
    [ARCH_TRANSFORMED_GAIN] = "transform-norm",
    [ARCH_UNEMBEDDING] = "unembedding",
};

ArchTensor architecture_weight(ArchTensor bias) {
    if (KEYS[bias] != NULL)
        return ARCH_TENSOR_COUNT;
    return bias <= ARCH_B_O ? bias - ARCH_B_Q + ARCH_W_Q : bias - 1;
}

const char *architecture_given(const Architecture *a, ArchTensor tensor) {
    const char *name = a->names[tensor];
    if (name == NULL && a->shared != NULL)
        name = a->shared[tensor];
    return name == NULL || name[0] == '\0' ? NULL : name;
}

bool architecture_name(char out[ARCH_NAME_BYTES], const Architecture *a, ArchTensor tensor) {
    static const char weight[] = "weight";
    ArchTensor of = architecture_weight(tensor);
    const char *name = architecture_given(a, tensor);
    const char *base = of < ARCH_TENSOR_COUNT ? architecture_given(a, of) : NULL;
    size_t bytes = base != NULL ? strlen(base) : 0, end = sizeof weight - 1;
    bool is_derived = a->names[tensor] == NULL && name == NULL && bytes >= end &&
                      strcmp(base + bytes - end, weight) == 0;
    if (is_derived)
        snprintf(out, ARCH_NAME_BYTES, "%.*sbias", (int)(bytes - end), base);
    else
        snprintf(out, ARCH_NAME_BYTES, "%s", name != NULL ? name : "");
    return out[0] != '\0';
}

/* An architecture that a file describes, and the memory for the names of its tensors. */
typedef struct Described {
    Architecture arch; /* first member, so that its address is that of the whole struct */
    char names[ARCH_TENSOR_COUNT][ARCHITECTURE_NAME_MAX + 1];
    /* names of the biases that the file does not list */
    char biases[ARCH_TENSOR_COUNT][ARCHITECTURE_NAME_MAX + 1];
} Described;

static bool fail(Err *err, int line, const char *what, const Pair *pair) {
    return err_fail(err, ARCHITECTURE_FILE, "line %d: %s “%s”; see assets/doc/files.md", line, what,
                    PRINT("%.*s", (int)(pair->key_bytes < 60 ? pair->key_bytes : 60), pair->key));
}

/* True if the value can name the tensor. The name of a layer's tensor must contain {}, which stands
 * for the layer's number; other names must not. */
static bool is_name(const Pair *pair, ArchTensor tensor) {
    const char *mark = memmem(pair->value, pair->value_bytes, "{}", 2);
    size_t before = mark != NULL ? (size_t)(mark - pair->value) : 0;
    return pair->value_bytes <= ARCHITECTURE_NAME_MAX && before < 60 &&
           utf8_first_invalid(pair->value, pair->value_bytes) == pair->value_bytes &&
           memchr(pair->value, '\0', pair->value_bytes) == NULL &&
           (mark != NULL) == (tensor < ARCH_FIRST_OF_MODEL);
}

static void write_key(char out[ARCHITECTURE_KEY_BYTES], ArchTensor tensor) {
    ArchTensor weight = architecture_weight(tensor);
    bool is_bias = weight < ARCH_TENSOR_COUNT;
    snprintf(out, ARCHITECTURE_KEY_BYTES, "%s%s", KEYS[is_bias ? weight : tensor],
             is_bias ? "-bias" : "");
}

bool architecture_key(char out[ARCHITECTURE_KEY_BYTES], const Architecture *read,
                      ArchTensor tensor) {
    write_key(out, tensor);
    return ((const Described *)read)->names[tensor][0] != '\0';
}

/* Derive the name of a weight's bias from the weight's name, unless the file names the bias. */
static void name_bias(Described *out, ArchTensor weight) {
    static const char end[] = "weight";
    const char *name = out->names[weight];
    size_t bytes = strlen(name), tail = sizeof end - 1;
    for (ArchTensor b = 0; b < ARCH_TENSOR_COUNT; b++) {
        if (architecture_weight(b) != weight || out->arch.names[b] == out->names[b] ||
            bytes < tail || strcmp(name + bytes - tail, end) != 0)
            continue;
        snprintf(out->biases[b], sizeof out->biases[b], "%.*sbias", (int)(bytes - tail), name);
        out->arch.names[b] = out->biases[b];
    }
}

static bool take_line(Described *out, const Pair *pair, int line, Err *err) {
    if (pair->value == NULL)
        return fail(err, line, "is not written as key = value:", pair);
    if (pair_is(pair, "like")) {
        int row = registry_find(&ARCHITECTURE_REGISTRY, pair->value, pair->value_bytes);
        if (out->arch.options != NULL || row < 0)
            return fail(err, line,
                        row < 0 ? "no known architecture comes after" : "appears twice:", pair);
        out->arch = ARCHITECTURES[row];
        out->arch.types = NULL;
        return true;
    }
    for (ArchTensor t = 0; t < ARCH_TENSOR_COUNT; t++) {
        char key[ARCHITECTURE_KEY_BYTES];
        write_key(key, t);
        if (!pair_is(pair, key))
            continue;
        if (out->arch.options == NULL)
            return fail(err, line, "“like = llama” or another architecture must come before", pair);
        if (pair->value_bytes > 0 && !is_name(pair, t))
            return fail(err, line,
                        t < ARCH_FIRST_OF_MODEL
                            ? "must be a name in UTF-8 of at most 120 bytes, with {} for the "
                              "layer’s number:"
                            : "must be a name in UTF-8 of at most 120 bytes, without {}:",
                        pair);
        memcpy(out->names[t], pair->value, pair->value_bytes);
        out->names[t][pair->value_bytes] = '\0';
        out->arch.names[t] = out->names[t];
        name_bias(out, t);
        return true;
    }
    return fail(err, line, "no such key:", pair);
}

Architecture *architecture_read(const char *text, size_t size, Err *err) {
    Described *made = heap_get_zero(1, sizeof *made);
    Pairs pairs = {.bytes = text, .size = size};
    Pair pair;
    bool taken = made != NULL || err_fail(err, "memory", "too little; close other programs");
    while (taken && pairs_next(&pairs, &pair))
        taken = take_line(made, &pair, pairs.line, err);
    if (taken && (architecture_given(&made->arch, ARCH_W_Q) == NULL ||
                  architecture_given(&made->arch, ARCH_W_O) == NULL))
        taken = err_fail(err, ARCHITECTURE_FILE,
                         "needs “like = llama” or another architecture, a query and an output");
    if (taken)
        return &made->arch;
    free(made);
    return NULL;
}
