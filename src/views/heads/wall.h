/* wall.h: all heads of one layer as a wall of heatmaps with token labels, and after them what they
 * are together. They are panned and zoomed as one. */
#ifndef HEADLIGHT_VIEWS_HEADS_WALL_H
#define HEADLIGHT_VIEWS_HEADS_WALL_H

#include "views/shared/heatmap.h"

typedef struct WallLayout {
    int columns, rows, tokens;
    int first_tile, tiles;  /* those of the layer that it shows */
    float fit;              /* side of a cell where all tokens are seen, logical pixels; whole
                               device pixels from 1 up */
    float cell;             /* as it is zoomed */
    float side;             /* of a matrix */
    Vec2 first;             /* column and row at its top left, in tokens */
    int pool;               /* cells that share a pixel, along a side */
    float gap;              /* ground between cells, logical pixels */
    float label_w, label_h; /* room for row labels at the left, column labels on top */
    float title_h, foot_h;  /* 0 where there is no room for them */
    int foot_lines;         /* of figures in a foot */
    float under_h;          /* below the last row, for a lit column's label where it is crowded */
    float between_x, between_y;
    int label_step;  /* every so many tokens has a row label */
    int column_step; /* and a column label */
    float x, y;
    bool crowded; /* so many heads or so little room that only a lit column has its label, below */
    bool moves;   /* far from its place: without names and figures */
} WallLayout;

/* The largest cells with which all tiles fit the area, zoomed as the memory says. */
WallLayout wall_layout(const ViewContext *context, Rect area, bool row_labels, int tiles);

/* The first of to's tiles on its way from where it stands in from to where it does in to, with the
 * pooling of from. t is 0 to 1, without its ends. */
WallLayout wall_between(const ViewContext *context, const WallLayout *from, const WallLayout *to,
                        float t);

/* The size of what is drawn, for those who stand beside or below it. */
float wall_right(const WallLayout *layout);
float wall_bottom(const WallLayout *layout);

/* The place of a tile's matrix. */
Rect wall_matrix(const WallLayout *layout, int tile);

/* The cell at a place of the rows and columns, in logical pixels. It may lie outside. */
Rect wall_cell(const WallLayout *layout, Rect matrix, int row, int column);

/* The part of a matrix that is seen. */
HeatmapWindow wall_window(const WallLayout *layout);

/* Draw the layer's tiles; hover lights a cell, a click pins it, a click on a title chooses. */
void wall_draw(const ViewContext *context, const WallLayout *layout, const Heatmap *shown,
               int layer);

#endif
