#include <string.h>

#include "app/app_state.h"
#include "app/chrome.h"
#include "support/script.h"
#include "support/test.h"

/* The script's App has no merges: a tokenizer that needs them is refused, and nothing changes. */
TEST_IN(a_tokenizer_that_was_not_loaded_is_refused, script_begin, "tokenizer=chars&text=ab", 1280,
        800) {
    static const char pasted[] = "tokenizer=gpt2&heads=2";
    script_paste(s, pasted, strlen(pasted));
    script_check(s, "text=ab&tokenizer=chars");
    assert_true(script_says_first(s, "tokenizer gpt2: the merges of GPT-2 are not loaded"));
}

TEST_IN(the_same_by_its_control, script_begin, "tokenizer=chars&text=ab", 1280, 800) {
    assert_false(app_set_key(s->app, "tokenizer", "gpt2"));
    script_frame(s);
    script_check(s, "text=ab&tokenizer=chars");
    assert_true(script_says_first(s, "tokenizer gpt2"));
    assert_true(script_says(s, "b"));
    assert_true(app_set_key(s->app, "tokenizer", "words"));
    script_frame(s);
    script_check(s, "text=ab");
    assert_false(script_says_first(s, "tokenizer gpt2"));
}

/* Token ids are the last row, and no choice without a checkpoint: the first row follows. */
TEST_IN(token_ids_need_a_checkpoint, script_begin, "tokenizer=gpt2", 1280, 800) {
    option_cycle(s->app, option_row("tokenizer"));
    assert_int_equal(s->app->session.options.tokenizer, TOKENIZER_WORDS);
}
