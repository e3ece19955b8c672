/* script.h: the script of a code point, as far as shaping depends on it. Pure. To add a script, add
 * a row to the table in script.c. */
#ifndef HEADLIGHT_GFX_SCRIPT_H
#define HEADLIGHT_GFX_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

/* A script, named by its four-letter ISO 15924 code. */
typedef struct Script {
    const char *code;
    bool is_shaped; /* true if letters change with their neighbours */
} Script;

/* Return the script of a code point, or NULL if it takes the script of its neighbours (punctuation,
 * digits, symbols, marks). Source: Unicode 15, Scripts.txt, by blocks. */
const Script *script_of(uint32_t code_point);

extern const Script SCRIPT_LATIN;

#endif
