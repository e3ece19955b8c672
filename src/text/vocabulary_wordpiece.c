#include <string.h>

#include "base/utf8.h"
#include "text/vocabulary_models.h"

#define WORD_BYTES 1024

/* Return the bytes of the longest token at the start of text, and set *id to it; 0 for none. */
static size_t longest(int *id, const Vocabulary *v, bool first, const char *text, size_t size) {
    char word[WORD_BYTES];
    size_t prefix = first ? 0 : strlen(v->prefix);
    memcpy(word, v->prefix, prefix);
    memcpy(word + prefix, text, size);
    while (size > 0 && (*id = vocabulary_find(v, word, prefix + size)) < 0)
        size = utf8_previous(text, size, size);
    return size;
}

bool wordpiece_split(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at, size_t end,
                     Err *err) {
    const char *piece = flow->text + at;
    size_t size = end - at, from = 0, bytes = 1;
    int id, chars = 0, total = out->total;
    (void)err;
    for (size_t i = 0; i < size; i = utf8_next(piece, size, i))
        chars++;
    if (chars > v->longest || size + strlen(v->prefix) > WORD_BYTES)
        bytes = 0;
    for (; from < size && bytes > 0; from += bytes) {
        bytes = longest(&id, v, from == 0, piece + from, size - from);
        if (bytes > 0)
            flow_token(out, flow, at + from, at + from + bytes, id);
    }
    if (bytes == 0) {
        out->total = total;
        flow_token(out, flow, at, end, v->unknown);
    }
    return true;
}
