/* similarity.h: how similar tokens are: the rows of X before the layer, where a word is the same
 * everywhere, compared with the rows of Y after it, which depend on context. Pure. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_SIMILARITY_H
#define HEADLIGHT_MODEL_ANALYSIS_SIMILARITY_H

#include "math/mat.h"

/* Set each row of out to the row of rows scaled to length 1; a zero row stays 0. */
void similarity_unit_rows(Mat *out, const Mat *rows);

/* Arena bytes that similarity_cosine takes for (T, D) rows. */
uint64_t similarity_scratch_bytes(int T, int D);

/* Fill out (T, T) with the cosines between the rows of rows (T, D): -1 to 1, exactly symmetric, 1
 * of a row with itself, 0 for a zero row. Rows of any length are accepted. A row that is not finite
 * gives NaN in its row and column. */
void similarity_cosine(Mat *out, const Mat *rows, Arena *scratch);

#endif
