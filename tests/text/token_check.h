/* token_check.h: properties that the tokens of every text have, for the tests and the fuzzer.
 * Checked from the text alone, without the tokenizer's own code. Pure. */
#ifndef HEADLIGHT_TESTS_TOKEN_CHECK_H
#define HEADLIGHT_TESTS_TOKEN_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <utf8proc.h>

#include "text/tokenizer.h"

static inline bool token_check_is_blank(utf8proc_int32_t c) {
    utf8proc_category_t category = utf8proc_category(c);
    return category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_CF;
}

/* Return NULL if the tokens are in order, not empty, don't overlap, start and end at grapheme
 * boundaries, and leave out only blanks, control and format characters. Otherwise return the fault.
 * text is valid UTF-8. */
static inline const char *token_check(const Token *tokens, int count, const char *text,
                                      size_t size) {
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
    utf8proc_int32_t c, last = 0, state = 0;
    size_t end = 0; /* of the token that contains `at`, or 0 */
    int next = 0;
    for (size_t at = 0; at < size; last = c) {
        utf8proc_ssize_t length = utf8proc_iterate(bytes + at, (utf8proc_ssize_t)(size - at), &c);
        if (length < 0)
            return "the text is not UTF-8";
        bool border = at == 0 || utf8proc_grapheme_break_stateful(last, c, &state);
        if (at == end)
            end = 0;
        if (at != 0 && at == (next > 0 ? tokens[next - 1].at + tokens[next - 1].bytes : 0) &&
            !border)
            return "a token ends inside a grapheme";
        if (next < count && tokens[next].at == at) {
            if (end != 0 || tokens[next].bytes == 0 || tokens[next].bytes > size - at)
                return "a token is empty, overlaps another or reaches past the end";
            if (!border)
                return "a token begins inside a grapheme";
            end = at + tokens[next++].bytes;
        }
        if (end == 0 && !token_check_is_blank(c))
            return "something that is to be seen is in no token";
        at += (size_t)length;
        if (end != 0 && at > end)
            return "a token ends inside a character";
    }
    return next == count ? NULL : "a token begins inside a character or out of order";
}

#endif
