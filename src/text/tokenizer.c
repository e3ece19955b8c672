#include "text/tokenizer.h"

#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "text/chars.h"
#include "text/gpt2.h"
#include "text/ids.h"
#include "text/vocabulary.h"
#include "text/words.h"

const Tokenizer TOKENIZERS[] = {
    {{"words", "Words", "",
      "Words, punctuation and clitics such as n't are separate tokens, as in the Penn Treebank."},
     words_split,
     NULL,
     false},
    {{"chars", "Characters", "", "Every character is a token, blanks included."},
     chars_split,
     NULL,
     true},
    {{"gpt2", "GPT-2", "",
      "GPT-2's parts of words (byte pair encoding); a space belongs to the token after it."},
     gpt2_split,
     gpt2_ready,
     true},
    {{"ids", "Token ids", "",
      "Numbers of a checkpoint's vocabulary, from 0, with commas or blanks between them."},
     ids_split,
     NULL,
     false},
    {{"model", "The model's own", "", "The tokens of the checkpoint's tokenizer.json."},
     vocabulary_split,
     vocabulary_ready,
     true},
};

const Registry TOKENIZER_REGISTRY = REGISTRY("tokenizers", "tokenizer", TOKENIZERS);

const Registry TEXT_TOKENIZERS = {"tokenizers", "tokenizer", TOKENIZERS, sizeof TOKENIZERS[0],
                                  TOKENIZER_IDS};
const Registry ID_TOKENIZERS = {"tokenizers", "tokenizer", TOKENIZERS, sizeof TOKENIZERS[0],
                                TOKENIZER_MODEL};

bool tokenizer_ready(int tokenizer, const TextResources *resources, Err *err) {
    const Tokenizer *row = &TOKENIZERS[tokenizer];
    return row->ready == NULL || row->ready(resources, err);
}

/* A token that folds to more code points than this is cut. */
#define FOLD_POINTS_MAX 1024

/* Write NFKC_Casefold of the longest prefix of token that fits into points. Return the number of
 * code points, negative if token is not UTF-8. */
static utf8proc_ssize_t fold_points(utf8proc_int32_t points[FOLD_POINTS_MAX], const char *token,
                                    size_t bytes) {
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    const utf8proc_uint8_t *from = (const utf8proc_uint8_t *)token;
    /* A token can be the whole text. Cut it first to bound the work. */
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

static size_t fold_ascii(char *out, size_t capacity, const char *token, size_t bytes) {
    size_t at = 0;
    for (; at < bytes && at < capacity; at++)
        out[at] = (char)(token[at] >= 'A' && token[at] <= 'Z' ? token[at] | 0x20 : token[at]);
    return at;
}

size_t token_fold(char *out, size_t capacity, const char *token, size_t bytes) {
    utf8proc_int32_t points[FOLD_POINTS_MAX];
    if (utf8_is_ascii(token, bytes))
        return fold_ascii(out, capacity, token, bytes);
    utf8proc_ssize_t count = fold_points(points, token, bytes);
    size_t written = 0;
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
