#include "math/norm.h"

#include <assert.h>
#include <math.h>

static void norm_row(float *out, const float *x, int count) {
    double mean = 0, variance = 0;
    for (int j = 0; j < count; j++)
        mean += (double)x[j];
    mean /= count;
    for (int j = 0; j < count; j++)
        variance += ((double)x[j] - mean) * ((double)x[j] - mean);
    double factor = 1 / sqrt(variance / count + NORM_EPSILON);
    for (int j = 0; j < count; j++)
        out[j] = (float)(((double)x[j] - mean) * factor);
}

void norm_rows(Mat *out, const Mat *x) {
    assert(out->rows == x->rows && out->cols == x->cols && x->cols > 0);
    for (int i = 0; i < x->rows; i++)
        norm_row(mat_row(out, i), mat_row(x, i), x->cols);
}
