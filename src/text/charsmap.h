/* charsmap.h: SentencePiece's table that replaces characters. Pure.
 * Source: sentencepiece, src/normalizer.cc; the double-array trie of darts-clone. */
#ifndef HEADLIGHT_TEXT_CHARSMAP_H
#define HEADLIGHT_TEXT_CHARSMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A trie whose leaves are places in forms, where texts lie that end with NUL. */
typedef struct Charsmap {
    unsigned char *bytes;    /* owned: the table as it stands in a file */
    size_t units, form_size; /* of 4 bytes each, from byte 4 on; what follows are the forms */
} Charsmap;

/* Take a table in memory from malloc; false if it is invalid. The caller frees map->bytes. */
bool charsmap_take(Charsmap *map, unsigned char *bytes, size_t size);

/* Return the text that replaces the shortest start of text that has one, and its bytes; NULL for
 * none. */
const char *charsmap_find(const Charsmap *map, const char *text, size_t size, size_t *bytes);

#endif
