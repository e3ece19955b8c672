/* Keys by name, and the user's keys instead of the default ones. */
#include <string.h>

#include "app/commands.h"
#include "app/keymap.h"
#include "base/util.h"
#include "support/test.h"
#include "ui/input.h"

static int command(const char *id) {
    return command_find(id, strlen(id));
}

static bool set(KeyMap *map, KeyMap *own, const char *id, const char *keys, Err *err) {
    return keymap_set(map, own, id, strlen(id), keys, strlen(keys), err);
}

static void check_names(const KeyMap *map, const char *id, const char *expected) {
    char names[128];
    keymap_names(names, sizeof names, map, command(id));
    assert_string_equal(names, expected);
}

TEST(every_standard_key_reads_back_from_its_name) {
    KeyMap map;
    keymap_standard(&map);
    for (int i = 0; i < map.count; i++) {
        char name[KEY_NAME_MAX];
        uint32_t key;
        unsigned mods;
        key_name(name, map.at[i].key, map.at[i].mods);
        if (!key_read(&key, &mods, name, strlen(name)))
            fail_msg("%s", name);
        assert_int_equal(key, map.at[i].key);
        assert_int_equal(mods, map.at[i].mods);
    }
}

TEST(keys_are_read_as_people_write_them) {
    static const struct {
        const char *text;
        uint32_t key;
        unsigned mods;
    } cases[] = {{"ctrl+shift+c", 'c', KEY_MOD_COMMAND | KEY_MOD_SHIFT},
                 {"Alt + x", 'x', KEY_MOD_ALT},
                 {"Cmd+Z", 'z', KEY_MOD_COMMAND},
                 {"F12", KEY_F1 + 11, 0},
                 {"Ctrl++", '+', KEY_MOD_COMMAND},
                 {"+", '+', 0},
                 {"pageup", KEY_PAGE_UP, 0},
                 {"é", 0xE9, 0},
                 {"", 0, 0},
                 {"F13", 0, 0},
                 {"hyper+x", 0, 0},
                 {"Ctrl", 0, 0},
                 {"xy", 0, 0},
                 {"\xFF", 0, 0}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        uint32_t key;
        unsigned mods;
        bool read = key_read(&key, &mods, cases[i].text, strlen(cases[i].text));
        if (read != (cases[i].key != 0) || (read && (key != cases[i].key || mods != cases[i].mods)))
            fail_msg("%s", cases[i].text);
    }
}

TEST(own_keys_take_the_place_of_the_standard_ones) {
    KeyMap map, own = {.count = 0};
    keymap_standard(&map);
    check_names(&map, "redo", "Ctrl Shift Z, Ctrl Y");
    must(set(&map, &own, "redo", "Alt+Y, F9", &told));
    check_names(&map, "redo", "Alt Y, F9");
    must(set(&map, &own, "mask", "t", &told)); /* taken from the theme */
    check_names(&map, "mask", "T");
    check_names(&map, "theme", "");
    must(set(&map, &own, "quit", "", &told)); /* none at all */
    check_names(&map, "quit", "");
}

/* Synonyms for some keyboards are shown only if there is no other key. */
TEST(synonyms_are_not_written) {
    KeyMap map, own = {.count = 0};
    keymap_standard(&map);
    check_names(&map, "keys", "?, F1");
    check_names(&map, "larger", "Ctrl +");
    must(set(&map, &own, "mask", "?, F1", &told));
    check_names(&map, "keys", "Shift ?, Shift /");
}

TEST(what_cannot_be_is_said_and_changes_nothing) {
    static const struct {
        const char *id, *keys, *says;
    } cases[] = {{"jump", "J", "jump"},      {"undo", "Ctrl+Nothing", "Ctrl+Nothing"},
                 {"undo", "F9", "F9"},       {"undo", "U, U", "U"},
                 {"undo", "\xFF", "\uFFFD"}, {"\xFFjump", "J", "\uFFFDjump"}};
    KeyMap map, own = {.count = 0};
    keymap_standard(&map);
    assert_true(set(&map, &own, "redo", "F9", &told));
    KeyMap before = map;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        assert_false(set(&map, &own, cases[i].id, cases[i].keys, &told));
        assert_non_null(strstr(told.what, cases[i].says));
        assert_memory_equal(&map, &before, sizeof map);
    }
}

TEST(a_command_that_is_none_is_told_the_nearest) {
    KeyMap map, own = {.count = 0};
    keymap_standard(&map);
    assert_false(set(&map, &own, "rerol", "F9", &told));
    assert_non_null(strstr(told.why, "did you mean reroll?"));
    assert_false(set(&map, &own, "jump", "F9", &told));
    assert_non_null(strstr(told.why, "headlight list commands"));
}
