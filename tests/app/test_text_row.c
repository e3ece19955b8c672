/* The token field: a typed letter is in the next picture. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "draw/theme.h"
#include "support/script.h"
#include "support/test.h"
#include "text/tokenizer.h"

#define COMMAND KEY_MOD_COMMAND

TEST_IN(typing_changes_tokens_and_weights_in_the_same_frame, script_open, "") {
    assert_int_equal(drawn_cells(&s->list, 0)->rows, 12);
    script_play(s, "Ctrl+L 'cat sat' :{cat sat}");
    assert_int_equal(drawn_cells(&s->list, 0)->rows, 2);
    uint64_t hash = drawn_cells(&s->list, 0)->hash;
    script_play(s, "{cat sat} 's'");
    assert_int_equal(drawn_cells(&s->list, 0)->rows, 2);
    assert_true(drawn_cells(&s->list, 0)->hash != hash);
    script_keys(s, "Backspace");
    assert_true(drawn_cells(&s->list, 0)->hash == hash);
}

TEST_IN(the_field_is_entered_and_left_by_key, script_open, "") {
    script_play(s, "-!typing 'lost'");
    assert_string_equal(script_sentence(s), SESSION_TEXT_STANDARD);
    static const uint32_t leave[] = {KEY_ESCAPE, KEY_ENTER};
    for (size_t i = 0; i < ARRAY_COUNT(leave); i++) {
        script_play(s, "Ctrl+L !typing");
        assert_true(app_effects(s->app)->text_caret.x > 184);
        script_key(s, leave[i], 0);
        script_play(s, "-!typing {animal}");
    }
}

TEST_IN(a_click_behind_the_chips_puts_the_caret_at_the_end, script_open, "text=one%20two") {
    Vec2 two = script_chip(s, "two");
    script_click(s, (Vec2){two.x + 200, two.y});
    script_play(s, "!typing '!' :{one two!}");
}

TEST_IN(a_click_between_two_chips_selects_nothing, script_open,
        "text=a%20long%20first%20sentence%20of%20many%20words%20and%20more") {
    Rect gap = {0};
    Vec2 first = script_chip(s, "long");
    for (float x = first.x; x < first.x + 120; x += 1) {
        script_move(s, (Vec2){x, first.y});
        if (app_effects(s->app)->cursor == CURSOR_TEXT) {
            gap = (Rect){x + 2, first.y, 1, 1};
            break;
        }
    }
    assert_true(gap.w > 0);
    script_click(s, (Vec2){gap.x, gap.y});
    script_play(s, "!typing '!' :{a long first sentence of many words and more!}");
}

TEST_IN(a_chip_is_pinned_by_a_click_and_edited_by_two, script_open,
        "text=one%20two%20three&pin=1,1") {
    script_click(s, script_chip(s, "two"));
    assert_true(script_state_has(s, "pin=2,1"));
    script_click_with(s, script_chip(s, "three"), KEY_MOD_SHIFT);
    assert_true(script_state_has(s, "pin=2,3"));
    script_double_click(s, script_chip(s, "one"));
    script_play(s, "!typing '1' :{1 two three}");
}

/* Without a pin the other end is the open key with the largest weight. */
TEST_IN(a_chip_without_a_pin_takes_the_key_it_reads_most, script_open, "mask=causal") {
    script_click(s, script_chip(s, "cross"));
    const DrawCells *cells = drawn_cells(&s->list, 0);
    int best = 0;
    for (int j = 1; j < 12; j++)
        if (cells->values[4 * cells->stride + j] > cells->values[4 * cells->stride + best])
            best = j;
    assert_in_range(best, 0, 4);
    assert_int_equal(app_session(s->app)->options.pin.first, 5);
    assert_int_equal(app_session(s->app)->options.pin.second, best + 1);
}

