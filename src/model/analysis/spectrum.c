#include "model/analysis/spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "math/decompose.h"

double spectrum_effective_rank(const double *sigma, int count) {
    double sum = 0, entropy = 0;
    for (int i = 0; i < count; i++)
        sum += sigma[i];
    if (sum == 0)
        return 0;
    for (int i = 0; i < count; i++) {
        double share = sigma[i] / sum;
        entropy -= share > 0 ? share * log(share) : 0;
    }
    return exp(entropy);
}

double spectrum_matrix_effective_rank(const Mat *m) {
    int count = m->rows < m->cols ? m->rows : m->cols;
    Err err;
    double rank = NAN, *sigma = heap_get((size_t)count * sizeof *sigma);
    if (sigma != NULL && decompose_matrix(NULL, sigma, NULL, m, &err))
        rank = spectrum_effective_rank(sigma, count);
    free(sigma);
    return rank;
}
