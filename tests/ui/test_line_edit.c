#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "support/panel.h"
#include "ui/line_edit.h"

#define SIZE    20
#define EM      (SIZE * 0.6f) /* the width of one code point */
#define LEFT    50
#define COMMAND KEY_MOD_COMMAND
#define SHIFT   KEY_MOD_SHIFT

/* A field whose owner keeps its text here. */
typedef struct Field {
    Panel panel;
    LineEdit edit;
    char text[16384];
    uint64_t serials[64]; /* of the changes, in order */
    int changes;
    LineAction last; /* that was neither none nor a change */
} Field;

static void apply(Field *f, const LineChange *change) {
    size_t size = strlen(f->text);
    assert_true(change->from <= change->to && change->to <= size);
    assert_true(size + change->bytes < sizeof f->text);
    memmove(f->text + change->from + change->bytes, f->text + change->to, size - change->to + 1);
    memcpy(f->text + change->from, change->insert, change->bytes);
    line_edit_changed(&f->edit, change);
    f->serials[f->changes++ % 64] = change->serial;
}

static void build(Panel *panel) {
    Field *f = panel->data;
    Rect rect = {LEFT, 100, 600, 40};
    UiState state = ui_control(&panel->ui, 7, rect, UI_NO_KEYS);
    LineChange change;
    LineAction action = LINE_NONE;
    while (panel->ui.focus == 7 &&
           (action = line_edit_next(&panel->ui, &f->edit, f->text, strlen(f->text), &change)) ==
               LINE_CHANGE)
        apply(f, &change);
    if (action != LINE_NONE)
        f->last = action;
    line_edit_draw(&panel->ui, &f->edit, rect, state, FONT_SANS, SIZE, f->text, strlen(f->text));
}

/* A field in focus, its caret at the end. */
static void field_open(Field *f, const char *text) {
    memset(f, 0, sizeof *f);
    snprintf(f->text, sizeof f->text, "%s", text);
    panel_open(&f->panel, build, f);
    ui_focus(&f->panel.ui, 7);
    f->edit.caret = f->edit.anchor = strlen(text);
    panel_events(&f->panel, NULL, 0);
}

static void field_close(Field *f) {
    panel_close(&f->panel);
}

static void key(Field *f, uint32_t code, unsigned mods) {
    panel_key(&f->panel, code, mods);
}

static void place(Field *f, size_t anchor, size_t caret) {
    f->edit.anchor = anchor;
    f->edit.caret = caret;
}

static void check(const Field *f, const char *text, size_t anchor, size_t caret) {
    assert_string_equal(f->text, text);
    assert_int_equal(f->edit.anchor, anchor);
    assert_int_equal(f->edit.caret, caret);
}

static void typed_text_goes_in_at_the_caret(void **state) {
    (void)state;
    Field f;
    field_open(&f, "ac");
    place(&f, 1, 1);
    panel_text(&f.panel, INPUT_TEXT, "b");
    check(&f, "abc", 2, 2);
    place(&f, 0, 2);
    panel_text(&f.panel, INPUT_TEXT, "é");
    check(&f, "éc", 2, 2);
    panel_text(&f.panel, INPUT_PASTE, "two words");
    check(&f, "étwo wordsc", 11, 11);
    field_close(&f);
}

/* One grapheme each: a letter with two marks, a family of three with joiners, a flag, a syllable
 * of Hangul letters, an emoji with a skin tone. */
static const char *const GRAPHEMES[] = {
    "e\u0301\u0323", "👩\u200D👩\u200D👧", "🇩🇪", "\u1112\u1161\u11AB", "👍🏽", "ñ", "x"};

static void the_caret_moves_by_graphemes(void **state) {
    (void)state;
    char text[256] = "";
    size_t borders[ARRAY_COUNT(GRAPHEMES) + 1] = {0};
    for (size_t i = 0; i < ARRAY_COUNT(GRAPHEMES); i++) {
        strcat(text, GRAPHEMES[i]);
        borders[i + 1] = strlen(text);
    }
    Field f;
    field_open(&f, text);
    for (size_t i = ARRAY_COUNT(GRAPHEMES); i > 0; i--) {
        key(&f, KEY_LEFT, 0);
        check(&f, text, borders[i - 1], borders[i - 1]);
    }
    key(&f, KEY_LEFT, 0);
    check(&f, text, 0, 0);
    for (size_t i = 1; i <= ARRAY_COUNT(GRAPHEMES); i++) {
        key(&f, KEY_RIGHT, SHIFT);
        check(&f, text, 0, borders[i]);
    }
    key(&f, KEY_RIGHT, SHIFT);
    check(&f, text, 0, strlen(text));
    field_close(&f);
}