TEST_IN(hovering_a_chip_lights_its_row, script_open, "") {
    int before = drawn_curves(&s->list, THEMES[THEME_DARK].heads[0]);
    script_move(s, script_chip(s, "cross"));
    assert_true(drawn_curves(&s->list, THEMES[THEME_DARK].heads[0]) > before);
    script_move(s, (Vec2){864, 1075});
    assert_int_equal(drawn_curves(&s->list, THEMES[THEME_DARK].heads[0]), before);
}

TEST_IN(too_many_chips_scroll, script_open,
        "text=aaaaaaaaaa%20bbbbbbbbbb%20cccccccccc%20dddddddddd%20eeeeeeeeee%20"
        "ffffffffff%20gggggggggg%20hhhhhhhhhh%20iiiiiiiiii%20jjjjjjjjjj%20last") {
    Vec2 over = script_chip(s, "bbbbbbbbbb");
    script_wheel(s, over, -100, 0);
    Vec2 end = script_chip(s, "last");
    assert_true(end.x > 1000 && end.x < 1640);
    script_wheel(s, over, 100, 0);
    Vec2 back = script_chip(s, "bbbbbbbbbb");
    assert_float_equal(back.x, over.x, 1e-2);
}

TEST(a_text_too_long_is_refused_and_nothing_lost) {
    size_t bytes = 2u << 20;
    LOCAL(free_at) char *lots = malloc(bytes);
    assert_non_null(lots);
    memset(lots, 'a', bytes);
    SCRIPT(s, script_open, "text=kept");
    script_keys(&s, "Ctrl+L End");
    script_paste(&s, lots, bytes);
    script_play(&s, ":{kept} {The pasted text is longer than 1 MiB*}");
    script_paste(&s, lots, TOKEN_TEXT_MAX - 3); /* too long together with the existing text */
    script_play(&s, ":{kept} {text: would be*}");
    script_paste(&s, "!", 1);
    script_play(&s, ":{kept!} Ctrl+A");
    script_paste(&s, "", 0); /* a clipboard that is too large arrives empty */
    script_play(&s, ":{kept!} {The clipboard has no text*}");
}

TEST_IN(malformed_text_is_repaired_and_that_is_said, script_open, "") {
    script_keys(s, "Ctrl+L");
    script_paste(s, "a\xFF\nb\0c", 6);
    assert_string_equal(script_sentence(s), "a\uFFFD b\uFFFDc");
    script_play(s, "{2 bytes that are not UTF-8*} 'd'"); /* the caret is after the pasted text */
    assert_string_equal(script_sentence(s), "a\uFFFD b\uFFFDcd");
    script_type(s, "\xC3");
    assert_string_equal(script_sentence(s), "a\uFFFD b\uFFFDcd\uFFFD");
    assert_true(script_says_first(s, "1 byte that is not UTF-8"));
}

TEST_IN(what_is_typed_in_one_go_is_undone_at_once, script_open, "text=start") {
    script_keys(s, "Ctrl+L End");
    static const char *const letters[] = {" ", "o", "n", "e", " ", "t", "w", "o"};
    for (size_t i = 0; i < ARRAY_COUNT(letters); i++)
        script_type(s, letters[i]);
    script_play(s, "Left 'o' Ctrl+Z -~pin= " /* the arrow moved the caret alone */
                   ":{start one two} Ctrl+Z :{start} Ctrl+Shift+Z :{start one two}");
}

/* Typing, leaving and typing over it all are two steps. */
TEST_IN(coming_back_to_the_field_begins_a_new_step, script_open, "text=start") {
    script_play(s, "Ctrl+L 'one' Escape Ctrl+L 'two' Ctrl+Z :{one}");
}

TEST_IN(the_clipboard_goes_both_ways, script_open, "text=one%20two") {
    script_keys(s, "Ctrl+L Ctrl+C");
    assert_int_equal(app_effects(s->app)->clipboard_bytes, 7);
    assert_memory_equal(app_effects(s->app)->clipboard, "one two", 7);
    script_frame(s);
    assert_null(app_effects(s->app)->clipboard);
    script_play(s, "Ctrl+V !paste");
    script_paste(s, "pasted", 6);
    script_play(s, ":{pasted} Ctrl+A Ctrl+X");
    assert_memory_equal(app_effects(s->app)->clipboard, "pasted", 6);
    assert_string_equal(script_sentence(s), "");
}

