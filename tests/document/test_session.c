#include <stdlib.h>
#include <string.h>

#include "document/edit.h"
#include "document/session.h"
#include "support/test.h"
#include "text/tokenizer.h"

static Session start(const char *text) {
    Session session;
    must(session_init(&session, &told));
    must(session_edit_text(&session, 0, session.text->size, text, strlen(text), &told));
    return session;
}

static void check_text(const Session *session, const char *expected) {
    assert_int_equal(session->text->size, strlen(expected));
    assert_string_equal(session->text->bytes, expected);
}

static bool edit(Session *session, size_t from, size_t to, const char *insert) {
    Err err;
    return session_edit_text(session, from, to, insert, strlen(insert), &err);
}

static bool set(Session *session, const char *key, const char *value, Err *err) {
    const OptionRow *row = option_find(&STATE_OPTIONS, key, strlen(key));
    assert_non_null(row);
    *err = (Err){0};
    return session_set(session, row, value, strlen(value), err);
}

TEST(a_new_session_is_the_default) {
    Session session;
    must(session_init(&session, &told));
    check_text(&session, SESSION_TEXT_STANDARD);
    assert_int_equal(session.options.d_model, 64);
    assert_int_equal(session.options.heads, 4);
    assert_int_equal(session.options.head, 1);
    assert_int_equal(session.options.beside, -1);
    session_release(&session);
    assert_null(session.text);
}

TEST(text_is_changed_at_borders) {
    LOCAL(session_release) Session s = start("añb");
    assert_true(edit(&s, 0, 0, "<"));
    check_text(&s, "<añb");
    assert_true(edit(&s, 5, 5, ">"));
    check_text(&s, "<añb>");
    assert_true(edit(&s, 2, 4, "n"));
    check_text(&s, "<anb>");
    assert_true(edit(&s, 0, 5, ""));
    check_text(&s, "");
    assert_true(edit(&s, 0, 0, ""));
    check_text(&s, "");
    assert_true(edit(&s, 0, 0, "ключ 鍵 🔑"));
    check_text(&s, "ключ 鍵 🔑");
}

TEST(an_edit_leaves_other_owners_as_they_were) {
    Session s = start("before"), other = session_share(&s);
    assert_ptr_equal(s.text, other.text);
    assert_true(edit(&s, 0, 6, "after"));
    check_text(&other, "before");
    check_text(&s, "after");
    session_release(&s);
    check_text(&other, "before");
    session_release(&other);
}

static void check_refused(Session *s, const char *insert, size_t bytes, const char *offset) {
    Err err = {0};
    const Text *before = s->text;
    assert_false(session_edit_text(s, 1, 2, insert, bytes, &err));
    assert_ptr_equal(s->text, before);
    check_text(s, "abc");
    assert_int_equal(err.kind, ERR_USAGE);
    if (strstr(err.why, offset) == NULL)
        fail_msg("“%s” does not say %s", err.why, offset);
}

TEST(bytes_that_are_no_text_are_refused) {
    LOCAL(session_release) Session s = start("abc");
    check_refused(&s, "x\xFFy", 3, "byte 1");
    check_refused(&s, "xy\xC3", 3, "byte 2");
    check_refused(&s, "\xED\xA0\x80", 3, "byte 0"); /* a surrogate */
    check_refused(&s, "\xC0\xAF", 2, "byte 0");     /* overlong */
    check_refused(&s, "x\0y", 3, "NUL at byte 1");
    check_refused(&s, "\0\xFF", 2, "NUL at byte 0"); /* the message names the first fault */
    check_refused(&s, "\xFF\0", 2, "UTF-8 at byte 0");
}

TEST(a_text_may_have_its_most_bytes_and_no_more) {
    Err err = {0};
    LOCAL(session_release) Session s = start("");
    LOCAL(free_at) char *most = malloc(TOKEN_TEXT_MAX + 1);
    assert_non_null(most);
    memset(most, 'a', TOKEN_TEXT_MAX + 1);
    assert_false(session_edit_text(&s, 0, 0, most, TOKEN_TEXT_MAX + 1, &err));
    assert_non_null(strstr(err.why, "1048576"));
    assert_true(session_edit_text(&s, 0, 0, most, TOKEN_TEXT_MAX, &err));
    assert_int_equal(s.text->size, TOKEN_TEXT_MAX);
    assert_false(edit(&s, 5, 5, "b"));
    assert_true(edit(&s, 5, 6, "b"));
    assert_int_equal(s.text->bytes[5], 'b');
    assert_int_equal(s.text->size, TOKEN_TEXT_MAX);
}

