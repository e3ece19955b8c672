/* Keys run the commands of the table. */
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "base/util.h"
#include "draw/theme.h"
#include "support/script.h"
#include "support/test.h"

#define COMMAND KEY_MOD_COMMAND
#define SHIFT   KEY_MOD_SHIFT

static void check_state(const Script *s, const char *expected) {
    assert_string_equal(script_state(s), expected);
}

static int command(const char *id) {
    int found = command_find(id, strlen(id));
    assert_true(found >= 0);
    return found;
}

TEST(no_two_commands_share_a_key_or_an_id) {
    KeyMap map;
    keymap_standard(&map);
    for (int i = 0; i < map.count; i++)
        for (int k = 0; k < i; k++)
            if (map.at[i].key == map.at[k].key && map.at[i].mods == map.at[k].mods)
                fail_msg("%s and %s", COMMANDS[map.at[i].command].entry.id,
                         COMMANDS[map.at[k].command].entry.id);
    for (int i = 0; i < COMMAND_REGISTRY.count; i++) {
        assert_non_null(COMMANDS[i].run);
        assert_true(COMMANDS[i].entry.label[0] != '\0' && COMMANDS[i].entry.help[0] != '\0');
        for (int k = 0; k < i; k++)
            assert_string_not_equal(COMMANDS[i].entry.id, COMMANDS[k].entry.id);
    }
}

/* A key that types a character must not run a command while text is typed. */
TEST(no_letter_is_a_command_while_typing) {
    KeyMap map;
    keymap_standard(&map);
    for (int i = 0; i < map.count; i++) {
        Script s;
        bool types = map.at[i].key < KEY_ESCAPE && (map.at[i].mods & COMMAND) == 0;
        if (!types)
            continue;
        script_open(&s, "");
        script_keys(&s, "Ctrl+L");
        script_key(&s, map.at[i].key, map.at[i].mods);
        check_state(&s, "");
        assert_true(app_effects(s.app)->text_input);
        script_end(&s);
    }
}

TEST(every_command_runs_in_every_state) {
    static const char *const states[] = {"",
                                         "text=",
                                         "text=one",
                                         "beside=normal&mask=causal",
                                         "embedding=onehot&d-model=8",
                                         "pin=3,3&form=merged"};
    for (size_t i = 0; i < ARRAY_COUNT(states); i++)
        for (int round = 0; round < 2; round++) {
            LOCAL(script_end) Script s;
            script_begin(&s, states[i], round == 0 ? 1728 : 640, round == 0 ? 1080 : 500);
            KeyMap map;
            keymap_standard(&map);
            for (int c = 0; c < map.count; c++) {
                const char *id = COMMANDS[map.at[c].command].entry.id;
                s.app->tour_editor.is_unsaved = false; /* the tour that Ctrl Enter made */
                script_key(&s, map.at[c].key, map.at[c].mods);
                assert_int_equal(app_effects(s.app)->quit, strcmp(id, "quit") == 0);
                if (strcmp(id, "fullscreen") == 0)
                    assert_true(app_effects(s.app)->toggle_fullscreen);
                if (app_effects(s.app)->text_input)
                    script_keys(&s, "Escape");
            }
        }
}

TEST(the_sheet_of_keys_lists_them) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    script_keys(&s, "?");
    KeyMap map;
    keymap_standard(&map);
    for (int i = 0; i < map.count; i++) {
        char label[13],
            names[2 * KEY_NAME_MAX]; /* the fallback letters are wide: long names are cut */
        snprintf(label, sizeof label, "%s", command_label(map.at[i].command));
        label[strcspn(label, "_")] = '\0'; /* an underscore starts an index */
        keymap_names(names, sizeof names, &map, map.at[i].command);
        names[strcspn(names, ",")] = '\0'; /* the first one, at least */
        if (drawn_beginning(&s.list, label) == NULL || drawn_beginning(&s.list, names) == NULL)
            fail_msg("%s: %s", names, label);
    }
    script_keys(&s, "Shift+/");
    assert_null(drawn_text(&s.list, command_label(command("quit")), 0));
    script_keys(&s, "F1");
    assert_non_null(drawn_text(&s.list, command_label(command("quit")), 0));
    script_keys(&s, "R"); /* behind a sheet, letters do nothing */
    assert_int_equal(app_session(s.app)->options.seed, 1);
    script_keys(&s, "O");
    assert_null(drawn_text(&s.list, command_label(command("quit")), 0));
    assert_non_null(drawn_text(&s.list, "Every setting", 0));
    script_keys(&s, "Escape");
    assert_null(drawn_text(&s.list, "Every setting", 0));
}

