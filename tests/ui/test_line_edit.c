#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/test.h"
#include "ui/field.h"

TEST(typed_text_goes_in_at_the_caret) {
    LOCAL(field_close) Field f;
    field_open(&f, "ac");
    field_place(&f, 1, 1);
    panel_text(&f.panel, INPUT_TEXT, "b");
    field_check(&f, "abc", 2, 2);
    field_place(&f, 0, 2);
    panel_text(&f.panel, INPUT_TEXT, "é");
    field_check(&f, "éc", 2, 2);
    panel_text(&f.panel, INPUT_PASTE, "two words");
    field_check(&f, "étwo wordsc", 11, 11);
    field_place(&f, 0, 11);
    panel_text(&f.panel, INPUT_PASTE, ""); /* an empty clipboard replaces nothing */
    field_check(&f, "étwo wordsc", 0, 11);
}

TEST(the_caret_moves_by_graphemes) {
    char text[256] = "";
    size_t borders[GRAPHEME_COUNT + 1] = {0};
    for (size_t i = 0; i < GRAPHEME_COUNT; i++) {
        strcat(text, GRAPHEMES[i]);
        borders[i + 1] = strlen(text);
    }
    LOCAL(field_close) Field f;
    field_open(&f, text);
    for (size_t i = GRAPHEME_COUNT; i > 0; i--) {
        field_key(&f, KEY_LEFT, 0);
        field_check(&f, text, borders[i - 1], borders[i - 1]);
    }
    field_key(&f, KEY_LEFT, 0);
    field_check(&f, text, 0, 0);
    for (size_t i = 1; i <= GRAPHEME_COUNT; i++) {
        field_key(&f, KEY_RIGHT, SHIFT);
        field_check(&f, text, 0, borders[i]);
    }
    field_key(&f, KEY_RIGHT, SHIFT);
    field_check(&f, text, 0, strlen(text));
}

TEST(backspace_and_delete_take_whole_graphemes) {
    for (size_t i = 0; i < GRAPHEME_COUNT; i++) {
        char text[64];
        Field f;
        snprintf(text, sizeof text, "a%sb", GRAPHEMES[i]);
        field_open(&f, text);
        field_place(&f, 1, 1);
        field_key(&f, KEY_DELETE, 0);
        field_check(&f, "ab", 1, 1);
        field_close(&f);
        field_open(&f, text);
        field_key(&f, KEY_LEFT, 0);
        field_key(&f, KEY_BACKSPACE, 0);
        field_check(&f, "ab", 1, 1);
        field_close(&f);
    }
}

TEST(deleting_at_the_ends_takes_nothing) {
    Field f;
    field_open(&f, "ab");
    field_key(&f, KEY_DELETE, 0);
    field_key(&f, KEY_DELETE, COMMAND);
    field_check(&f, "ab", 2, 2);
    field_place(&f, 0, 0);
    field_key(&f, KEY_BACKSPACE, 0);
    field_key(&f, KEY_BACKSPACE, COMMAND);
    field_check(&f, "ab", 0, 0);
    field_close(&f);
    field_open(&f, "");
    field_key(&f, KEY_BACKSPACE, 0);
    field_key(&f, KEY_DELETE, 0);
    field_key(&f, KEY_LEFT, COMMAND);
    field_key(&f, KEY_RIGHT, COMMAND);
    field_check(&f, "", 0, 0);
    field_close(&f);
}

TEST(deleting_takes_the_selection) {
    static const struct {
        uint32_t key;
        unsigned mods;
    } keys[] = {{KEY_BACKSPACE, 0},       {KEY_BACKSPACE, SHIFT}, {KEY_DELETE, 0},
                {KEY_BACKSPACE, COMMAND}, {KEY_DELETE, COMMAND},  {KEY_BACKSPACE, KEY_MOD_ALT},
                {KEY_DELETE, KEY_MOD_ALT}};
    for (size_t i = 0; i < ARRAY_COUNT(keys); i++) {
        LOCAL(field_close) Field f;
        field_open(&f, "one two three");
        field_place(&f, 7, 4);
        field_key(&f, keys[i].key, keys[i].mods);
        field_check(&f, "one  three", 4, 4);
    }
}

TEST(words_are_moved_over_and_deleted) {
    const char *text = "the animal didn't, naïve 鍵";
    LOCAL(field_close) Field f;
    field_open(&f, text);
    size_t last = strlen(text);
    field_key(&f, KEY_LEFT, COMMAND);
    assert_int_equal(f.edit.caret, last - strlen("鍵"));
    field_key(&f, KEY_LEFT, KEY_MOD_ALT);
    assert_int_equal(f.edit.caret, strlen("the animal didn't, "));
    field_key(&f, KEY_LEFT, COMMAND);
    assert_int_equal(f.edit.caret, strlen("the animal didn't"));
    field_key(&f, KEY_LEFT, COMMAND);
    assert_int_equal(f.edit.caret, strlen("the animal "));
    field_key(&f, KEY_RIGHT, COMMAND);
    assert_int_equal(f.edit.caret, strlen("the animal didn't"));
    field_key(&f, KEY_LEFT, COMMAND | SHIFT);
    field_check(&f, text, strlen("the animal didn't"), strlen("the animal "));
    field_key(&f, KEY_HOME, 0);
    field_key(&f, KEY_DELETE, COMMAND);
    field_check(&f, "animal didn't, naïve 鍵", 0, 0);
    field_key(&f, KEY_END, 0);
    field_key(&f, KEY_BACKSPACE, KEY_MOD_ALT);
    assert_string_equal(f.text, "animal didn't, naïve ");
    field_key(&f, KEY_BACKSPACE, COMMAND);
    assert_string_equal(f.text, "animal didn't, ");
}

