#include "results/labels.h"

#include <assert.h>
#include <string.h>

#include "text/display.h"
#include "text/vocabulary.h"

TokenLabel *labels_make(Arena *arena, const char *text, const Token *tokens, int count,
                        const Vocabulary *own, Err *err) {
    assert(count > 0);
    size_t head = (size_t)count * sizeof(TokenLabel), most = (size_t)count * TOKEN_DISPLAY_MAX;
    if (!arena_reserve(arena, arena_padded(head) + arena_padded(most), err))
        return NULL;
    TokenLabel *labels = arena_push(arena, head);
    char *shown = arena_push(arena, most);
    for (int i = 0; i < count; i++) {
        char word[TOKEN_DISPLAY_MAX];
        const char *bytes = text + tokens[i].at, *in_text = bytes;
        size_t size = tokens[i].bytes;
        if (own != NULL) {
            size = vocabulary_text(word, sizeof word, own, tokens[i].id);
            bytes = word;
        }
        bool as_is = size == tokens[i].bytes && memcmp(bytes, in_text, size) == 0;
        if (as_is && token_is_plain(bytes, size)) {
            labels[i] = (TokenLabel){in_text, size};
            continue;
        }
        labels[i] = (TokenLabel){shown, token_display(shown, bytes, size)};
        if (as_is && labels[i].size == size && memcmp(shown, in_text, size) == 0)
            labels[i].bytes = in_text;
        else
            shown += labels[i].size;
    }
    return labels;
}