static void backspace_and_delete_take_whole_graphemes(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(GRAPHEMES); i++) {
        char text[64];
        Field f;
        snprintf(text, sizeof text, "a%sb", GRAPHEMES[i]);
        field_open(&f, text);
        place(&f, 1, 1);
        key(&f, KEY_DELETE, 0);
        check(&f, "ab", 1, 1);
        field_close(&f);
        field_open(&f, text);
        key(&f, KEY_LEFT, 0);
        key(&f, KEY_BACKSPACE, 0);
        check(&f, "ab", 1, 1);
        field_close(&f);
    }
}

static void deleting_at_the_ends_takes_nothing(void **state) {
    (void)state;
    Field f;
    field_open(&f, "ab");
    key(&f, KEY_DELETE, 0);
    key(&f, KEY_DELETE, COMMAND);
    check(&f, "ab", 2, 2);
    place(&f, 0, 0);
    key(&f, KEY_BACKSPACE, 0);
    key(&f, KEY_BACKSPACE, COMMAND);
    check(&f, "ab", 0, 0);
    field_close(&f);
    field_open(&f, "");
    key(&f, KEY_BACKSPACE, 0);
    key(&f, KEY_DELETE, 0);
    key(&f, KEY_LEFT, COMMAND);
    key(&f, KEY_RIGHT, COMMAND);
    check(&f, "", 0, 0);
    field_close(&f);
}

static void deleting_takes_the_selection(void **state) {
    (void)state;
    static const struct {
        uint32_t key;
        unsigned mods;
    } keys[] = {{KEY_BACKSPACE, 0},       {KEY_BACKSPACE, SHIFT}, {KEY_DELETE, 0},
                {KEY_BACKSPACE, COMMAND}, {KEY_DELETE, COMMAND},  {KEY_BACKSPACE, KEY_MOD_ALT},
                {KEY_DELETE, KEY_MOD_ALT}};
    for (size_t i = 0; i < ARRAY_COUNT(keys); i++) {
        Field f;
        field_open(&f, "one two three");
        place(&f, 7, 4);
        key(&f, keys[i].key, keys[i].mods);
        check(&f, "one  three", 4, 4);
        field_close(&f);
    }
}

static void words_are_moved_over_and_deleted(void **state) {
    (void)state;
    const char *text = "the animal didn't, naïve 鍵";
    Field f;
    field_open(&f, text);
    size_t last = strlen(text);
    key(&f, KEY_LEFT, COMMAND);
    assert_int_equal(f.edit.caret, last - strlen("鍵"));
    key(&f, KEY_LEFT, KEY_MOD_ALT);
    assert_int_equal(f.edit.caret, strlen("the animal didn't, "));
    key(&f, KEY_LEFT, COMMAND);
    assert_int_equal(f.edit.caret, strlen("the animal didn't"));
    key(&f, KEY_LEFT, COMMAND);
    assert_int_equal(f.edit.caret, strlen("the animal "));
    key(&f, KEY_RIGHT, COMMAND);
    assert_int_equal(f.edit.caret, strlen("the animal didn't"));
    key(&f, KEY_LEFT, COMMAND | SHIFT);
    check(&f, text, strlen("the animal didn't"), strlen("the animal "));
    key(&f, KEY_HOME, 0);
    key(&f, KEY_DELETE, COMMAND);
    check(&f, "animal didn't, naïve 鍵", 0, 0);
    key(&f, KEY_END, 0);
    key(&f, KEY_BACKSPACE, KEY_MOD_ALT);
    assert_string_equal(f.text, "animal didn't, naïve ");
    key(&f, KEY_BACKSPACE, COMMAND);
    assert_string_equal(f.text, "animal didn't, ");
    field_close(&f);
}

static void ends_are_reached_by_several_keys(void **state) {
    (void)state;
    Field f;
    field_open(&f, "one two");
    key(&f, KEY_HOME, 0);
    check(&f, "one two", 0, 0);
    key(&f, KEY_END, SHIFT);
    check(&f, "one two", 0, 7);
    key(&f, KEY_UP, 0);
    check(&f, "one two", 0, 0);
    key(&f, KEY_DOWN, SHIFT);
    check(&f, "one two", 0, 7);
    field_close(&f);
}

