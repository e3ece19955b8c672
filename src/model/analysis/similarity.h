/* similarity.h: cosines between the rows of X or of Y. A word has the same row of X wherever it
 * stands, apart from positions; its row of Y depends on context. Pure. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_SIMILARITY_H
#define HEADLIGHT_MODEL_ANALYSIS_SIMILARITY_H

#include "math/mat.h"

/* Scale each row to length 1 and write it to out; a zero row stays 0. */
void similarity_unit_rows(Mat *out, const Mat *rows);

/* Return the arena bytes that similarity_cosine takes for (T, D) rows. */
uint64_t similarity_scratch_bytes(int T, int D);

/* Fill out (T, T) with the cosines between the rows of `rows` (T, D): from -1 to 1, exactly
 * symmetric, 1 on the diagonal. A zero row has cosines 0, a row that is not finite NaN. */
void similarity_cosine(Mat *out, const Mat *rows, Arena *scratch);

#endif
