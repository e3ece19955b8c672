/* svg_cells.h: a matrix of cells as SVG: rectangles where a person may want to take one apart, a
 * picture of pixels where there are too many of them. */
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
