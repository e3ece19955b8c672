/* Facts reported about the current picture. */
#include <string.h>

#include "base/util.h"
#include "support/script.h"
#include "support/test.h"

static void check_said(const char *state, const char *words) {
    LOCAL(script_end) Script s;
    script_begin(&s, state, 2600, 1200);
    if (drawn_beginning(&s.list, words) == NULL)
        fail_msg("%.40s: “%s” is not said", state, words);
}

static void check_silent(const char *state, const char *words) {
    LOCAL(script_end) Script s;
    script_begin(&s, state, 2600, 1200);
    if (drawn_beginning(&s.list, words) != NULL)
        fail_msg("%.40s: “%s” is said", state, words);
}

TEST(a_text_that_is_cut_is_said_to_be) {
    static char text[16 + 4 * 1100];
    strcpy(text, "text=");
    for (int i = 0; i < 1024; i++)
        strcat(text, "%20a");
    check_silent(text, "The first 1,024 of");
    strcat(text, "%20a%20b");
    check_said(text, "The first 1,024 of 1,026 tokens are shown");
}

TEST(one_token_is_said_to_read_itself) {
    check_said("text=one&embedding=random", "One token can only read itself");
    check_silent("text=one%20two&embedding=random", "One token can only read itself");
}

TEST(a_character_without_a_font_is_named) {
    check_said("text=a%F3%B0%80%81b", "No installed font has U+F0001");
    check_silent("text=ab", "No installed font has");
    LOCAL(script_end) Script s; /* and no longer after the cause is gone */
    script_begin(&s, "text=%F3%B0%80%81", 2600, 1200);
    script_keys(&s, "Ctrl+L 'a b'");
    assert_null(drawn_beginning(&s.list, "No installed font has"));
}

/* A short message is in the status row, left of the state string. */
TEST(a_message_covers_no_control) {
    static const float sizes[][2] = {{1024, 768}, {1366, 768}, {1920, 1080}};
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        LOCAL(script_end) Script s;
        script_begin(&s, "", sizes[i][0], sizes[i][1]);
        script_keys(&s, "Ctrl+Z");
        const DrawCommand *words = drawn_text(&s.list, "Nothing to undo", 0);
        assert_non_null(words);
        assert_true(words->as.text.at.y - words->as.text.size > s.list.height - 40);
    }
}
