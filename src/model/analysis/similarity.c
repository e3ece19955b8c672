#include "model/analysis/similarity.h"

#include <assert.h>
#include <math.h>

uint64_t similarity_scratch_bytes(int T, int D) {
    return mat_bytes(T, D);
}

/* The computation is in double, so that squares neither overflow nor vanish. */
void similarity_unit_rows(Mat *out, const Mat *rows) {
    for (int i = 0; i < rows->rows; i++) {
        const float *from = mat_row(rows, i);
        double sum = 0;
        for (int j = 0; j < rows->cols; j++)
            sum += (double)from[j] * (double)from[j];
        double factor = sum == 0 ? 0 : 1 / sqrt(sum);
        for (int j = 0; j < rows->cols; j++)
            mat_row(out, i)[j] = (float)((double)from[j] * factor);
    }
}

void similarity_cosine(Mat *out, const Mat *rows, Arena *scratch) {
    assert(out->rows == rows->rows && out->cols == rows->rows);
    Mat unit = mat_push(scratch, rows->rows, rows->cols);
    similarity_unit_rows(&unit, rows);
    mat_mul_bt(out, &unit, &unit, 1);
    for (int i = 0; i < out->rows; i++) {
        float *row = mat_row(out, i);
        row[i] = row[i] > 0 ? 1 : row[i];
        for (int j = 0; j < i; j++)
            row[j] = mat_row(out, j)[i] = row[j] > 1 ? 1 : row[j] < -1 ? -1 : row[j];
    }
}