TEST(the_keys_1_to_6_choose_the_views) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    assert_int_equal(VIEW_REGISTRY.count, 6);
    for (int i = 5; i >= 0; i--) {
        script_key(&s, '1' + (uint32_t)i, 0);
        assert_int_equal(app_settings(s.app)->view, i);
    }
}

/* With the mouse only: the sheet of keys runs commands and leads to the command list. */
TEST(every_command_is_a_few_clicks_away) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    script_keys(&s, "?"); /* or its button */
    script_click_text(&s, "Next seed", 0);
    check_state(&s, "seed=2");
    assert_null(drawn_text(&s.list, "Quit", 0));
    script_keys(&s, "?");
    script_click_text(&s, "Undo", 0);
    check_state(&s, "");
    script_keys(&s, "?");
    script_click_text(&s, "All commands", 0);
    assert_non_null(
        drawn_text(&s.list, "Find any command or setting by typing a part of its name.", 0));
}

TEST(heads_go_round) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    script_gives(&s, "[", "head=4");
    script_gives(&s, "]", "");
    script_gives(&s, "]", "head=2");
}

TEST(masks_go_round) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    for (int i = 1; i < MASKS.count; i++) {
        script_keys(&s, "M");
        assert_non_null(strstr(script_state(&s), registry_entry(&MASKS, i)->id));
    }
    script_gives(&s, "M", "");
}

TEST(everything_becomes_larger_and_smaller) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    script_gives(&s, "Ctrl++", "ui-scale=1.1");
    assert_float_equal(s.list.scale, 1.1f, 1e-5);
    for (int i = 0; i < 40; i++)
        script_key(&s, '=', i % 2 == 0 ? COMMAND : COMMAND | KEY_MOD_SHIFT);
    check_state(&s, "ui-scale=3");
    for (int i = 0; i < 40; i++)
        script_keys(&s, "Ctrl+-");
    check_state(&s, "ui-scale=0.75");
    script_gives(&s, "Ctrl+0", "");
}

TEST(the_default_state_can_be_copied) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    script_keys(&s, "Ctrl+Shift+C");
    const AppEffects *effects = app_effects(s.app);
    assert_in_range(effects->clipboard_bytes, 1, 100);
    assert_non_null(drawn_text(&s.list, "Copied", 0)); /* in the frame that copies */
    char copied[128];
    size_t bytes = effects->clipboard_bytes;
    memcpy(copied, effects->clipboard, bytes);
    script_keys(&s, "M");
    script_paste(&s, copied, bytes);
    check_state(&s, "");
    s.time_s = 3;
    script_frame(&s);
    assert_null(drawn_text(&s.list, "Copied", 0));
}

/* A held key repeats: two presses in one slow frame are two steps. */
TEST(presses_of_one_frame_all_count) {
    LOCAL(script_end) Script s;
    const InputEvent twice[] = {{.kind = INPUT_KEY, .key = 'r'}, {.kind = INPUT_KEY, .key = 'r'}};
    script_open(&s, "");
    script_events(&s, twice, 2);
    check_state(&s, "seed=3");
}

TEST(the_form_is_chosen_by_pointer_and_key) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    script_click_text(&s, registry_entry(&ATTN_FORMS, FORM_MERGED)->label, 0);
    check_state(&s, "form=merged");
    script_gives(&s, "F", "");
    script_gives(&s, "F", "form=merged");
    script_click_text(&s, "More …", 0);
    script_click_text(&s, "More", 1);
    script_click_text(&s, registry_entry(&ATTN_FORMS, FORM_RANK)->label, 0);
    script_gives(&s, "Escape", "form=rank:8");
    script_gives(&s, "F", "");
}

TEST(a_reroll_draws_other_weights_and_comes_back) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    uint64_t hash = drawn_cells(&s.list, 0)->hash;
    script_gives(&s, "R", "seed=2");
    assert_true(drawn_cells(&s.list, 0)->hash != hash);
    script_gives(&s, "Shift+R", "");
    assert_true(drawn_cells(&s.list, 0)->hash == hash);
    script_gives(&s, "Shift+R Shift+R", "seed=18446744073709551615");
    script_gives(&s, "R", "seed=0");
}

