/* percentile.h: percentiles of the values of matrices. Pure. */
#ifndef HEADLIGHT_MODEL_ANALYSIS_PERCENTILE_H
#define HEADLIGHT_MODEL_ANALYSIS_PERCENTILE_H

#include <stdint.h>

#include "math/mat.h"

#define PERCENTILE_SCRATCH 65536

/* Return the smallest magnitude m such that at least percent (0 to 100) % of the finite entries
 * have a magnitude ≤ m. Exact; 0 if no entry is finite. scratch has PERCENTILE_SCRATCH entries; if
 * percent is 100, it may be NULL. */
float magnitude_percentile(const Mat *mats, int count, double percent, uint32_t *scratch);

#endif
