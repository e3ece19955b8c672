/* labels.h: what is shown for each token of a text. Pure. */
#ifndef HEADLIGHT_RESULTS_LABELS_H
#define HEADLIGHT_RESULTS_LABELS_H

#include "base/arena.h"
#include "base/err.h"
#include "text/tokenizer.h"

/* Valid UTF-8, not ended by NUL; see token_display. */
typedef struct TokenLabel {
    const char *bytes; /* in the text where that shows as it is, else in the arena */
    size_t size;
} TokenLabel;

/* Make room in arena, which is emptied, and return the labels of tokens[0..count), count > 0, or
 * NULL and err for want of memory. They hold as long as the text and the arena do. */
TokenLabel *labels_make(Arena *arena, const char *text, const Token *tokens, int count, Err *err);

#endif
