#include "model/analysis/spectrum.h"

#include <float.h>
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

/* Return the singular values of a, or of a·bᵀ if b is not NULL, and their number. Owned: free().
 * Return NULL and set err on failure. */
static double *sigma_of(int *count, const Mat *a, const Mat *b, Err *err) {
    *count = a->rows < a->cols ? a->rows : a->cols;
    double *sigma = heap_get((size_t)*count * sizeof *sigma);
    bool done = sigma == NULL ? err_fail(err, "memory", "too little for singular values")
                : b == NULL   ? decompose_matrix(NULL, sigma, NULL, a, err)
                              : decompose_product(NULL, sigma, NULL, a, b, err);
    if (done)
        return sigma;
    free(sigma);
    return NULL;
}

bool spectrum_matrix_effective_rank(double *rank, const Mat *a, const Mat *b, Err *err) {
    int count;
    *rank = NAN;
    if (!mat_is_finite(a) || (b != NULL && !mat_is_finite(b)))
        return true;
    double *sigma = sigma_of(&count, a, b, err);
    if (sigma == NULL)
        return false;
    *rank = spectrum_effective_rank(sigma, count);
    free(sigma);
    return true;
}

int spectrum_rank(const Mat *a, const Mat *b) {
    int count, longest = a->rows < a->cols ? a->cols : a->rows, rank = 0;
    Err err;
    double *sigma = sigma_of(&count, a, b, &err);
    if (sigma == NULL)
        return -1;
    while (rank < count && sigma[rank] > longest * (double)FLT_EPSILON * sigma[0])
        rank++;
    free(sigma);
    return rank;
}
