#include <string.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "base/util.h"
#include "support/test.h"

/* Sequences that are not UTF-8, with their number of bytes. */
static const struct {
    const char *bytes;
    size_t size;
} BROKEN[] = {
    {"\x80", 1},             /* a lone continuation byte */
    {"\xBF\xBF", 2},         /* two continuation bytes */
    {"\xC0\x80", 2},         /* NUL in two bytes */
    {"\xC1\xBF", 2},         /* overlong */
    {"\xE0\x9F\xBF", 3},     /* overlong */
    {"\xF0\x8F\xBF\xBF", 4}, /* overlong */
    {"\xED\xA0\x80", 3},     /* a surrogate */
    {"\xED\xBF\xBF", 3},     /* a surrogate */
    {"\xF4\x90\x80\x80", 4}, /* past U+10FFFF */
    {"\xF5\x80\x80\x80", 4},
    {"\xFE", 1},
    {"\xFF", 1},
    {"\xC3", 1},         /* cut off */
    {"\xE2\x82", 2},     /* cut off */
    {"\xF0\x9F\x98", 3}, /* cut off */
    {"\xC3(", 2},        /* a lead without its continuation */
    {"\xE2(\xAC", 3},
    {"\xF0\x9F(\x80", 4},
};

TEST(every_code_point_there_and_back) {
    for (uint32_t c = 0; c <= 0x110010; c++) {
        char bytes[4];
        size_t wrote = utf8_encode(bytes, c), length;
        bool valid = c <= 0x10FFFF && !(c >= 0xD800 && c < 0xE000);
        assert_int_equal(wrote > 0, valid);
        if (!valid)
            continue;
        assert_int_equal(utf8_decode(bytes, wrote, 0, &length), c);
        assert_int_equal(length, wrote);
        assert_int_equal(utf8_first_invalid(bytes, wrote), wrote);
    }
    char unused[4];
    assert_int_equal(utf8_encode(unused, UINT32_MAX), 0);
}

TEST(known_lengths) {
    size_t length;
    assert_int_equal(utf8_decode("A", 1, 0, &length), 'A');
    assert_int_equal(utf8_decode("é", 2, 0, &length), 0xE9);
    assert_int_equal(length, 2);
    assert_int_equal(utf8_decode("x€", 4, 1, &length), 0x20AC);
    assert_int_equal(length, 3);
    assert_int_equal(utf8_decode("😀", 4, 0, &length), 0x1F600);
    assert_int_equal(length, 4);
    assert_int_equal(utf8_decode("\xEF\xBF\xBD", 3, 0, &length), UTF8_REPLACEMENT);
    assert_int_equal(length, 3); /* U+FFFD itself is valid */
}

TEST(broken_sequences_are_found) {
    for (size_t b = 0; b < ARRAY_COUNT(BROKEN); b++) {
        size_t length;
        assert_int_equal(utf8_decode(BROKEN[b].bytes, BROKEN[b].size, 0, &length),
                         UTF8_REPLACEMENT);
        assert_int_equal(length, 1);
        char text[16] = "é😀";
        memcpy(text + 6, BROKEN[b].bytes, BROKEN[b].size);
        assert_int_equal(utf8_first_invalid(text, 6 + BROKEN[b].size), 6);
    }
    assert_int_equal(utf8_first_invalid("", 0), 0);
}

/* Fill with random bytes, mostly ones with a meaning in UTF-8. */
static size_t draw_bytes(char *text, size_t most, uint64_t stream) {
    static const unsigned char telling[] = {0x00, 0x41, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC2,
                                            0xC3, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xF5, 0xFF};
    Rng rng = rng_stream(11, stream);
    size_t size = (size_t)(rng_bits(rng, 0) % (most + 1));
    for (size_t i = 0; i < size; i++) {
        uint64_t bits = rng_bits(rng, i + 1);
        text[i] = (char)(bits % 5 == 0 ? bits >> 32 & 0xFF : telling[bits >> 32 & 15]);
    }
    return size;
}

/* utf8_floor and utf8_previous find the same boundaries as walking forward. */
TEST(borders_agree_in_any_bytes) {
    for (uint64_t round = 0; round < 5000; round++) {
        char text[24];
        size_t size = draw_bytes(text, sizeof text, round), border = 0;
        for (size_t next = 0; border < size; border = next) {
            next = utf8_next(text, size, border);
            assert_true(next > border && next <= size && next - border <= 4);
            for (size_t at = border; at < next; at++)
                assert_int_equal(utf8_floor(text, size, at), border);
            assert_int_equal(utf8_previous(text, size, next), border);
        }
        assert_int_equal(utf8_floor(text, size, size + 5), size);
        assert_int_equal(utf8_next(text, size, size), size);
        assert_int_equal(utf8_previous(text, size, 0), 0);
    }
}

TEST(repair_gives_valid_text) {
    for (uint64_t round = 0; round < 5000; round++) {
        char text[24], out[3 * sizeof text];
        size_t size = draw_bytes(text, sizeof text, round), repairs;
        size_t wrote = utf8_repair(out, sizeof out, text, size, &repairs);
        assert_int_equal(utf8_first_invalid(out, wrote), wrote);
        assert_null(wrote > 0 ? memchr(out, '\0', wrote) : NULL);
        assert_int_equal(wrote, size + 2 * repairs);
        bool sound = utf8_first_invalid(text, size) == size &&
                     (size == 0 || memchr(text, '\0', size) == NULL);
        assert_int_equal(repairs == 0, sound);
    }
}

TEST(repair_keeps_within_its_room) {
    const char text[] = "aé\xFF€😀";
    for (size_t capacity = 0; capacity < 20; capacity++) {
        char out[20];
        memset(out, 'z', sizeof out);
        size_t repairs, wrote = utf8_repair(out, capacity, text, sizeof text - 1, &repairs);
        assert_true(wrote <= capacity);
        assert_int_equal(utf8_first_invalid(out, wrote), wrote);
        for (size_t i = wrote; i < sizeof out; i++)
            assert_int_equal(out[i], 'z');
        assert_int_equal(repairs, wrote >= 6 ? 1 : 0);
    }
}

TEST(print_cuts_at_whole_characters) {
    char out[6];
    assert_string_equal(utf8_print(out, sizeof out, "%s%d", "a", 12), "a12");
    assert_string_equal(utf8_print(out, sizeof out, "%s", "abcdefg"), "abcde");
    assert_string_equal(utf8_print(out, sizeof out, "%s", "ab→→"), "ab→");
    assert_string_equal(utf8_print(out, sizeof out, "%s", "abc→→"), "abc");
    assert_string_equal(PRINT("%s", "é"), "é");
}
