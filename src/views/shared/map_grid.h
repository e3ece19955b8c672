/* map_grid.h: where the heads of a column stand as small heatmaps. Pure. */
#ifndef HEADLIGHT_VIEWS_SHARED_MAP_GRID_H
#define HEADLIGHT_VIEWS_SHARED_MAP_GRID_H

#include "base/geom.h"

/* Logical pixels; side is whole device pixels. */
typedef struct MapGrid {
    int heads, across, rows;
    float side, gap;
} MapGrid;

/* So many heads in a width, as few in a row as make all of them low enough: one of `most` at most,
 * and all of them not much higher. scale: device pixels in a logical one. */
MapGrid map_grid(int heads, float width, float most, float scale);

static inline float map_grid_height(const MapGrid *grid) {
    return (grid->side + grid->gap) * (float)grid->rows - grid->gap;
}

/* The place of one head, from the grid's top left. */
Rect map_grid_place(const MapGrid *grid, Vec2 at, int head);

#endif
