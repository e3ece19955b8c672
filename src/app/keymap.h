/* keymap.h: which key runs which command: the standard ones as a table, changed by a person's own
 * file. The file has lines such as "undo = Ctrl+Z, Alt+Backspace": the keys named take the place
 * of that command's own; none at all leave it without. Pure. */
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
    bool is_synonym; /* of another key of the command, on some keyboards: not written on screen */
} Binding;

typedef struct KeyMap {
    Binding at[KEYMAP_MAX];
    int count;
} KeyMap;

/* The standard bindings. Asserts that each names a command and that no two share a key. */
void keymap_standard(KeyMap *map);

/* Change map by one line of a file: a command's id, and keys by comma. On failure nothing changes
 * and err names the command or the key. Keys that another command has are taken from it, unless
 * own, the bindings that the file has made so far, has them. */
bool keymap_set(KeyMap *map, KeyMap *own, const char *id, size_t id_bytes, const char *keys,
                size_t bytes, Err *err);

/* A key as it is written on screen, "Ctrl Shift C". */
void key_name(char out[KEY_NAME_MAX], uint32_t key, unsigned mods);

/* Read a key as a person writes it, "ctrl+shift+c"; false where it is none. */
bool key_read(uint32_t *key, unsigned *mods, const char *text, size_t bytes);

/* The keys of a command, as written on screen, with commas between; "" for none. Synonyms are left
 * out beside what they stand for. */
void keymap_names(char *out, size_t capacity, const KeyMap *map, int command);

#endif
