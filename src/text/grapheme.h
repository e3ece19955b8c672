/* grapheme.h: reads text grapheme by grapheme (a character as a reader sees it). The class of a
 * grapheme decides whether it joins its neighbours to form a word. Pure. Source: grapheme
 * boundaries as in Unicode Standard Annex 29, section 3, by utf8proc. */
#ifndef HEADLIGHT_TEXT_GRAPHEME_H
#define HEADLIGHT_TEXT_GRAPHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum GraphemeClass {
    GRAPHEME_NONE,   /* after the last grapheme */
    GRAPHEME_SPACE,  /* blanks, control and format characters */
    GRAPHEME_LETTER, /* letter of a script that separates words by spaces; also marks */
    GRAPHEME_DIGIT,  /* decimal */
    GRAPHEME_ALONE,  /* never part of a word: punctuation, symbols, emoji, and characters of scripts
                        without spaces (Han, kana, Thai and others) */
} GraphemeClass;

typedef struct Grapheme {
    size_t at, bytes; /* start and length; bytes is 0 for GRAPHEME_NONE */
    uint32_t first;   /* first code point */
    bool single;      /* true if the grapheme has only one code point */
    GraphemeClass class;
} Grapheme;

/* True if g consists of exactly this code point. */
static inline bool grapheme_is(Grapheme g, uint32_t code_point) {
    return g.first == code_point && g.single;
}

static inline bool grapheme_in_word(Grapheme g) {
    return g.class == GRAPHEME_LETTER || g.class == GRAPHEME_DIGIT;
}

bool is_combining_mark(uint32_t c);

/* Return the grapheme that starts at text[at]; at must be a grapheme boundary or size.
 * A malformed byte counts as U+FFFD. Linear in the bytes of the grapheme. */
Grapheme grapheme_at(const char *text, size_t size, size_t at);

Grapheme grapheme_after(const char *text, size_t size, Grapheme g);

#endif
