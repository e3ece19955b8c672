#include "model/analysis/rollout.h"

#include <assert.h>

void heads_mean(Mat *out, const Mat *heads, const AttnShape *shape) {
    assert(out->rows == shape->T && out->cols == shape->T);
    for (int i = 0; i < shape->T; i++) {
        float *to = mat_row(out, i);
        for (int j = 0; j < shape->T; j++) {
            double sum = 0;
            for (int h = 0; h < shape->H; h++) {
                Mat one = attn_head_scores(heads, shape, h);
                sum += (double)mat_row(&one, i)[j];
            }
            to[j] = (float)(sum / shape->H);
        }
    }
}

/* Set out to 0.5·mean + 0.5·I, with each row scaled to sum 1. In a row of mean without an open key
 * only the residual is left. */
static void add_residual(Mat *out, const Mat *mean) {
    for (int i = 0; i < mean->rows; i++) {
        const float *from = mat_row(mean, i);
        float *to = mat_row(out, i);
        double sum = 0;
        for (int j = 0; j < mean->cols; j++)
            sum += 0.5 * (double)from[j] + (i == j ? 0.5 : 0);
        for (int j = 0; j < mean->cols; j++)
            to[j] = (float)((0.5 * (double)from[j] + (i == j ? 0.5 : 0)) / sum);
    }
}

void rollout_step(Mat *out, Mat *scratch, const Mat *mean, const Mat *below) {
    if (below == NULL) {
        add_residual(out, mean);
        return;
    }
    add_residual(scratch, mean);
    mat_mul(out, scratch, below, 1);
}
