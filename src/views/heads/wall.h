/* wall.h: all heads of one layer as a wall of heatmaps with token labels, followed by summaries
 * (mean, rollout, mask). All tiles pan and zoom together. */
#ifndef HEADLIGHT_VIEWS_HEADS_WALL_H
#define HEADLIGHT_VIEWS_HEADS_WALL_H

#include "views/shared/heatmap.h"

typedef struct WallLayout {
    int columns, rows, tokens;
    int first_tile, tiles; /* the layer's tiles that are shown */
    float fit; /* side of a cell if all tokens are visible, logical pixels; whole device pixels from
                  1 up */
    float cell;             /* side of a cell at the current zoom */
    float side;             /* side of a whole matrix */
    Vec2 first;             /* column and row at the top left, in tokens */
    int pool;               /* cells along a side that share a pixel */
    float gap;              /* space between cells, logical pixels */
    float label_w, label_h; /* room for row labels at the left and column labels at the top */
    float title_h, foot_h;  /* height of titles and of figures; 0 if there is no room for them */
    int foot_lines;         /* lines of figures below a matrix */
    float under_h; /* space below the last row for a lit column's label, if the wall is crowded */
    float between_x, between_y;
    int label_step;  /* every label_step-th token has a row label */
    int column_step; /* every column_step-th token has a column label */
    float x, y;
    bool crowded; /* too many heads or too little room: only a lit column has its label, below the
                     wall */
    bool moves;   /* true during a transition: no names and figures */
} WallLayout;

/* Return the layout with the largest cells at which all tiles fit the area, at the zoom in memory.
 * */
WallLayout wall_layout(const ViewContext *context, Rect area, bool row_labels, int tiles);

/* Return a layout between those of from and to, for the first tile of to, with the pooling of from.
 * 0 < t < 1. */
WallLayout wall_between(const ViewContext *context, const WallLayout *from, const WallLayout *to,
                        float t);

/* Return the right and the bottom end of the wall. */
float wall_right(const WallLayout *layout);
float wall_bottom(const WallLayout *layout);

Rect wall_matrix(const WallLayout *layout, int tile);

/* Return the cell at a row and column, in logical pixels. It may lie outside the matrix. */
Rect wall_cell(const WallLayout *layout, Rect matrix, int row, int column);

/* Return the visible part of a matrix. */
HeatmapWindow wall_window(const WallLayout *layout);

/* Draw the layer's tiles. The pointer lights a cell, a click pins it, a click on a title chooses
 * the head. */
void wall_draw(const ViewContext *context, const WallLayout *layout, const Heatmap *shown,
               int layer);

#endif
