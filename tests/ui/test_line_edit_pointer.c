#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "support/test.h"
#include "ui/field.h"

TEST(while_composing_keys_are_the_input_methods) {
    FIELD(f, "ab");
    panel_text(&f.panel, INPUT_COMPOSE, "か");
    assert_string_equal(f.edit.composing, "か");
    assert_non_null(drawn_text(&f.panel.list, "abか", 0));
    f.last = LINE_NONE;
    panel_keys(&f.panel, "Backspace Left Enter Escape");
    field_check(&f, "ab", 2, 2);
    assert_int_equal(f.last, LINE_NONE);
    panel_text(&f.panel, INPUT_TEXT, "漢");
    panel_text(&f.panel, INPUT_COMPOSE, "");
    field_check(&f, "ab漢", 5, 5);
    field_key(&f, KEY_BACKSPACE, 0);
    field_check(&f, "ab", 2, 2);
}

TEST(composing_is_cut_at_a_character_and_repaired) {
    LOCAL(field_close) Field f;
    char text[1024] = "";
    for (int i = 0; i < 300; i++)
        strcat(text, "漢");
    field_open(&f, "");
    panel_text(&f.panel, INPUT_COMPOSE, text);
    assert_true(strlen(f.edit.composing) % 3 == 0 && strlen(f.edit.composing) > 30);
    assert_true(strlen(f.edit.composing) < sizeof f.edit.composing);
    panel_text(&f.panel, INPUT_COMPOSE, "a\xFF");
    assert_string_equal(f.edit.composing, "a\uFFFD");
}

static void compose(Field *f, const char *text, int clause_at, int clause_count) {
    InputEvent event = {.kind = INPUT_COMPOSE,
                        .text = text,
                        .text_bytes = strlen(text),
                        .clause_at = clause_at,
                        .clause_count = clause_count};
    panel_events(&f->panel, &event, 1);
}

/* Return the width filled at this height, from the field's left end. */
static float line_under(const Field *f, Colour colour, float height) {
    float width = 0;
    for (size_t i = 0; i < f->panel.list.command_count; i++) {
        const DrawCommand *c = &f->panel.list.commands[i];
        if (c->kind == DRAW_BOX && c->as.box.fill == colour && c->as.box.rect.h == height)
            width += c->as.box.rect.w;
    }
    return width;
}

TEST(composed_text_stands_in_the_line_underlined) {
    const Theme *theme = &THEMES[THEME_DARK];
    FIELD(f, "abc");
    field_place(&f, 1, 1);
    compose(&f, "かな漢字", 2, 2);
    assert_non_null(drawn_text(&f.panel.list, "aかな漢字bc", 0));
    assert_float_equal(line_under(&f, theme->text_2, 1.5f), 4 * EM, 0.01f);
    assert_float_equal(line_under(&f, theme->text_1, 3), 2 * EM, 0.01f);
    assert_float_equal(f.panel.ui.caret.x, LEFT + 5 * EM, 0.01f);
    compose(&f, "かな漢字", 1, 0);
    assert_float_equal(f.panel.ui.caret.x, LEFT + 2 * EM, 0.01f);
    assert_float_equal(line_under(&f, theme->text_1, 3), 0, 0.01f);
    compose(&f, "か", 1000, 1000);
    assert_float_equal(f.panel.ui.caret.x, LEFT + 2 * EM, 0.01f);
    compose(&f, "か", -5, -5);
    assert_float_equal(f.panel.ui.caret.x, LEFT + 1 * EM, 0.01f);
    field_place(&f, 0, 2);
    compose(&f, "か", 0, 1);
    assert_non_null(drawn_text(&f.panel.list, "かc", 0)); /* instead of the selection */
    field_place(&f, 1, 1);
    compose(&f, "", 0, 0);
    field_check(&f, "abc", 1, 1);
    assert_non_null(drawn_text(&f.panel.list, "abc", 0));
}

