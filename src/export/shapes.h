/* shapes.h: converts the coloured cells of a matrix to rectangles on whole device
 * pixels, by the same rules as the shaders and gfx/paint_*.c. Pure. */
#ifndef HEADLIGHT_EXPORT_SHAPES_H
#define HEADLIGHT_EXPORT_SHAPES_H

#include "draw/draw.h"

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

Rect cell_grid_rect(const CellGrid *grid, int row, int col);
float cell_grid_value(const DrawCells *cells, int row, int col);
Colour cell_grid_value_colour(const DrawCells *cells, float value);
Colour cell_grid_colour(const CellGrid *grid, int row, int col);

/* Set *out to the place of the dash that marks a negative value in the cell r. Return false if this
 * value gets no dash. */
bool cell_grid_dash(Rect *out, const CellGrid *grid, Rect r, float value);

/* Return the part of a cell that is filled: for a negative value in a small cell, a bar of half its
 * height. */
Rect cell_grid_filled(const CellGrid *grid, Rect r, float value);

/* Fill rgba (grid->rect.w × grid->rect.h pixels, top row first) with the cells and the dashes of
 * negative values. */
void cell_grid_paint(unsigned char *rgba, const CellGrid *grid);

/* Call line for each line that marks a cell: one that rises to the right if masked, otherwise the
 * cross of a value that is not finite. Return the width of these lines; 0 if the cells are too
 * small for marks. pixel is the side of one of the picture's pixels, in device pixels: cells of
 * less than 5 or 6 such pixels get no marks. */
typedef void CellMark(void *context, Vec2 from, Vec2 to);
float cell_grid_marks(const CellGrid *grid, bool masked, float pixel, CellMark *line,
                      void *context);

static inline bool is_visible(Colour colour) {
    return (colour & 0xFF) != 0;
}

#endif
