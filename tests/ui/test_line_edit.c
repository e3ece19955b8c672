#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/test.h"
#include "ui/field.h"

TEST(typed_text_goes_in_at_the_caret) {
    FIELD(f, "ac");
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
    FIELD(f, text);
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
        panel_keys(&f.panel, "Left Backspace");
        field_check(&f, "ab", 1, 1);
        field_close(&f);
    }
}

TEST(deleting_at_the_ends_takes_nothing) {
    static const FieldEdit edits[] = {
        {"ab|", "Delete Ctrl+Delete", "ab|"},
        {"|ab", "Backspace Ctrl+Backspace", "|ab"},
        {"|", "Backspace Delete Ctrl+Left Ctrl+Right", "|"},
    };
    field_edits(edits, ARRAY_COUNT(edits));
}

TEST(deleting_takes_the_selection) {
    static const FieldEdit edits[] = {
        {"one |two[ three", "Backspace", "one | three"},
        {"one |two[ three", "Shift+Backspace", "one | three"},
        {"one |two[ three", "Delete", "one | three"},
        {"one |two[ three", "Ctrl+Backspace", "one | three"},
        {"one |two[ three", "Ctrl+Delete", "one | three"},
        {"one |two[ three", "Alt+Backspace", "one | three"},
        {"one |two[ three", "Alt+Delete", "one | three"},
    };
    field_edits(edits, ARRAY_COUNT(edits));
}

TEST(words_are_moved_over_and_deleted) {
    static const FieldEdit edits[] = {
        {"the animal didn't, naïve 鍵|", "Ctrl+Left", "the animal didn't, naïve |鍵"},
        {"the animal didn't, naïve |鍵", "Alt+Left", "the animal didn't, |naïve 鍵"},
        {"the animal didn't, |naïve 鍵", "Ctrl+Left", "the animal didn't|, naïve 鍵"},
        {"the animal didn't|, naïve", "Ctrl+Left", "the animal |didn't, naïve"},
        {"the animal |didn't, naïve", "Ctrl+Right", "the animal didn't|, naïve"},
        {"the animal didn't|, naïve", "Ctrl+Shift+Left", "the animal |didn't[, naïve"},
        {"the animal |didn't", "Home Ctrl+Delete", "|animal didn't"},
        {"didn't, |naïve 鍵", "End Alt+Backspace", "didn't, naïve |"},
        {"didn't, naïve |", "Ctrl+Backspace", "didn't, |"},
    };
    field_edits(edits, ARRAY_COUNT(edits));
}

TEST(ends_are_reached_by_several_keys) {
    static const FieldEdit edits[] = {
        {"one two|", "Home", "|one two"},
        {"|one two", "Shift+End", "[one two|"},
        {"[one two|", "Up", "|one two"},
        {"|one two", "Shift+Down", "[one two|"},
    };
    field_edits(edits, ARRAY_COUNT(edits));
}

/* An arrow without Shift goes to the selection's end on its side, wherever the caret is. */
TEST(an_arrow_lets_go_of_a_selection_at_its_end) {
    static const FieldEdit edits[] = {
        {"[one two|", "Left", "|one two"},
        {"[one two|", "Right", "one two|"},
        {"|one two[", "Left", "|one two"},
        {"|one two[", "Right", "one two|"},
        {"[👩\u200D👩\u200D👧👩\u200D👩\u200D👧|", "Left", "|👩\u200D👩\u200D👧👩\u200D👩\u200D👧"},
        {"[👩\u200D👩\u200D👧👩\u200D👩\u200D👧|", "Right", "👩\u200D👩\u200D👧👩\u200D👩\u200D👧|"},
        {"|👩\u200D👩\u200D👧👩\u200D👩\u200D👧[", "Left", "|👩\u200D👩\u200D👧👩\u200D👩\u200D👧"},
        {"|👩\u200D👩\u200D👧👩\u200D👩\u200D👧[", "Right", "👩\u200D👩\u200D👧👩\u200D👩\u200D👧|"},
        {"a|bcde[f", "Left", "a|bcdef"},
        {"a[bcde|f", "Right", "abcde|f"},
    };
    field_edits(edits, ARRAY_COUNT(edits));
}

TEST(a_word_movement_starts_at_the_caret_not_at_the_selection) {
    static const FieldEdit edits[] = {
        {"[go on| up", "Ctrl+Left", "go |on up"},
        {"go |on up[", "Ctrl+Right", "go on |up"},
    };
    field_edits(edits, ARRAY_COUNT(edits));
}

TEST(the_clipboard_is_served) {
    FIELD(f, "one two");
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
    FIELD(f, "one");
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
    FIELD(f, "");
    panel_events(&f.panel, events, (int)ARRAY_COUNT(events));
    field_check(&f, "cdb", 3, 2);
    assert_int_equal(f.last, LINE_ENTER);
    assert_memory_equal(f.panel.ui.copied, "b", 1);
}

TEST(keys_of_no_concern_are_left) {
    FIELD(f, "one");
    field_key(&f, 'z', COMMAND);
    assert_false(f.panel.ui.used[0]);
    field_key(&f, KEY_F11, 0);
    assert_false(f.panel.ui.used[0]);
    field_key(&f, KEY_LEFT, 0);
    assert_true(f.panel.ui.used[0]);
}