/* An arrow without Shift goes to the selection's end on its side, wherever the caret is in it. */
static void an_arrow_lets_go_of_a_selection_at_its_end(void **state) {
    (void)state;
    static const char *const texts[] = {"one two", "👩\u200D👩\u200D👧👩\u200D👩\u200D👧"};
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        size_t size = strlen(texts[i]);
        static const size_t ends[][2] = {{0, 7}, {7, 0}};
        for (size_t way = 0; way < 2; way++) {
            size_t anchor = ends[way][0] * size / 7, caret = ends[way][1] * size / 7;
            Field f;
            field_open(&f, texts[i]);
            place(&f, anchor, caret);
            key(&f, KEY_LEFT, 0);
            check(&f, texts[i], 0, 0);
            place(&f, anchor, caret);
            key(&f, KEY_RIGHT, 0);
            check(&f, texts[i], size, size);
            field_close(&f);
        }
    }
    Field f;
    field_open(&f, "abcdef");
    place(&f, 5, 1); /* the caret is one from the start */
    key(&f, KEY_LEFT, 0);
    check(&f, "abcdef", 1, 1);
    place(&f, 1, 5);
    key(&f, KEY_RIGHT, 0);
    check(&f, "abcdef", 5, 5);
    field_close(&f);
}

static void a_word_movement_starts_at_the_caret_not_at_the_selection(void **state) {
    (void)state;
    Field f;
    field_open(&f, "go on up");
    place(&f, 0, 5);
    key(&f, KEY_LEFT, COMMAND);
    check(&f, "go on up", 3, 3);
    place(&f, 8, 3);
    key(&f, KEY_RIGHT, COMMAND);
    check(&f, "go on up", 6, 6);
    field_close(&f);
}

static void the_clipboard_is_served(void **state) {
    (void)state;
    Field f;
    field_open(&f, "one two");
    key(&f, 'a', COMMAND);
    check(&f, "one two", 0, 7);
    place(&f, 4, 7);
    panel_events(&f.panel, &(InputEvent){.kind = INPUT_KEY, .key = 'c', .mods = COMMAND}, 1);
    assert_int_equal(f.panel.ui.copied_bytes, 3);
    assert_memory_equal(f.panel.ui.copied, "two", 3);
    key(&f, 'v', COMMAND);
    assert_int_equal(f.last, LINE_PASTE);
    place(&f, 0, 4);
    key(&f, 'x', COMMAND);
    check(&f, "two", 0, 0);
    f.changes = 0;
    key(&f, 'x', COMMAND); /* nothing is selected */
    assert_int_equal(f.changes, 0);
    field_close(&f);
}

static void enter_and_escape_are_told(void **state) {
    (void)state;
    Field f;
    field_open(&f, "one");
    key(&f, KEY_ENTER, 0);
    assert_int_equal(f.last, LINE_ENTER);
    key(&f, KEY_ESCAPE, 0);
    assert_int_equal(f.last, LINE_ESCAPE);
    check(&f, "one", 3, 3);
    field_close(&f);
}

/* What a slow frame collects is done in the order in which it was typed. */
static void events_of_one_frame_keep_their_order(void **state) {
    (void)state;
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
    Field f;
    field_open(&f, "");
    panel_events(&f.panel, events, (int)ARRAY_COUNT(events));
    check(&f, "cdb", 3, 2);
    assert_int_equal(f.last, LINE_ENTER);
    assert_memory_equal(f.panel.ui.copied, "b", 1);
    field_close(&f);
}

static void keys_of_no_concern_are_left(void **state) {
    (void)state;
    Field f;
    field_open(&f, "one");
    key(&f, 'z', COMMAND);
    assert_false(f.panel.ui.used[0]);
    key(&f, KEY_F11, 0);
    assert_false(f.panel.ui.used[0]);
    key(&f, KEY_LEFT, 0);
    assert_true(f.panel.ui.used[0]);
    field_close(&f);
}

