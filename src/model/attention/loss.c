#include "model/attention/loss.h"

#include <assert.h>

#define SUMS 16 /* number of independent partial sums, so that additions can overlap */

/* Add the squares of count differences, and write the scaled differences to dy. */
static void row_loss(double sums[SUMS], float *dy, const float *y, const float *target, int count,
                     float scale) {
    int c = 0;
    for (; c + SUMS <= count; c += SUMS)
        for (int k = 0; k < SUMS; k++) {
            float away = y[c + k] - target[c + k];
            dy[c + k] = scale * away;
            sums[k] += (double)away * (double)away;
        }
    for (int k = 0; c < count; c++, k++) {
        float away = y[c] - target[c];
        dy[c] = scale * away;
        sums[k] += (double)away * (double)away;
    }
}

float loss_mean_squared(Mat *dY, const Mat *Y, const Mat *target) {
    double entries = (double)Y->rows * Y->cols, sums[SUMS] = {0}, sum = 0;
    assert(target->rows == Y->rows && target->cols == Y->cols);
    assert(dY->rows == Y->rows && dY->cols == Y->cols);
    for (int i = 0; i < Y->rows; i++)
        row_loss(sums, mat_row(dY, i), mat_row(Y, i), mat_row(target, i), Y->cols,
                 (float)(2 / entries));
    for (int k = 0; k < SUMS; k++)
        sum += sums[k];
    return (float)(sum / entries);
}
