#include "math/norm.h"

#include <assert.h>
#include <math.h>

/* What brings a row to mean 0 and standard deviation 1. */
typedef struct Norm {
    double mean, factor;
} Norm;

static Norm norm_of(const float *x, int count) {
    double mean = 0, variance = 0;
    for (int j = 0; j < count; j++)
        mean += (double)x[j];
    mean /= count;
    for (int j = 0; j < count; j++)
        variance += ((double)x[j] - mean) * ((double)x[j] - mean);
    return (Norm){mean, 1 / sqrt(variance / count + NORM_EPSILON)};
}

static void norm_row(float *out, const float *x, int count) {
    Norm norm = norm_of(x, count);
    for (int j = 0; j < count; j++)
        out[j] = (float)(((double)x[j] - norm.mean) * norm.factor);
}

static void norm_row_back(float *dx, const float *dy, const float *x, int count) {
    Norm norm = norm_of(x, count);
    double mean = 0, along = 0;
    for (int j = 0; j < count; j++) {
        mean += (double)dy[j];
        along += (double)dy[j] * ((double)x[j] - norm.mean) * norm.factor;
    }
    mean /= count;
    along /= count;
    for (int j = 0; j < count; j++) {
        double y = ((double)x[j] - norm.mean) * norm.factor;
        dx[j] = (float)(((double)dy[j] - mean - y * along) * norm.factor);
    }
}

void norm_rows(Mat *out, const Mat *x) {
    assert(out->rows == x->rows && out->cols == x->cols && x->cols > 0);
    for (int i = 0; i < x->rows; i++)
        norm_row(mat_row(out, i), mat_row(x, i), x->cols);
}

void norm_rows_back(Mat *dx, const Mat *dy, const Mat *x) {
    assert(dx->rows == x->rows && dx->cols == x->cols && x->cols > 0);
    assert(dy->rows == x->rows && dy->cols == x->cols);
    for (int i = 0; i < x->rows; i++)
        norm_row_back(mat_row(dx, i), mat_row(dy, i), mat_row(x, i), x->cols);
}
