#include "text/tokenizer.h"

#include <limits.h>
#include <string.h>
#include <utf8proc.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "text/grapheme.h"
#include "text/vocabulary.h"

/* Make every grapheme a token, also blanks. Linear time. */
static void chars_split(TokenList *out, const char *text, size_t size) {
    for (Grapheme g = grapheme_at(text, size, 0); g.class != GRAPHEME_NONE;
         g = grapheme_after(text, size, g))
        token_add(out, g.at, g.bytes, -1);
}

size_t ids_next(size_t *at, const char *text, size_t size) {
    static const char between[] = {',', ' ', '\t', '\r', '\n'};
    size_t bytes = 0;
    while (*at < size && memchr(between, text[*at], sizeof between) != NULL)
        ++*at;
    while (*at + bytes < size && memchr(between, text[*at + bytes], sizeof between) == NULL)
        bytes++;
    return bytes;
}

int ids_number(const char *bytes, size_t size) {
    long long number;
    bool is_number = size > 0 && bytes[0] >= '0' && bytes[0] <= '9' &&
                     number_parse_int(&number, bytes, size) && number <= INT_MAX;
    return is_number ? (int)number : -1;
}

static void ids_split(TokenList *out, const char *text, size_t size) {
    for (size_t at = 0, bytes; (bytes = ids_next(&at, text, size)) > 0; at += bytes)
        token_add(out, at, bytes, ids_number(text + at, bytes));
}

const Tokenizer TOKENIZERS[] = {
    {{"words", "Words", "",
      "Words, punctuation and clitics such as n't are separate tokens, as in the Penn Treebank."},
     {.split = words_split}},
    {{"chars", "Characters", "", "Every character is a token, blanks included."},
     {chars_split, .cuts_words = true}},
    {{"gpt2", "GPT-2", "",
      "Parts of words, as in GPT-2 (byte pair encoding); a space belongs to the token after it."},
     {.cuts_words = true}},
    {{"ids", "Token ids", "",
      "Ids of tokens in a checkpoint's vocabulary, from 0, with commas or blanks between them."},
     {.split = ids_split}},
    {{"model", "The model's own", "", "The tokens of the checkpoint's tokenizer.json."},
     {.cuts_words = true}},
};

const Registry TOKENIZER_REGISTRY = REGISTRY("tokenizers", "tokenizer", TOKENIZERS);

const Registry TEXT_TOKENIZERS = {"tokenizers", "tokenizer", TOKENIZERS, sizeof TOKENIZERS[0],
                                  TOKENIZER_IDS};
const Registry ID_TOKENIZERS = {"tokenizers", "tokenizer", TOKENIZERS, sizeof TOKENIZERS[0],
                                TOKENIZER_MODEL};

static const Vocabulary *vocabulary_of(int tokenizer, const TextResources *resources) {
    return resources == NULL             ? NULL
           : tokenizer == TOKENIZER_GPT2 ? resources->gpt2
                                         : resources->model;
}

bool tokenizer_ready(int tokenizer, const TextResources *resources, Err *err) {
    const Vocabulary *v = vocabulary_of(tokenizer, resources);
    const char *why = "no checkpoint with a tokenizer.json is open; choose another tokenizer";
    if (TOKENIZERS[tokenizer].split != NULL || (v != NULL && v->why[0] == '\0'))
        return true;
    if (v != NULL)
        why = v->why;
    else if (tokenizer == TOKENIZER_GPT2)
        why = resources != NULL && resources->gpt2_missing != NULL
                  ? resources->gpt2_missing
                  : "the merges of GPT-2 are not loaded; choose another tokenizer";
    return err_fail(err, PRINT("tokenizer %s", TOKENIZERS[tokenizer].entry.id), "%s", why);
}

bool tokenizer_split(TokenList *out, int tokenizer, const char *text, size_t size,
                     const TextResources *resources, Err *err) {
    const Tokenizer *row = &TOKENIZERS[tokenizer];
    out->total = 0;
    if (row->split == NULL)
        return tokenizer_ready(tokenizer, resources, err) &&
               vocabulary_split(out, vocabulary_of(tokenizer, resources), text, size, err);
    row->split(out, text, size);
    return true;
}

/* maximum number of code points of the form that token_fold writes; a longer one is cut */
#define FOLD_POINTS_MAX 1024

/* Write NFKC_Casefold of token or, if that does not fit into points, of a prefix of token. Return
 * the number of code points, or a negative number if token is not UTF-8. */
static utf8proc_ssize_t fold_points(utf8proc_int32_t points[FOLD_POINTS_MAX], const char *token,
                                    size_t bytes) {
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    const utf8proc_uint8_t *from = (const utf8proc_uint8_t *)token;
    /* A token can be the whole text, so cut it first to limit the work. */
    if (bytes > FOLD_POINTS_MAX)
        bytes = utf8_floor(token, bytes, FOLD_POINTS_MAX);
    for (;;) {
        utf8proc_ssize_t count =
            utf8proc_decompose(from, (utf8proc_ssize_t)bytes, points, FOLD_POINTS_MAX, options);
        if (count <= FOLD_POINTS_MAX)
            return count < 0 ? count : utf8proc_normalize_utf32(points, count, options);
        bytes = utf8_floor(token, bytes, bytes / 2);
    }
}

size_t token_fold(char *out, size_t capacity, const char *token, size_t bytes) {
    utf8proc_int32_t points[FOLD_POINTS_MAX];
    size_t written = 0;
    if (utf8_is_ascii(token, bytes)) {
        for (; written < bytes && written < capacity; written++)
            out[written] = (char)utf8proc_tolower(token[written]);
        return written;
    }
    utf8proc_ssize_t count = fold_points(points, token, bytes);
    for (utf8proc_ssize_t i = 0; i < count; i++) {
        char encoded[4];
        uint32_t point = points[i] == 0x2019 ? '\'' : (uint32_t)points[i];
        size_t length = utf8_encode(encoded, point);
        if (length > capacity - written)
            break;
        memcpy(out + written, encoded, length);
        written += length;
    }
    return written;
}
