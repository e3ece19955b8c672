/* What the window says about a state: in its status row, its notices, its weights and its views. */
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "support/script.h"
#include "support/test.h"
#include "views/view.h"

/* Fail unless a text of the window begins with these words; with a "!" before them, if one does. */
static void check_said(const char *given, float width, float height, const char *words) {
    bool wanted = words[0] != '!';
    SCRIPT(s, script_begin_typical, given, width, height);
    if (script_says_first(&s, words + !wanted) != wanted)
        fail_msg("%.60s at %.0f: “%s”", given, (double)height, words);
}

TEST(what_is_said_is_so) {
    static const struct {
        const char *given, *words;
    } cases[] = {
        {"init=he_uniform&d-model=512&scale=none", "!forms differ"},
        {"form=rank:8", "differs, as expected: rank 8 of 16"}, /* a cut changes A */
        /* four heads: 64² or 2·64·8 for W_QK, and 8,192 for values and output */
        {"form=rank:8", "24,576 (12,288 as factors)"},
        {"form=rank:40", "24,576"}, /* factors that save nothing */
        {"form=rank:40", "!24,576 ("},
        /* Heads and Steps explain a weight alike: the row's largest score is subtracted */
        {"text=dog&init=normal&seed=3&head=3&pin=1,1", "1.000 / 1.000 = 1.000"},
        {"text=dog&init=normal&seed=3&head=3&pin=1,1&view=steps&steps-step=4", "= 1.000 / 1.000"},
        /* one score has no standard deviation and no expectation */
        {"text=dog&statistics=show", "Entropy"},
        {"text=dog&statistics=show", "!Std of scores"},
        {"text=dog&statistics=show", "!expected"},
        {"text=two%20dogs&statistics=show", "Std of scores"},
        {"text=one&embedding=random", "One token can only read itself"},
        {"text=one%20two&embedding=random", "!One token can only read itself"},
        {"text=a%F3%B0%80%81b", "No installed font has U+F0001"},
        {"text=ab", "!No installed font has"},
        {"tokenizer=gpt2", "tokenizer gpt2"}, /* its merges are not loaded */
        {"tokenizer=chars&text=a%20%09%01", "␣"},
        {"tokenizer=chars&text=a%20%09%01", "⇥"},
        {"tokenizer=chars&text=a%20%09%01", "⟨01⟩"},
        {"temperature=1e-06", "1e−6"}, /* a number has the decimals that it needs */
        {"temperature=0.125", "0.125"},
        {"temperature=0.5", "0.50"},
        {"", "patterns mean nothing yet"},
        {"init=identity&heads=1", "Identity weights"},
        {"init=identity&init-v=normal&heads=1", "Random weights, seed 1"},
        {"view=compare&init=identity&heads=1", "one scheme a column"},
        {"view=train&train-step=7&train-task=previous&d-model=8", "word before, step 7"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        check_said(cases[i].given, 1920, 1080, cases[i].words);
}

/* Rounding of large scores is not reported as a difference. */
TEST(rounding_is_no_difference) {
    for (int seed = 1; seed <= 40; seed++)
        check_said(PRINT("init=normal&seed=%d", seed), 1920, 1080, "Both forms agree");
}

TEST(a_text_that_is_cut_is_said_to_be) {
    static char text[16 + 4 * 1100] = "text=";
    for (int i = 0; i < 1024; i++)
        strcat(text, "%20a");
    check_said(text, 1920, 1080, "!The first 1,024 of");
    strcat(text, "%20a%20b");
    check_said(text, 1920, 1080, "The first 1,024 of 1,026 tokens are shown");
}

TEST(every_view_says_where_its_weights_come_from) {
    static const float heights[] = {900, 768, 640};
    for (size_t h = 0; h < ARRAY_COUNT(heights); h++)
        for (int view = 0; view < VIEW_REGISTRY.count; view++) {
            check_said(PRINT("view=%s&train-step=0&seed=5", VIEWS[view].entry.id), 1440, heights[h],
                       "Random weights, seed 5");
        }
}

/* A notice ends with its cause. */
TEST_IN(a_character_with_a_font_is_not_named, script_open, "text=%F3%B0%80%81") {
    script_play(s, "Ctrl+L 'a b' -{No installed font has*}");
}

/* A short message is in the status row, left of the given string. */
TEST(a_message_covers_no_control) {
    static const float sizes[][2] = {{1024, 768}, {1366, 768}, {1920, 1080}};
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        SCRIPT(s, script_begin, "", sizes[i][0], sizes[i][1]);
        script_keys(&s, "Ctrl+Z");
        const DrawCommand *words = drawn_text(&s.list, "Nothing to undo", 0);
        assert_non_null(words);
        assert_true(words->as.text.at.y - words->as.text.size > s.list.height - 40);
    }
}
