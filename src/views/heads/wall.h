/* wall.h: all heads of one layer as a wall of heatmaps with token labels, followed by summaries
 * (mean, rollout, mask). Each of these matrices is a tile. All tiles pan and zoom together. */
#ifndef HEADLIGHT_VIEWS_HEADS_WALL_H
#define HEADLIGHT_VIEWS_HEADS_WALL_H

#include "views/shared/heatmap.h"

typedef struct WallLayout {
    int columns, rows, tokens;
    int first_tile, tiles; /* first of the layer's tiles that are shown; number of tiles shown */
    /* Side of a cell if all tokens are visible, in logical pixels; a whole number of device pixels,
     * or less than one. */
    float fit;
    float cell; /* side of a cell at the current zoom, in logical pixels */
    float side; /* side of a whole matrix */
    Vec2 first; /* column and row at the top left of the visible part; may be fractional */
    int pool;   /* number of cells along a side that share one drawn cell */
    float gap;  /* space between cells, logical pixels */
    /* Width of the row labels at the left; height of the column labels at the top. */
    float label_w, label_h;
    /* Height of the titles, and of the figures (statistics below a matrix); 0 if there is no
     * room. */
    float title_h, foot_h;
    int foot_lines; /* number of lines of figures below a matrix */
    /* Space below the lowest matrices for the label of the focused column, if the wall is
     * crowded. */
    float under_h;
    float between_x, between_y;
    int label_step;  /* every label_step-th token has a row label */
    int column_step; /* every column_step-th token has a column label */
    float x, y;
    /* True if there is no room for column labels, so that only the focused column has its label,
     * below the wall. */
    bool crowded;
    bool moves; /* true during a transition, in which no names and figures are drawn */
} WallLayout;

/* Return the layout with the largest cells with which all tiles fit into area, at the zoom in
 * memory. */
WallLayout wall_layout(const ViewContext *context, Rect area, bool row_labels, int tiles);

/* Return a layout in the transition from layout `from` (t = 0) to `to` (t = 1), which has only the
 * first tile of `to` and the pooling of `from`. 0 < t < 1. */
WallLayout wall_between(const ViewContext *context, const WallLayout *from, const WallLayout *to,
                        float t);

/* Return the right and the bottom end of the wall. */
float wall_right(const WallLayout *layout);
float wall_bottom(const WallLayout *layout);

Rect wall_matrix(const WallLayout *layout, int tile);

/* Return the rectangle of the cell in a row and column, in logical pixels. It may lie outside the
 * matrix. */
Rect wall_cell(const WallLayout *layout, Rect matrix, int row, int column);

/* Return the visible part of a matrix. */
HeatmapWindow wall_window(const WallLayout *layout);

/* Draw the layer's tiles. Pointing at a cell marks it, a click pins it, and a click on a title
 * chooses the head. */
void wall_draw(const ViewContext *context, const WallLayout *layout, const Heatmap *shown,
               int layer);

#endif
