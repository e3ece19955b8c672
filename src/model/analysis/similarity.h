/* similarity.h: how similar tokens are, before and after the layer. Rows of X do not depend on
 * context: a word has the same vector everywhere. Rows of Y do. Pure. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_SIMILARITY_H
#define HEADLIGHT_MODEL_ANALYSIS_SIMILARITY_H

#include "math/mat.h"

/* Scale each row to length 1 and write it to out; a zero row stays 0. */
void similarity_unit_rows(Mat *out, const Mat *rows);

/* Return the arena bytes that similarity_cosine takes for (T, D) rows. */
uint64_t similarity_scratch_bytes(int T, int D);

/* Fill out (T, T) with the cosines between the rows of `rows` (T, D). They are -1 to 1, exactly
 * symmetric, 1 between a row and itself, 0 for a zero row. Rows of any length are accepted. A row
 * that is not finite gives NaN in its row and column. */
void similarity_cosine(Mat *out, const Mat *rows, Arena *scratch);

#endif
