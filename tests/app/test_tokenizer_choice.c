#include <string.h>

#include "app/app_state.h"
#include "app/chrome.h"
#include "support/script.h"
#include "support/test.h"

/* The script's App has no merges: a tokenizer that needs them is refused, and nothing changes. */
TEST(a_tokenizer_that_was_not_loaded_is_refused) {
    static const char pasted[] = "tokenizer=gpt2&heads=2";
    LOCAL(script_end) Script s;
    script_begin(&s, "tokenizer=chars&text=ab", 1280, 800);
    script_paste(&s, pasted, strlen(pasted));
    assert_string_equal(script_state(&s), "text=ab&tokenizer=chars");
    assert_non_null(drawn_beginning(&s.list, "tokenizer gpt2: the merges of GPT-2 are not loaded"));
}

TEST(the_same_by_its_control) {
    LOCAL(script_end) Script s;
    script_begin(&s, "tokenizer=chars&text=ab", 1280, 800);
    assert_false(app_set_key(s.app, "tokenizer", "gpt2"));
    script_frame(&s);
    assert_string_equal(script_state(&s), "text=ab&tokenizer=chars");
    assert_non_null(drawn_beginning(&s.list, "tokenizer gpt2"));
    assert_non_null(drawn_text(&s.list, "b", 0));
    assert_true(app_set_key(s.app, "tokenizer", "words"));
    script_frame(&s);
    assert_string_equal(script_state(&s), "text=ab");
    assert_null(drawn_beginning(&s.list, "tokenizer gpt2"));
}

/* A state the program was started with is shown with its error and the remedy. */
TEST(at_the_start_it_is_said) {
    LOCAL(script_end) Script s;
    script_begin(&s, "tokenizer=gpt2", 1280, 800);
    assert_non_null(drawn_text(&s.list, "tokenizer gpt2", 0));
}

/* Token ids are the last row, and no choice without a checkpoint: the first row follows. */
TEST(token_ids_need_a_checkpoint) {
    LOCAL(script_end) Script s;
    script_begin(&s, "tokenizer=gpt2", 1280, 800);
    option_cycle(s.app, option_row("tokenizer"));
    assert_int_equal(s.app->session.options.tokenizer, TOKENIZER_WORDS);
}

/* Blanks and control characters are visible on chips and in the views. */
TEST(blanks_have_labels) {
    LOCAL(script_end) Script s;
    script_begin(&s, "tokenizer=chars&text=a%20%09%01", 1280, 800);
    assert_non_null(drawn_text(&s.list, "␣", 1));
    assert_non_null(drawn_text(&s.list, "⇥", 1));
    assert_non_null(drawn_text(&s.list, "⟨01⟩", 1));
}
