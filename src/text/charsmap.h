/* charsmap.h: SentencePiece's table that replaces characters. Pure.
 * Source: sentencepiece, src/normalizer.cc; the double-array trie of darts-clone. */
#ifndef HEADLIGHT_TEXT_CHARSMAP_H
#define HEADLIGHT_TEXT_CHARSMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A trie whose leaves are offsets into the forms: replacement texts, each ended by NUL. */
typedef struct Charsmap {
    unsigned char *bytes;    /* owned: the table in its file format */
    size_t units, form_size; /* units of 4 bytes from byte 4 on, then form_size bytes of forms */
} Charsmap;

/* Read a table from bytes. They belong to map, even on failure: the caller frees map->bytes. Return
 * false if the table is invalid. */
bool charsmap_take(Charsmap *map, unsigned char *bytes, size_t size);

/* Return the replacement of the shortest prefix of text that has one, and set *bytes to its length;
 * NULL if no prefix has one. */
const char *charsmap_find(const Charsmap *map, const char *text, size_t size, size_t *bytes);

#endif
