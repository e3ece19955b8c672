#include "model/analysis/percentile.h"

#include <math.h>
#include <string.h>

#define HIGH_BINS 32768 /* values of the upper 16 bits of a magnitude (its sign bit is 0) */

/* Return the bits of a magnitude; they sort like the magnitudes. */
static uint32_t bits_of(float value) {
    uint32_t bits;
    value = fabsf(value);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool is_finite(uint32_t bits) {
    return bits < 0x7F800000u;
}

/* Count entries by upper half; or, if high is given, by lower half among those with that upper
 * half. */
static uint64_t count_halves(uint32_t *bins, const Mat *mats, int count, const uint32_t *high) {
    uint64_t total = 0;
    memset(bins, 0, PERCENTILE_SCRATCH * sizeof *bins);
    for (int m = 0; m < count; m++)
        for (int i = 0; i < mats[m].rows; i++) {
            const float *row = mat_row(&mats[m], i);
            for (int j = 0; j < mats[m].cols; j++) {
                uint32_t bits = bits_of(row[j]);
                if (!is_finite(bits) || (high != NULL && bits >> 16 != *high))
                    continue;
                bins[high == NULL ? bits >> 16 : bits & 0xFFFFu]++;
                total++;
            }
        }
    return total;
}

/* Return the bin that holds the entry of this rank (from 1); *rank becomes its rank within the bin.
 */
static uint32_t bin_of(const uint32_t *bins, uint32_t most, uint64_t *rank) {
    uint32_t bin = 0;
    while (bin + 1 < most && bins[bin] < *rank)
        *rank -= bins[bin++];
    return bin;
}

/* Return the largest finite magnitude. */
static float largest(const Mat *mats, int count) {
    float most = 0;
    for (int m = 0; m < count; m++)
        for (int i = 0; i < mats[m].rows; i++)
            for (int j = 0; j < mats[m].cols; j++) {
                float value = fabsf(mat_row(&mats[m], i)[j]);
                most = isfinite(value) && value > most ? value : most;
            }
    return most;
}

float magnitude_percentile(const Mat *mats, int count, double percent, uint32_t *scratch) {
    if (percent >= 100)
        return largest(mats, count);
    uint64_t total = count_halves(scratch, mats, count, NULL);
    if (total == 0)
        return 0;
    uint64_t rank = (uint64_t)ceil(percent / 100 * (double)total - 1e-9);
    rank = rank < 1 ? 1 : rank > total ? total : rank;
    uint32_t high = bin_of(scratch, HIGH_BINS, &rank);
    count_halves(scratch, mats, count, &high);
    uint32_t bits = high << 16 | bin_of(scratch, PERCENTILE_SCRATCH, &rank);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
