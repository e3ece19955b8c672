#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "support/panel.h"
#include "support/test.h"
#include "ui/number_field.h"

#define X 150 /* inside the field */
#define Y 118

/* A number that takes every step, and the typed text if it is a number. */
typedef struct Desk {
    Panel panel;
    long long value;
    char typed[64]; /* the last text returned by the field */
    int hand_overs, defaults;
    uint64_t serial; /* of the last change */
} Desk;

static void take(Desk *d, const NumberChange *change) {
    switch (change->kind) {
    case NUMBER_NONE:
        return;
    case NUMBER_STEP:
        d->value += change->step;
        break;
    case NUMBER_TYPED:
        d->hand_overs++;
        snprintf(d->typed, sizeof d->typed, "%s", change->text);
        number_parse_int(&d->value, change->text, strlen(change->text));
        break;
    case NUMBER_DEFAULT:
        d->defaults++;
        d->value = 64;
        break;
    case NUMBER_LEAST:
        d->value = 1;
        break;
    case NUMBER_MOST:
        d->value = 4096;
        break;
    }
    d->serial = change->serial;
    d->panel.ui.again = true;
}

static void build(Panel *panel) {
    Desk *d = panel->data;
    char text[32];
    snprintf(text, sizeof text, "%lld", d->value);
    NumberChange change =
        number_field(&panel->ui, 11, (Rect){100, 100, 100, 36}, text, FONT_MONO, false);
    take(d, &change);
    ui_control(&panel->ui, 12, (Rect){100, 200, 100, 36}, 0); /* the next stop of Tab */
}

static void desk_open(Desk *d) {
    *d = (Desk){.value = 64};
    panel_open(&d->panel, build, d);
}

static Desk desk; /* opened for each test */
PANEL_EACH(desk, desk_open)

static void gives(const char *keys, long long value) {
    panel_keys(&desk.panel, keys);
    assert_int_equal(desk.value, value);
}

static void type(Desk *d, const char *text) {
    panel_text(&d->panel, INPUT_TEXT, text);
}

static bool is_typing(const Desk *d) {
    return d->panel.ui.typing == 11;
}

TEST(a_click_begins_to_type_with_all_selected) {
    panel_click(&desk.panel, X, Y);
    assert_true(is_typing(&desk) && desk.panel.ui.wants_text);
    gives("'1' '2' Enter", 12);
    assert_int_equal(desk.hand_overs, 1);
    assert_false(is_typing(&desk));
    assert_non_null(drawn_text(&desk.panel.list, "12", 0));
}

TEST(escape_drops_what_was_typed) {
    panel_click(&desk.panel, X, Y);
    gives("'9' Escape", 64);
    assert_int_equal(desk.hand_overs, 0);
    assert_false(is_typing(&desk));
}

TEST(leaving_the_field_hands_the_text_over) {
    panel_click(&desk.panel, X, Y);
    type(&desk, "7");
    panel_click(&desk.panel, 500, 500);
    assert_int_equal(desk.value, 7);
    panel_click(&desk.panel, X, Y);
    gives("'8' Tab", 8);
    assert_false(is_typing(&desk));
}

TEST(keys_begin_to_type_and_step) {
    gives("Up", 64);
    gives("Tab Up", 65);
    gives("Shift+Down", 55);
    panel_key(&desk.panel, KEY_ENTER, 0);
    assert_true(is_typing(&desk));
    type(&desk, "3");
    panel_key(&desk.panel, KEY_UP, 0); /* now a movement in the text */
    gives("'1' Enter", 13);
}

/* Digits belong to a field that shows the focus, else to the picture. */
TEST(digits_begin_to_type) {
    panel_key(&desk.panel, '6', 0);
    assert_false(is_typing(&desk));
    panel_keys(&desk.panel, "Tab 6");
    assert_true(is_typing(&desk) && desk.panel.ui.wants_text);
    gives("'5' Enter", 65);
    assert_int_equal(desk.panel.ui.focus, 11); /* Tab goes on from here */
    panel_click(&desk.panel, X, Y);
    panel_keys(&desk.panel, "'7' Enter");
    assert_int_equal(desk.panel.ui.focus, 0);
    gives("End 6", 7);
    panel_key(&desk.panel, KEY_TAB, 0);
    assert_int_equal(desk.panel.ui.focus, 12);
}

TEST(home_and_end_go_to_the_ends_of_the_range) {
    gives("End", 64);
    gives("Tab End", 4096);
    gives("Home", 1);
    panel_key(&desk.panel, KEY_ENTER, 0);
    panel_key(&desk.panel, KEY_HOME, 0); /* now a movement of the caret */
    gives("'2' End '3' Enter", 213);
}

