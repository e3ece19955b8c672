#include "model/analysis/pagerank.h"

#include <math.h>

#define STEPS_MAX 200 /* 0.85^200 is below 1e-14 */
#define CLOSE     1e-9

static double weight_at(const float *row, int j) {
    return isfinite(row[j]) && row[j] > 0 ? (double)row[j] : 0;
}

/* Take one step of the walk. Return the total change. */
static double walk(double *next, const double *rank, const double *row_sum, const Mat *weights) {
    int T = weights->rows;
    double lost = 0, changed = 0;
    for (int j = 0; j < T; j++)
        next[j] = 0;
    for (int i = 0; i < T; i++) {
        const float *row = mat_row(weights, i);
        lost += row_sum[i] > 0 ? 0 : rank[i];
        double share = row_sum[i] > 0 ? rank[i] / row_sum[i] : 0;
        for (int j = 0; j < T && share > 0; j++)
            next[j] += share * weight_at(row, j);
    }
    for (int j = 0; j < T; j++) {
        next[j] = PAGERANK_DAMPING * (next[j] + lost / T) + (1 - PAGERANK_DAMPING) / T;
        changed += fabs(next[j] - rank[j]);
    }
    return changed;
}

void pagerank(double *rank, const Mat *weights, double *scratch) {
    int T = weights->rows;
    double *next = scratch, *row_sum = scratch + T;
    for (int i = 0; i < T; i++) {
        rank[i] = 1.0 / T;
        row_sum[i] = 0;
        for (int j = 0; j < T; j++)
            row_sum[i] += weight_at(mat_row(weights, i), j);
    }
    for (int s = 0; s < STEPS_MAX; s++) {
        double changed = walk(next, rank, row_sum, weights);
        for (int j = 0; j < T; j++)
            rank[j] = next[j];
        if (changed < CLOSE)
            return;
    }
}
