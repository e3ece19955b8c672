#include "lab/gram.h"

#include <stdlib.h>

#include "base/heap.h"

/* Fill gram with the inner products of the rows after origin (cols) is subtracted. */
static bool make_from(Gram *gram, const Mat *m, int cols, const double *origin) {
    int T = m->rows;
    double squares = 0;
    *gram = (Gram){.T = T, .at = heap_get((size_t)T * (size_t)T * sizeof *gram->at)};
    if (gram->at == NULL)
        return false;
    for (int i = 0; i < T; i++)
        for (int j = 0; j <= i; j++) {
            const float *a = mat_row(m, i), *b = mat_row(m, j);
            double sum = 0;
            for (int k = 0; k < cols; k++)
                sum += ((double)a[k] - origin[k]) * ((double)b[k] - origin[k]);
            double weight = i == j ? 1 : 2;
            gram->at[i * T + j] = gram->at[j * T + i] = sum;
            gram->square += i == j ? sum / T : 0;
            gram->centre += weight * sum / T / T;
            squares += weight * sum * sum / T / T;
        }
    gram->share = squares / (gram->square * gram->square);
    return true;
}

static bool make(Gram *gram, const Mat *m, int cols, bool apart) {
    double *origin = heap_get_zero((size_t)cols, sizeof *origin);
    for (int i = 0; origin != NULL && apart && i < m->rows; i++)
        for (int k = 0; k < cols; k++)
            origin[k] += (double)mat_row(m, i)[k] / m->rows;
    bool made = origin != NULL && make_from(gram, m, cols, origin);
    free(origin);
    return made;
}

bool gram_make(Gram *gram, const Mat *m, int cols) {
    return make(gram, m, cols, false);
}

bool gram_make_apart(Gram *gram, const Mat *m, int cols) {
    return make(gram, m, cols, true);
}

void gram_release(Gram *gram) {
    free(gram->at);
    gram->at = NULL;
}
