#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "support/test.h"
#include "text/pieces.h"
#include "text/split.h"

#define ROOM 512

static TextResources resources;

static int setup(void **state) {
    resources = gpt2_resources();
    return 0;
}

static int teardown(void **state) {
    gpt2_release(&resources);
    return 0;
}

/* Read one expected token: the letters up to a space or the end, as bytes. */
static size_t next_token(char *out, const char **letters) {
    size_t bytes = 0, length, size = strlen(*letters), at = 0;
    for (; at < size && (*letters)[at] != ' '; at += length)
        out[bytes++] = (char)vocabulary_byte(utf8_decode(*letters, size, at, &length));
    *letters += at < size ? at + 1 : at;
    return bytes;
}

static void check_row(const char *text, const char *letters) {
    Token tokens[ROOM];
    char expected[ROOM];
    int count = split_by("gpt2", tokens, ROOM, text, strlen(text), &resources);
    size_t end = 0;
    assert_in_range(count, 0, ROOM);
    for (int i = 0; i < count; i++) {
        size_t bytes = next_token(expected, &letters);
        bool same = tokens[i].at == end && tokens[i].bytes == bytes &&
                    memcmp(text + end, expected, bytes) == 0;
        if (!same)
            fail_msg("“%s”: token %d is “%.*s”, not “%.*s”", text, i + 1, (int)tokens[i].bytes,
                     text + tokens[i].at, (int)bytes, expected);
        end += bytes;
    }
    assert_int_equal(end, strlen(text));
    assert_string_equal(letters, "");
}

TEST(the_package_gives_the_same_tokens) {
    json_error_t error;
    json_t *rows = json_load_file("tests/reference/gpt2.json", 0, &error);
    if (rows == NULL)
        fail_msg("gpt2.json: %s", error.text);
    assert_in_range(json_array_size(rows), 300, 10000);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        check_row(json_string_value(json_array_get(row, 0)),
                  json_string_value(json_array_get(row, 1)));
    }
    json_decref(rows);
}

/* A text, and its pieces with a bar between them. */
static const struct {
    const char *text, *pieces;
} PIECES[] = {
    {"a b", "a| b"},
    {"a  b", "a| | b"},
    {"a\n b", "a|\n| b"},
    {"a\nb", "a|\n|b"},
    {"a \nb", "a| |\n|b"},
    {"a \n", "a| \n"},
    {" 's", " '|s"},
    {"it's", "it|'s"},
    {"it'S", "it|'|S"},
    {"x're'r", "x|'re|'|r"},
    {"''s", "''|s"},
    {"a1b2", "a|1|b|2"},
    {"½x", "½|x"},
    {"e\u0301", "e|\u0301"},
    {" \u0301", " \u0301"},
    {"a\u00a0b", "a|\u00a0|b"},
    {"a\u00a0\u00a0b", "a|\u00a0|\u00a0|b"},
    {"a\u3000 b", "a|\u3000| b"},
    {"\u200b\u2060", "\u200b\u2060"},
    /* The package's \s differs from GPT-2's here: the first character is blank, the second is
     * not. */
    {"a\xc2\x85!", "a|\xc2\x85|!"},
    {"a \xc2\x85!", "a| |\xc2\x85|!"},
    {"a \ufeff!", "a| \ufeff!"},
    {"a\x1c!", "a|\x1c!"},
};

TEST(pieces_follow_the_pattern) {
    for (size_t i = 0; i < ARRAY_COUNT(PIECES); i++) {
        const char *text = PIECES[i].text;
        char joined[64];
        size_t size = strlen(text), used = 0;
        for (size_t at = 0, end; at < size; at = end) {
            end = piece_end(&(PiecePattern){0}, text, size, at);
            used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%.*s",
                                     at > 0 ? "|" : "", (int)(end - at), text + at);
        }
        assert_string_equal(joined, PIECES[i].pieces);
    }
}

TEST(without_merges_it_says_so) {
    TokenList list = {NULL, 0, 0};
    TextResources none = {.gpt2_missing = "the file is not there"};
    assert_false(tokenizer_split(&list, TOKENIZER_GPT2, "a", 1, NULL, &told));
    assert_int_equal(told.kind, ERR_FAILED);
    assert_non_null(strstr(told.why, "choose another tokenizer"));
    assert_false(tokenizer_split(&list, TOKENIZER_GPT2, "a", 1, &none, &told));
    assert_string_equal(told.why, "the file is not there");
    assert_non_null(strstr(told.what, "gpt2"));
    for (int i = 0; i < TOKENIZER_REGISTRY.count; i++) {
        assert_int_equal(tokenizer_ready(i, NULL, &told), TOKENIZERS[i].split != NULL);
        assert_int_equal(tokenizer_ready(i, &resources, &told), i != TOKENIZER_MODEL);
    }
}

/* Bytes that are not UTF-8 become tokens too. */
TEST(any_bytes_are_covered) {
    static const char bytes[] = "a\xff\xc3 \xe2\x80z\xf0\x9f\x99";
    Token tokens[ROOM];
    size_t size = sizeof bytes - 1, end = 0;
    int count = split_by("gpt2", tokens, ROOM, bytes, size, &resources);
    for (int i = 0; i < count; i++) {
        assert_int_equal(tokens[i].at, end);
        end += tokens[i].bytes;
    }
    assert_int_equal(end, size);
}

/* Each number has bytes that no other has, and a token has the number of its bytes. Published
 * numbers are in make_gpt2_reference.js and check_checkpoints.py. */
TEST(every_number_has_its_bytes) {
    static const char text[] = " the\n\xff é I'd 1984 didn";
    char bytes[128];
    Token tokens[ROOM];
    for (int number = 0; number < GPT2_WORDS - 1; number++)
        assert_true(vocabulary_text(bytes, sizeof bytes, resources.gpt2, number) > 0);
    int count = split_by("gpt2", tokens, ROOM, text, sizeof text - 1, &resources);
    for (int i = 0; i < count; i++) {
        size_t size = vocabulary_text(bytes, sizeof bytes, resources.gpt2, tokens[i].id);
        assert_int_equal(size, tokens[i].bytes);
        assert_memory_equal(bytes, text + tokens[i].at, size);
    }
    assert_int_equal(tokens[0].id, 262);
    assert_int_equal(vocabulary_text(bytes, sizeof bytes, resources.gpt2, 262), 4);
    assert_memory_equal(bytes, " the", 4);
    assert_int_equal(vocabulary_text(bytes, sizeof bytes, resources.gpt2, GPT2_WORDS), 0);
    assert_int_equal(vocabulary_text(bytes, sizeof bytes, resources.gpt2, -1), 0);
}

/* Would take hours if joining scanned the whole piece for each pair. */
TEST(a_megabyte) {
    static const struct {
        const char *repeated;
        size_t per_token; /* bytes of most tokens */
    } cases[] = {{"a", 4}, {" ", 1}, {"ÃÂ", 128}, {"=-", 16}, {" the", 4}};
    LOCAL(free_at) char *text = malloc(TOKEN_TEXT_MAX);
    assert_non_null(text);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        size_t size = fill_text(text, cases[i].repeated);
        Token few[4];
        int count = split_by("gpt2", few, 4, text, size, &resources);
        assert_int_equal(few[1].bytes, cases[i].per_token);
        assert_in_range(count, size / cases[i].per_token, size / cases[i].per_token + 2);
    }
}

TEST_ALL(setup, teardown)