static void while_composing_keys_are_the_input_methods(void **state) {
    (void)state;
    Field f;
    field_open(&f, "ab");
    panel_text(&f.panel, INPUT_COMPOSE, "か");
    assert_string_equal(f.edit.composing, "か");
    assert_non_null(drawn_text(&f.panel.list, "か", 0));
    f.last = LINE_NONE;
    key(&f, KEY_BACKSPACE, 0);
    key(&f, KEY_LEFT, 0);
    key(&f, KEY_ENTER, 0);
    key(&f, KEY_ESCAPE, 0);
    check(&f, "ab", 2, 2);
    assert_int_equal(f.last, LINE_NONE);
    panel_text(&f.panel, INPUT_TEXT, "漢");
    panel_text(&f.panel, INPUT_COMPOSE, "");
    check(&f, "ab漢", 5, 5);
    key(&f, KEY_BACKSPACE, 0);
    check(&f, "ab", 2, 2);
    field_close(&f);
}

static void composing_is_cut_at_a_character_and_repaired(void **state) {
    (void)state;
    Field f;
    char text[128] = "";
    for (int i = 0; i < 40; i++)
        strcat(text, "漢");
    field_open(&f, "");
    panel_text(&f.panel, INPUT_COMPOSE, text);
    assert_true(strlen(f.edit.composing) % 3 == 0 && strlen(f.edit.composing) > 30);
    panel_text(&f.panel, INPUT_COMPOSE, "a\xFF");
    assert_string_equal(f.edit.composing, "a\uFFFD");
    field_close(&f);
}

static void the_pointer_sets_the_caret(void **state) {
    (void)state;
    Field f;
    field_open(&f, "one two");
    panel_click(&f.panel, LEFT + 3.4f * EM, 120);
    check(&f, "one two", 3, 3);
    panel_click(&f.panel, LEFT + 3.6f * EM, 120);
    check(&f, "one two", 4, 4);
    panel_click(&f.panel, LEFT + 400, 120);
    check(&f, "one two", 7, 7);
    panel_click(&f.panel, LEFT + 0.1f, 120);
    check(&f, "one two", 0, 0);
    panel_press(&f.panel, LEFT + 5 * EM, 120, SHIFT, 1);
    check(&f, "one two", 0, 5);
    field_close(&f);
}

static void the_pointer_never_splits_a_grapheme(void **state) {
    (void)state;
    char text[256] = "";
    for (size_t i = 0; i < ARRAY_COUNT(GRAPHEMES); i++)
        strcat(text, GRAPHEMES[i]);
    strcat(text, "🇩🇪🇫🇷🇮🇹");
    Field f;
    field_open(&f, text);
    bool border[256] = {true};
    key(&f, KEY_HOME, 0);
    while (f.edit.caret < strlen(text)) {
        key(&f, KEY_RIGHT, 0);
        border[f.edit.caret] = true;
    }
    for (float x = 0; x < 40 * EM; x += EM / 3) {
        panel_click(&f.panel, LEFT + x, 120);
        if (!border[f.edit.caret])
            fail_msg("%.1f px: the caret is inside a grapheme, at byte %zu", (double)x,
                     f.edit.caret);
    }
    field_close(&f);
}

static void dragging_selects(void **state) {
    (void)state;
    Field f;
    field_open(&f, "one two three");
    panel_press(&f.panel, LEFT + 4 * EM, 120, 0, 1);
    panel_move(&f.panel, LEFT + 7 * EM, 120);
    check(&f, "one two three", 4, 7);
    panel_move(&f.panel, LEFT + 1 * EM, 300); /* outside the field the drag goes on */
    check(&f, "one two three", 4, 1);
    panel_release(&f.panel, LEFT + 1 * EM, 300);
    panel_move(&f.panel, LEFT + 9 * EM, 120);
    check(&f, "one two three", 4, 1);
    field_close(&f);
}

static void two_clicks_take_a_word_and_three_take_all(void **state) {
    (void)state;
    Field f;
    field_open(&f, "one two three");
    panel_press(&f.panel, LEFT + 5.5f * EM, 120, 0, 2);
    check(&f, "one two three", 4, 7);
    panel_move(&f.panel, LEFT + 9 * EM, 120);
    check(&f, "one two three", 4, 13);
    panel_move(&f.panel, LEFT + 1 * EM, 120); /* the word it began with stays selected */
    check(&f, "one two three", 7, 0);
    panel_release(&f.panel, LEFT + 1 * EM, 120);
    panel_press(&f.panel, LEFT + 5.5f * EM, 120, 0, 3);
    check(&f, "one two three", 0, 13);
    panel_move(&f.panel, LEFT + 1 * EM, 120);
    assert_int_equal(f.edit.anchor + f.edit.caret, 13);
    panel_release(&f.panel, LEFT + 1 * EM, 120);
    field_close(&f);
    field_open(&f, "");
    panel_press(&f.panel, LEFT + 5, 120, 0, 2);
    check(&f, "", 0, 0);
    field_close(&f);
}

