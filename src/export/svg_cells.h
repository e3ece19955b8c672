/* svg_cells.h: a matrix of cells as SVG: rectangles that can be edited one by one, or one picture
 * of pixels if there are too many cells. */
#ifndef HEADLIGHT_EXPORT_SVG_CELLS_H
#define HEADLIGHT_EXPORT_SVG_CELLS_H

#include "base/err.h"
#include "draw/draw.h"
#include "export/svg_out.h"

/* Up to that many cells are rectangles. */
#define SVG_CELLS_MAX 16384

/* Append cells at scale device pixels in one logical pixel. Fails for want of memory. */
bool svg_cells(SvgOut *out, const DrawCells *cells, float scale, Err *err);

#endif
