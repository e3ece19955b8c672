/* Keys run the commands of the table. */
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "base/util.h"
#include "draw/theme.h"
#include "support/script.h"
#include "support/test.h"

#define COMMAND KEY_MOD_COMMAND

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
        bool types = map.at[i].key < KEY_ESCAPE && (map.at[i].mods & COMMAND) == 0;
        if (!types)
            continue;
        SCRIPT(s, script_open, "");
        script_keys(&s, "Ctrl+L");
        script_key(&s, map.at[i].key, map.at[i].mods);
        script_play(&s, "= !typing");
    }
}

/* Keys that follow Ctrl+L go into the text, and not into a list that is still open. */
TEST(a_command_closes_an_open_list) {
    static const char *const menus[] = {"Examples", "Why?", "File"};
    for (size_t i = 0; i <= ARRAY_COUNT(menus) + 1; i++) {
        SCRIPT(s, script_open, "");
        if (i < ARRAY_COUNT(menus))
            script_click_text(&s, menus[i], 0);
        else
            script_keys(&s, i == ARRAY_COUNT(menus) ? "F10" : "Ctrl+K");
        script_gives(&s, "Ctrl+L 'a' Space ' b c'", "text=a%20b%20c");
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
            SCRIPT(s, script_begin, states[i], round == 0 ? 1728 : 640, round == 0 ? 1080 : 500);
            KeyMap map;
            keymap_standard(&map);
            for (int c = 0; c < map.count; c++) {
                const char *id = COMMANDS[map.at[c].command].entry.id;
                /* the tour that Ctrl Enter or a recording made, about which quitting asks */
                s.app->tour_editor.is_unsaved = s.app->take.is_on = false;
                script_key(&s, map.at[c].key, map.at[c].mods);
                assert_int_equal(app_effects(s.app)->quit, strcmp(id, "quit") == 0);
                if (strcmp(id, "fullscreen") == 0)
                    assert_true(app_effects(s.app)->toggle_fullscreen);
                if (app_effects(s.app)->text_input)
                    script_keys(&s, "Escape");
            }
        }
}

TEST_IN(the_sheet_of_keys_lists_them, script_open, "") {
    script_keys(s, "?");
    KeyMap map;
    keymap_standard(&map);
    for (int i = 0; i < map.count; i++) {
        char label[13],
            names[2 * KEY_NAME_MAX]; /* the fallback letters are wide: long names are cut */
        snprintf(label, sizeof label, "%s", command_label(map.at[i].command));
        label[strcspn(label, "_")] = '\0'; /* an underscore starts an index */
        keymap_names(names, sizeof names, &map, map.at[i].command);
        names[strcspn(names, ",")] = '\0'; /* the first one, at least */
        if (drawn_beginning(&s->list, label) == NULL || drawn_beginning(&s->list, names) == NULL)
            fail_msg("%s: %s", names, label);
    }
    script_keys(s, "Shift+/");
    assert_null(drawn_text(&s->list, command_label(command("quit")), 0));
    script_keys(s, "F1");
    assert_non_null(drawn_text(&s->list, command_label(command("quit")), 0));
    script_keys(s, "R"); /* behind a sheet, letters do nothing */
    assert_int_equal(app_session(s->app)->options.seed, 1);
    script_keys(s, "O");
    assert_null(drawn_text(&s->list, command_label(command("quit")), 0));
    script_play(s, "{Every setting} Escape -{Every setting}");
}

TEST_IN(the_keys_1_to_6_choose_the_views, script_open, "") {
    assert_int_equal(VIEW_REGISTRY.count, 6);
    for (int i = 5; i >= 0; i--) {
        script_key(s, '1' + (uint32_t)i, 0);
        assert_int_equal(app_settings(s->app)->view, i);
    }
}

/* With the mouse only: the sheet of keys runs commands and leads to the command list. */
TEST_IN(every_command_is_a_few_clicks_away, script_open, "") {
    script_play(s, "? " /* or its button */
                   "<Next seed> =seed=2 -{Quit} ? <Undo> = ? <All commands> "
                   "{Find any command or setting by typing a part of its name.}");
}

TEST_IN(heads_go_round, script_open, "") {
    script_play(s, "[ =head=4 ] = ] =head=2");
}

TEST_IN(masks_go_round, script_open, "") {
    for (int i = 1; i < MASKS.count; i++) {
        script_keys(s, "M");
        assert_non_null(strstr(script_state(s), registry_entry(&MASKS, i)->id));
    }
    script_gives(s, "M", "");
}

TEST_IN(everything_becomes_larger_and_smaller, script_open, "") {
    script_gives(s, "Ctrl++", "ui-scale=1.1");
    assert_float_equal(s->list.scale, 1.1f, 1e-5);
    for (int i = 0; i < 40; i++)
        script_key(s, '=', i % 2 == 0 ? COMMAND : COMMAND | KEY_MOD_SHIFT);
    script_check(s, "ui-scale=3");
    for (int i = 0; i < 40; i++)
        script_keys(s, "Ctrl+-");
    script_play(s, "=ui-scale=0.75 Ctrl+0 =");
}