TEST(a_press_keeps_what_was_composed) {
    FIELD(f, "ab");
    compose(&f, "か", 1, 0);
    assert_true(f.panel.ui.wants_text);
    panel_press(&f.panel, LEFT + 1, 120, 0, 1);
    field_check(&f, "abか", 0, 0);
    assert_int_equal(f.edit.composing[0], '\0');
    assert_false(f.panel.ui.wants_text); /* for one frame, so that the input method restarts */
    panel_release(&f.panel, LEFT + 1, 120);
    assert_true(f.panel.ui.wants_text);
    compose(&f, "な", 1, 0);
    panel_press(&f.panel, 400, 500, 0, 1); /* outside, which takes the focus away */
    assert_string_equal(f.text, "なabか");
}

/* While letters are being composed, a pointer among them is no place in the text. */
TEST(composing_ends_a_drag) {
    FIELD(f, "鍵鍵");
    panel_press(&f.panel, LEFT, 120, 0, 1);
    compose(&f, "a", 1, 0);
    panel_move(&f.panel, LEFT + EM, 120);
    panel_move(&f.panel, LEFT + 2 * EM, 120);
    field_check(&f, "鍵鍵", 0, 0);
    panel_release(&f.panel, LEFT + 2 * EM, 120);
}

static void press_middle(Field *f, float x) {
    f->panel.pointer = (Vec2){x, 120};
    f->panel.inside = true;
    panel_events(&f->panel,
                 &(InputEvent){.kind = INPUT_BUTTON_DOWN, .button = POINTER_MIDDLE, .clicks = 1},
                 1);
}

/* As on X11: the middle button inserts what the pointer has selected. */
TEST(the_middle_button_pastes_what_was_selected) {
    FIELD(f, "one two");
    panel_press(&f.panel, LEFT + EM / 4, 120, 0, 2);
    assert_null(f.panel.ui.selected);
    panel_release(&f.panel, LEFT + EM / 4, 120);
    assert_non_null(f.panel.ui.selected);
    assert_int_equal(f.panel.ui.selected_bytes, 3);
    assert_memory_equal(f.panel.ui.selected, "one", 3);
    panel_move(&f.panel, LEFT, 500);
    assert_null(f.panel.ui.selected);
    panel_key(&f.panel, KEY_TAB, 0);
    press_middle(&f, LEFT + 4.2f * EM);
    field_check(&f, "one two", 4, 4);
    assert_true(f.panel.ui.wants_selection && f.panel.ui.active == 0);
    panel_text(&f.panel, INPUT_PASTE, "x ");
    field_check(&f, "one x two", 6, 6);
}

TEST(the_pointer_sets_the_caret) {
    FIELD(f, "one two");
    panel_click(&f.panel, LEFT + 3.4f * EM, 120);
    field_check(&f, "one two", 3, 3);
    panel_click(&f.panel, LEFT + 3.6f * EM, 120);
    field_check(&f, "one two", 4, 4);
    panel_click(&f.panel, LEFT + 400, 120);
    field_check(&f, "one two", 7, 7);
    panel_click(&f.panel, LEFT + 0.1f, 120);
    field_check(&f, "one two", 0, 0);
    panel_press(&f.panel, LEFT + 5 * EM, 120, SHIFT, 1);
    field_check(&f, "one two", 0, 5);
}

TEST(the_pointer_never_splits_a_grapheme) {
    char text[256] = "";
    for (size_t i = 0; i < GRAPHEME_COUNT; i++)
        strcat(text, GRAPHEMES[i]);
    strcat(text, "🇩🇪🇫🇷🇮🇹");
    FIELD(f, text);
    bool border[256] = {true};
    field_key(&f, KEY_HOME, 0);
    while (f.edit.caret < strlen(text)) {
        field_key(&f, KEY_RIGHT, 0);
        border[f.edit.caret] = true;
    }
    for (float x = 0; x < 40 * EM; x += EM / 3) {
        panel_click(&f.panel, LEFT + x, 120);
        if (!border[f.edit.caret])
            fail_msg("%.1f px: the caret is inside a grapheme, at byte %zu", (double)x,
                     f.edit.caret);
    }
}

TEST(dragging_selects) {
    FIELD(f, "one two three");
    panel_press(&f.panel, LEFT + 4 * EM, 120, 0, 1);
    panel_move(&f.panel, LEFT + 7 * EM, 120);
    field_check(&f, "one two three", 4, 7);
    panel_move(&f.panel, LEFT + 1 * EM, 300); /* the drag continues outside the field */
    field_check(&f, "one two three", 4, 1);
    panel_release(&f.panel, LEFT + 1 * EM, 300);
    panel_move(&f.panel, LEFT + 9 * EM, 120);
    field_check(&f, "one two three", 4, 1);
}

