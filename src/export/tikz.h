/* tikz.h: writes a draw list as TikZ, for \input in a LaTeX document. Text is set in the document's
 * own font. Pure. */
#ifndef HEADLIGHT_EXPORT_TIKZ_H
#define HEADLIGHT_EXPORT_TIKZ_H

#include "base/err.h"
#include "base/text_out.h"
#include "draw/draw.h"

#define TIKZ_CELLS_MAX 4096 /* 64 × 64: more cells are too much for TeX */

/* Append list, which must be ended and complete. pt is the size of a logical pixel in points. state
 * is written as a comment. Fails if a matrix has too many cells, or if memory runs out. */
bool tikz_write(TextOut *out, const DrawList *list, double pt, const char *state, Err *err);

#endif
