#include "results/labels.h"

#include <assert.h>
#include <string.h>

#include "text/display.h"
#include "text/vocabulary.h"

/* The inputs of a label. */
typedef struct Source {
    const char *text;
    const Vocabulary *own;
} Source;

/* Write a token's label into room and return its bytes. *as_is is true if the label equals the
 * token's text. */
static size_t write_label(char room[TOKEN_DISPLAY_MAX], bool *as_is, const Source *from,
                          Token token) {
    char bytes[TOKEN_DISPLAY_MAX];
    const char *text = from->text + token.at;
    size_t size = token.bytes;
    if (from->own != NULL) {
        size = vocabulary_text(bytes, sizeof bytes, from->own, token.id);
        *as_is = size == token.bytes && memcmp(bytes, text, size) == 0;
        text = bytes;
    }
    *as_is = from->own == NULL || *as_is;
    if (*as_is && token_is_plain(text, size))
        return size;
    size_t shown = token_display(room, text, size);
    *as_is = *as_is && shown == size && memcmp(room, text, size) == 0;
    return shown;
}

TokenLabel *labels_make(Arena *arena, const char *text, const Token *tokens, int count,
                        const Vocabulary *own, Err *err) {
    char room[TOKEN_DISPLAY_MAX];
    Source from = {text, own};
    assert(count > 0);
    bool as_is;
    size_t total = 0, used = 0, head = (size_t)count * sizeof(TokenLabel);
    for (int i = 0; i < count; i++) {
        size_t size = write_label(room, &as_is, &from, tokens[i]);
        total += as_is ? 0 : size;
    }
    if (!arena_reserve(arena, arena_padded(head) + arena_padded(total), err))
        return NULL;
    TokenLabel *labels = arena_push(arena, head);
    char *shown = arena_push(arena, total);
    for (int i = 0; i < count; i++) {
        size_t size = write_label(room, &as_is, &from, tokens[i]);
        labels[i] = (TokenLabel){as_is ? text + tokens[i].at : shown + used, size};
        if (as_is)
            continue;
        memcpy(shown + used, room, size);
        used += size;
    }
    return labels;
}
