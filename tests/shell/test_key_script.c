/* Keys with times, in the format of --keys. */
#include <string.h>

#include "shell/film.h"
#include "support/test.h"
#include "ui/input.h"

static KeyScript script;

static void read_script(const char *text) {
    must(key_script_read(&script, text, &told));
}

static void assert_key(int at, uint32_t key, unsigned mods, double time_s) {
    assert_true(at < script.count);
    assert_int_equal(script.at[at].key, key);
    assert_int_equal(script.at[at].mods, mods);
    assert_true(script.at[at].time_s > time_s - 1e-9 && script.at[at].time_s < time_s + 1e-9);
}

TEST(keys_have_times) {
    read_script("  F@1  Ctrl+Shift+K@2.5 PageUp ");
    assert_int_equal(script.count, 3);
    assert_key(0, 'f', 0, 1);
    assert_key(1, 'k', KEY_MOD_COMMAND | KEY_MOD_SHIFT, 2.5);
    assert_key(2, KEY_PAGE_UP, 0, 2.5);
    read_script("");
    assert_int_equal(script.count, 0);
}

TEST(an_at_sign_is_a_key) {
    read_script("@ @@3");
    assert_int_equal(script.count, 2);
    assert_key(0, '@', 0, 0);
    assert_key(1, '@', 0, 3);
}

TEST(keys_are_pressed_in_the_order_of_time) {
    read_script("a@3 b@1 c@3 d@2");
    assert_key(0, 'b', 0, 1);
    assert_key(1, 'd', 0, 2);
    assert_key(2, 'a', 0, 3);
    assert_key(3, 'c', 0, 3);
}

TEST(a_text_is_typed) {
    read_script("Ctrl+L@1 \"A b\xC3\xA9\"@2 Enter@4");
    assert_int_equal(script.count, 6);
    assert_string_equal(script.at[0].text, "");
    assert_string_equal(script.at[1].text, "A");
    assert_string_equal(script.at[2].text, " ");
    assert_string_equal(script.at[4].text, "\xC3\xA9");
    assert_key(4, 0xE9, 0, 2 + 3 * KEY_SCRIPT_TYPED_S);
    assert_key(5, KEY_ENTER, 0, 4);
}

TEST(what_is_no_script_is_refused) {
    static const char *const wrong[] = {
        "F@",      "F@x",    "F@-1",      "F@3601",    "F@1e9",    "NoKey",
        "Ctrl+@1", "\"king", "\"king\"@", "\"king\"1", "\"\xFF\"", "F@1 \xFF",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Err err = {0};
        if (key_script_read(&script, wrong[i], &err))
            fail_msg("%s is taken", wrong[i]);
        assert_int_equal(err.kind, ERR_USAGE);
        assert_memory_equal(err.what, "--keys", 6);
    }
}

TEST(too_many_keys_are_refused) {
    static char text[4 * KEY_SCRIPT_MAX];
    for (int i = 0; i < KEY_SCRIPT_MAX; i++)
        strcat(text, "f ");
    must(key_script_read(&script, text, &told));
    assert_int_equal(script.count, KEY_SCRIPT_MAX);
    strcat(text, "f");
    assert_false(key_script_read(&script, text, &told));
}
