/* lecture_parts.h: the parts of a lecture's picture; for the files views/lecture/lecture*.c only.
 */
#ifndef HEADLIGHT_VIEWS_LECTURE_LECTURE_PARTS_H
#define HEADLIGHT_VIEWS_LECTURE_LECTURE_PARTS_H

#include "views/lecture/lecture.h"
#include "views/shared/heatmap.h"

/* The layout of a lecture, in logical pixels. */
typedef struct LectureLayout {
    Rect area;
    Rect matrix;
    float cell, gap; /* whole device pixels from 1 up; gap between cells */
    int tokens, pool;
    float label_w; /* width of the row labels; the longest column label */
    float label_most;
    float lean;                /* px by which the longest column label reaches past its column */
    int row_step, column_step; /* every row_step-th or column_step-th token has its label */
    Rect scale;                /* h is 0 if there is no room for it */
    Rect list;                 /* the row's numbers; w is 0 if there is no room */
} LectureLayout;

typedef struct Lecture {
    const ViewContext *context;
    const Heatmap *shown;
    int index; /* index of the chosen head among the shown tiles */
    LectureLayout layout;
    AttnCell at;  /* the focused cell, or ATTN_CELL_NONE */
    AttnCell lit; /* the cell under the pointer, or ATTN_CELL_NONE */
    bool is_held;
} Lecture;

/* Return the chosen head's index among the shown tiles of the first layer. */
int lecture_tile(const ViewContext *context, const Heatmap *shown);

/* Return the held, pinned or strongest cell; with one token, its only cell. */
AttnCell lecture_cell_at(const ViewContext *context);

/* Return the place on screen and the value of a pair of tokens. */
Rect lecture_cell(const Lecture *lecture, AttnCell cell);
float lecture_value(const Lecture *lecture, AttnCell cell);

/* Write a number of a matrix whose scale ends at hi. brief: write plain weights without the zero
 * before the point. */
void lecture_number(char out[32], const ViewContext *context, float value, float hi, bool brief);

/* True if another token has the same name, so that its position must be written. */
bool lecture_has_twin(const ViewContext *context, int token);

/* Return a matrix's symbol in a formula. */
const char *lecture_symbol(const ViewContext *context);

void lecture_matrix(const Lecture *lecture);
void lecture_labels(const Lecture *lecture);
void lecture_row(const Lecture *lecture);

#endif
