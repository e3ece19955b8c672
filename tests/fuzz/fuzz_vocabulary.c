/* Any bytes as a tokenizer.json and, after a NUL, a text that it splits. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "check.h"
#include "io/vocabulary_file.h"

#define TEXT_MAX 512

/* Tokens are in order, inside the text, and in the vocabulary. */
static void check_split(const Vocabulary *v, const char *text, size_t size) {
    static Token tokens[TOKENS_MAX];
    char shown[64];
    Err err = {0};
    TokenList list = {.at = tokens, .capacity = TOKENS_MAX};
    if (!tokenizer_split(&list, TOKENIZER_MODEL, text, size, &(TextResources){.model = v}, &err)) {
        check(err.why[0] != '\0');
        return;
    }
    check(v->why[0] == '\0');
    for (int i = 0; i < list.total && i < TOKENS_MAX; i++) {
        check((size_t)tokens[i].at + tokens[i].bytes <= size);
        check(tokens[i].id >= 0 && tokens[i].id < v->count);
        check(vocabulary_text(shown, sizeof shown, v, tokens[i].id) <= sizeof shown);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[3 * TEXT_MAX];
    const uint8_t *end = memchr(data, 0, size);
    size_t bytes = end != NULL ? (size_t)(end - data) : size, rest = size - bytes, repairs;
    Err err;
    Vocabulary *v = vocabulary_read((const char *)data, bytes, &err);
    check(v != NULL);
    rest = utf8_repair(text, sizeof text, (const char *)data + bytes + (rest > 0),
                       rest > TEXT_MAX ? TEXT_MAX : rest - (rest > 0), &repairs);
    check_split(v, text, rest);
    check_split(v, "the <s>theme\n 1it's [CLS] é", 28);
    vocabulary_release(v);
    return 0;
}
