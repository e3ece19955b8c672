#include "app/keymap.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app/commands.h"
#include "base/registry.h"
#include "base/utf8.h"
#include "base/util.h"
#include "ui/input.h"

#define CTRL  KEY_MOD_COMMAND
#define SHIFT KEY_MOD_SHIFT

/* Keys with a name: those that type no character, the space, minus, plus and comma. If a key has
 * several names, the first one is shown. */
static const struct {
    const char *name;
    uint32_t key;
} NAMES[] = {
    {"Esc", KEY_ESCAPE},
    {"Escape", KEY_ESCAPE},
    {"Enter", KEY_ENTER},
    {"Tab", KEY_TAB},
    {"Backspace", KEY_BACKSPACE},
    {"Delete", KEY_DELETE},
    {"←", KEY_LEFT},
    {"Left", KEY_LEFT},
    {"→", KEY_RIGHT},
    {"Right", KEY_RIGHT},
    {"↑", KEY_UP},
    {"Up", KEY_UP},
    {"↓", KEY_DOWN},
    {"Down", KEY_DOWN},
    {"Home", KEY_HOME},
    {"End", KEY_END},
    {"PageUp", KEY_PAGE_UP},
    {"PageDown", KEY_PAGE_DOWN},
    {"Space", ' '},
    {"−", '-'},
    {"Minus", '-'},
    {"Plus", '+'},
    {"Comma", ','},
};

static const struct {
    const char *name;
    unsigned mod;
} MODS[] = {
    {"Ctrl", CTRL}, {"Cmd", CTRL}, {"Command", CTRL}, {"Shift", SHIFT}, {"Alt", KEY_MOD_ALT}};

static bool same_word(const char *a, size_t bytes, const char *b) {
    return strlen(b) == bytes && strncasecmp(a, b, bytes) == 0;
}

