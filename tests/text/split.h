/* split.h: call a tokenizer by its id. */
#ifndef HEADLIGHT_TESTS_TEXT_SPLIT_H
#define HEADLIGHT_TESTS_TEXT_SPLIT_H

#include <assert.h>
#include <string.h>

#include "text/tokenizer.h"

/* Fill the tokens of text by the tokenizer of this id, which must not fail. Return their number,
 * which may exceed capacity. resources may be NULL. */
static inline int split_by(const char *id, Token *out, int capacity, const char *text, size_t size,
                           const TextResources *resources) {
    Err err;
    TokenList list = {.at = out, .capacity = capacity};
    int row = registry_find(&TOKENIZER_REGISTRY, id, strlen(id));
    assert(row >= 0);
    bool done = TOKENIZERS[row].split(&list, text, size, resources, &err);
    assert(done);
    return list.total;
}

#endif
