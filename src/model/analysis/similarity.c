#include "model/analysis/similarity.h"

#include <assert.h>
#include <math.h>

size_t similarity_scratch_bytes(int T, int D) {
    return mat_bytes(T, D);
}

/* Set to = from / |from|, computed in double so that squares neither overflow nor vanish. */
static void scale_to_unit(float *to, const float *from, int D) {
    double sum = 0;
    for (int j = 0; j < D; j++)
        sum += (double)from[j] * (double)from[j];
    double factor = sum == 0 ? 0 : 1 / sqrt(sum);
    for (int j = 0; j < D; j++)
        to[j] = (float)((double)from[j] * factor);
}

void similarity_cosine(Mat *out, const Mat *rows, Arena *scratch) {
    assert(out->rows == rows->rows && out->cols == rows->rows);
    Mat unit = mat_push(scratch, rows->rows, rows->cols);
    for (int i = 0; i < rows->rows; i++)
        scale_to_unit(mat_row(&unit, i), mat_row(rows, i), rows->cols);
    mat_mul_bt(out, &unit, &unit, 1);
    for (int i = 0; i < out->rows; i++) {
        float *row = mat_row(out, i);
        row[i] = row[i] > 0 ? 1 : row[i];
        for (int j = 0; j < i; j++)
            row[j] = mat_row(out, j)[i] = row[j] > 1 ? 1 : row[j] < -1 ? -1 : row[j];
    }
}