/* If frames are slower than the key repeat, several presses arrive in one frame. */
TEST(no_key_of_a_frame_is_lost) {
    panel_key(&desk.panel, KEY_TAB, 0);
    const InputEvent keys[] = {{.kind = INPUT_KEY, .key = KEY_UP},
                               {.kind = INPUT_KEY, .key = KEY_UP},
                               {.kind = INPUT_KEY, .key = KEY_UP},
                               {.kind = INPUT_KEY, .key = KEY_PAGE_DOWN},
                               {.kind = INPUT_KEY, .key = KEY_PAGE_DOWN}};
    panel_events(&desk.panel, keys, 5);
    assert_int_equal(desk.value, 64 + 3 - 20);
    const InputEvent tabs[] = {{.kind = INPUT_KEY, .key = KEY_TAB},
                               {.kind = INPUT_KEY, .key = KEY_TAB}};
    panel_events(&desk.panel, tabs, 2); /* to the other control, and back to this one */
    assert_int_equal(desk.panel.ui.focus, 11);
}

TEST(a_drag_steps_and_does_not_type) {
    panel_press(&desk.panel, X, Y, 0, 1);
    panel_move(&desk.panel, X + 2, Y); /* not yet a drag */
    assert_int_equal(desk.value, 64);
    panel_move(&desk.panel, X + 17, Y);
    assert_int_equal(desk.value, 66);
    uint64_t serial = desk.serial;
    panel_move(&desk.panel, X + 17, Y);
    assert_int_equal(desk.value, 66);
    panel_move(&desk.panel, X + 400, Y - 80); /* up counts too, outside the field as well */
    assert_int_equal(desk.value, 64 + 60);
    panel_move(&desk.panel, X - 16, Y);
    assert_int_equal(desk.value, 62);
    assert_true(desk.serial == serial && serial != 0);
    panel_release(&desk.panel, X - 16, Y);
    assert_false(is_typing(&desk));
    panel_press(&desk.panel, X, Y, 0, 1);
    panel_move(&desk.panel, X + 8, Y);
    assert_true(desk.serial != serial);
    panel_release(&desk.panel, X + 8, Y);
}

TEST(after_a_drag_enter_types) {
    panel_press(&desk.panel, X, Y, 0, 1);
    panel_move(&desk.panel, X + 24, Y);
    panel_release(&desk.panel, X + 24, Y);
    assert_int_equal(desk.value, 67);
    panel_key(&desk.panel, KEY_ENTER, 0);
    assert_true(is_typing(&desk));
}

TEST(the_wheel_steps_where_it_hovers) {
    panel_wheel(&desk.panel, X, Y, 1, 0);
    panel_wheel(&desk.panel, X, Y, 2, 0);
    assert_int_equal(desk.value, 67);
    panel_wheel(&desk.panel, X, Y, -1, KEY_MOD_SHIFT);
    assert_int_equal(desk.value, 57);
    panel_wheel(&desk.panel, 500, 500, 1, 0);
    assert_int_equal(desk.value, 57);
}

/* A double click as a user makes it: two presses, each released. */
TEST(a_double_click_is_the_default) {
    desk.value = 99;
    panel_click(&desk.panel, X, Y);
    panel_press(&desk.panel, X, Y, 0, 2);
    panel_release(&desk.panel, X, Y);
    assert_int_equal(desk.defaults, 1);
    assert_int_equal(desk.value, 64);
    assert_false(is_typing(&desk));
    panel_key(&desk.panel, KEY_ENTER, 0);
    assert_true(is_typing(&desk));
}

TEST(a_double_click_in_typed_text_selects) {
    panel_click(&desk.panel, X, Y);
    type(&desk, "12");
    panel_press(&desk.panel, 112, Y, 0, 2);
    panel_release(&desk.panel, 112, Y);
    assert_int_equal(desk.defaults, 0);
    assert_true(is_typing(&desk));
    gives("'5' Enter", 5);
}

TEST(what_is_cut_reaches_the_clipboard) {
    desk.value = 123;
    panel_click(&desk.panel, X, Y);
    panel_key(&desk.panel, 'x', KEY_MOD_COMMAND);
    assert_int_equal(desk.panel.ui.copied_bytes, 3);
    assert_memory_equal(desk.panel.ui.copied, "123", 3);
    panel_key(&desk.panel, 'v', KEY_MOD_COMMAND);
    assert_true(desk.panel.ui.wants_paste);
}

TEST(hostile_text_is_taken_in_whole_characters) {
    panel_click(&desk.panel, X, Y);
    const InputEvent odd[] = {{.kind = INPUT_PASTE, .text = "1\0002\xFF\xE9", .text_bytes = 5},
                              {.kind = INPUT_KEY, .key = KEY_LEFT},
                              {.kind = INPUT_KEY, .key = KEY_BACKSPACE}};
    panel_events(&desk.panel, odd, 3);
    assert_string_equal(desk.panel.ui.typed, "1\uFFFD2\uFFFD");
    char lots[400] = "";
    for (int i = 0; i < 90; i++)
        strcat(lots, "鍵");
    panel_text(&desk.panel, INPUT_PASTE, lots);
    panel_text(&desk.panel, INPUT_TEXT, lots);
    assert_true(strlen(desk.panel.ui.typed) >= sizeof desk.panel.ui.typed - 3);
    panel_keys(&desk.panel, "Home Ctrl+Delete Enter");
    assert_int_equal(desk.hand_overs, 1);
}
