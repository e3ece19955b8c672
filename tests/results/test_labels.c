#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/layer.h"
#include "results/results.h"
#include "support/test.h"
#include "text/split.h"

static void assert_label(TokenLabel label, const char *expected) {
    assert_int_equal(label.size, strlen(expected));
    assert_memory_equal(label.bytes, expected, label.size);
}

TEST(labels_show_what_is_there) {
    static const char text[] = "a \xe2\x80 long";
    static const Token tokens[] = {{0, 1, -1}, {1, 1, -1}, {2, 2, -1}, {4, 5, -1}};
    LOCAL(arena_release) Arena arena = {0};
    const TokenLabel *labels = labels_make(&arena, text, tokens, 4, NULL, &told);
    assert_non_null(labels);
    assert_ptr_equal(labels[0].bytes, text);
    assert_label(labels[0], "a");
    assert_label(labels[1], "␣");
    assert_label(labels[2], "⟨E2 80⟩");
    assert_label(labels[3], "␣long");
}

/* A token as long as a text may be has a label that a picture can hold. */
TEST(long_tokens_have_short_labels) {
    LOCAL(arena_release) Arena arena = {0};
    LOCAL(free_at) char *text = malloc(TOKEN_TEXT_MAX);
    assert_non_null(text);
    memset(text, 'x', TOKEN_TEXT_MAX);
    static const Token tokens[] = {{0, TOKEN_TEXT_MAX, -1}, {5, 1, -1}};
    const TokenLabel *labels = labels_make(&arena, text, tokens, 2, NULL, &told);
    assert_non_null(labels);
    assert_in_range(labels[0].size, 100, 300);
    assert_memory_equal(labels[0].bytes + labels[0].size - 3, "…", 3);
    assert_label(labels[1], "x");
}

static void choose(Session *session, const char *tokenizer, const char *text) {
    const OptionRow *row = option_find(&STATE_OPTIONS, "tokenizer", strlen("tokenizer"));
    must(session_set(session, row, tokenizer, strlen(tokenizer), &told));
    must(session_edit_text(session, 0, session->text->size, text, strlen(text), &told));
}

/* The Results has a label for each token, whichever tokenizer made it, and none for no token. */
TEST(a_run_has_labels) {
    static const struct {
        const char *tokenizer, *text, *joined;
    } cases[] = {
        {"words", "it's  late", "it|'s|late"},
        {"chars", "a\tb", "a|⇥|b"},
        {"gpt2", "it's  late\n", "it|'s|␣|␣late|↵"},
        {"gpt2", "日本", "⟨E6 97⟩|⟨A5⟩|⟨E6 9C⟩|⟨AC⟩"},
        {"gpt2", "", ""},
    };
    LOCAL(gpt2_release) TextResources gpt2 = gpt2_resources();
    ResultsResources resources = {.text = gpt2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LOCAL(session_release) Session session;
        LOCAL(results_release) Results run;
        char joined[128] = "";
        size_t used = 0;
        must(session_init(&session, &told) && results_init(&run, &told));
        choose(&session, cases[i].tokenizer, cases[i].text);
        assert_true(results_update(&run, &session, &resources, (ResultsLimits){64}));
        for (int t = 0; t < run.T; t++)
            used +=
                (size_t)snprintf(joined + used, sizeof joined - used, "%s%.*s", t > 0 ? "|" : "",
                                 (int)run.labels[t].size, run.labels[t].bytes);
        assert_string_equal(joined, cases[i].joined);
    }
}

/* Without the merges the Results says so; when they come it is computed. */
TEST(merges_may_come_later) {
    Err err;
    LOCAL(gpt2_release) TextResources gpt2 = gpt2_resources();
    LOCAL(session_release) Session session;
    LOCAL(results_release) Results run;
    ResultsResources resources = {.text = gpt2};
    assert_true(session_init(&session, &err) && results_init(&run, &err));
    choose(&session, "gpt2", "tokenization");
    assert_false(results_update(&run, &session, NULL, (ResultsLimits){64}));
    assert_non_null(strstr(run.err.what, "gpt2"));
    assert_true(results_update(&run, &session, &resources, (ResultsLimits){64}));
    assert_int_equal(run.T, 2);
}
