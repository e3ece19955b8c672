#include <string.h>

#include "shell/cli.h"
#include "support/test.h"

/* The words of a call, ended by NULL. */
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static bool parse(Call *call, const char *const *words, Err *err) {
    char *copy[16];
    int count = 0;
    for (; words[count] != NULL; count++)
        copy[count] = (char *)(uintptr_t)words[count];
    *err = (Err){0};
    return call_parse(call, count, copy, err);
}

/* Parse words that must be right; the call is to be released. */
static Call read_call(const char *const *words) {
    Call call;
    must(parse(&call, words, &told));
    return call;
}

/* Parse words that must be refused as a wrong call. */
static Err refuse(const char *const *words) {
    Call call;
    Err err;
    assert_false(parse(&call, words, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    call_release(&call);
    return err;
}

TEST(no_words_open_the_window) {
    LOCAL(call_release) Call call;
    must(call_parse(&call, 0, NULL, &told));
    assert_string_equal(call.verb->entry.id, "");
    assert_int_equal(call.session.options.heads, 4);
    assert_string_equal(call.session.text->bytes, SESSION_TEXT_STANDARD);
}

TEST(values_follow_or_join) {
    Call call =
        read_call(WORDS("render", "--heads", "8", "--d-model=128", "-o", "a.png", "--text=x=y"));
    assert_string_equal(call.verb->entry.id, "render");
    assert_int_equal(call.session.options.heads, 8);
    assert_int_equal(call.session.options.d_model, 128);
    assert_string_equal(call.output, "a.png");
    assert_string_equal(call.session.text->bytes, "x=y");
    call_release(&call);
    call = read_call(WORDS("render", "-oa.png", "--size=300x200"));
    assert_string_equal(call.output, "a.png");
    assert_int_equal(call.settings.size.second, 200);
    call_release(&call);
}

/* An option with its default value counts as given; the options of looks and size are no part of
 * the state. */
TEST(a_call_knows_whether_it_says_what_to_show) {
    const struct {
        const char *const *words;
        bool says;
    } calls[] = {{WORDS("--theme", "light", "--size=1366x768"), false},
                 {WORDS("--state", "wall=all"), true},
                 {WORDS("--wall", "all"), true},
                 {WORDS("--heads=4"), true},
                 {WORDS("--text", "king queen"), true}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        LOCAL(call_release) Call call = read_call(calls[i].words);
        assert_int_equal(call.says_state, calls[i].says);
    }
}

TEST(a_value_may_start_with_dashes) {
    LOCAL(call_release) Call call = read_call(WORDS("--text", "--heads"));
    assert_string_equal(call.session.text->bytes, "--heads");
}

TEST(the_last_one_counts) {
    LOCAL(call_release)
    Call call = read_call(WORDS("--state", "heads=2&theme=light&text=a%20b", "--heads", "1"));
    assert_int_equal(call.session.options.heads, 1);
    assert_string_equal(call.session.text->bytes, "a b");
    assert_int_equal(call.settings.theme, 1);
}

/* Heads may come before the d_model they divide. */
TEST(options_are_checked_together) {
    Call call = read_call(WORDS("--heads", "3", "--d-model", "63"));
    call_release(&call);
    Err err = refuse(WORDS("--heads", "3"));
    assert_string_equal(err.what, "--heads 3");
}

TEST(two_dashes_end_the_options) {
    Call call = read_call(WORDS("--", "--heads"));
    assert_string_equal(call.word, "--heads");
    call_release(&call);
    refuse(WORDS("--", "a", "b"));
    refuse(WORDS("export", "-o", "a.safetensors", "--", "--heads=2"));
}

TEST(a_wrong_option_is_named_with_a_neighbour) {
    static const struct {
        const char *verb, *word, *near;
    } cases[] = {{"render", "--haeds", "did you mean --heads?"},
                 {"export", "--dmodel", "did you mean --d-model?"},
                 {"export", "--d_model", "did you mean --d-model?"},
                 {"export", "--temprature", "did you mean --temperature?"},
                 {"export", "--embeding=x", "did you mean --embedding?"},
                 {"export", "--quux", "no such option; run headlight export --help"},
                 {"list", "--haeds", "no such option; run headlight list --help"},
                 {"list", "--jsno", "did you mean --json?"},
                 {"list", "--heads", "is not an option of headlight list"},
                 {"render", "-x", "no such option; run"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err err = refuse(WORDS(cases[i].verb, cases[i].word, "3"));
        assert_memory_equal(err.what, cases[i].word, strlen(err.what));
        if (strstr(err.why, cases[i].near) == NULL)
            fail_msg("%s: “%s” is not “%s”", cases[i].word, err.why, cases[i].near);
    }
    char word[5000];
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = 0;
    memcpy(word, "--", 2);
    assert_non_null(strstr(refuse(WORDS(word)).why, "no such option; run"));
}

TEST(every_verb_and_option_says_what_it_does) {
    for (int i = 0; i < VERB_REGISTRY.count; i++) {
        assert_true(strlen(VERBS[i].entry.help) > 10);
        assert_non_null(VERBS[i].run);
    }
    for (int i = 0; i < CALL_OPTION_REGISTRY.count; i++) {
        assert_true(strlen(CALL_OPTIONS[i].entry.help) > 10);
        const char *id = CALL_OPTIONS[i].entry.id;
        assert_null(option_find(&STATE_OPTIONS, id, strlen(id)));
        assert_null(option_find(&PICTURE_OPTIONS, id, strlen(id)));
    }
}