TEST_IN(the_default_state_can_be_copied, script_open, "") {
    script_keys(s, "Ctrl+Shift+C");
    const AppEffects *effects = app_effects(s->app);
    assert_in_range(effects->clipboard_bytes, 1, 100);
    assert_true(script_says(s, "Copied")); /* in the frame that copies */
    char copied[128];
    size_t bytes = effects->clipboard_bytes;
    memcpy(copied, effects->clipboard, bytes);
    script_keys(s, "M");
    script_paste(s, copied, bytes);
    script_check(s, "");
    s->time_s = 3;
    script_play(s, "| -{Copied}");
}

/* A held key repeats: two presses in one slow frame are two steps. */
TEST_IN(presses_of_one_frame_all_count, script_open, "") {
    const InputEvent twice[] = {{.kind = INPUT_KEY, .key = 'r'}, {.kind = INPUT_KEY, .key = 'r'}};
    script_events(s, twice, 2);
    script_check(s, "seed=3");
}

TEST_IN(the_form_is_chosen_by_pointer_and_key, script_open, "") {
    script_click_text(s, registry_entry(&ATTN_FORMS, FORM_MERGED)->label, 0);
    script_play(s, "=form=merged F = F =form=merged <More …> <More#1>");
    script_click_text(s, registry_entry(&ATTN_FORMS, FORM_RANK)->label, 0);
    script_play(s, "Escape =form=rank:8 F =");
}

TEST_IN(a_reroll_draws_other_weights_and_comes_back, script_open, "") {
    uint64_t hash = drawn_cells(&s->list, 0)->hash;
    script_gives(s, "R", "seed=2");
    assert_true(drawn_cells(&s->list, 0)->hash != hash);
    script_gives(s, "Shift+R", "");
    assert_true(drawn_cells(&s->list, 0)->hash == hash);
    script_play(s, "Shift+R Shift+R =seed=18446744073709551615 R =seed=0");
}

TEST_IN(undo_and_redo_go_by_key, script_open, "") {
    script_play(s, "M R =mask=causal&seed=2 Ctrl+Z =mask=causal Ctrl+Z = Ctrl+Z "
                   "{Nothing to undo} Ctrl+Shift+Z =mask=causal Ctrl+Y =mask=causal&seed=2 "
                   "Ctrl+Y {Nothing to redo} =mask=causal&seed=2");
}

TEST_IN(the_theme_changes_the_ground, script_open, "") {
    script_keys(s, "R");
    for (int theme = 1; theme <= THEME_COUNT; theme++) {
        script_keys(s, "T");
        assert_int_equal(s->list.ground, THEMES[theme % THEME_COUNT].canvas);
    }
    script_gives(s, "T", "seed=2&theme=light");
}

/* Undo restores settings of the picture. Trying views or themes is one step, or none if it ends
 * where it began; a click that changes two things is one step. */
TEST_IN(undo_takes_back_how_it_is_shown, script_open, "") {
    script_play(s, "S 2 3 T T R 4 3 =seed=2&view=wqk&theme=projector&show=scores "
                   "Ctrl+Z =view=wqk&theme=projector&show=scores Ctrl+Z =view=wqk&show=scores "
                   "Ctrl+Z =show=scores Ctrl+Z = Right " /* pins */
                   "] Escape "                           /* unpins, and removes the focus */
                   "Ctrl+Z Ctrl+Z Ctrl+Z =");
}

TEST_IN(a_pasted_state_is_taken_whole, script_open, "text=one%20two&heads=2&edges=5") {
    char copied[256];
    script_keys(s, "Ctrl+Shift+C");
    size_t bytes = app_effects(s->app)->clipboard_bytes;
    assert_in_range(bytes, 1, sizeof copied - 1);
    memcpy(copied, app_effects(s->app)->clipboard, bytes);
    copied[bytes] = '\0';
    assert_string_equal(copied, "text=one%20two&heads=2&edges=5");
    script_play(s, "M R Ctrl+V !paste");
    script_paste(s, copied, bytes);
    script_check(s, copied); /* options that it omits are at their defaults */
    script_gives(s, "Ctrl+Z", "text=one%20two&heads=2&mask=causal&seed=2&edges=5");
}

TEST_IN(a_state_pastes_over_a_higher_head, script_open, "heads=8&head=7") {
    script_paste(s, "heads=2", 7);
    script_check(s, "heads=2");
}

TEST_IN(what_is_no_state_is_said_and_left, script_open, "seed=3") {
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
    for (size_t i = 0; i < ARRAY_COUNT(odd); i++) {
        script_paste(s, odd[i][0], strlen(odd[i][0]));
        script_play(s, PRINT("=seed=3 {%s*} Escape -{%s*}", odd[i][1], odd[i][1]));
    }
}

TEST_IN(arrows_move_the_pin_and_stop_at_the_edge, script_open, "text=a%20b&focus=nothing") {
    script_gives(s, "Right", "text=a%20b&pin=1,1&focus=nothing"); /* starts at the first cell */
    script_gives(s, "Left Up", "text=a%20b&pin=1,1&focus=nothing");
    script_gives(s, "Right Down Down Right", "text=a%20b&pin=2,2&focus=nothing");
}
