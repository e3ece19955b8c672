/* keymap.h: the keys that run commands: a table of defaults, changed by the user's own file. Pure.
 * A line of the file, such as "undo = Ctrl+Z, Alt+Backspace", replaces the keys of that command; a
 * line without keys removes them. */
#ifndef HEADLIGHT_APP_KEYMAP_H
#define HEADLIGHT_APP_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define KEYMAP_MAX   128
#define KEY_NAME_MAX 64

/* command is a row of COMMANDS. */
typedef struct Binding {
    uint32_t key;
    unsigned mods;
    int command;
    bool is_synonym; /* an alternative key for some keyboards, not shown on screen */
} Binding;

typedef struct KeyMap {
    Binding at[KEYMAP_MAX];
    int count;
} KeyMap;

/* Fill map with the default bindings. Asserts that each names a command and no two share a key. */
void keymap_standard(KeyMap *map);

/* Change map by one line of a file: a command's id, and its keys separated by commas. Add the
 * bindings to own, which holds those of the file's earlier lines. If a key is the default of
 * another command, that command loses the key; fail if an earlier line assigns it. On failure
 * nothing changes, and err names the command or the key. */
bool keymap_set(KeyMap *map, KeyMap *own, const char *id, size_t id_bytes, const char *keys,
                size_t bytes, Err *err);

/* Write a key as it is shown on screen, "Ctrl Shift C". */
void key_name(char out[KEY_NAME_MAX], uint32_t key, unsigned mods);

/* Parse a key as a user writes it, "ctrl+shift+c". Return false if the text is not a key. */
bool key_read(uint32_t *key, unsigned *mods, const char *text, size_t bytes);

/* Return the command's first binding that is not a synonym; if all are, its first one. NULL if it
 * has no key. */
const Binding *keymap_shown(const KeyMap *map, int command);

/* Write the keys of a command as shown on screen, separated by commas; "" if it has none. Synonyms
 * are omitted if the command has other keys. */
void keymap_names(char *out, size_t capacity, const KeyMap *map, int command);

#endif
