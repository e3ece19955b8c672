/* part.h: the parts of a picture that the user can point at, to crop, highlight or copy them, or to
 * name them in a tour. A view names a part where it draws it; the list has the parts of the last
 * frame. Rows and columns count from 1. */
#ifndef HEADLIGHT_DRAW_PART_H
#define HEADLIGHT_DRAW_PART_H

#include "draw/draw.h"

#define PART_ID_MAX 48

/* values[i * stride + j]; borrowed. */
typedef struct NamedMatrix {
    const char *name;
    const float *values;
    int rows, cols, stride;
    /* true if each row, or column, is a token of the text */
    bool row_tokens, col_tokens;
    /* Index of each row's and column's token in the text; NULL: in the order of the text. */
    const int *row_order, *col_order;
} NamedMatrix;

/* cells is the area of all rows and columns, visible or not; rows is 0 without cells. A list of
 * tokens has one column. A chart has one row, and a column for each step from 0. */
typedef struct DrawPart {
    char id[PART_ID_MAX];
    Rect rect; /* the visible area, with the names of rows and columns */
    Rect cells;
    int rows, cols;
    /* The matrix that the part shows: all rows and columns, as computed, without the colour scale's
     * root or logarithm. numbers.rows is 0 if the part does not show exactly one matrix. */
    NamedMatrix numbers;
    bool is_cut; /* a clip hides a portion; set by draw_part */
} DrawPart;

/* Append a part. format gives its id, such as "heads.matrix.%d"; part->id is ignored. Does nothing
 * if the clip hides the part or memory runs out. */
void draw_part(DrawList *list, const DrawPart *part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Parts for draw_part: a matrix, or a plain rectangle. */
#define PART_CELLS(place, m_rows, m_cols)                                                          \
    (&(DrawPart){.rect = (place), .cells = (place), .rows = (m_rows), .cols = (m_cols)})
#define PART_RECT(place) (&(DrawPart){.rect = (place)})

const DrawPart *part_find(const DrawList *list, const char *id, size_t bytes);

const DrawPart *part_at(const DrawList *list, Vec2 at);

/* Find the place of an address inside a part: cell(9,2) row(9) column(2) token(9) edge(9,2)
 * step(200). A token is a part of its own, as in "graph.picture.token.9", or a row. An edge is a
 * cell, or the rectangle around both tokens. Return false if the part has no such place. */
bool part_address(Rect *out, const DrawList *list, const DrawPart *part, const char *address,
                  size_t bytes);

#endif