TEST(two_clicks_take_a_word_and_three_take_all) {
    Field f;
    field_open(&f, "one two three");
    panel_press(&f.panel, LEFT + 5.5f * EM, 120, 0, 2);
    field_check(&f, "one two three", 4, 7);
    panel_move(&f.panel, LEFT + 9 * EM, 120);
    field_check(&f, "one two three", 4, 13);
    panel_move(&f.panel, LEFT + 1 * EM, 120); /* the word where the drag started stays selected */
    field_check(&f, "one two three", 7, 0);
    panel_release(&f.panel, LEFT + 1 * EM, 120);
    panel_press(&f.panel, LEFT + 5.5f * EM, 120, 0, 3);
    field_check(&f, "one two three", 0, 13);
    panel_move(&f.panel, LEFT + 1 * EM, 120);
    assert_int_equal(f.edit.anchor + f.edit.caret, 13);
    panel_release(&f.panel, LEFT + 1 * EM, 120);
    field_close(&f);
    field_open(&f, "");
    panel_press(&f.panel, LEFT + 5, 120, 0, 2);
    field_check(&f, "", 0, 0);
    field_close(&f);
}

static uint64_t serial_of(Field *f, const char *typed) {
    panel_text(&f->panel, INPUT_TEXT, typed);
    return f->serials[(f->changes - 1) % 64];
}

TEST(what_is_typed_in_one_go_is_one_step_of_undo) {
    FIELD(f, "");
    uint64_t a = serial_of(&f, "a"), b = serial_of(&f, "b");
    uint64_t blank = serial_of(&f, " "), c = serial_of(&f, "c");
    assert_true(a == b && b == blank && blank == c);
    field_key(&f, KEY_LEFT, 0);
    uint64_t moved = serial_of(&f, "d");
    assert_true(moved != c);
    panel_click(&f.panel, LEFT, 120);
    uint64_t clicked = serial_of(&f, "e");
    assert_true(clicked != moved);
    panel_text(&f.panel, INPUT_PASTE, "f");
    uint64_t pasted = f.serials[f.changes - 1], after = serial_of(&f, "g");
    assert_true(pasted != clicked && after != pasted);
    field_key(&f, 'a', COMMAND);
    assert_true(serial_of(&f, "h") != after);
    uint64_t typed = serial_of(&f, "i");
    compose(&f, "か", 0, 1);
    compose(&f, "", 0, 0);
    uint64_t composed = serial_of(&f, "可"), behind = serial_of(&f, "j");
    assert_true(composed != typed && behind != composed && serial_of(&f, "k") == behind);
}

TEST(a_long_text_scrolls_so_that_the_caret_shows) {
    FIELD(f, "");
    memset(f.text, 'x', 3000);
    f.text[3000] = '\0';
    field_key(&f, KEY_END, 0);
    Rect caret = f.panel.ui.caret;
    assert_true(caret.x > LEFT + 500 && caret.x <= LEFT + 600);
    field_key(&f, KEY_HOME, 0);
    assert_true(f.panel.ui.caret.x >= LEFT - 2 && f.panel.ui.caret.x < LEFT + 20);
    memset(f.text, 'x', 12000);
    f.text[12000] = '\0';
    field_key(&f, KEY_END, 0);
    caret = f.panel.ui.caret;
    assert_true(caret.x > LEFT + 500 && caret.x <= LEFT + 600);
    f.edit.caret = f.edit.anchor = 6000;
    panel_events(&f.panel, NULL, 0);
    assert_true(f.panel.ui.caret.x >= LEFT && f.panel.ui.caret.x <= LEFT + 600);
}

