/* shapes.h: converts the coloured cells of a matrix to rectangles on whole device
 * pixels, by the same rules as the shaders and gfx/paint_*.c. Pure. */
#ifndef HEADLIGHT_EXPORT_SHAPES_H
#define HEADLIGHT_EXPORT_SHAPES_H

#include "draw/draw.h"

#define STROKE_FROM 6.0f /* device pixels: a masked cell at least this large gets a stroke */
#define CROSS_FROM  5.0f /* device pixels: a cell that is not finite and this large gets a cross */

/* Rotate a triangle so that its corner a has the colour that differs from the other two. Return the
 * point where the perpendicular through a meets the opposite edge: the colours are a gradient from
 * a to this point. If all three differ, b and c get the mean of their colours. */
Vec2 triangle_gradient(DrawTriangle *t);

typedef struct CellGrid {
    const DrawCells *cells;
    Rect rect; /* device pixels, whole */
    float scale, gap;
    bool is_signed, has_dash;
} CellGrid;

/* Return the cells at `scale` device pixels per logical pixel. */
CellGrid cell_grid(const DrawCells *cells, float scale);

/* Return where a row or column begins: on a whole pixel. */
float cell_grid_border(int index, float start, float extent, int count);

Rect cell_grid_rect(const CellGrid *grid, int row, int col);
float cell_grid_value(const DrawCells *cells, int row, int col);
Colour cell_grid_value_colour(const DrawCells *cells, float value);
Colour cell_grid_colour(const CellGrid *grid, int row, int col);

/* Return a rectangle of this size in the middle of r. */
Rect cell_grid_centred(Rect r, float w, float h);

/* Return the part of a cell that is filled: for a negative value in a small cell, a bar of half its
 * height. */
Rect cell_grid_filled(const CellGrid *grid, Rect r, float value);

static inline bool is_visible(Colour colour) {
    return (colour & 0xFF) != 0;
}

#endif
