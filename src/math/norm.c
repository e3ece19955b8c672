#include "math/norm.h"

#include <assert.h>
#include <math.h>

RowNorm norm_of_row(const float *x, int count, NormKind kind) {
    double mean = 0, variance = 0;
    for (int j = 0; j < count && !kind.rms; j++)
        mean += (double)x[j];
    mean /= count;
    for (int j = 0; j < count; j++)
        variance += ((double)x[j] - mean) * ((double)x[j] - mean);
    double epsilon = kind.epsilon > 0 ? (double)kind.epsilon : NORM_EPSILON;
    return (RowNorm){mean, sqrt(variance / count + epsilon)};
}

static void norm_row_back(float *dx, const float *dy, const float *x, int count, NormKind kind) {
    RowNorm norm = norm_of_row(x, count, kind);
    double mean = 0, along = 0, factor = 1 / norm.std;
    for (int j = 0; j < count; j++) {
        mean += (double)dy[j];
        along += (double)dy[j] * ((double)x[j] - norm.mean) * factor;
    }
    mean = kind.rms ? 0 : mean / count;
    along /= count;
    for (int j = 0; j < count; j++) {
        double y = ((double)x[j] - norm.mean) * factor;
        dx[j] = (float)(((double)dy[j] - mean - y * along) * factor);
    }
}

void norm_rows(Mat *out, const Mat *x, NormKind kind) {
    assert(out->rows == x->rows && out->cols == x->cols && x->cols > 0);
    for (int i = 0; i < x->rows; i++) {
        RowNorm norm = norm_of_row(mat_row(x, i), x->cols, kind);
        double factor = 1 / norm.std;
        for (int j = 0; j < x->cols; j++)
            mat_row(out, i)[j] = (float)(((double)mat_row(x, i)[j] - norm.mean) * factor);
    }
}

void norm_rows_back(Mat *dx, const Mat *dy, const Mat *x, NormKind kind) {
    assert(dx->rows == x->rows && dx->cols == x->cols && x->cols > 0);
    assert(dy->rows == x->rows && dy->cols == x->cols);
    for (int i = 0; i < x->rows; i++)
        norm_row_back(mat_row(dx, i), mat_row(dy, i), mat_row(x, i), x->cols, kind);
}
