/* shapes.h: converts the coloured cells of a matrix to rectangles on whole device
 * pixels, by the same rules as the shaders and gfx/paint_*.c. Pure. */
#ifndef HEADLIGHT_EXPORT_SHAPES_H
#define HEADLIGHT_EXPORT_SHAPES_H

#include "draw/draw.h"

/* Reorder the corners of a triangle so that a has the colour that differs from the other two. If
 * all three differ, b and c get the mean of their colours. Return the point where the perpendicular
 * through a meets the opposite edge: the colours are a gradient from a to this point. */
Vec2 triangle_gradient(DrawTriangle *t);

typedef struct CellGrid {
    const DrawCells *cells;
    Rect rect; /* in whole device pixels */
    float scale, gap;
    bool is_signed, has_dash;
} CellGrid;

/* Return the cells at `scale` device pixels per logical pixel. */
CellGrid cell_grid(const DrawCells *cells, float scale);

Colour cell_grid_colour(const CellGrid *grid, int row, int col);

typedef enum CellLayer {
    CELL_GROUND,
    /* A whole cell or, for a negative value in a small cell of a signed palette, a bar of half its
     * height. */
    CELL_WHOLE,
    CELL_DASH, /* the dash of a negative value */
} CellLayer;

/* Call fill for each rectangle of the cells. The dash of a cell comes after the cell. */
typedef void CellFill(void *context, Rect rect, Colour colour, CellLayer layer);
void cell_grid_fill(const CellGrid *grid, CellFill *fill, void *context);

/* Fill rgba (grid->rect.w × grid->rect.h pixels, top row first) with these rectangles. */
void cell_grid_paint(unsigned char *rgba, const CellGrid *grid);

/* Call line for each line of the marks: if masked, a line that rises to the right in each masked
 * cell, otherwise a cross in each cell whose value is not finite. Return the width of these lines;
 * 0 if the cells are too small for marks. pixel: the length of a pixel of the picture in the units
 * of the grid. */
typedef void CellMark(void *context, Vec2 from, Vec2 to);
float cell_grid_marks(const CellGrid *grid, bool masked, float pixel, CellMark *line,
                      void *context);

static inline bool is_visible(Colour colour) {
    return (colour & 0xFF) != 0;
}

#endif
