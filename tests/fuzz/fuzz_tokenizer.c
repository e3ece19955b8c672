#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "check.h"
#include "io/bpe_file.h"
#include "text/display.h"
#include "text/token_check.h"
#include "text/tokenizer.h"

#define SIZE_LIMIT 4096 /* bytes of input: longer ones find nothing new, slower */
#define MERGES     "assets/gpt2/gpt2.safetensors"

static const TextResources *load_resources(void) {
    static TextResources resources;
    Err err;
    if (resources.gpt2 == NULL)
        resources.gpt2 = bpe_file_load(MERGES, &err);
    if (resources.gpt2 == NULL) {
        fprintf(stderr, "%s: %s\n", err.what, err.why);
        exit(1);
    }
    return &resources;
}

/* True if the tokens are adjacent and cover the whole text. */
static bool covers(const Token *tokens, int count, size_t size) {
    size_t at = 0;
    for (int i = 0; i < count && tokens[i].at == at && tokens[i].bytes > 0; i++)
        at += tokens[i].bytes;
    return at == size;
}

static bool is_sound(const Tokenizer *tokenizer, const Token *tokens, int count, const char *text,
                     size_t size) {
    bool cuts_characters = strcmp(tokenizer->entry.id, "gpt2") == 0;
    bool leaves_commas = strcmp(tokenizer->entry.id, "ids") == 0;
    if (tokenizer->cuts_words && !covers(tokens, count, size))
        return false;
    return cuts_characters || leaves_commas || token_check(tokens, count, text, size) == NULL;
}

static void check_token(const char *token, size_t bytes) {
    char out[TOKEN_DISPLAY_MAX];
    size_t used = token_fold(out, 64, token, bytes);
    if (used > 64 || utf8_first_invalid(out, used) != used)
        abort();
    used = token_display(out, token, bytes);
    if (used == 0 || used > sizeof out || utf8_first_invalid(out, used) != used)
        abort();
}

/* GPT-2's number of a token gives its bytes again; any other number must not crash. */
static void check_bytes(const Tokenizer *tokenizer, const Token *token, const char *text) {
    static char bytes[3 * SIZE_LIMIT];
    size_t size = vocabulary_text(bytes, sizeof bytes, load_resources()->gpt2, token->id);
    if (strcmp(tokenizer->entry.id, "gpt2") == 0 &&
        (size != token->bytes || memcmp(bytes, text + token->at, size) != 0))
        abort();
}

static void check_tokenizer(int row, const char *text, size_t size) {
    const Tokenizer *tokenizer = &TOKENIZERS[row];
    static Token tokens[3 * SIZE_LIMIT], few[4];
    Err err;
    TokenList all = {tokens, 3 * SIZE_LIMIT, 0}, some = {few, 4, 0};
    if (!tokenizer_split(&all, row, text, size, load_resources(), &err) || all.total > (int)size ||
        !is_sound(tokenizer, tokens, all.total, text, size))
        abort();
    int kept = all.total < 4 ? all.total : 4;
    if (!tokenizer_split(&some, row, text, size, load_resources(), &err) ||
        some.total != all.total || memcmp(few, tokens, (size_t)kept * sizeof few[0]) != 0)
        abort();
    for (int i = 0; i < all.total; i++) {
        check_token(text + tokens[i].at, tokens[i].bytes);
        check_bytes(tokenizer, &tokens[i], text);
    }
}

/* Steps back are the steps forward, and a text that is cut ends at a whole character. */
static void check_steps(const char *text, size_t size) {
    char cut[16];
    for (size_t at = 0, next; at < size; at = next) {
        next = utf8_next(text, size, at);
        if (next <= at || next > size || utf8_previous(text, size, next) != at)
            abort();
    }
    utf8_print(cut, sizeof cut, "%.*s", (int)size, text);
    if (utf8_first_invalid(cut, strlen(cut)) != strlen(cut))
        abort();
}

/* Any bytes, first repaired as in the window, then unchanged. The unchanged ones only must not
 * crash. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[3 * SIZE_LIMIT];
    static Token tokens[16];
    Err err;
    size_t repairs, used = size < SIZE_LIMIT ? size : SIZE_LIMIT;
    size_t bytes = utf8_repair(text, sizeof text, (const char *)data, used, &repairs);
    for (int i = 0; i < ID_TOKENIZERS.count; i++) {
        TokenList list = {tokens, 16, 0};
        check_tokenizer(i, text, bytes);
        tokenizer_split(&list, i, (const char *)data, used, load_resources(), &err);
    }
    check_steps(text, bytes);
    char shown[TOKEN_DISPLAY_MAX];
    size_t shown_bytes = token_display(shown, (const char *)data, used);
    if (shown_bytes > sizeof shown || utf8_first_invalid(shown, shown_bytes) != shown_bytes)
        abort();
    return token_fold(shown, 64, (const char *)data, used) > 64;
}
