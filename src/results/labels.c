#include "results/labels.h"

#include <assert.h>
#include <string.h>

#include "text/display.h"

/* Write a token's label into room and return its bytes. *is_own: the label is the token's own text.
 * */
static bool is_shown_as_is(char room[TOKEN_DISPLAY_MAX], size_t *size, const char *text,
                           Token token) {
    *size = token.bytes;
    if (token_is_plain(text + token.at, token.bytes))
        return true;
    *size = token_display(room, text + token.at, token.bytes);
    return *size == token.bytes && memcmp(room, text + token.at, *size) == 0;
}

TokenLabel *labels_make(Arena *arena, const char *text, const Token *tokens, int count, Err *err) {
    char room[TOKEN_DISPLAY_MAX];
    assert(count > 0);
    size_t size, total = 0, used = 0, head = (size_t)count * sizeof(TokenLabel);
    for (int i = 0; i < count; i++)
        total += is_shown_as_is(room, &size, text, tokens[i]) ? 0 : size;
    if (!arena_reserve(arena, arena_padded(head) + arena_padded(total), err))
        return NULL;
    TokenLabel *labels = arena_push(arena, head);
    char *shown = arena_push(arena, total);
    for (int i = 0; i < count; i++) {
        bool as_is = is_shown_as_is(room, &size, text, tokens[i]);
        labels[i] = (TokenLabel){as_is ? text + tokens[i].at : shown + used, size};
        if (as_is)
            continue;
        memcpy(shown + used, room, size);
        used += size;
    }
    return labels;
}
