#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "support/test.h"
#include "text/split.h"
#include "text/token_check.h"

#define ROOM 64

static void check(const char *text, const char *expected) {
    Token tokens[ROOM];
    char joined[256] = "";
    size_t used = 0, size = strlen(text);
    int count = split_by("chars", tokens, ROOM, text, size, NULL);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%.*s", i > 0 ? "|" : "",
                                 (int)tokens[i].bytes, text + tokens[i].at);
    assert_string_equal(joined, expected);
    assert_null(token_check(tokens, count, text, size));
}

TEST(every_grapheme_is_a_token) {
    check("", "");
    check("cat's", "c|a|t|'|s");
    check("e\u0301a\u0300\u0316", "e\u0301|a\u0300\u0316");
    check("👩‍👩‍👧🇩🇪1️⃣👍🏽",
          "👩‍👩‍👧|🇩🇪|1️⃣|👍🏽");
    check("日本", "日|本");
    check("हि", "हि");
}

TEST(blanks_are_tokens_too) {
    check(" a  b\n\tc\r\n", " |a| | |b|\n|\t|c|\r\n");
    check("\u00a0\u200b\u3000", "\u00a0|\u200b|\u3000");
}

TEST(capacity_is_kept) {
    Token tokens[3] = {{.at = 7}, {.at = 7}, {.at = 7}};
    assert_int_equal(split_by("chars", tokens, 2, "abcd", 4, NULL), 4);
    assert_int_equal(tokens[1].at, 1);
    assert_int_equal(tokens[2].at, 7);
}

TEST(a_megabyte) {
    static const char *const repeated[] = {"a", " ", "e\u0301", "👩‍👩‍👧", "🇩🇪"};
    LOCAL(free_at) char *text = malloc(TOKEN_TEXT_MAX);
    assert_non_null(text);
    for (size_t i = 0; i < ARRAY_COUNT(repeated); i++) {
        size_t bytes = strlen(repeated[i]), size = 0;
        for (; size + bytes <= TOKEN_TEXT_MAX; size += bytes)
            memcpy(text + size, repeated[i], bytes);
        assert_int_equal(split_by("chars", NULL, 0, text, size, NULL), size / bytes);
    }
    /* A letter with any number of marks is one grapheme. */
    text[0] = 'a';
    for (size_t at = 1; at + 2 <= TOKEN_TEXT_MAX; at += 2)
        memcpy(text + at, "\u0301", 2);
    assert_int_equal(split_by("chars", NULL, 0, text, TOKEN_TEXT_MAX - 1, NULL), 1);
}
