/* lecture.h: the large-type view for a room: the chosen head's matrix under a spotlight, the pinned
 * query's row as numbers and arrows, and a sentence about the pinned cell. It shows what the Heads
 * view shows, in letters of 24 pixels and more. T tokens. */
#ifndef HEADLIGHT_VIEWS_LECTURE_LECTURE_H
#define HEADLIGHT_VIEWS_LECTURE_LECTURE_H

#include "views/view.h"

#define LECTURE_LABEL     24.0f /* size of the smallest text */
#define LECTURE_CONTROL   26.0f
#define LECTURE_VALUE     32.0f
#define LECTURE_WORDS_MAX 320 /* bytes of a sentence with its NUL */

/* The subject of a sentence: one cell of one head of one text, and its value as written. query and
 * key are -1 for none. */
typedef struct LectureSubject {
    int head, query, key, show, minus;
    uint64_t tokens; /* hash of the two tokens and of the number of tokens */
    char value[48];  /* "" if the sentence has no value */
} LectureSubject;

/* Draw the matrix and its row in area. A pressed pointer moves the light; a click pins a cell. */
void lecture_frame(const ViewContext *context, Rect area);

/* Write a sentence about the held, pinned or strongest cell. Every word fits a line of this width.
 */
void lecture_sentence(char out[LECTURE_WORDS_MAX], LectureSubject *subject,
                      const ViewContext *context, float width);

#endif
