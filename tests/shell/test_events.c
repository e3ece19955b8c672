#include <stdlib.h>
#include <string.h>

#include "shell/events.h"
#include "support/test.h"

static int begin(void **state) {
    Events *events = calloc(1, sizeof *events);
    *state = events;
    if (events == NULL)
        return -1;
    events->pixels_per_unit = (Vec2){2, 2};
    return 0;
}

static int end(void **state) {
    events_release(*state);
    free(*state);
    return 0;
}

static void add_move(Events *events, int x, int y) {
    SDL_Event event = {.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y}};
    events_add(events, &event);
}

static void add_button(Events *events, Uint32 type, int x, int y, Uint8 clicks) {
    SDL_Event event = {
        .button = {.type = type, .button = SDL_BUTTON_LEFT, .clicks = clicks, .x = x, .y = y}};
    events_add(events, &event);
}

static void add_wheel(Events *events, float y) {
    SDL_Event event = {.wheel = {.type = SDL_MOUSEWHEEL, .preciseY = y}};
    events_add(events, &event);
}

static void add_key(Events *events, SDL_Keycode code, SDL_Scancode place, Uint16 mod) {
    SDL_Event event = {
        .key = {.type = SDL_KEYDOWN, .keysym = {.sym = code, .scancode = place, .mod = mod}}};
    events_add(events, &event);
}

static void add_text(Events *events, Uint32 type, const char *text) {
    SDL_Event event = {.type = type};
    strcpy(type == SDL_TEXTINPUT ? event.text.text : event.edit.text, text);
    events_add(events, &event);
}

/* Return the next batch, which must have this number of events. */
static Input take(Events *events, int count) {
    Input input = {0};
    assert_true(events_take(events, &input));
    assert_int_equal(input.event_count, count);
    return input;
}

TEST(nothing_waits_at_first) {
    Input input = {.event_count = 7};
    assert_false(events_take(*state, &input));
    assert_int_equal(input.event_count, 0);
    assert_false(input.pointer_inside);
}

TEST(moves_become_one) {
    for (int i = 0; i < 500; i++)
        add_move(*state, i, 10);
    Input input = take(*state, 0);
    assert_true(input.pointer_px.x == 998 && input.pointer_px.y == 20);
    assert_true(input.pointer_inside);
    assert_false(events_take(*state, &input));
}

TEST(a_button_ends_its_frame_where_the_pointer_was) {
    add_move(*state, 10, 10);
    add_button(*state, SDL_MOUSEBUTTONDOWN, 20, 20, 1);
    add_move(*state, 30, 30);
    add_button(*state, SDL_MOUSEBUTTONUP, 40, 40, 1);
    add_button(*state, SDL_MOUSEBUTTONDOWN, 40, 40, 2);
    Input input = take(*state, 1);
    assert_int_equal(input.events[0].kind, INPUT_BUTTON_DOWN);
    assert_true(input.pointer_px.x == 40);
    input = take(*state, 1);
    assert_int_equal(input.events[0].kind, INPUT_BUTTON_UP);
    assert_true(input.pointer_px.x == 80);
    input = take(*state, 1);
    assert_int_equal(input.events[0].clicks, 2);
}

TEST(clicks_count_to_three) {
    const int counted[] = {1, 2, 3, 1, 2};
    for (Uint8 clicks = 1; clicks <= 5; clicks++) {
        add_button(*state, SDL_MOUSEBUTTONDOWN, 0, 0, clicks);
        assert_int_equal(take(*state, 1).events[0].clicks, counted[clicks - 1]);
    }
}

TEST(a_wheel_is_not_followed_by_a_move) {
    add_move(*state, 10, 10);
    add_wheel(*state, 1);
    add_wheel(*state, 0.5f);
    add_move(*state, 90, 90);
    Input input = take(*state, 2);
    assert_true(input.pointer_px.x == 20);
    assert_true(input.events[1].wheel.y == 0.5f);
    assert_true(take(*state, 0).pointer_px.x == 180);
}

TEST(the_pointer_leaves) {
    add_move(*state, 10, 10);
    SDL_Event event = {.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_LEAVE}};
    events_add(*state, &event);
    assert_false(take(*state, 0).pointer_inside);
}

TEST(keys_follow_the_layout_and_digits_the_place) {
    add_key(*state, 'z', SDL_SCANCODE_Y, KMOD_LCTRL | KMOD_LSHIFT); /* as on a German keyboard */
    add_key(*state, '&', SDL_SCANCODE_1, 0);                        /* as on a French one */
    add_key(*state, SDLK_KP_4, SDL_SCANCODE_KP_4, KMOD_NUM);
    add_key(*state, SDLK_KP_4, SDL_SCANCODE_KP_4, 0);
    add_key(*state, SDLK_KP_ENTER, SDL_SCANCODE_KP_ENTER, 0);
    add_key(*state, SDLK_F11, SDL_SCANCODE_F11, 0);
    add_key(*state, SDLK_LSHIFT, SDL_SCANCODE_LSHIFT, KMOD_LSHIFT);
    const uint32_t keys[] = {'z', '1', '4', KEY_LEFT, KEY_ENTER, KEY_F11};
    const int in_a_frame[] = {1, 4, 1}; /* Ctrl and Enter each end one */
    for (int frame = 0, at = 0; frame < 3; frame++) {
        Input input = take(*state, in_a_frame[frame]);
        for (int i = 0; i < in_a_frame[frame]; i++, at++) {
            assert_int_equal(input.events[i].kind, INPUT_KEY);
            assert_int_equal(input.events[i].key, keys[at]);
        }
    }
}

