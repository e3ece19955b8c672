/* similarity.h: how alike tokens are: the rows of X before the layer, where a word is the same
 * wherever it stands, against the rows of Y after it, where its context has come in. Pure. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_SIMILARITY_H
#define HEADLIGHT_MODEL_ANALYSIS_SIMILARITY_H

#include "math/mat.h"

/* The room that similarity_cosine takes from its arena for (T, D) rows. */
size_t similarity_scratch_bytes(int T, int D);

/* Fill out (T, T) with the cosine of the angle between each two rows of rows (T, D): -1 to 1, 1 of
 * a row with itself, symmetric to the bit, 0 wherever a row is all 0. Lengths of any size are
 * taken, and do not count. The row and column of a row that is not finite are not numbers. */
void similarity_cosine(Mat *out, const Mat *rows, Arena *scratch);

#endif
