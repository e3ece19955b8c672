/* svg_cells.h: writes a matrix of cells as SVG: rectangles that can be edited one by one, or one
 * bitmap if there are too many cells. */
#ifndef HEADLIGHT_EXPORT_SVG_CELLS_H
#define HEADLIGHT_EXPORT_SVG_CELLS_H

#include "base/err.h"
#include "draw/draw.h"
#include "export/svg_out.h"

/* up to this many cells are rectangles */
#define SVG_CELLS_MAX 16384

/* Append cells at `scale` device pixels per logical pixel. Fails if memory runs out. */
bool svg_cells(SvgOut *out, const DrawCells *cells, float scale, Err *err);

#endif
