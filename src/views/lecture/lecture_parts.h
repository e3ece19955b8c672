/* lecture_parts.h: the parts of a lecture's picture. Only for lecture*.c in this folder. */
#ifndef HEADLIGHT_VIEWS_LECTURE_LECTURE_PARTS_H
#define HEADLIGHT_VIEWS_LECTURE_LECTURE_PARTS_H

#include "views/lecture/lecture.h"
#include "views/shared/heatmap.h"

/* The layout of a lecture, in logical pixels. */
typedef struct LectureLayout {
    Rect area;
    Rect matrix;
    float cell, gap; /* side of a cell: whole device pixels, or less than one; gap between cells */
    int tokens, pool;
    float label_w; /* px kept at the left for the row labels and the matrix's symbol */
    float label_most;
    float lean; /* px by which the longest column label extends beyond its column */
    Rect scale; /* place of the colour scale; h is 0 if there is no room for it */
    Rect list;  /* place of the row's numbers; w is 0 if there is no room */
} LectureLayout;

typedef struct Lecture {
    ViewContext view; /* the context, with the settings with which the data were computed */
    Settings made;
    const ViewContext *c; /* points to `view` */
    Ui *ui;
    const Heatmap *shown;
    int index; /* index of the chosen head in the list of tiles */
    const HeatmapTile *tile;
    LectureLayout layout;
    /* The held, pinned or strongest cell; if there is only one token, its cell; or
     * ATTN_CELL_NONE. */
    AttnCell at;
    AttnCell lit; /* the cell under the pointer, or ATTN_CELL_NONE */
    bool is_held;
} Lecture;

/* Find the data and the focused cell. Return false if there are none; shown->why then says why. */
bool lecture_begin(Lecture *lecture, const ViewContext *context);

/* Return the entry of the shown matrix for a pair of tokens. */
float lecture_value(const Lecture *lecture, AttnCell cell);

/* Write a number of the matrix. brief: write weights without the zero before the decimal point. */
void lecture_number(char out[32], const Lecture *lecture, float value, bool brief);

/* True if another token has the same name, so that the token's position must be written, too. */
bool lecture_has_twin(const ViewContext *context, int token);

/* Return the symbol of the shown matrix for formulas. */
const char *lecture_symbol(const Lecture *lecture);

void lecture_row(const Lecture *lecture);

#endif