static uint64_t serial_of(Field *f, const char *typed) {
    panel_text(&f->panel, INPUT_TEXT, typed);
    return f->serials[(f->changes - 1) % 64];
}

static void a_typed_word_is_one_step_of_undo(void **state) {
    (void)state;
    Field f;
    field_open(&f, "");
    uint64_t a = serial_of(&f, "a"), b = serial_of(&f, "b");
    uint64_t blank = serial_of(&f, " "), c = serial_of(&f, "c");
    assert_true(a == b && b != blank && blank == c);
    key(&f, KEY_LEFT, 0);
    uint64_t moved = serial_of(&f, "d");
    assert_true(moved != c);
    panel_click(&f.panel, LEFT, 120);
    uint64_t clicked = serial_of(&f, "e");
    assert_true(clicked != moved);
    panel_text(&f.panel, INPUT_PASTE, "f");
    uint64_t pasted = f.serials[f.changes - 1], after = serial_of(&f, "g");
    assert_true(pasted != clicked && after != pasted);
    key(&f, 'a', COMMAND);
    assert_true(serial_of(&f, "h") != after);
    field_close(&f);
}

static void a_long_text_scrolls_so_that_the_caret_shows(void **state) {
    (void)state;
    Field f;
    field_open(&f, "");
    memset(f.text, 'x', 3000);
    f.text[3000] = '\0';
    key(&f, KEY_END, 0);
    Rect caret = f.panel.ui.caret;
    assert_true(caret.x > LEFT + 500 && caret.x <= LEFT + 600);
    key(&f, KEY_HOME, 0);
    assert_true(f.panel.ui.caret.x >= LEFT - 2 && f.panel.ui.caret.x < LEFT + 20);
    memset(f.text, 'x', 12000);
    f.text[12000] = '\0';
    key(&f, KEY_END, 0);
    caret = f.panel.ui.caret;
    assert_true(caret.x > LEFT + 500 && caret.x <= LEFT + 600);
    f.edit.caret = f.edit.anchor = 6000;
    panel_events(&f.panel, NULL, 0);
    assert_true(f.panel.ui.caret.x >= LEFT && f.panel.ui.caret.x <= LEFT + 600);
    field_close(&f);
}

static void the_caret_blinks_and_then_rests(void **state) {
    (void)state;
    Field f;
    field_open(&f, "a");
    Colour ink = THEMES[THEME_DARK].ring;
    int shown = 0, hidden = 0, frames = 0;
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
    field_close(&f);
}

static void a_text_that_changed_elsewhere_keeps_the_caret_inside(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_text_goes_in_at_the_caret),
        cmocka_unit_test(the_caret_moves_by_graphemes),
        cmocka_unit_test(backspace_and_delete_take_whole_graphemes),
        cmocka_unit_test(deleting_at_the_ends_takes_nothing),
        cmocka_unit_test(deleting_takes_the_selection),
        cmocka_unit_test(words_are_moved_over_and_deleted),
        cmocka_unit_test(ends_are_reached_by_several_keys),
        cmocka_unit_test(an_arrow_lets_go_of_a_selection_at_its_end),
        cmocka_unit_test(a_word_movement_starts_at_the_caret_not_at_the_selection),
        cmocka_unit_test(the_clipboard_is_served),
        cmocka_unit_test(enter_and_escape_are_told),
        cmocka_unit_test(events_of_one_frame_keep_their_order),
        cmocka_unit_test(keys_of_no_concern_are_left),
        cmocka_unit_test(while_composing_keys_are_the_input_methods),
        cmocka_unit_test(composing_is_cut_at_a_character_and_repaired),
        cmocka_unit_test(the_pointer_sets_the_caret),
        cmocka_unit_test(the_pointer_never_splits_a_grapheme),
        cmocka_unit_test(dragging_selects),
        cmocka_unit_test(two_clicks_take_a_word_and_three_take_all),
        cmocka_unit_test(a_typed_word_is_one_step_of_undo),
        cmocka_unit_test(a_long_text_scrolls_so_that_the_caret_shows),
        cmocka_unit_test(the_caret_blinks_and_then_rests),
        cmocka_unit_test(a_text_that_changed_elsewhere_keeps_the_caret_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
