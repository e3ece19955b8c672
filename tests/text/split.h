/* split.h: what the tests of tokenizers share; run from the project's root. */
#ifndef HEADLIGHT_TESTS_TEXT_SPLIT_H
#define HEADLIGHT_TESTS_TEXT_SPLIT_H

#include <assert.h>
#include <string.h>

#include "io/bpe_file.h"

/* Fill the tokens of text by the tokenizer of this id, which must not fail. Return their number,
 * which may exceed capacity. resources may be NULL. */
static inline int split_by(const char *id, Token *out, int capacity, const char *text, size_t size,
                           const TextResources *resources) {
    TokenList list = {.at = out, .capacity = capacity};
    int row = registry_find(&TOKENIZER_REGISTRY, id, strlen(id));
    assert(row >= 0);
    bool done = tokenizer_split(&list, row, text, size, resources, &told);
    assert(done);
    return list.total;
}

/* Load GPT-2's merges; release them with gpt2_release. */
static inline TextResources gpt2_resources(void) {
    TextResources resources = {.gpt2 = bpe_file_load("assets/gpt2/gpt2.safetensors", &told)};
    assert(resources.gpt2 != NULL);
    return resources;
}

static inline void gpt2_release(TextResources *resources) {
    vocabulary_release((Vocabulary *)resources->gpt2);
}

/* Fill TOKEN_TEXT_MAX bytes with a repeated text and return their number. */
static inline size_t fill_text(char *out, const char *repeated) {
    size_t bytes = strlen(repeated), size = 0;
    for (; size + bytes <= TOKEN_TEXT_MAX; size += bytes)
        memcpy(out + size, repeated, bytes);
    return size;
}

#endif
