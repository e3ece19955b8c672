/* lecture_parts.h: the parts of a lecture's picture; for the files lecture*.c of views/ alone. */
#ifndef HEADLIGHT_VIEWS_LECTURE_LECTURE_PARTS_H
#define HEADLIGHT_VIEWS_LECTURE_LECTURE_PARTS_H

#include "views/lecture/lecture.h"
#include "views/shared/heatmap.h"

/* Logical pixels. */
typedef struct LectureLayout {
    Rect area;
    Rect matrix;
    float cell, gap; /* whole device pixels from 1 up; ground between cells */
    int tokens, pool;
    float label_w; /* of the row labels, and how long a column's is at most */
    float label_most;
    int row_step, column_step; /* every so many tokens has its label */
    Rect scale;                /* h 0 where there is no room for it */
    Rect list;                 /* of the row's numbers; w 0 likewise */
} LectureLayout;

typedef struct Lecture {
    const ViewContext *context;
    const Heatmap *shown;
    int index; /* of the chosen head among the shown tiles */
    LectureLayout layout;
    AttnCell at;  /* what is looked at, or ATTN_CELL_NONE */
    AttnCell lit; /* the cell under the pointer, or ATTN_CELL_NONE */
    bool is_held;
} Lecture;

LectureLayout lecture_layout(const ViewContext *context, Rect area);

/* The chosen head among the shown tiles of the first layer. */
int lecture_tile(const ViewContext *context, const Heatmap *shown);

/* Held, pinned, or else the strongest; of one token its only cell. */
AttnCell lecture_spot(const ViewContext *context);

/* The cell of a pair of tokens. */
Rect lecture_cell(const Lecture *lecture, AttnCell spot);
float lecture_value(const Lecture *lecture, AttnCell spot);

/* A number of a matrix whose scale ends at hi; plain weights without the zero before the point
 * where it is brief. */
void lecture_number(char out[32], const ViewContext *context, float value, float hi, bool brief);

/* Whether another token has the same name, so that its position tells it apart. */
bool lecture_has_twin(const ViewContext *context, int token);

/* What a matrix is called in a formula. */
const char *lecture_symbol(const ViewContext *context);

void lecture_matrix(const Lecture *lecture);
void lecture_labels(const Lecture *lecture);
void lecture_row(const Lecture *lecture);

#endif