/* Only a part of a long text is laid out. A change of the part moves nothing on screen. */
TEST(a_click_in_a_long_text_leaves_it_where_it_is) {
    const size_t starts[] = {0, 1000, 2047, 3071, 3072, 5000, 11000, 12000};
    for (size_t i = 0; i < ARRAY_COUNT(starts); i++) {
        FIELD(f, "");
        memset(f.text, 'x', 12000);
        f.text[12000] = '\0';
        field_place(&f, starts[i], starts[i]);
        panel_events(&f.panel, NULL, 0);
        for (int click = 0; click < 40; click++) {
            float x = LEFT + 20 + (float)(click * 37 % 560), caret_was = f.panel.ui.caret.x;
            size_t was = f.edit.caret;
            panel_click(&f.panel, x, 120);
            float moved = ((float)f.edit.caret - (float)was) * EM;
            assert_float_equal(f.panel.ui.caret.x - caret_was, moved, 0.5f);
            assert_true(fabsf(f.panel.ui.caret.x - x) <= EM);
        }
        for (int step = 0; step < 1200; step++) { /* also by key, past the end of the part */
            field_key(&f, KEY_RIGHT, 0);
            assert_true(f.panel.ui.caret.x >= LEFT && f.panel.ui.caret.x <= LEFT + 600);
        }
    }
}

TEST(line_ends_are_seen) {
    const Theme *theme = &THEMES[THEME_DARK];
    FIELD(f, "ab\n\ncd");
    const DrawCommand *first = drawn_text(&f.panel.list, "↵", 0);
    const DrawCommand *second = drawn_text(&f.panel.list, "↵", 1);
    const DrawCommand *after = drawn_text(&f.panel.list, "cd", 0);
    assert_true(first != NULL && second != NULL && after != NULL);
    assert_true(first->as.text.colour == theme->text_3);
    assert_float_equal(first->as.text.at.x, LEFT + 2 * EM, 0.01f);
    assert_float_equal(second->as.text.at.x, LEFT + 3 * EM, 0.01f);
    assert_float_equal(after->as.text.at.x, LEFT + 4 * EM, 0.01f);
    panel_click(&f.panel, LEFT + 3.2f * EM, 120); /* between the two */
    field_check(&f, "ab\n\ncd", 3, 3);
}

TEST(a_drag_held_outside_scrolls_to_the_end) {
    FIELD(f, "");
    memset(f.text, 'x', 200);
    field_key(&f, KEY_HOME, 0);
    panel_press(&f.panel, LEFT + 5 * EM, 120, 0, 1);
    panel_move(&f.panel, LEFT + 640, 120);
    size_t last = f.edit.caret;
    assert_in_range(last, 45, 60);
    for (int i = 0; i < 200 && f.panel.ui.next_time_s < f.panel.time_s + 0.2; i++) {
        f.panel.time_s = f.panel.ui.next_time_s;
        panel_events(&f.panel, NULL, 0);
        assert_true(f.edit.caret > last);
        last = f.edit.caret;
    }
    field_check(&f, f.text, 5, 200);
    panel_release(&f.panel, LEFT + 640, 120);
}

TEST(the_caret_blinks_and_then_rests) {
    FIELD(f, "a");
    Colour ink = THEMES[THEME_DARK].ring;
    int shown = 0, hidden = 0, frames = 0;
    f.panel.ui.reduced_motion = false;
    panel_key(&f.panel, KEY_HOME, 0);
    for (; f.panel.ui.next_time_s < 1000; frames++) {
        f.panel.time_s = f.panel.ui.next_time_s;
        panel_events(&f.panel, NULL, 0);
        if (drawn_fill_at(&f.panel.list, ink, (Vec2){LEFT + 1, 120}))
            shown++;
        else
            hidden++;
    }
    assert_in_range(frames, 15, 25);
    assert_true(abs(shown - hidden) <= 2);
    assert_true(drawn_fill_at(&f.panel.list, ink, (Vec2){LEFT + 1, 120}));
}

TEST(a_text_that_changed_elsewhere_keeps_the_caret_inside) {
    LineEdit edit = {.caret = 9, .anchor = 4};
    line_edit_clamp(&edit, "a鍵", 4);
    assert_int_equal(edit.caret, 4);
    assert_int_equal(edit.anchor, 4);
    edit.caret = 2;
    line_edit_clamp(&edit, "a鍵", 4);
    assert_int_equal(edit.caret, 1);
    line_edit_clamp(&edit, "", 0);
    assert_int_equal(edit.caret, 0);
    assert_int_equal(edit.anchor, 0);
}
