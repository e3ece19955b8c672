#include "model/analysis/percentile.h"

#include <math.h>
#include <string.h>

/* Number of possible values of a magnitude's upper 16 bits; the sign bit is 0. */
#define HIGH_BINS 32768

/* Count finite entries by the upper half of the bits of their magnitude; these bits sort like
 * magnitudes. If high is given, count only the entries with that upper half, by the lower half. */
static uint64_t count_halves(uint32_t *bins, const Mat *mats, int count, const uint32_t *high) {
    uint64_t total = 0;
    memset(bins, 0, PERCENTILE_SCRATCH * sizeof *bins);
    for (int m = 0; m < count; m++)
        for (int i = 0; i < mats[m].rows; i++)
            for (int j = 0; j < mats[m].cols; j++) {
                uint32_t bits;
                memcpy(&bits, &mat_row(&mats[m], i)[j], sizeof bits);
                bits &= 0x7FFFFFFFu;
                bool is_finite = bits < 0x7F800000u;
                if (!is_finite || (high != NULL && bits >> 16 != *high))
                    continue;
                bins[high == NULL ? bits >> 16 : bits & 0xFFFFu]++;
                total++;
            }
    return total;
}

/* Return the bin that contains the entry of this rank, from 1. *rank becomes the entry's rank
 * within the bin. */
static uint32_t bin_of(const uint32_t *bins, uint32_t most, uint64_t *rank) {
    uint32_t bin = 0;
    while (bin + 1 < most && bins[bin] < *rank)
        *rank -= bins[bin++];
    return bin;
}

float magnitude_percentile(const Mat *mats, int count, double percent, uint32_t *scratch) {
    float value = 0;
    for (int m = 0; m < count && percent >= 100; m++)
        value = fmaxf(value, mat_largest(&mats[m]));
    if (percent >= 100)
        return value;
    uint64_t total = count_halves(scratch, mats, count, NULL);
    if (total == 0)
        return 0;
    uint64_t rank = (uint64_t)ceil(percent / 100 * (double)total - 1e-9);
    rank = rank < 1 ? 1 : rank > total ? total : rank;
    uint32_t high = bin_of(scratch, HIGH_BINS, &rank);
    count_halves(scratch, mats, count, &high);
    uint32_t bits = high << 16 | bin_of(scratch, PERCENTILE_SCRATCH, &rank);
    memcpy(&value, &bits, sizeof value);
    return value;
}
