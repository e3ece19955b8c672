#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
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

/* A held key repeats, unless its repetition would confirm the question that its press raised. */
TEST(a_held_key_does_not_confirm_its_own_press) {
    const struct {
        SDL_Keycode code;
        Uint16 mod;
        bool repeats;
    } keys[] = {{SDLK_RETURN, 0, false},
                {SDLK_KP_ENTER, 0, false},
                {'q', KMOD_LCTRL, false},
                {'q', 0, true},
                {SDLK_DOWN, 0, true}};
    for (size_t i = 0; i < ARRAY_COUNT(keys); i++) {
        SDL_Event event = {.key = {.type = SDL_KEYDOWN,
                                   .repeat = 1,
                                   .keysym = {.sym = keys[i].code, .mod = keys[i].mod}}};
        Input input = {0};
        events_add(*state, &event);
        assert_int_equal(events_take(*state, &input), keys[i].repeats);
    }
}

TEST(the_third_level_key_is_no_command) {
    add_key(*state, 'q', SDL_SCANCODE_Q, KMOD_LCTRL | KMOD_RALT);
    add_key(*state, 'q', SDL_SCANCODE_Q, KMOD_LALT);
    Input input = take(*state, 2);
    assert_int_equal(input.events[0].mods, 0);
    assert_int_equal(input.events[1].mods, KEY_MOD_ALT);
}

/* Keys in the notation of a sequence. */
static const struct {
    const char *name;
    SDL_Keycode code;
    uint32_t key;
} NAMES[] = {{"Enter", SDLK_RETURN, KEY_ENTER},
             {"Back", SDLK_BACKSPACE, KEY_BACKSPACE},
             {"Left", SDLK_LEFT, KEY_LEFT},
             {"Tab", SDLK_TAB, KEY_TAB},
             {"_", SDLK_SPACE, ' '},
             {"^z", SDLK_z, 'z'},
             {"^l", SDLK_l, 'l'},
             {"x", SDLK_x, 'x'}};

/* Add the events of a sequence: c:TEXT composes, t:TEXT is typed, k:KEY is pressed, f loses the
 * focus, n ends the composition as when its field is left, | takes a frame. _ stands for a space.
 * Write what is taken, in the same notation. */
