/* tokenizer.h: a text becomes tokens, each a range of its bytes. Pure.
 * To add a tokenizer, add a row to TOKENIZERS. */
#ifndef HEADLIGHT_TEXT_TOKENIZER_H
#define HEADLIGHT_TEXT_TOKENIZER_H

#include <stddef.h>
#include <stdint.h>

#include "base/registry.h"

#define TOKENS_MAX     4096
#define TOKEN_TEXT_MAX (1u << 20) /* bytes of text at most */

typedef struct Token {
    uint32_t at, bytes;
} Token;

typedef struct Tokenizer {
    Entry entry;
    /* Write at most capacity tokens of valid UTF-8 text; return how many there are in all, which
     * may be more than capacity. */
    int (*split)(Token *out, int capacity, const char *text, size_t size);
} Tokenizer;

extern const Tokenizer TOKENIZERS[];
extern const Registry TOKENIZER_REGISTRY;

/* The look-up form of a token: NFKC_Casefold (Unicode Standard, section 3.13: NFKC, case folded,
 * without soft hyphens and the like), and ’ as '. Returns bytes written, cut at a whole character
 * when out is too small or the form is longer than 1024 characters; a token of N bytes needs at
 * most 11·N. Nothing is written for text that is not UTF-8. */
size_t token_fold(char *out, size_t capacity, const char *token, size_t bytes);

#endif
