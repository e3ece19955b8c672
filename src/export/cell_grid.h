/* cell_grid.h: the cells of a matrix as rectangles with colours, by the rules that the cells'
 * shader has: shaders/cells.frag and gfx/paint_cells.c. Pure. */
#ifndef HEADLIGHT_EXPORT_CELL_GRID_H
#define HEADLIGHT_EXPORT_CELL_GRID_H

#include "draw/draw.h"

#define LARGE_CELL     10.0f /* logical pixels: from here a minus carries a dash */
#define DASH_THICKNESS 2.0f
#define MINUS_FROM     0.12f /* of the scale; below it the dash would be noise */
#define STROKE_FROM    6.0f  /* device pixels: from here a masked cell has its stroke */
#define CROSS_FROM     5.0f

typedef struct CellGrid {
    const DrawCells *cells;
    Rect rect; /* device pixels, whole */
    float scale, gap;
    bool is_signed, has_dash;
} CellGrid;

/* Return the cells at scale device pixels in one logical pixel. */
CellGrid cell_grid(const DrawCells *cells, float scale);

/* Return where a row or column begins: on a whole pixel. */
float cell_grid_border(int index, float start, float extent, int count);

Rect cell_grid_rect(const CellGrid *grid, int row, int col);
float cell_grid_value(const DrawCells *cells, int row, int col);
Colour cell_grid_value_colour(const DrawCells *cells, float value);
Colour cell_grid_colour(const CellGrid *grid, int row, int col);

/* Return a rectangle of this size in the middle of r. */
Rect cell_grid_centred(Rect r, float w, float h);

/* Return what is filled of a cell: a negative value in a small cell is a bar of half its height. */
Rect cell_grid_filled(const CellGrid *grid, Rect r, float value);

#endif
