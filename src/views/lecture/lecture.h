/* lecture.h: the large-type view for a lecture hall: the chosen head's matrix with a spotlight on
 * the focused cell, the focused query's row as numbers and arrows, and a sentence about the focused
 * cell. It shows the contents of the Heads view in letters of at least 24 pixels. T tokens. */
#ifndef HEADLIGHT_VIEWS_LECTURE_LECTURE_H
#define HEADLIGHT_VIEWS_LECTURE_LECTURE_H

#include "views/view.h"

#define LECTURE_LABEL     24.0f /* px: size of the smallest text */
#define LECTURE_CONTROL   26.0f
#define LECTURE_VALUE     32.0f
#define LECTURE_WORDS_MAX 320 /* maximum bytes of a sentence, NUL included */

/* The subject of a sentence: one cell of one head of one text, and its value as written. query and
 * key are -1 for none. */
typedef struct LectureSubject {
    int head, query, key, show, minus;
    uint64_t tokens; /* hash of the two tokens and of the number of tokens */
    char value[48];  /* "" if the sentence has no value */
} LectureSubject;

/* Draw the matrix and the row of a query in area. Dragging moves the spotlight; a click pins a
 * cell. */
void lecture_frame(const ViewContext *context, Rect area);

/* Write a sentence about the held, pinned or strongest cell. Long token names are shortened to fit
 * into width, but not below 8 bytes. */
void lecture_sentence(char out[LECTURE_WORDS_MAX], LectureSubject *subject,
                      const ViewContext *context, float width);

#endif
