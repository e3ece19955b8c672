/* words.h: the places of the words in a draw list, for tests that no word overlaps another or is
 * half covered. Pure except for static memory. */
#ifndef HEADLIGHT_TESTS_SUPPORT_WORDS_H
#define HEADLIGHT_TESTS_SUPPORT_WORDS_H

#include "draw/draw.h"

#define WORDS_MAX   4096
#define WORDS_SLACK 1.0f /* logical pixels that two of them may share */

/* The box of a text, which may be rotated about its baseline's left end. */
typedef struct Word {
    Vec2 corner[4];
    Rect around, clip; /* of the corners */
    bool is_rotated;
    int layer;
    size_t at; /* among the commands */
    const char *text;
    int bytes;
} Word;

/* Called for each fault; on is NULL if the fault is in the word itself. */
typedef void WordFault(void *data, const char *what, const Word *word, const Word *on);

/* Return the words of a list, and set their number; valid until the next call. measure is of the
 * size in logical pixels. */
const Word *words_of(const DrawList *list, const TextMeasure *measure, int *count);

/* Fail with `where`, a text. */
void words_fail(void *where, const char *what, const Word *word, const Word *on);

/* Report every word that overlaps another or is partly covered by a later command. */
void words_check(const DrawList *list, const Word *words, int count, WordFault *fault, void *data);

#endif
