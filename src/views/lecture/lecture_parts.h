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
    ViewContext view; /* with the settings that the data were computed with */
    Settings made;
    const ViewContext *c; /* view */
    Ui *ui;
    const Heatmap *shown;
    int index; /* index of the chosen head among the shown tiles */
    const HeatmapTile *tile;
    LectureLayout layout;
    AttnCell at;  /* the held, pinned or strongest cell; with one token, its only cell; or
                     ATTN_CELL_NONE */
    AttnCell lit; /* the cell under the pointer, or ATTN_CELL_NONE */
    bool is_held;
} Lecture;

/* Find the data and the focused cell. Return false if shown->why says why there are none. */
bool lecture_begin(Lecture *lecture, const ViewContext *context);

/* Return the value of a pair of tokens. */
float lecture_value(const Lecture *lecture, AttnCell cell);

/* Write a number of the matrix. brief: write plain weights without the zero before the point. */
void lecture_number(char out[32], const Lecture *lecture, float value, bool brief);

/* True if another token has the same name, so that its position must be written. */
bool lecture_has_twin(const ViewContext *context, int token);

/* Return the matrix's symbol in a formula. */
const char *lecture_symbol(const Lecture *lecture);

void lecture_matrix(const Lecture *lecture);
void lecture_labels(const Lecture *lecture);
void lecture_row(const Lecture *lecture);

#endif
