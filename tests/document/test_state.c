#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "document/state.h"
#include "support/opened.h"
#include "support/test.h"
#include "text/tokenizer.h"
#include "views/settings.h"

/* A session and the picture's settings, which share one string. */
typedef struct Both {
    Session session;
    Settings settings;
    StateExtra extra;
} Both;

static void both_init(Both *both) {
    memset(both, 0, sizeof *both);
    must(session_init(&both->session, &told));
    option_set_standard(&both->settings, &PICTURE_OPTIONS);
    both->extra = (StateExtra){.table = &PICTURE_OPTIONS,
                               .values = &both->settings,
                               .values_bytes = sizeof both->settings};
}

static void both_release(Both *both) {
    session_release(&both->session);
}

#define BOTH(name)                                                                                 \
    LOCAL(both_release) Both name;                                                                 \
    both_init(&name)

static bool both_equal(const Both *a, const Both *b) {
    return session_equal(&a->session, &b->session) &&
           option_values_equal(&PICTURE_OPTIONS, &a->settings, &b->settings);
}

static void set_text(Both *both, const char *text, size_t bytes) {
    must(session_edit_text(&both->session, 0, both->session.text->size, text, bytes, &told));
}

/* Written and read into a default state it is the same again. */
static void check_round_trip(Both *both, const char *expected) {
    LOCAL(free_at) char *string = state_make(&both->session, &both->extra);
    BOTH(again);
    size_t bytes = strlen(string);
    if (expected != NULL)
        assert_string_equal(string, expected);
    for (size_t i = 0; i < bytes; i++)
        assert_true(string[i] > 0x20 && string[i] < 0x7f);
    if (!state_read(&again.session, &again.extra, string, bytes, &told))
        fail_msg("%s: %s: %s", string, told.what, told.why);
    if (!both_equal(both, &again))
        fail_msg("“%s” reads back as another state", string);
}

TEST(the_default_is_the_empty_string) {
    BOTH(both);
    check_round_trip(&both, "");
}

/* A value that differs from the default. */
static void change(const OptionRow *row, void *values) {
    static const char *const tries[] = {"128", "2", "0.25", "2,5", "640x480", "75", "normal,zeros"};
    for (int i = 0; row->kind == OPTION_CHOICE && i < row->choices->count; i++) {
        const char *id = option_choice_text(row, i);
        must(option_set(values, row, id, strlen(id), &told));
        if (!option_is_standard(row, values))
            return;
    }
    for (size_t i = 0; row->kind != OPTION_CHOICE && i < ARRAY_COUNT(tries); i++)
        if (option_set(values, row, tries[i], strlen(tries[i]), &told) &&
            !option_is_standard(row, values))
            return;
    bool only = row->kind == OPTION_CHOICE && row->choices->count == 1;
    assert_true(only || !option_is_standard(row, values));
}

TEST(every_option_travels_alone_and_with_the_rest) {
    BOTH(all);
    for (int i = 0; i < STATE_OPTIONS.count + PICTURE_OPTIONS.count; i++) {
        bool picture = i >= STATE_OPTIONS.count;
        const OptionRow *row =
            picture ? &PICTURE_OPTIONS.rows[i - STATE_OPTIONS.count] : &STATE_OPTIONS.rows[i];
        BOTH(one);
        change(row, picture ? (void *)&one.settings : (void *)&one.session.options);
        check_round_trip(&one, NULL);
        change(row, picture ? (void *)&all.settings : (void *)&all.session.options);
        check_round_trip(&all, NULL);
    }
}

