#include <math.h>

#include "model/analysis/spectrum.h"
#include "support/test.h"

#define COUNT_MAX 80

TEST(effective_rank_of_known_spectra) {
    assert_true(fabs(spectrum_effective_rank((const double[]){2, 2, 2, 2, 2}, 5) - 5) < 1e-12);
    assert_true(fabs(spectrum_effective_rank((const double[]){7, 0, 0}, 3) - 1) < 1e-12);
    assert_true(spectrum_effective_rank((const double[]){0, 0, 0}, 3) == 0);
    /* Shares 1/2, 1/4, 1/4: an entropy of 1.5 ln 2. */
    double known = spectrum_effective_rank((const double[]){4, 2, 2, 0}, 4);
    assert_true(fabs(known - pow(2, 1.5)) < 1e-12);
    double larger = spectrum_effective_rank((const double[]){4e9, 2e9, 2e9, 0}, 4);
    assert_true(fabs(larger - known) < 1e-12);
}

TEST(effective_rank_of_attention) {
    enum { T = 9 };
    float at[T * T] = {0};
    Mat A = {at, T, T, T};
    double rank;
    assert_true(spectrum_matrix_effective_rank(&rank, &A, NULL, &told) && rank == 0);
    for (int i = 0; i < T; i++)
        at[i * T + i] = 1;
    assert_true(spectrum_matrix_effective_rank(&rank, &A, NULL, &told) && fabs(rank - T) < 1e-9);
    for (int e = 0; e < T * T; e++)
        at[e] = 1.0F / T;
    assert_true(spectrum_matrix_effective_rank(&rank, &A, NULL, &told) && fabs(rank - 1) < 1e-5);
    at[4] = NAN;
    assert_true(spectrum_matrix_effective_rank(&rank, &A, NULL, &told) && isnan(rank));
}
