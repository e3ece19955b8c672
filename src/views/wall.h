/* wall.h: all heads of one layer as a wall of heatmaps with token labels. */
#ifndef HEADLIGHT_VIEWS_WALL_H
#define HEADLIGHT_VIEWS_WALL_H

#include "views/view.h"

typedef struct WallLayout {
    int columns, rows, heads, tokens;
    float cell;             /* side of one, logical pixels; whole device pixels from 1 up */
    float gap;              /* ground between cells, logical pixels */
    float label_w, label_h; /* room for row labels at the left, column labels on top */
    float title_h, between_x, between_y;
    int label_step;  /* every so many tokens has a row label */
    int column_step; /* and a column label */
    float x, y;
    bool crowded; /* so many heads that only a lit column has its label */
} WallLayout;

/* The largest cells with which all heads fit the area. */
WallLayout wall_layout(const ViewContext *context, Rect area, bool row_labels);

/* The size of what is drawn, for those who stand beside or below it. */
float wall_right(const WallLayout *layout);
float wall_bottom(const WallLayout *layout);

/* The place of a head's matrix. */
Rect wall_matrix(const WallLayout *layout, int head);

/* Draw the layer's heads; hover lights a cell, a click pins it, a click on a title chooses. */
void wall_draw(const ViewContext *context, const WallLayout *layout, int layer);

#endif
