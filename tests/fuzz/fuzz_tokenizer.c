#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/token_check.h"
#include "text/tokenizer.h"

#define SIZE_LIMIT 4096 /* bytes of input: longer ones find nothing new, slower */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_tokenizer(const Tokenizer *tokenizer, const char *text, size_t size) {
    static Token tokens[3 * SIZE_LIMIT], few[4];
    int count = tokenizer->split(tokens, 3 * SIZE_LIMIT, text, size);
    if (count < 0 || count > (int)size || token_check(tokens, count, text, size) != NULL)
        abort();
    int kept = count < 4 ? count : 4;
    if (tokenizer->split(few, 4, text, size) != count ||
        memcmp(few, tokens, (size_t)kept * sizeof few[0]) != 0)
        abort();
    for (int i = 0; i < count; i++) {
        char folded[64];
        size_t bytes = token_fold(folded, sizeof folded, text + tokens[i].at, tokens[i].bytes);
        if (bytes > sizeof folded || utf8_first_invalid(folded, bytes) != bytes)
            abort();
    }
}

/* Any bytes, first as the window repairs them, then as they are: those only must not crash. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[3 * SIZE_LIMIT];
    static Token tokens[16];
    size_t repairs, used = size < SIZE_LIMIT ? size : SIZE_LIMIT;
    size_t bytes = utf8_repair(text, sizeof text, (const char *)data, used, &repairs);
    for (int i = 0; i < TOKENIZER_REGISTRY.count; i++) {
        check_tokenizer(&TOKENIZERS[i], text, bytes);
        TOKENIZERS[i].split(tokens, 16, (const char *)data, used);
    }
    char folded[64];
    return token_fold(folded, sizeof folded, (const char *)data, used) > sizeof folded;
}