TEST(odd_bytes_of_the_text_are_encoded) {
    static const struct {
        const char *text, *string;
    } cases[] = {
        {"", "text="},
        {"a b", "text=a%20b"},
        {"a&b=c%20", "text=a%26b%3Dc%2520"},
        {"a\nb\t", "text=a%0Ab%09"},
        {"1+1", "text=1%2B1"},
        {"naïve 鍵", "text=na%C3%AFve%20%E9%8D%B5"},
        {"-._~,:", "text=-._~,:"},
        {"heads=8&seed=2", "text=heads%3D8%26seed%3D2"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        BOTH(both);
        set_text(&both, cases[i].text, strlen(cases[i].text));
        check_round_trip(&both, cases[i].string);
    }
}

TEST(every_character_survives) {
    char text[256];
    size_t used = 0;
    BOTH(both);
    for (int c = 1; c < 128; c++)
        text[used++] = (char)c;
    set_text(&both, text, used);
    check_round_trip(&both, NULL);
}

TEST(values_come_in_the_order_of_the_table) {
    BOTH(both);
    const char *string = "theme=light&seed=9&d-model=32&text=x";
    must(state_read(&both.session, &both.extra, string, strlen(string), &told));
    check_round_trip(&both, "text=x&d-model=32&seed=9&theme=light");
}

static bool read(Both *both, const char *string, Err *err) {
    *err = (Err){0};
    return state_read(&both->session, &both->extra, string, strlen(string), err);
}

TEST(what_is_not_named_keeps_its_value) {
    BOTH(both);
    must(read(&both, "heads=8&mask=causal&theme=light", &told));
    must(read(&both, "&&seed=3&", &told));
    check_round_trip(&both, "heads=8&mask=causal&seed=3&theme=light");
    must(read(&both, "", &told));
    check_round_trip(&both, "heads=8&mask=causal&seed=3&theme=light");
    must(read(&both, "heads=%34&mask=n%6Fne", &told));
    check_round_trip(&both, "seed=3&theme=light");
}

TEST(the_last_of_two_values_holds) {
    BOTH(both);
    must(read(&both, "seed=3&seed=4", &told));
    check_round_trip(&both, "seed=4");
    must(read(&both, "seed=1&open=1-1&close=1-1&open=2-2&set=X(1,1)=1&set=S1(1,1)=2", &told));
    check_round_trip(&both, "open=2-2&close=1-1&set=S1(1,1)=2");
    /* Only the last of several lists is read, because each takes long. */
    must(read(&both, "open=x&open=&set=x&close=none&open=4-4&set=none&close=3-3", &told));
    check_round_trip(&both, "open=4-4&close=3-3");
    assert_false(read(&both, "open=4-4&open=x", &told));
}

TEST(values_need_only_agree_at_the_end) {
    BOTH(both);
    must(read(&both, "heads=5&d-model=65", &told));
    must(read(&both, "head=7&heads=8&d-model=64", &told));
    assert_false(read(&both, "heads=2", &told));
}

TEST(malformed_strings_change_nothing) {
    static const struct {
        const char *string, *named;
    } cases[] = {
        {"seed", "seed"},
        {"hello world", "hello world"},
        {"seed=9&heads", "heads"},
        {"seed=9&heads=", "heads"},
        {"seed=9&heads=x", "heads"},
        {"seed=9&=4", ""},
        {"seed=9&text=%", "text"},
        {"seed=9&text=%4", "text"},
        {"seed=9&text=%G1", "text"},
        {"seed=9&text=%1G", "text"},
        {"seed=9&text=a%00b", "text"},
        {"seed=9&text=%FF", "text"},
        {"seed=9&text=%C3", "text"},
        {"seed=9&colour=red", "colour"},
        {"seed=9&Heads=4", "Heads"},
        {"seed=9&heads=5", "heads"},
        {"seed=9&head=5", "head"},
        {"seed=9&theme=neon", "theme"},
        {"theme=light&mask=casual", "mask"},
        {"text=new&size=1x1", "size"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        BOTH(both);
        BOTH(before);
        if (read(&both, cases[i].string, &told))
            fail_msg("“%s” is read", cases[i].string);
        assert_int_equal(told.kind, ERR_USAGE);
        if (strstr(told.what, cases[i].named) == NULL)
            fail_msg("“%s”: “%s” does not name “%s”", cases[i].string, told.what, cases[i].named);
        assert_true(both_equal(&both, &before));
    }
}

/* A message is valid text for any string. */
TEST(odd_keys_are_named_as_text) {
    char string[256] = "a";
    for (int i = 0; i < 60; i++)
        strcat(string, "鍵");
    static const char *const odd[] = {"\xFF\xFE=1", "\xC3", "heads=\xE9\x8D"};
    BOTH(both);
    assert_false(read(&both, string, &told));
    assert_int_equal(utf8_first_invalid(told.what, strlen(told.what)), strlen(told.what));
    for (size_t i = 0; i < ARRAY_COUNT(odd); i++) {
        assert_false(read(&both, odd[i], &told));
        assert_int_equal(utf8_first_invalid(told.what, strlen(told.what)), strlen(told.what));
    }
}

TEST(without_a_second_table_its_keys_are_unknown) {
    BOTH(both);
    assert_false(state_read(&both.session, NULL, "theme=light", 11, &told));
    must(state_read(&both.session, NULL, "seed=2", 6, &told));
    check_session(&both.session, "seed=2");
}

TEST(the_longest_text_goes_both_ways) {
    LOCAL(free_at) char *text = malloc(TOKEN_TEXT_MAX);
    BOTH(both);
    BOTH(again);
    assert_non_null(text);
    memset(text, '&', TOKEN_TEXT_MAX);
    set_text(&both, text, TOKEN_TEXT_MAX);
    LOCAL(free_at) char *string = state_make(&both.session, NULL);
    size_t bytes = strlen(string);
    assert_int_equal(bytes, 5 + 3 * (size_t)TOKEN_TEXT_MAX);
    must(state_read(&again.session, NULL, string, bytes, &told));
    assert_true(both_equal(&both, &again));
}
