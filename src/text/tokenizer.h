/* tokenizer.h: a text becomes tokens, each a range of its bytes. Pure.
 * To add a tokenizer, write its file and add a row to TOKENIZERS. */
#ifndef HEADLIGHT_TEXT_TOKENIZER_H
#define HEADLIGHT_TEXT_TOKENIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/registry.h"
#include "text/bpe.h"

#define TOKENS_MAX     4096
#define TOKEN_TEXT_MAX (1u << 20) /* bytes of text at most */

typedef struct Token {
    uint32_t at, bytes;
} Token;

/* Where a tokenizer puts its tokens: the first capacity of them into at; total counts all. */
typedef struct TokenList {
    Token *at;
    int capacity, total;
} TokenList;

static inline void token_add(TokenList *list, size_t at, size_t bytes) {
    if (list->total < list->capacity)
        list->at[list->total] = (Token){(uint32_t)at, (uint32_t)bytes};
    list->total++;
}

/* What tokenizers read beside the text. Loaded by io/, borrowed. */
typedef struct TextResources {
    const Bpe *gpt2;          /* NULL where it could not be loaded */
    const char *gpt2_missing; /* then why, for a message, or NULL */
} TextResources;

typedef struct Tokenizer {
    Entry entry;
    /* Fill out from valid UTF-8 text of at most TOKEN_TEXT_MAX bytes. resources may be NULL.
     * Fails where ready does, and for want of memory. */
    bool (*split)(TokenList *out, const char *text, size_t size, const TextResources *resources,
                  Err *err);
    /* Whether resources holds what split reads there; NULL where it reads nothing. */
    bool (*ready)(const TextResources *resources, Err *err);
    /* A token may be a part of a word, and may hold blanks: what is looked up as a word is then
     * told by what stands around it. */
    bool cuts_words;
} Tokenizer;

extern const Tokenizer TOKENIZERS[];
extern const Registry TOKENIZER_REGISTRY;

/* Whether a row of TOKENIZERS can be used with these resources; err says why not. */
bool tokenizer_ready(int tokenizer, const TextResources *resources, Err *err);

/* The look-up form of a token: NFKC_Casefold (Unicode Standard, section 3.13: NFKC, case folded,
 * without soft hyphens and the like), and ’ as '. Returns bytes written, cut at a whole character
 * when out is too small or the form is longer than 1024 characters; a token of N bytes needs at
 * most 11·N. Nothing is written for text that is not UTF-8. */
size_t token_fold(char *out, size_t capacity, const char *token, size_t bytes);

#endif
