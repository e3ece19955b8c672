/* words.h: where the words of a draw list stand, for the laws that none lies on another or is half
 * covered. Pure but for static room. */
#ifndef HEADLIGHT_TESTS_SUPPORT_WORDS_H
#define HEADLIGHT_TESTS_SUPPORT_WORDS_H

#include "draw/draw.h"

#define WORDS_MAX   4096
#define WORDS_SLACK 1.0f /* logical pixels that two of them may share */

/* A text as it stands: its box, which may be turned about its baseline's left end. */
typedef struct Word {
    Vec2 corner[4];
    Rect around, clip; /* of the corners */
    bool is_rotated;
    int layer;
    size_t at; /* among the commands */
    const char *text;
    int bytes;
} Word;

/* Told of each fault; on is NULL where it is the word's own. */
typedef void WordFault(void *data, const char *what, const Word *word, const Word *on);

/* The words of a list, and how many they are; valid until the next call. measure is of the size in
 * logical pixels. */
const Word *words_of(const DrawList *list, const TextMeasure *measure, int *count);

/* Every word that lies on another or is covered in part by what is drawn after it. */
void words_check(const DrawList *list, const Word *words, int count, WordFault *fault, void *data);

#endif