TEST(ends_are_reached_by_several_keys) {
    LOCAL(field_close) Field f;
    field_open(&f, "one two");
    field_key(&f, KEY_HOME, 0);
    field_check(&f, "one two", 0, 0);
    field_key(&f, KEY_END, SHIFT);
    field_check(&f, "one two", 0, 7);
    field_key(&f, KEY_UP, 0);
    field_check(&f, "one two", 0, 0);
    field_key(&f, KEY_DOWN, SHIFT);
    field_check(&f, "one two", 0, 7);
}

/* An arrow without Shift goes to the selection's end on its side, wherever the caret is. */
TEST(an_arrow_lets_go_of_a_selection_at_its_end) {
    static const char *const texts[] = {"one two", "👩\u200D👩\u200D👧👩\u200D👩\u200D👧"};
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        size_t size = strlen(texts[i]);
        static const size_t ends[][2] = {{0, 7}, {7, 0}};
        for (size_t way = 0; way < 2; way++) {
            size_t anchor = ends[way][0] * size / 7, caret = ends[way][1] * size / 7;
            LOCAL(field_close) Field f;
            field_open(&f, texts[i]);
            field_place(&f, anchor, caret);
            field_key(&f, KEY_LEFT, 0);
            field_check(&f, texts[i], 0, 0);
            field_place(&f, anchor, caret);
            field_key(&f, KEY_RIGHT, 0);
            field_check(&f, texts[i], size, size);
        }
    }
    LOCAL(field_close) Field f;
    field_open(&f, "abcdef");
    field_place(&f, 5, 1); /* the caret is one from the start */
    field_key(&f, KEY_LEFT, 0);
    field_check(&f, "abcdef", 1, 1);
    field_place(&f, 1, 5);
    field_key(&f, KEY_RIGHT, 0);
    field_check(&f, "abcdef", 5, 5);
}

TEST(a_word_movement_starts_at_the_caret_not_at_the_selection) {
    LOCAL(field_close) Field f;
    field_open(&f, "go on up");
    field_place(&f, 0, 5);
    field_key(&f, KEY_LEFT, COMMAND);
    field_check(&f, "go on up", 3, 3);
    field_place(&f, 8, 3);
    field_key(&f, KEY_RIGHT, COMMAND);
    field_check(&f, "go on up", 6, 6);
}

TEST(the_clipboard_is_served) {
    LOCAL(field_close) Field f;
    field_open(&f, "one two");
    field_key(&f, 'a', COMMAND);
    field_check(&f, "one two", 0, 7);
    field_place(&f, 4, 7);
    panel_events(&f.panel, &(InputEvent){.kind = INPUT_KEY, .key = 'c', .mods = COMMAND}, 1);
    assert_int_equal(f.panel.ui.copied_bytes, 3);
    assert_memory_equal(f.panel.ui.copied, "two", 3);
    field_key(&f, 'v', COMMAND);
    assert_int_equal(f.last, LINE_PASTE);
    field_place(&f, 0, 4);
    field_key(&f, 'x', COMMAND);
    field_check(&f, "two", 0, 0);
    f.changes = 0;
    field_key(&f, 'x', COMMAND); /* nothing is selected */
    assert_int_equal(f.changes, 0);
    f.last = LINE_NONE;
    field_key(&f, KEY_INSERT, SHIFT);
    assert_int_equal(f.last, LINE_PASTE);
    field_place(&f, 0, 2);
    field_key(&f, KEY_DELETE, SHIFT);
    field_check(&f, "o", 0, 0);
}

TEST(enter_and_escape_are_told) {
    LOCAL(field_close) Field f;
    field_open(&f, "one");
    field_key(&f, KEY_ENTER, 0);
    assert_int_equal(f.last, LINE_ENTER);
    field_key(&f, KEY_ESCAPE, 0);
    assert_int_equal(f.last, LINE_ESCAPE);
    field_check(&f, "one", 3, 3);
}

/* Events collected by a slow frame are handled in the order of typing. */
TEST(events_of_one_frame_keep_their_order) {
    const InputEvent events[] = {
        {.kind = INPUT_TEXT, .text = "a", .text_bytes = 1},
        {.kind = INPUT_KEY, .key = KEY_BACKSPACE},
        {.kind = INPUT_TEXT, .text = "b", .text_bytes = 1},
        {.kind = INPUT_KEY, .key = KEY_LEFT},
        {.kind = INPUT_TEXT, .text = "c", .text_bytes = 1},
        {.kind = INPUT_KEY, .key = KEY_HOME},
        {.kind = INPUT_KEY, .key = KEY_RIGHT},
        {.kind = INPUT_TEXT, .text = "d", .text_bytes = 1},
        {.kind = INPUT_KEY, .key = KEY_END},
        {.kind = INPUT_KEY, .key = KEY_LEFT, .mods = SHIFT},
        {.kind = INPUT_KEY, .key = 'c', .mods = COMMAND},
        {.kind = INPUT_KEY, .key = KEY_ENTER},
    };
    LOCAL(field_close) Field f;
    field_open(&f, "");
    panel_events(&f.panel, events, (int)ARRAY_COUNT(events));
    field_check(&f, "cdb", 3, 2);
    assert_int_equal(f.last, LINE_ENTER);
    assert_memory_equal(f.panel.ui.copied, "b", 1);
}

TEST(keys_of_no_concern_are_left) {
    LOCAL(field_close) Field f;
    field_open(&f, "one");
    field_key(&f, 'z', COMMAND);
    assert_false(f.panel.ui.used[0]);
    field_key(&f, KEY_F11, 0);
    assert_false(f.panel.ui.used[0]);
    field_key(&f, KEY_LEFT, 0);
    assert_true(f.panel.ui.used[0]);
}