TEST(undo_and_redo_go_by_key) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    script_gives(&s, "M R", "mask=causal&seed=2");
    script_gives(&s, "Ctrl+Z", "mask=causal");
    script_gives(&s, "Ctrl+Z", "");
    script_keys(&s, "Ctrl+Z");
    assert_non_null(drawn_text(&s.list, "Nothing to undo", 0));
    script_gives(&s, "Ctrl+Shift+Z", "mask=causal");
    script_gives(&s, "Ctrl+Y", "mask=causal&seed=2");
    script_keys(&s, "Ctrl+Y");
    assert_non_null(drawn_text(&s.list, "Nothing to redo", 0));
    check_state(&s, "mask=causal&seed=2");
}

TEST(the_theme_changes_the_ground) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    script_keys(&s, "R");
    for (int theme = 1; theme <= THEME_COUNT; theme++) {
        script_keys(&s, "T");
        assert_int_equal(s.list.ground, THEMES[theme % THEME_COUNT].canvas);
    }
    script_gives(&s, "T", "seed=2&theme=light");
}

/* Undo restores settings of the picture. Trying views or themes is one step, or none if it ends
 * where it began; a click that changes two things is one step. */
TEST(undo_takes_back_how_it_is_shown) {
    LOCAL(script_end) Script s;
    script_open(&s, "");
    script_gives(&s, "S 2 3 T T R 4 3", "seed=2&view=wqk&theme=projector&show=scores");
    script_gives(&s, "Ctrl+Z", "view=wqk&theme=projector&show=scores");
    script_gives(&s, "Ctrl+Z", "view=wqk&show=scores");
    script_gives(&s, "Ctrl+Z", "show=scores");
    script_gives(&s, "Ctrl+Z", "");
    script_keys(&s, "Right"); /* pins */
    script_keys(&s, "]");
    script_keys(&s, "Escape"); /* unpins, and removes the focus */
    script_gives(&s, "Ctrl+Z Ctrl+Z Ctrl+Z", "");
}

TEST(a_pasted_state_is_taken_whole) {
    LOCAL(script_end) Script s;
    char copied[256];
    script_open(&s, "text=one%20two&heads=2&edges=5");
    script_keys(&s, "Ctrl+Shift+C");
    size_t bytes = app_effects(s.app)->clipboard_bytes;
    assert_in_range(bytes, 1, sizeof copied - 1);
    memcpy(copied, app_effects(s.app)->clipboard, bytes);
    copied[bytes] = '\0';
    assert_string_equal(copied, "text=one%20two&heads=2&edges=5");
    script_keys(&s, "M R Ctrl+V");
    assert_true(app_effects(s.app)->want_paste);
    script_paste(&s, copied, bytes);
    check_state(&s, copied); /* options that it omits are at their defaults */
    script_gives(&s, "Ctrl+Z", "text=one%20two&heads=2&mask=causal&seed=2&edges=5");
}

TEST(a_state_pastes_over_a_higher_head) {
    LOCAL(script_end) Script s;
    script_open(&s, "heads=8&head=7");
    script_paste(&s, "heads=2", 7);
    check_state(&s, "heads=2");
}

TEST(what_is_no_state_is_said_and_left) {
    static const char none[] = "The clipboard has no state string";
    static const char *const odd[][2] = {
        {"hello", none},
        {"a=b=c", none},
        {"=", none},
        {"heads=5", "heads 5: 64 is not divisible by 5"},
        {"heads=x", "heads x: must be a whole number"},
        {"text=a&bogus=1", "bogus: no such key"},
        {"seed=4&weights=/nowhere.npz", "weights: weights files cannot be read here"},
        {"text=%FF", "text: is not UTF-8 at byte 0"},
    };
    LOCAL(script_end) Script s;
    script_open(&s, "seed=3");
    for (size_t i = 0; i < ARRAY_COUNT(odd); i++) {
        script_paste(&s, odd[i][0], strlen(odd[i][0]));
        check_state(&s, "seed=3");
        assert_non_null(drawn_beginning(&s.list, odd[i][1]));
        script_keys(&s, "Escape");
        assert_null(drawn_beginning(&s.list, odd[i][1]));
    }
}

TEST(arrows_move_the_pin_and_stop_at_the_edge) {
    LOCAL(script_end) Script s;
    script_open(&s, "text=a%20b&focus=nothing");
    script_gives(&s, "Right", "text=a%20b&pin=1,1&focus=nothing"); /* starts at the first cell */
    script_gives(&s, "Left Up", "text=a%20b&pin=1,1&focus=nothing");
    script_gives(&s, "Right Down Down Right", "text=a%20b&pin=2,2&focus=nothing");
}
