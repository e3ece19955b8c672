#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "support/test.h"

TEST(kind_and_text_are_told) {
    Err err;
    assert_false(err_fail(&err, "a.png", "no room: %d bytes short", 7));
    assert_int_equal(err.kind, ERR_FAILED);
    assert_string_equal(err.what, "a.png");
    assert_string_equal(err.why, "no room: 7 bytes short");
    assert_false(err_usage(&err, "--heads", "is %s", "0"));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_string_equal(err.why, "is 0");
}

/* Both texts fit on one line, for any bytes in a file name or a token. */
TEST(control_characters_do_not_get_through) {
    Err err;
    err_fail(&err, "a\nb\x1b[2Jc\x7f", "%s", "tab\there\rand é");
    assert_string_equal(err.what, "a?b?[2Jc?");
    assert_string_equal(err.why, "tab?here?and é");
    err_fail(&err, "C1 \xC2\x9B[2J", "a no-break space, \xC2\xA0, is none");
    assert_string_equal(err.what, "C1 ??[2J");
    assert_string_equal(err.why, "a no-break space, \xC2\xA0, is none");
}

TEST(what_is_no_utf8_does_not_get_through) {
    Err err;
    err_fail(&err, "a\xff.npz", "near '\\u000\xd0'; \xe2\x82, \xef\xbf\xbd and é");
    assert_string_equal(err.what, "a?.npz");
    assert_string_equal(err.why, "near '\\u000?'; ??, \xef\xbf\xbd and é");
}

TEST(percent_signs_in_values_are_text) {
    Err err;
    err_fail(&err, "100%s%n", "%s", "%d%n%s");
    assert_string_equal(err.what, "100%s%n");
    assert_string_equal(err.why, "%d%n%s");
}

static void assert_cut(const char *text, size_t capacity) {
    size_t size = strlen(text);
    assert_true(size < capacity);
    assert_true(size >= capacity - 7); /* at most one character and the ellipsis are lost */
    assert_int_equal(utf8_first_invalid(text, size), size);
    assert_string_equal(text + size - strlen("…"), "…");
}

TEST(long_texts_are_cut_at_a_character) {
    static const char *const letters[] = {"a", "é", "€", "😀"};
    for (size_t kind = 0; kind < 4; kind++)
        for (size_t shift = 0; shift < 5; shift++) {
            char text[2000] = "";
            memset(text, 'x', shift);
            text[shift] = '\0';
            while (strlen(text) < 1900)
                strcat(text, letters[kind]);
            Err err;
            err_fail(&err, text, "%s", text);
            assert_cut(err.what, sizeof err.what);
            assert_cut(err.why, sizeof err.why);
        }
}

TEST(a_text_that_just_fits_is_whole) {
    Err err;
    char text[sizeof err.what];
    memset(text, 'y', sizeof text);
    text[sizeof text - 1] = '\0';
    err_fail(&err, text, "%s", "");
    assert_string_equal(err.what, text);
    assert_string_equal(err.why, "");
}
