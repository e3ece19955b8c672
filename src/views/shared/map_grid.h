/* map_grid.h: places of a column's heads as small heatmaps. Pure. */
#ifndef HEADLIGHT_VIEWS_SHARED_MAP_GRID_H
#define HEADLIGHT_VIEWS_SHARED_MAP_GRID_H

#include "base/geom.h"

/* The grid in logical pixels; side is a whole number of device pixels. */
typedef struct MapGrid {
    int heads, across, rows;
    float side, gap;
} MapGrid;

/* Lay out the heads in this width: four (or all) in a row, more if the grid would be much higher
 * than `most`. most: largest side of a head in px. scale: device pixels per logical pixel. */
MapGrid map_grid(int heads, float width, float most, float scale);

static inline float map_grid_height(const MapGrid *grid) {
    return (grid->side + grid->gap) * (float)grid->rows - grid->gap;
}

/* Return the place of one head. at is the top left corner of the grid. */
Rect map_grid_place(const MapGrid *grid, Vec2 at, int head);

#endif