static void press_middle(Script *s, Vec2 at) {
    script_move(s, at);
    script_events(
        s, &(InputEvent){.kind = INPUT_BUTTON_DOWN, .button = POINTER_MIDDLE, .clicks = 1}, 1);
}

/* On the chips at the end of the text, in the line under the pointer. */
TEST_IN(the_middle_button_pastes_what_is_selected_anywhere, script_open, "text=one%20two") {
    press_middle(s, (Vec2){600, 32});
    assert_true(app_effects(s->app)->want_selection && !app_effects(s->app)->want_paste);
    script_paste(s, " three", 6);
    assert_string_equal(script_sentence(s), "one two three");
    assert_false(app_effects(s->app)->want_selection);
    script_double_click(s, (Vec2){200, 32});
    assert_int_equal(app_effects(s->app)->selection_bytes, 3);
    assert_memory_equal(app_effects(s->app)->selection, "one", 3);
    script_frame(s);
    assert_null(app_effects(s->app)->selection);
    press_middle(s, (Vec2){900, 500}); /* a place without text */
    assert_false(app_effects(s->app)->want_selection);
}

/* A copy is made before the text it points into is replaced in the same frame. */
TEST_IN(a_copy_outlives_the_text_it_was_copied_from, script_open, "text=one") {
    script_keys(s, "Ctrl+L 'tw'");
    const InputEvent events[] = {{.kind = INPUT_TEXT, .text = "o", .text_bytes = 1},
                                 {.kind = INPUT_KEY, .key = 'a', .mods = COMMAND},
                                 {.kind = INPUT_KEY, .key = 'c', .mods = COMMAND},
                                 {.kind = INPUT_TEXT, .text = "x", .text_bytes = 1},
                                 {.kind = INPUT_TEXT, .text = "y", .text_bytes = 1}};
    script_events(s, events, (int)ARRAY_COUNT(events));
    assert_int_equal(app_effects(s->app)->clipboard_bytes, 3);
    assert_memory_equal(app_effects(s->app)->clipboard, "two", 3);
    assert_string_equal(script_sentence(s), "xy");
}

TEST_IN(what_was_being_composed_stays_on_leaving, script_open, "text=kept") {
    script_keys(s, "Ctrl+L");
    script_events(s, &(InputEvent){.kind = INPUT_COMPOSE, .text = "ka", .text_bytes = 2}, 1);
    script_click(s, (Vec2){864, 1075});
    script_play(s, "-!typing :{ka} " /* replaces the text, all of which was selected */
                   "Ctrl+Z :{kept}");
}

static void compose(Script *s, const char *text) {
    script_events(s, &(InputEvent){.kind = INPUT_COMPOSE, .text = text, .text_bytes = strlen(text)},
                  1);
}

/* Text being composed is shown and replaces nothing; cancelling it restores text and selection. */
TEST_IN(a_composition_is_seen_and_taken_or_given_up, script_open, "text=kept") {
    script_keys(s, "Ctrl+L");
    uint64_t begun = draw_hash(&s->list);
    compose(s, "n");
    compose(s, "ni hao");
    script_play(s, "{ni hao} :{kept}");
    compose(s, ""); /* Escape, handled by the input method */
    assert_true(draw_hash(&s->list) == begun);
    assert_true(app_effects(s->app)->text_input);
    compose(s, "ni");
    const InputEvent taken[] = {{.kind = INPUT_COMPOSE, .text = "", .text_bytes = 0},
                                {.kind = INPUT_TEXT, .text = "你", .text_bytes = 3}};
    script_events(s, taken, (int)ARRAY_COUNT(taken));
    script_play(s, ":{你} Escape " /* now it is the field's again */
                   "-!typing Ctrl+Z :{kept}");
}