/* Half a million ids in one pass: a pass for each of them would take half an hour. */
TEST(the_longest_list_of_ids_is_read) {
    LOCAL(session_release) Session session = start("a");
    LOCAL(free_at) char *list = malloc(TOKEN_TEXT_MAX);
    for (size_t i = 0; i < TOKEN_TEXT_MAX; i++)
        list[i] = i % 2 == 0 ? '7' : ',';
    must(session_set_ids(&session, list, TOKEN_TEXT_MAX, &told));
    assert_int_equal(session.text->size, TOKEN_TEXT_MAX);
    assert_int_equal(session.options.tokenizer, TOKENIZER_IDS);
    list[TOKEN_TEXT_MAX - 1] = 'x';
    assert_false(session_set_ids(&session, list, TOKEN_TEXT_MAX, &told));
}

TEST(options_that_do_not_agree_are_refused) {
    LOCAL(session_release) Session s = start("a b");
    const Options before = s.options;
    assert_false(set(&s, "heads", "5", &told));
    assert_string_equal(told.what, "--heads 5");
    assert_non_null(strstr(told.why, "64 is not divisible by 5"));
    assert_false(set(&s, "d-model", "63", &told));
    assert_false(set(&s, "head", "5", &told));
    assert_non_null(strstr(told.why, "from 1 to 4"));
    assert_false(set(&s, "heads", "0", &told));
    assert_memory_equal(&s.options, &before, sizeof before);
}

TEST(widths_of_their_own_need_no_division) {
    LOCAL(session_release) Session s = start("a b");
    assert_true(set(&s, "d-k", "16", &told));
    assert_false(set(&s, "heads", "5", &told));
    assert_non_null(strstr(told.why, "--d-v"));
    assert_true(set(&s, "d-v", "8", &told));
    assert_true(set(&s, "heads", "5", &told));
    AttnShape shape = options_shape(&s.options, 2, FORM_SEPARATE);
    assert_int_equal(shape.K, 16);
    assert_int_equal(shape.V, 8);
    assert_float_equal(shape.score_factor, 0.25, 1e-7);
    assert_false(set(&s, "d-k", "auto", &told));
}

TEST(with_fewer_heads_the_last_is_chosen) {
    LOCAL(session_release) Session s = start("a b");
    must(set(&s, "heads", "8", &told));
    must(set(&s, "head", "7", &told));
    must(set(&s, "heads", "2", &told));
    assert_int_equal(s.options.head, 2);
}

TEST(the_shape_follows_the_options) {
    LOCAL(session_release) Session s = start("a b");
    AttnShape shape = options_shape(&s.options, 12, FORM_MERGED);
    assert_int_equal(shape.T, 12);
    assert_int_equal(shape.D, 64);
    assert_int_equal(shape.H, 4);
    assert_int_equal(shape.K, 16);
    assert_int_equal(shape.V, 16);
    assert_int_equal(shape.form, FORM_MERGED);
    must(set(&s, "scale", "none", &told));
    must(set(&s, "temperature", "4", &told));
    assert_float_equal(options_shape(&s.options, 12, FORM_MERGED).score_factor, 0.25, 1e-7);
}

TEST(equal_means_every_option_and_every_byte) {
    LOCAL(session_release) Session a = start("one two"), b = start("one two");
    assert_ptr_not_equal(a.text, b.text);
    assert_true(session_equal(&a, &b));
    assert_true(edit(&b, 0, 3, "two"));
    assert_false(session_equal(&a, &b));
    assert_true(edit(&b, 0, 3, "one"));
    for (int i = 0; i < STATE_OPTIONS.count; i++) {
        static const char *const values[] = {"2",      "none",  "causal", "zeros",
                                             "merged", "chars", "random", "2,2"};
        const OptionRow *row = &STATE_OPTIONS.rows[i];
        const Options kept = b.options;
        bool changed = false;
        for (size_t v = 0; v < 8 && !changed; v++)
            changed = option_set(&b.options, row, values[v], strlen(values[v]), &told) &&
                      !option_is_standard(row, &b.options);
        if (changed && session_equal(&a, &b))
            fail_msg("%s makes no difference", row->entry.id);
        b.options = kept;
        assert_true(session_equal(&a, &b));
    }
}

TEST(edits_wait_in_order_and_too_many_are_left_out) {
    EditQueue queue = {0};
    edit_push_state(&queue, "pin", "%d,%d", 3, 4);
    assert_string_equal(queue.at[0].value, "3,4");
    assert_string_equal(queue.at[0].row->entry.id, "pin");
    assert_true(queue.at[0].serial == 0);
    for (int i = 0; i < 2 * EDITS_MAX; i++)
        edit_push(&queue, &STATE_OPTIONS.rows[0], "chars", 7);
    assert_int_equal(queue.count, EDITS_MAX);
    assert_string_equal(queue.at[0].value, "3,4");
    assert_true(queue.at[EDITS_MAX - 1].serial == 7);
}
