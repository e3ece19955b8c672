/* key_script.h: keys that are pressed at given times, as in `--keys 'F@1 Ctrl+L@2 "king
 * queen"@2.5'`. Words are separated by blanks. Each word is a key or a text in quotes, then @ and
 * the time of the press in seconds. A word without a time gets the time of the previous word, or 0
 * if it is the first. A text is typed character by character. Pure. */
#ifndef HEADLIGHT_SHELL_KEY_SCRIPT_H
#define HEADLIGHT_SHELL_KEY_SCRIPT_H

#include <stdint.h>

#include "base/err.h"

#define KEY_SCRIPT_MAX       1000
#define KEY_SCRIPT_SECONDS   3600
#define KEY_SCRIPT_TYPED_S   0.09 /* seconds between two typed characters */
#define KEY_PRESS_TEXT_BYTES 8

typedef struct KeyPress {
    double time_s;
    uint32_t key; /* a key as in InputEvent */
    unsigned mods;
    char text[KEY_PRESS_TEXT_BYTES]; /* what the key types; "" for nothing */
} KeyPress;

/* Sorted by time. */
typedef struct KeyScript {
    KeyPress at[KEY_SCRIPT_MAX];
    int count;
} KeyScript;

/* Read text. On failure err names the word (ERR_USAGE). */
bool key_script_read(KeyScript *script, const char *text, Err *err);

#endif
