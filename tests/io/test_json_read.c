#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "io/json_read.h"

#define TEXT_MAX 64

/* Pieces that texts are made of: most of them JSON's own, some of them unsound. */
static const char *const PIECES[] = {
    "{",       "}",     "[",    "]",    ",",    ":",        "\"a\"",   "\"\"",
    "\"b\":",  " ",     "\n",   "0",    "-",    "12",       ".5",      "e1",
    "true",    "false", "null", "\"",   "\\n",  "\\u00e",   "\\u00e9", "\\ud83d",
    "\\ude00", "\\",    "é",    "\xff", "\x01", "\\u0000",  "nul",     "01",
    "\"a\":1", "[]",    "{}",   "1E+2", "\t",   "\"\\\"\"", "[[",      "]]",
};

static size_t make_text(char text[TEXT_MAX], uint64_t seed) {
    Rng rng = rng_stream(seed, 1);
    size_t pieces = rng_bits(rng, 0) % 9, used = 0;
    for (size_t i = 0; i < pieces; i++) {
        const char *piece = PIECES[rng_bits(rng, i + 1) % ARRAY_COUNT(PIECES)];
        memcpy(text + used, piece, strlen(piece));
        used += strlen(piece);
    }
    return used;
}

/* A copy of exactly as many bytes, so that a sanitizer sees each step beyond. */
static char *copy_of(const char *text, size_t size) {
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, text, size);
    return copy;
}

/* Read a value as jansson has it, to the end of it. */
static void compare(JsonIn *in, const json_t *value) {
    const char *key;
    JsonText text;
    size_t entries = 0;
    if (json_is_array(value)) {
        assert_true(json_enter(in, '['));
        for (; json_next(in, ']'); entries++)
            compare(in, json_array_get(value, entries));
        assert_int_equal(entries, json_array_size(value));
    } else if (json_is_object(value)) {
        assert_true(json_enter(in, '{'));
        for (; json_next(in, '}'); entries++) {
            assert_true(json_name(&text, in));
            key = text.bytes;
            compare(in, json_object_get(value, key));
        }
        assert_int_equal(entries, json_object_size(value));
    } else if (json_is_string(value)) {
        assert_true(json_text(&text, in));
        assert_int_equal(text.size, json_string_length(value));
        assert_memory_equal(text.bytes, json_string_value(value), text.size + 1);
    } else {
        uint64_t whole;
        bool is_whole = json_is_integer(value) && json_integer_value(value) >= 0;
        bool taken = json_whole(&whole, in);
        if (taken)
            assert_true(is_whole && (json_int_t)whole == json_integer_value(value));
        else
            json_skip(in);
    }
}

/* Whatever jansson takes is taken and read the same, and nothing else is. */
static void agrees_with_jansson(void **state) {
    (void)state;
    int sound = 0;
    for (uint64_t seed = 0; seed < 60000; seed++) {
        char text[TEXT_MAX * 2];
        size_t size = make_text(text, seed);
        JsonWrong wrong;
        char *copy = copy_of(text, size);
        json_t *value = json_loadb(text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
        json_error_t error = {0};
        json_t *twice = json_loadb(text, size, JSON_DECODE_ANY, &error);
        /* jansson makes a double of 1e999, and says no; the syntax allows it. */
        bool overflow = twice == NULL && json_error_code(&error) == json_error_numeric_overflow;
        bool taken = json_check(&wrong, copy, size);
        if (taken != (twice != NULL) && !overflow)
            fail_msg("“%.*s” is %s", (int)size, text, taken ? "taken" : "refused");
        assert_true(wrong.at <= size);
        if (value != NULL) {
            JsonIn in = {copy, copy + size}, skipped = in;
            json_skip(&skipped);
            compare(&in, value);
            assert_ptr_equal(in.at, skipped.at);
            sound++;
        }
        json_decref(value);
        json_decref(twice);
        free(copy);
    }
    assert_true(sound > 1000);
}

static void says_where(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t at;
        const char *within[JSON_WITHIN];
    } cases[] = {{"", 0, {"", ""}},
                 {"{", 1, {"", ""}},
                 {"[1,]", 3, {"", ""}},
                 {"{\"a\" 1}", 5, {"a", ""}},
                 {"[1] 2", 4, {"", ""}},
                 {"\"\\x\"", 2, {"", ""}},
                 {"\"\\ud800\"", 3, {"", ""}},
                 {"[\"\xff\"]", 2, {"", ""}},
                 {"\"a\x01\"", 2, {"", ""}},
                 {"1.", 2, {"", ""}},
                 {"{\"a\":{\"b\":[1,{\"c\":2}x", 20, {"a", "b"}},
                 {"{\"a\":{\"b\":[1,{\"c\":2}],x", 22, {"a", ""}},
                 {"{\"a\":{\"b\":[1,{\"c\":2}]}x", 22, {"a", ""}},
                 {"{\"a\":{\"b\":1},x", 13, {"", ""}},
                 {"{\"a\":{\"b\":1},\"d\":{x", 18, {"d", ""}},
                 {"{\"a\":{\"b\":1},\"d\":nul", 17, {"d", ""}},
                 {"{\"a\":{\"b\":1}}x", 13, {"", ""}}};
    JsonWrong wrong;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        assert_false(json_check(&wrong, cases[i].text, strlen(cases[i].text)));
        assert_int_equal(wrong.at, cases[i].at);
        for (int d = 0; d < JSON_WITHIN; d++) {
            assert_int_equal(wrong.within[d].size, strlen(cases[i].within[d]));
            assert_memory_equal(wrong.within[d].at, cases[i].within[d], wrong.within[d].size);
        }
    }
    assert_false(json_check(&wrong, "[\0]", 3));
    assert_int_equal(wrong.at, 1);
}

static void depth_is_bounded(void **state) {
    (void)state;
    char text[2 * JSON_DEPTH_MAX + 2];
    for (size_t depth = JSON_DEPTH_MAX; depth <= JSON_DEPTH_MAX + 1; depth++) {
        JsonWrong wrong;
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        assert_int_equal(json_check(&wrong, text, 2 * depth), depth <= JSON_DEPTH_MAX);
    }
}

static void whole_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool taken;
        uint64_t value;
    } cases[] = {{"0", true, 0},
                 {"9223372036854775807", true, INT64_MAX},
                 {"9223372036854775808", false, 0},
                 {"99999999999999999999999", false, 0},
                 {"-1", false, 0},
                 {"1.0", false, 0},
                 {"1e2", false, 0},
                 {"null", false, 0}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        size_t size = strlen(cases[i].text);
        JsonWrong wrong;
        char *copy = copy_of(cases[i].text, size);
        uint64_t value = 0;
        JsonIn in = {copy, copy + size};
        assert_true(json_check(&wrong, copy, size));
        assert_int_equal(json_whole(&value, &in), cases[i].taken);
        assert_int_equal(value, cases[i].value);
        assert_ptr_equal(in.at, cases[i].taken ? copy + size : copy);
        free(copy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_jansson),
        cmocka_unit_test(says_where),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(whole_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
