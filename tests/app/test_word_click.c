/* A click on a word of the sentence: it is pinned, and typing edits it. */

#include "base/util.h"
#include "support/script.h"
#include "support/test.h"

/* Press a letter as a keyboard does: a key, and the text that it types. */
static void press_letter(Script *s, const char *letter) {
    const InputEvent both[] = {{.kind = INPUT_KEY, .key = (uint32_t)letter[0]},
                               {.kind = INPUT_TEXT, .text = letter, .text_bytes = 1}};
    script_events(s, both, 2);
}

/* The chips stay until something is typed, so a second word can be pinned as key. */
TEST_IN(a_click_on_a_word_and_typing_edit_it, script_open, "text=one%20two%20three&pin=1,1") {
    script_click(s, script_chip(s, "one"));
    script_click_with(s, script_chip(s, "two"), KEY_MOD_SHIFT);
    assert_true(app_effects(s->app)->text_input);
    assert_true(script_state_has(s, "pin=1,2"));
    static const char *const letters[] = {"f", "m", "r", "2"}; /* shortcuts elsewhere */
    for (size_t i = 0; i < ARRAY_COUNT(letters); i++)
        press_letter(s, letters[i]);
    assert_string_equal(script_sentence(s), "one fmr2 three");
    script_keys(s, "Enter");
    script_click(s, script_chip(s, "three"));
    script_keys(s, "Backspace");
    assert_string_equal(script_sentence(s), "one fmr2 ");
    assert_false(script_state_has(s, "form="));
    assert_false(script_state_has(s, "seed="));
    script_keys(s, "Escape Ctrl+Z");
    assert_string_equal(script_sentence(s), "one fmr2 three");
}

/* Keys that type nothing act as if no word had been clicked, and letters are shortcuts again. */
TEST_IN(a_key_that_types_nothing_leaves_a_clicked_word, script_open,
        "text=one%20two%20three&pin=1,1") {
    script_click(s, script_chip(s, "two"));
    script_keys(s, "Ctrl+A Backspace");
    assert_string_equal(script_sentence(s), "");
    script_keys(s, "Escape Ctrl+Z");
    script_click(s, script_chip(s, "two"));
    script_keys(s, "F"); /* a key whose text is still to come */
    assert_false(script_state_has(s, "form="));
    script_keys(s, "Down");
    assert_true(script_state_has(s, "pin=3,1"));
    assert_false(app_effects(s->app)->text_input);
    script_keys(s, "F");
    assert_true(script_state_has(s, "form=merged"));
    script_click(s, script_chip(s, "two"));
    script_keys(s, "Escape");
    assert_false(script_state_has(s, "pin="));
    assert_false(app_effects(s->app)->text_input);
    assert_string_equal(script_sentence(s), "one two three");
}
