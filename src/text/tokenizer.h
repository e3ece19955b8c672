/* tokenizer.h: splits text into tokens, each a range of bytes. Pure.
 * To add a tokenizer, write its file and add a row to TOKENIZERS. */
#ifndef HEADLIGHT_TEXT_TOKENIZER_H
#define HEADLIGHT_TEXT_TOKENIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/registry.h"

typedef struct Vocabulary Vocabulary;

typedef enum TokenizerKind {
    TOKENIZER_WORDS,
    TOKENIZER_CHARS,
    TOKENIZER_GPT2,
    TOKENIZER_IDS,
    TOKENIZER_MODEL
} TokenizerKind;

#define TOKENS_MAX     4096
#define TOKEN_TEXT_MAX (1u << 20) /* maximum bytes of a text */

typedef struct Token {
    uint32_t at, bytes; /* bytes is 0 for a token that the model's tokenizer adds to the text */
    int id;             /* id of the token in a model's vocabulary; -1 for none */
} Token;

/* Receives the tokens. The first `capacity` tokens are stored; total counts all of them. */
typedef struct TokenList {
    Token *at;
    int capacity, total;
} TokenList;

static inline void token_add(TokenList *list, size_t at, size_t bytes, int id) {
    if (list->total < list->capacity)
        list->at[list->total] = (Token){(uint32_t)at, (uint32_t)bytes, id};
    list->total++;
}

/* Data that tokenizers need. io/ loads them; borrowed. */
typedef struct TextResources {
    const Vocabulary *gpt2;   /* NULL if loading failed */
    const char *gpt2_missing; /* why GPT-2's merges are missing, for a message; or NULL */
    const Vocabulary *model;  /* vocabulary of the open checkpoint; NULL for none */
} TextResources;

typedef struct Tokenizer {
    Entry entry;
    struct {
        /* Add the tokens of valid UTF-8 text to out. NULL: a vocabulary in the TextResources splits
         * the text. */
        void (*split)(TokenList *out, const char *text, size_t size);
        /* True if a token may be part of a word and may contain blanks. The word whose vector is
         * looked up then comes from the text around the token. */
        bool cuts_words;
    };
} Tokenizer;

extern const Tokenizer TOKENIZERS[];
extern const Registry TOKENIZER_REGISTRY;
extern const Registry TEXT_TOKENIZERS; /* tokenizers for words: the rows before TOKENIZER_IDS */
extern const Registry
    ID_TOKENIZERS; /* tokenizers for words or ids: the rows before TOKENIZER_MODEL */

/* True if a row of TOKENIZERS can be used with these resources, which may be NULL; otherwise err
 * says why not. */
bool tokenizer_ready(int tokenizer, const TextResources *resources, Err *err);

/* Fill out from valid UTF-8 text of at most TOKEN_TEXT_MAX bytes. Fails if tokenizer_ready fails,
 * if a byte has no token, or if memory runs out. */
bool tokenizer_split(TokenList *out, int tokenizer, const char *text, size_t size,
                     const TextResources *resources, Err *err);

/* Move *at to the next token in a list of ids, which are separated by commas, blanks and line ends.
 * Return the number of bytes of the token; 0 at the end. */
size_t ids_next(size_t *at, const char *text, size_t size);

/* Return the number of a token in a list of ids; -1 if it is not a number from 0 to 2³¹ - 1. */
int ids_number(const char *bytes, size_t size);

/* The tokenizer `words`: splits as the Penn Treebank and GloVe do. Linear time. Words, punctuation
 * and English clitics are separate tokens ("can't" gives "ca" and "n't"). A word keeps inner
 * hyphens, decimal points, commas in numbers, and the points of "U.S."; mail addresses and URLs are
 * one token. French and Italian elisions end in their apostrophe ("l'" "homme"). Runs such as "..."
 * or "--" are one token. In a script without spaces each character is a token.
 *
 * A grapheme is never split. Blanks, control and format characters are in no token, unless they
 * belong to the grapheme of another character. Source: Marcus, Santorini and Marcinkiewicz 1993,
 * "Building a large annotated corpus of English: the Penn Treebank"; Unicode Standard Annex 29,
 * sections 3 and 4. */
void words_split(TokenList *out, const char *text, size_t size);

/* Write the form of a token in which its word vector is looked up, and return its number of bytes:
 * NFKC_Casefold (Unicode Standard, section 3.13), with ’ replaced by '. This also removes soft
 * hyphens and similar characters. A token of N bytes needs at most 11·N bytes; if out is too small,
 * the form is cut at a whole character. Of a token that is not ASCII, at most 1024 bytes are used,
 * and fewer if their form has more than 1024 code points. Writes nothing if token is not UTF-8. */
size_t token_fold(char *out, size_t capacity, const char *token, size_t bytes);

#endif
