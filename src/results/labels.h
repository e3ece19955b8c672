/* labels.h: the text shown for each token. Pure. */
#ifndef HEADLIGHT_RESULTS_LABELS_H
#define HEADLIGHT_RESULTS_LABELS_H

#include "base/arena.h"
#include "base/err.h"
#include "text/tokenizer.h"

/* A label: valid UTF-8, not ended by NUL; see token_display. */
typedef struct TokenLabel {
    /* Points into the text if the label equals the token, otherwise into the arena. */
    const char *bytes;
    size_t size;
} TokenLabel;

/* Return the labels of tokens[0..count), count > 0. They come from the vocabulary `own` or, if own
 * is NULL, from the text. They are pushed to the arena, which is emptied first, and last as long as
 * the text and the arena. Return NULL and set err if memory runs out. */
TokenLabel *labels_make(Arena *arena, const char *text, const Token *tokens, int count,
                        const Vocabulary *own, Err *err);

#endif