TEST(the_third_level_key_is_no_command) {
    add_key(*state, 'q', SDL_SCANCODE_Q, KMOD_LCTRL | KMOD_RALT);
    add_key(*state, 'q', SDL_SCANCODE_Q, KMOD_LALT);
    Input input = take(*state, 2);
    assert_int_equal(input.events[0].mods, 0);
    assert_int_equal(input.events[1].mods, KEY_MOD_ALT);
}

TEST(typed_text_is_kept_for_its_frame) {
    add_text(*state, SDL_TEXTINPUT, "\xC3\xA4");
    add_text(*state, SDL_TEXTINPUT, "bc");
    Input input = take(*state, 2);
    assert_int_equal(input.events[0].kind, INPUT_TEXT);
    assert_int_equal(input.events[0].text_bytes, 2);
    assert_memory_equal(input.events[0].text, "\xC3\xA4", 2);
    assert_string_equal(input.events[1].text, "bc");
}

TEST(while_composing_the_keys_are_the_input_methods) {
    add_text(*state, SDL_TEXTEDITING, "");
    add_text(*state, SDL_TEXTEDITING, "ni");
    add_key(*state, SDLK_RETURN, SDL_SCANCODE_RETURN, 0);
    add_key(*state, SDLK_BACKSPACE, SDL_SCANCODE_BACKSPACE, 0);
    add_text(*state, SDL_TEXTINPUT, "\xE4\xBD\xA0");
    add_key(*state, SDLK_RETURN, SDL_SCANCODE_RETURN, 0);
    const InputKind kinds[] = {INPUT_COMPOSE, INPUT_COMPOSE, INPUT_TEXT, INPUT_KEY};
    Input input = take(*state, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(input.events[i].kind, kinds[i]);
    assert_int_equal(input.events[0].text_bytes, 2);
    assert_int_equal(input.events[1].text_bytes, 0);
}

/* SDL's order of events if a space ends a syllable: the space first, then the syllable. */
TEST(what_an_input_method_lets_through_stands_behind_what_it_composed) {
    add_text(*state, SDL_TEXTEDITING, "ni");
    add_key(*state, SDLK_SPACE, SDL_SCANCODE_SPACE, 0);
    add_text(*state, SDL_TEXTINPUT, " ");
    add_text(*state, SDL_TEXTEDITING, "");
    add_text(*state, SDL_TEXTEDITING, "ni");
    add_text(*state, SDL_TEXTEDITING, "");
    add_text(*state, SDL_TEXTINPUT, "\xE4\xBD\xA0");
    add_text(*state, SDL_TEXTEDITING, "h");
    const char *const texts[] = {"ni", "", "ni", "", "\xE4\xBD\xA0", " ", "h"};
    Input input = take(*state, 7);
    for (int i = 0; i < 7; i++) {
        bool is_text = i == 4 || i == 5;
        assert_string_equal(input.events[i].text, texts[i]);
        assert_int_equal(input.events[i].kind, is_text ? INPUT_TEXT : INPUT_COMPOSE);
    }
}

TEST(a_command_that_is_let_through_finds_what_was_composed) {
    add_text(*state, SDL_TEXTEDITING, "ni");
    add_key(*state, SDLK_z, SDL_SCANCODE_Z, KMOD_LCTRL);
    add_text(*state, SDL_TEXTEDITING, "");
    add_text(*state, SDL_TEXTINPUT, "\xE4\xBD\xA0");
    Input input = take(*state, 4);
    assert_string_equal(input.events[2].text, "\xE4\xBD\xA0");
    assert_int_equal(input.events[3].key, 'z');
}

/* Like macOS, where the composed text follows a key as the last event. */
TEST(what_waits_for_a_composition_is_never_lost) {
    add_text(*state, SDL_TEXTEDITING, "ni");
    add_key(*state, SDLK_RETURN, SDL_SCANCODE_RETURN, 0);
    add_text(*state, SDL_TEXTINPUT, "\xE4\xBD\xA0");
    add_text(*state, SDL_TEXTEDITING, "");
    add_key(*state, 'x', SDL_SCANCODE_X, 0);
    add_text(*state, SDL_TEXTINPUT, "x");
    Input input = take(*state, 5);
    assert_string_equal(input.events[2].text, "\xE4\xBD\xA0");
    assert_string_equal(input.events[4].text, "x");
    add_text(*state, SDL_TEXTEDITING, "ni");
    add_key(*state, SDLK_SPACE, SDL_SCANCODE_SPACE, 0);
    add_text(*state, SDL_TEXTINPUT, " ");
    input = take(*state, 3);
    assert_int_equal(input.events[1].text_bytes, 0);
    assert_string_equal(input.events[2].text, " ");
}

TEST(a_composition_ends_with_the_focus) {
    SDL_Event event = {.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
    events_add(*state, &event); /* nothing to end */
    add_text(*state, SDL_TEXTEDITING, "ni");
    events_add(*state, &event);
    add_key(*state, SDLK_LEFT, SDL_SCANCODE_LEFT, 0);
    Input input = take(*state, 3);
    assert_int_equal(input.events[1].kind, INPUT_COMPOSE);
    assert_int_equal(input.events[1].text_bytes, 0);
    assert_int_equal(input.events[2].key, KEY_LEFT);
    add_text(*state, SDL_TEXTEDITING, "ni");
    take(*state, 1);
    events_end_composition(*state); /* the field is left, whatever the input method says */
    add_key(*state, SDLK_LEFT, SDL_SCANCODE_LEFT, 0);
    assert_int_equal(take(*state, 1).events[0].key, KEY_LEFT);
}

TEST(the_clause_of_a_composition_is_passed_on) {
    SDL_Event event = {.edit = {.type = SDL_TEXTEDITING, .text = "abcd", .start = 1, .length = 2}};
    events_add(*state, &event);
    Input input = take(*state, 1);
    assert_int_equal(input.events[0].clause_at, 1);
    assert_int_equal(input.events[0].clause_count, 2);
}

TEST(a_long_composition_is_passed_on) {
    char *text = SDL_strdup("a composition of more than the thirty-two bytes of the short event");
    SDL_Event event = {.editExt = {.type = SDL_TEXTEDITING_EXT, .text = text}};
    assert_non_null(text);
    events_add(*state, &event);
    assert_int_equal(take(*state, 1).events[0].text_bytes, 66);
}

TEST(more_than_a_batch_comes_in_several) {
    for (int i = 0; i < EVENTS_BATCH + 5; i++)
        add_key(*state, 'a' + i % 26, SDL_SCANCODE_UNKNOWN, 0);
    Input input = take(*state, EVENTS_BATCH);
    assert_int_equal(input.events[0].key, 'a');
    input = take(*state, 5);
    assert_int_equal(input.events[0].key, 'a' + EVENTS_BATCH % 26);
}

TEST(files_and_closing_are_events) {
    SDL_Event drop = {.drop = {.type = SDL_DROPFILE, .file = SDL_strdup("/tmp/a b")}};
    SDL_Event folder = {.drop = {.type = SDL_DROPFILE, .file = SDL_strdup("/")}};
    SDL_Event quit = {.type = SDL_QUIT};
    events_add(*state, &drop);
    events_add(*state, &quit);
    events_add(*state, &folder);
    Input input = take(*state, 3);
    assert_int_equal(input.events[0].kind, INPUT_DROP_FILE);
    assert_string_equal(input.events[0].text, "/tmp/a b");
    assert_int_equal(input.events[1].kind, INPUT_QUIT);
    assert_string_equal(input.events[2].text, "//"); /* a folder ends in a slash */
}

TEST(a_key_that_moves_the_focus_ends_its_frame) {
    add_key(*state, SDLK_l, SDL_SCANCODE_L, KMOD_LCTRL);
    add_text(*state, SDL_TEXTINPUT, "q");
    add_key(*state, SDLK_TAB, SDL_SCANCODE_TAB, 0);
    add_text(*state, SDL_TEXTINPUT, "r");
    assert_int_equal(take(*state, 1).events[0].key, 'l');
    Input input = take(*state, 2);
    assert_int_equal(input.events[0].kind, INPUT_TEXT);
    assert_int_equal(input.events[1].key, KEY_TAB);
    assert_int_equal(take(*state, 1).events[0].kind, INPUT_TEXT);
}

TEST(a_paste_comes_before_what_waits) {
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    assert_int_equal(SDL_InitSubSystem(SDL_INIT_VIDEO), 0);
    assert_int_equal(SDL_SetClipboardText("from the clipboard"), 0);
    add_key(*state, 'v', SDL_SCANCODE_V, KMOD_LCTRL);
    take(*state, 1);
    add_key(*state, 'x', SDL_SCANCODE_X, 0);
    events_add_paste(*state, SDL_GetClipboardText());
    Input input = take(*state, 2);
    assert_int_equal(input.events[0].kind, INPUT_PASTE);
    assert_string_equal(input.events[0].text, "from the clipboard");
    assert_int_equal(input.events[1].key, 'x');
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

static bool takes_text_after(SDL_Keycode code, Uint16 mod) {
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = code, .mod = mod}}};
    SDL_StopTextInput();
    events_expect_text(NULL, &event);
    return SDL_IsTextInputActive();
}

TEST(text_is_taken_from_the_key_on_that_may_ask_for_it) {
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    assert_int_equal(SDL_InitSubSystem(SDL_INIT_VIDEO), 0);
    assert_true(takes_text_after('l', KMOD_LCTRL));
    assert_true(takes_text_after(SDLK_TAB, 0));
    assert_false(takes_text_after('k', 0)); /* a shortcut, which is no text itself */
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

TEST_EACH(begin, end)
