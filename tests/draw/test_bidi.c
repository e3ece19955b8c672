#include <string.h>

#include "draw/bidi.h"
#include "support/test.h"

/* Assert the levels, given as one digit per byte. The Hebrew letters take two bytes. */
static void check(const char *text, TextDirection direction, const char *expected, bool is_rtl) {
    uint8_t levels[128];
    char got[128] = "";
    size_t bytes = strlen(text);
    assert_true(bytes < sizeof got);
    assert_int_equal(bidi_levels(levels, text, bytes, direction), is_rtl);
    for (size_t i = 0; i < bytes; i++)
        got[i] = (char)('0' + levels[i]);
    assert_string_equal(got, expected);
}

TEST(left_to_right_text_has_no_levels) {
    check("a (b) 1", TEXT_AUTO, "0000000", false);
    check("é漢", TEXT_AUTO, "00000", false);
    check("", TEXT_AUTO, "", false);
    assert_false(bidi_is_needed("naïve 漢字 😀", strlen("naïve 漢字 😀")));
    assert_true(bidi_is_needed("aש", 3));
    assert_true(bidi_is_needed("\u202E", 3));
}

TEST(words_numbers_and_brackets_follow_the_algorithm) {
    check("a שב b", TEXT_AUTO, "00111100", false);
    check("שב a", TEXT_AUTO, "111112", true);
    check("שב 3.5", TEXT_AUTO, "11111222", true);
    check("ש 1-2", TEXT_AUTO, "111222", true);
    check("a (ש) b", TEXT_AUTO, "00011000", false); /* a pair of brackets stays together: N0 */
    check("ش 5", TEXT_AUTO, "1112", true);
    check("ש!", TEXT_LTR, "110", false);
    check("(", TEXT_RTL, "1", true);
    check("12", TEXT_RTL, "22", true);
    check("a\u2067b\u2069", TEXT_AUTO, "00002000", false); /* an isolate */
}

static void check_way(const char *text, TextDirection expected) {
    assert_int_equal(bidi_direction(text, strlen(text)), expected);
}

TEST(the_first_strong_character_gives_a_text_its_way) {
    check_way("", TEXT_AUTO);
    check_way("naïve 1", TEXT_AUTO);
    check_way("1 (ש) a", TEXT_RTL);
    check_way("a ש", TEXT_LTR);
    check_way("1\u202E", TEXT_LTR);
    check_way("\u2067b\u2069 ש", TEXT_RTL); /* an isolate does not count */
}

TEST(malformed_text_has_levels) {
    uint8_t levels[5];
    const char text[] = {'\xD7', '\xA9', '\xD7', '\xFF', '\0'};
    bidi_levels(levels, text, sizeof text, TEXT_AUTO);
    for (size_t i = 0; i < sizeof levels; i++)
        assert_true(levels[i] <= 2);
}

TEST(pieces_are_seen_in_the_order_of_their_levels) {
    static const uint8_t levels[] = {0, 1, 1, 2, 2, 1, 0};
    static const int expected[] = {0, 5, 3, 4, 2, 1, 6};
    int order[7];
    bidi_order(order, levels, 7);
    assert_memory_equal(order, expected, sizeof expected);
    bidi_order(order, levels, 0);
}