static uint32_t single_key(const char *word, size_t bytes) {
    for (size_t i = 0; i < ARRAY_COUNT(NAMES); i++)
        if (same_word(word, bytes, NAMES[i].name))
            return NAMES[i].key;
    if (bytes >= 2 && bytes <= 3 && (word[0] == 'F' || word[0] == 'f')) {
        int number = 0;
        for (size_t i = 1; i < bytes; i++)
            number = word[i] >= '0' && word[i] <= '9' ? number * 10 + word[i] - '0' : 99;
        return number >= 1 && number <= 12 ? KEY_F1 + (uint32_t)number - 1 : 0;
    }
    size_t length = 0;
    if (bytes == 0 || utf8_first_invalid(word, bytes) < bytes)
        return 0;
    uint32_t c = utf8_decode(word, bytes, 0, &length);
    if (length != bytes || c <= ' ')
        return 0;
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

static unsigned single_mod(const char *word, size_t bytes) {
    for (size_t i = 0; i < ARRAY_COUNT(MODS); i++)
        if (same_word(word, bytes, MODS[i].name))
            return MODS[i].mod;
    return 0;
}

/* Return the index after the blanks and the plus that follow a modifier. A final plus after a blank
 * is the key itself. */
static size_t next_word(const char *text, size_t bytes, size_t at) {
    size_t from = at;
    while (at < bytes && text[at] == ' ')
        at++;
    if (at < bytes && text[at] == '+' && (at == from || at + 1 < bytes))
        at++;
    while (at < bytes && text[at] == ' ')
        at++;
    return at;
}

bool key_read(uint32_t *key, unsigned *mods, const char *text, size_t bytes) {
    *key = 0, *mods = 0;
    for (size_t at = 0; at < bytes;) {
        size_t end = at + 1; /* skip one character, because the key itself may be a plus */
        while (end < bytes && text[end] != '+' && text[end] != ' ')
            end++;
        unsigned mod = end < bytes ? single_mod(text + at, end - at) : 0;
        if (mod == 0) {
            *key = single_key(text + at, bytes - at);
            return *key != 0;
        }
        *mods |= mod;
        at = next_word(text, bytes, end);
    }
    return false;
}

void key_name(char out[KEY_NAME_MAX], uint32_t key, unsigned mods) {
    char name[16] = "";
    for (size_t i = ARRAY_COUNT(NAMES); i-- > 0;)
        if (NAMES[i].key == key && key != '+' && key != ',')
            snprintf(name, sizeof name, "%s", NAMES[i].name);
    if (name[0] == '\0' && key >= KEY_F1)
        snprintf(name, sizeof name, "F%u", (unsigned)(key - KEY_F1) + 1);
    if (name[0] == '\0')
        name[utf8_encode(name, key >= 'a' && key <= 'z' ? key - 32 : key)] = '\0';
    snprintf(out, KEY_NAME_MAX, "%s%s%s%s", (mods & CTRL) != 0 ? "Ctrl " : "",
             (mods & KEY_MOD_ALT) != 0 ? "Alt " : "", (mods & SHIFT) != 0 ? "Shift " : "", name);
}

const Binding *keymap_shown(const KeyMap *map, int command) {
    const Binding *shown = NULL;
    for (int i = map->count - 1; i >= 0; i--)
        if (map->at[i].command == command &&
            (shown == NULL || shown->is_synonym || !map->at[i].is_synonym))
            shown = &map->at[i];
    return shown;
}

void keymap_names(char *out, size_t capacity, const KeyMap *map, int command) {
    size_t used = 0;
    const Binding *shown = keymap_shown(map, command);
    out[0] = '\0';
    for (int i = 0; i < map->count; i++) {
        char name[KEY_NAME_MAX];
        if (map->at[i].command != command || (map->at[i].is_synonym && !shown->is_synonym))
            continue;
        key_name(name, map->at[i].key, map->at[i].mods);
        int wrote = snprintf(out + used, capacity - used, "%s%s", used > 0 ? ", " : "", name);
        if (wrote < 0 || used + (size_t)wrote >= capacity) {
            out[used] = '\0'; /* drop the last names, if not all of them fit */
            return;
        }
        used += (size_t)wrote;
    }
}

static int find_key(const KeyMap *map, uint32_t key, unsigned mods) {
    for (int i = 0; i < map->count; i++)
        if (map->at[i].key == key && map->at[i].mods == mods)
            return i;
    return -1;
}

static void add(KeyMap *map, Binding binding) {
    assert(map->count < KEYMAP_MAX);
    map->at[map->count++] = binding;
}

/* Copy the beginning of a word, to quote it in a message. */
static void copy_shown(char out[80], const char *word, size_t bytes) {
    size_t repairs;
    out[utf8_repair(out, 60, word, bytes, &repairs)] = '\0';
}

static bool read_key(KeyMap *made, const KeyMap *own, int command, const char *text, size_t bytes,
                     Err *err) {
    char what[80];
    Binding b = {.command = command};
    copy_shown(what, text, bytes);
    if (!key_read(&b.key, &b.mods, text, bytes))
        return err_usage(err, what, "is not a key; write it as Ctrl+Shift+K, F5 or PageUp");
    int before = find_key(own, b.key, b.mods);
    if (before >= 0)
        return err_usage(err, what, "is already the key of %s; choose another",
                         COMMANDS[own->at[before].command].entry.id);
    if (find_key(made, b.key, b.mods) >= 0)
        return err_usage(err, what, "appears twice; remove one");
    if (made->count + own->count >= KEYMAP_MAX / 2)
        return err_usage(err, what, "is one key too many; a command has at most %d",
                         KEYMAP_MAX / 2);
    add(made, b);
    return true;
}

static bool read_keys(KeyMap *made, const KeyMap *own, int command, const char *keys, size_t bytes,
                      Err *err) {
    for (size_t at = 0, end; at < bytes; at = end + 1) {
        for (end = at; end < bytes && keys[end] != ','; end++)
            ;
        while (at < end && keys[at] == ' ')
            at++;
        size_t size = end - at;
        while (size > 0 && keys[at + size - 1] == ' ')
            size--;
        if (size > 0 && !read_key(made, own, command, keys + at, size, err))
            return false;
    }
    return true;
}

void keymap_standard(KeyMap *map) {
    static const KeyMap none;
    map->count = 0;
    for (int row = 0; row < COMMAND_REGISTRY.count * 2; row++) {
        const Command *command = &COMMANDS[row / 2];
        const char *keys = row % 2 == 0 ? command->keys : command->synonyms;
        KeyMap made = {.count = 0};
        Err err;
        bool read = keys == NULL || read_keys(&made, &none, row / 2, keys, strlen(keys), &err);
        assert(read);
        for (int i = 0; i < made.count; i++) {
            assert(find_key(map, made.at[i].key, made.at[i].mods) < 0);
            made.at[i].is_synonym = row % 2 == 1;
            add(map, made.at[i]);
        }
    }
}

bool keymap_set(KeyMap *map, KeyMap *own, const char *id, size_t id_bytes, const char *keys,
                size_t bytes, Err *err) {
    KeyMap made = {.count = 0};
    int command = command_find(id, id_bytes);
    if (command < 0) {
        char what[80], near[80];
        copy_shown(what, id, id_bytes);
        nearest_entry(near, sizeof near, &COMMAND_REGISTRY, id, id_bytes);
        if (near[0] != '\0')
            return err_usage(err, what, "no such command; did you mean %s?", near);
        return err_usage(err, what, "no such command; run headlight list commands");
    }
    if (!read_keys(&made, own, command, keys, bytes, err))
        return false;
    for (int i = map->count - 1; i >= 0; i--)
        if (map->at[i].command == command || find_key(&made, map->at[i].key, map->at[i].mods) >= 0)
            memmove(map->at + i, map->at + i + 1, (size_t)(--map->count - i) * sizeof *map->at);
    for (int i = 0; i < made.count; i++) {
        add(map, made.at[i]);
        add(own, made.at[i]);
    }
    return true;
}
