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

/* b is NULL for the matrix a itself. */
static bool find_rank(double *rank, const Mat *a, const Mat *b, Err *err) {
    int count = a->rows < a->cols ? a->rows : a->cols;
    *rank = NAN;
    if (!mat_is_finite(a) || (b != NULL && !mat_is_finite(b)))
        return true;
    double *sigma = heap_get((size_t)count * sizeof *sigma);
    bool done = sigma == NULL ? err_fail(err, "memory", "too little for singular values")
                : b == NULL   ? decompose_matrix(NULL, sigma, NULL, a, err)
                              : decompose_product(NULL, sigma, NULL, a, b, err);
    if (done)
        *rank = spectrum_effective_rank(sigma, count);
    free(sigma);
    return done;
}

bool spectrum_matrix_effective_rank(double *rank, const Mat *m, Err *err) {
    return find_rank(rank, m, NULL, err);
}

bool spectrum_product_effective_rank(double *rank, const Mat *a, const Mat *b, Err *err) {
    return find_rank(rank, a, b, err);
}
