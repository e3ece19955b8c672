#include "io/architecture_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/pairs.h"
#include "base/utf8.h"

/* Key of each tensor in the file. The key of a bias is that of its weight, with "-bias"
 * appended. */
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

/* An architecture, and the memory of its names, one for each tensor. */
typedef struct Described {
    Architecture arch; /* first member, so that its address is that of the whole struct */
    char names[ARCH_TENSOR_COUNT][ARCHITECTURE_NAME_MAX + 1];
    char biases[ARCH_TENSOR_COUNT][ARCHITECTURE_NAME_MAX + 1]; /* of biases without a line */
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

/* Call the bias like its weight, instead of like that of the known architecture, unless the file
 * has named it. */
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
            return fail(
                err, line,
                "a name must have at most 120 bytes, and in a layer {} for its number:", pair);
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
