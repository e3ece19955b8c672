/* tokenizer.h: splits text into tokens, each a range of bytes. Pure.
 * To add a tokenizer, write its file and add a row to TOKENIZERS. */
#ifndef HEADLIGHT_TEXT_TOKENIZER_H
#define HEADLIGHT_TEXT_TOKENIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/registry.h"
#include "text/bpe.h"

typedef struct Vocabulary Vocabulary;

/* Rows of TOKENIZERS. */
typedef enum TokenizerKind {
    TOKENIZER_WORDS,
    TOKENIZER_CHARS,
    TOKENIZER_GPT2,
    TOKENIZER_IDS,
    TOKENIZER_MODEL
} TokenizerKind;

#define TOKENS_MAX     4096
#define TOKEN_TEXT_MAX (1u << 20) /* limit on the bytes of a text */

typedef struct Token {
    uint32_t at, bytes; /* bytes is 0 for a token that a model's tokenizer adds to the text */
    int id;             /* its number in a model's vocabulary; -1 for none */
} Token;

/* Receives the tokens: the first capacity of them are stored, total counts all. */
typedef struct TokenList {
    Token *at;
    int capacity, total;
} TokenList;

static inline void token_add(TokenList *list, size_t at, size_t bytes, int id) {
    if (list->total < list->capacity)
        list->at[list->total] = (Token){(uint32_t)at, (uint32_t)bytes, id};
    list->total++;
}

/* Data that tokenizers need. Loaded by io/, borrowed. */
typedef struct TextResources {
    const Bpe *gpt2;          /* NULL if loading failed */
    const char *gpt2_missing; /* the reason, for a message; or NULL */
    const Vocabulary *model;  /* the open checkpoint's; NULL for none */
} TextResources;

typedef struct Tokenizer {
    Entry entry;
    /* Fill out from valid UTF-8 text of at most TOKEN_TEXT_MAX bytes. resources may be NULL.
     * Fails if ready fails or memory runs out. */
    bool (*split)(TokenList *out, const char *text, size_t size, const TextResources *resources,
                  Err *err);
    /* True if resources has the data that split needs. NULL if split needs none. */
    bool (*ready)(const TextResources *resources, Err *err);
    /* A token may be part of a word and may contain blanks. The word to look up then comes from the
     * text around the token. */
    bool cuts_words;
} Tokenizer;

extern const Tokenizer TOKENIZERS[];
extern const Registry TOKENIZER_REGISTRY;
extern const Registry TEXT_TOKENIZERS; /* the rows before TOKENIZER_IDS */
extern const Registry ID_TOKENIZERS;   /* the rows before TOKENIZER_MODEL */

/* True if a row of TOKENIZERS can be used with these resources; otherwise err says why not. */
bool tokenizer_ready(int tokenizer, const TextResources *resources, Err *err);

/* Write the look-up form of a token and return its bytes: NFKC_Casefold (Unicode Standard, section
 * 3.13), and ’ as '. This also removes soft hyphens and similar characters.
 * Cut at a whole character if out is too small or the form exceeds 1024 code points. A token of N
 * bytes needs at most 11·N. Writes nothing if token is not UTF-8. */
size_t token_fold(char *out, size_t capacity, const char *token, size_t bytes);

#endif