static void play(Events *events, char out[200], const char *sequence) {
    char words[200], *rest, *word;
    size_t used = 0;
    snprintf(words, sizeof words, "%s |", sequence);
    for (word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        SDL_Event lost = {.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
        Input input = {0};
        if (word[0] == 'c' || word[0] == 't')
            add_text(events, word[0] == 't' ? SDL_TEXTINPUT : SDL_TEXTEDITING,
                     strcmp(word + 2, "_") == 0 ? " " : word + 2);
        for (size_t i = 0; i < ARRAY_COUNT(NAMES) && word[0] == 'k'; i++)
            if (strcmp(word + 2, NAMES[i].name) == 0)
                add_key(events, NAMES[i].code, SDL_SCANCODE_UNKNOWN,
                        NAMES[i].name[0] == '^' ? KMOD_LCTRL : 0);
        if (word[0] == 'f')
            events_add(events, &lost);
        if (word[0] == 'n') {
            events_set_field(events, false);
            events_set_field(events, true);
        }
        if (word[0] != '|')
            continue;
        used += (size_t)sprintf(out + used, "%s", used > 0 ? " |" : "");
        events_take(events, &input);
        for (int e = 0; e < input.event_count; e++) {
            const InputEvent *event = &input.events[e];
            const char *text = event->text != NULL ? event->text : "";
            for (size_t i = 0; i < ARRAY_COUNT(NAMES) && event->kind == INPUT_KEY; i++)
                text = NAMES[i].key == event->key ? NAMES[i].name : text;
            used += (size_t)sprintf(out + used, "%s%c:%s", used > 0 ? " " : "",
                                    event->kind == INPUT_KEY    ? 'k'
                                    : event->kind == INPUT_TEXT ? 't'
                                                                : 'c',
                                    strcmp(text, " ") == 0 ? "_" : text);
        }
    }
}

TEST(texts_keys_and_compositions_come_in_order) {
    static const struct {
        const char *added, *taken;
    } CASES[] = {
        {"t:ä t:bc", "t:ä t:bc"},
        /* A key that moves the focus ends its frame. */
        {"k:^l t:q k:Tab t:r | |", "k:^l | t:q k:Tab | t:r"},
        /* While composing, the keys are the input method's. */
        {"c: c:ni k:Enter k:Back t:你 k:Enter", "c:ni c: t:你 k:Enter"},
        /* What it lets through stands behind what it composed. SDL reports the space that ends a
         * syllable before the syllable. */
        {"c:ni k:_ t:_ c: c:ni c: t:你 c:h", "c:ni c: c:ni c: t:你 t:_ c:h"},
        /* A command that is let through finds what was composed. */
        {"c:ni k:^z c: t:你", "c:ni c: t:你 k:^z"},
        /* On macOS the composed text follows a key as the last event. */
        {"c:ni k:Enter t:你 c: k:x t:x", "c:ni c: t:你 k:x t:x"},
        {"c:ni k:_ t:_", "c:ni c: t:_"},
        /* A composition ends with the focus, and when its field is left. */
        {"f c:ni f k:Left", "c:ni c: k:Left"},
        {"c:ni | n k:Left", "c:ni | k:Left"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        char out[200] = "";
        LOCAL(events_release) Events events = {.pixels_per_unit = {1, 1}};
        play(&events, out, CASES[i].added);
        assert_string_equal(out, CASES[i].taken);
    }
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

static bool takes_text_after(SDL_Keycode code, Uint16 mod, bool key_waits) {
    Events events = {.key_waits = key_waits};
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = code, .mod = mod}}};
    SDL_StopTextInput();
    events_expect_text(&events, &event);
    assert_true(events.key_waits);
    return SDL_IsTextInputActive();
}

/* O opens the settings, and Ctrl+L then closes them: in one frame it would be lost. */
TEST(a_command_does_not_share_the_frame_of_a_key) {
    LOCAL(events_release) Events events = {0};
    add_key(&events, 'o', SDL_SCANCODE_O, 0);
    add_key(&events, 'l', SDL_SCANCODE_L, KMOD_LCTRL);
    assert_int_equal(take(&events, 1).events[0].key, 'o');
    assert_int_equal(take(&events, 1).events[0].key, 'l');
}

/* K opens a field, to which the words after it go. */
TEST(without_a_field_a_key_has_a_frame_of_its_own) {
    LOCAL(events_release) Events events = {.key_waits = true};
    events_set_field(&events, false);
    add_key(&events, 'k', SDL_SCANCODE_K, 0);
    for (int i = 0; i < 2; i++) {
        add_key(&events, 'd', SDL_SCANCODE_D, 0);
        add_text(&events, SDL_TEXTINPUT, "d");
    }
    take(&events, 1);
    assert_true(events.key_waits);
    events_set_field(&events, true);
    assert_string_equal(take(&events, 4).events[1].text, "d");
    assert_false(events.key_waits);
}

TEST(a_held_key_repeats_in_one_frame) {
    LOCAL(events_release) Events events = {0};
    events_set_field(&events, false);
    for (int i = 0; i < 3; i++) {
        SDL_Event held = {.key = {.type = SDL_KEYDOWN, .repeat = i > 0, .keysym = {.sym = 'r'}}};
        events_add(&events, &held);
    }
    take(&events, 3);
}

TEST(text_is_taken_from_the_key_on_that_may_ask_for_it) {
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    assert_int_equal(SDL_InitSubSystem(SDL_INIT_VIDEO), 0);
    assert_true(takes_text_after('l', KMOD_LCTRL, false));
    assert_true(takes_text_after(SDLK_TAB, 0, false));
    assert_false(takes_text_after('k', 0, false)); /* a shortcut, which is no text itself */
    assert_true(takes_text_after('d', 0, true));
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

TEST_EACH(begin, end)
