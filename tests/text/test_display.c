#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "base/util.h"
#include "support/test.h"
#include "text/display.h"
#include "text/split.h"

typedef struct Case {
    const char *token, *shown;
} Case;

static void check(const Case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char out[TOKEN_DISPLAY_MAX + 1];
        out[token_display(out, cases[i].token, strlen(cases[i].token))] = '\0';
        assert_string_equal(out, cases[i].shown);
    }
}

TEST(words_stay_as_they_are) {
    static const char *const words[] = {
        "the",     "didn't", "É",    "e\u0301", "日本", "می\u200cخواهم", "👩‍👩‍👧",
        "1️⃣", "\"",     "⟨E2⟩", "हि",      "🇩🇪",   "\ufffd",        "co\u00adop",
        "l·l",     "-",
    };
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        check(&(Case){words[i], words[i]}, 1);
}

TEST(blanks_can_be_seen) {
    static const Case cases[] = {
        {" the", "␣the"},       {" ", "␣"},
        {"    ", "␣␣␣␣"},       {"\n", "↵"},
        {"\t\t", "⇥⇥"},         {"\r\n", "⟨0D⟩↵"},
        {" \n", "␣↵"},          {" \u0301", "␣\u0301"},
        {"\u00a0", "⟨U+00A0⟩"}, {"\u3000x", "⟨U+3000⟩x"},
        {"\u2028", "⟨U+2028⟩"},
    };
    check(cases, ARRAY_COUNT(cases));
}

TEST(controls_and_formats_can_be_seen) {
    static const Case cases[] = {
        {"\x01", "⟨01⟩"},         {"\x7f", "⟨7F⟩"},       {"\x1b[0m", "⟨1B⟩[0m"},
        {"\xc2\x85", "⟨U+0085⟩"}, {"\u200b", "⟨U+200B⟩"}, {"\u200d", "⟨U+200D⟩"},
        {"\ufe0f", "⟨U+FE0F⟩"},   {"\u202e", "⟨U+202E⟩"}, {"a\u202eb", "a⟨U+202E⟩b"},
        {"\u00ad", "⟨U+00AD⟩"},   {"\u3164", "⟨U+3164⟩"}, {"\U000e0067", "⟨U+E0067⟩"},
        {"\u0301", "◌\u0301"},
    };
    check(cases, ARRAY_COUNT(cases));
}

TEST(parts_of_characters_are_hexadecimal) {
    static const Case cases[] = {
        {"\xe2", "⟨E2⟩"},
        {"\xe2\x80", "⟨E2 80⟩"},
        {" \xf0\x9f", "␣⟨F0 9F⟩"},
        {"\x98\x82", "⟨98 82⟩"},
        {"\x99\x82z", "⟨99 82⟩z"},
        {"a\xff\u0301", "a⟨FF⟩◌\u0301"},
        {"\xed\xa0\x80", "⟨ED A0 80⟩"},
        {"\u0600\xff", "⟨U+0600⟩⟨FF⟩"},
    };
    check(cases, ARRAY_COUNT(cases));
}

TEST(long_tokens_are_cut) {
    static const char *const repeated[] = {
        "a", " ", "日", "\xff", "e\u0301", "👩‍👩‍👧", "\u0301"};
    LOCAL(free_at) char *token = malloc(TOKEN_TEXT_MAX);
    assert_non_null(token);
    for (size_t i = 0; i < ARRAY_COUNT(repeated); i++) {
        char out[TOKEN_DISPLAY_MAX];
        size_t used = token_display(out, token, fill_text(token, repeated[i]));
        assert_in_range(used, TOKEN_DISPLAY_MAX / 2, TOKEN_DISPLAY_MAX);
        assert_memory_equal(out + used - strlen("…"), "…", strlen("…"));
        assert_int_equal(utf8_first_invalid(out, used), used);
    }
    char out[TOKEN_DISPLAY_MAX];
    assert_int_equal(token_display(out, repeated[0], 0), 0);
}

TEST(any_bytes_become_text_without_controls) {
    for (uint64_t round = 0; round < 5000; round++) {
        Rng rng = rng_stream(3, round);
        char token[24], out[TOKEN_DISPLAY_MAX];
        size_t bytes = 1 + (size_t)(rng_bits(rng, 0) % sizeof token);
        for (size_t i = 0; i < bytes; i++)
            token[i] = (char)(rng_bits(rng, 1 + i) >> (round % 2 == 0 ? 8 : 9));
        size_t used = token_display(out, token, bytes);
        assert_in_range(used, 1, sizeof out);
        assert_int_equal(utf8_first_invalid(out, used), used);
        for (size_t i = 0; i < used; i++)
            assert_true((unsigned char)out[i] >= ' ' && out[i] != 0x7f);
    }
}

/* All labels differ, and none is empty or cut. */
TEST(no_two_tokens_of_gpt2_look_alike) {
    LOCAL(gpt2_release) TextResources resources = gpt2_resources();
    int count = resources.gpt2->count, slots = 1 << 18;
    char(*shown)[TOKEN_DISPLAY_MAX + 1] = calloc((size_t)count, sizeof *shown);
    LOCAL(free_at) int *table = calloc((size_t)slots, sizeof *table);
    assert_true(shown != NULL && table != NULL);
    for (int token = 0; token < count; token++) {
        size_t bytes;
        const char *text = vocabulary_bytes(resources.gpt2, token, &bytes);
        size_t used = token_display(shown[token], text, bytes);
        assert_in_range(used, 1, TOKEN_DISPLAY_MAX - 2 * strlen("…"));
        int at = (int)(rng_hash(shown[token], used) % (uint64_t)slots);
        for (; table[at] != 0; at = (at + 1) % slots)
            if (strcmp(shown[table[at] - 1], shown[token]) == 0)
                fail_msg("tokens %d and %d are both “%s”", table[at] - 1, token, shown[token]);
        table[at] = token + 1;
    }
    free(shown);
}