/* The system or the user may close the window in the middle of a word. */
TEST_IN(a_window_that_closes_takes_nothing_that_is_still_composed, script_open, "text=kept") {
    script_keys(s, "Ctrl+L");
    compose(s, "ni");
    script_events(s, &(InputEvent){.kind = INPUT_QUIT}, 1);
    script_play(s, "!quit :{kept}");
}

TEST(what_is_composed_for_a_full_field_is_refused_whole) {
    LOCAL(free_at) char *full = malloc(TOKEN_TEXT_MAX);
    assert_non_null(full);
    memset(full, 'a', TOKEN_TEXT_MAX);
    SCRIPT(s, script_open, "text=");
    script_keys(&s, "Ctrl+L");
    script_paste(&s, full, TOKEN_TEXT_MAX - 1);
    compose(&s, "你");
    const InputEvent taken[] = {{.kind = INPUT_COMPOSE, .text = "", .text_bytes = 0},
                                {.kind = INPUT_TEXT, .text = "你", .text_bytes = 3}};
    script_events(&s, taken, (int)ARRAY_COUNT(taken));
    assert_int_equal(app_session(s.app)->text->size, TOKEN_TEXT_MAX - 1);
    script_type(&s, "b");
    assert_int_equal(app_session(s.app)->text->size, TOKEN_TEXT_MAX);
}

TEST_IN(an_empty_field_says_what_to_do, script_open, "") {
    script_play(s, "Ctrl+L Backspace {Type a sentence} {Nothing to read yet.} #0 Enter "
                   "{Type a sentence} 'x' :{}");
}

TEST_IN(file_undo_and_redo_are_buttons, script_open, "seed=3") {
    script_click_text(s, "Reroll", 0);
    assert_int_equal(app_session(s->app)->options.seed, 4);
    Vec2 file = drawn_middle(&s->list, drawn_text(&s->list, "File", 0));
    Vec2 undo = {file.x + 74, file.y};
    script_click(s, undo);
    assert_int_equal(app_session(s->app)->options.seed, 3);
    script_click(s, (Vec2){undo.x + 44, undo.y});
    assert_int_equal(app_session(s->app)->options.seed, 4);
    script_play(s, "<File> <New session>");
    assert_int_equal(app_session(s->app)->options.seed, 1);
}

/* Press a letter as a keyboard does: a key, and the text that it types. */
static void press_letter(Script *s, const char *letter) {
    const InputEvent both[] = {{.kind = INPUT_KEY, .key = (uint32_t)letter[0]},
                               {.kind = INPUT_TEXT, .text = letter, .text_bytes = 1}};
    script_events(s, both, 2);
}

/* The chips stay until something is typed, so a second word can be pinned as key. */
TEST_IN(a_click_on_a_word_and_typing_edit_it, script_open, "text=one%20two%20three&pin=1,1") {
    script_click(s, script_chip(s, "one"));
    script_click_with(s, script_chip(s, "two"), KEY_MOD_SHIFT);
    script_play(s, "!typing ~pin=1,2");
    static const char *const letters[] = {"f", "m", "r", "2"}; /* shortcuts elsewhere */
    for (size_t i = 0; i < ARRAY_COUNT(letters); i++)
        press_letter(s, letters[i]);
    script_play(s, ":{one fmr2 three} Enter");
    script_click(s, script_chip(s, "three"));
    script_play(s, "Backspace :{one fmr2 } -~form= -~seed= Escape Ctrl+Z :{one fmr2 three}");
}

/* Keys that type nothing act as if no word had been clicked, and letters are shortcuts again. */
TEST_IN(a_key_that_types_nothing_leaves_a_clicked_word, script_open,
        "text=one%20two%20three&pin=1,1") {
    script_click(s, script_chip(s, "two"));
    script_play(s, "Ctrl+A Backspace :{} Escape Ctrl+Z");
    script_click(s, script_chip(s, "two"));
    script_play(s, "F " /* a key whose text is still to come */
                   "-~form= Down ~pin=3,1 -!typing F ~form=merged");
    script_click(s, script_chip(s, "two"));
    script_play(s, "Escape -~pin= -!typing :{one two three}");
}
