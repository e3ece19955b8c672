/* lecture.h: what a lecture shows to a room: the chosen head's matrix under a spotlight, the row of
 * the pinned query as numbers and arrows, and a sentence about the pinned cell. It shows what the
 * Heads view shows, in words of 24 pixels and more. T tokens. */
#ifndef HEADLIGHT_VIEWS_LECTURE_LECTURE_H
#define HEADLIGHT_VIEWS_LECTURE_LECTURE_H

#include "views/view.h"

#define LECTURE_LABEL     24.0f /* size of the smallest words there are */
#define LECTURE_CONTROL   26.0f
#define LECTURE_VALUE     32.0f
#define LECTURE_WORDS_MAX 320 /* bytes of a sentence with its NUL */

/* What a sentence is about: one cell of one head of one text, and its value as the sentence says
 * it. query and key are -1 where nothing is looked at. */
typedef struct LectureSubject {
    int head, query, key, show, minus;
    uint64_t tokens; /* a hash of the two, and of how many there are */
    char value[48];  /* "" where the sentence says none */
} LectureSubject;

/* Draw the matrix and its row in area; the pointer held on the matrix leads the light, a click pins
 * a cell. */
void lecture_frame(const ViewContext *context, Rect area);

/* A sentence for what is looked at, that is held or pinned or else the strongest, whose every word
 * fits a line of that width. */
void lecture_sentence(char out[LECTURE_WORDS_MAX], LectureSubject *subject,
                      const ViewContext *context, float width);

/* The choice of a head at the right end of line. */
void lecture_heads(const ViewContext *context, Rect line);

#endif
