/* comparison_counts.h: a column's values as a histogram, for comparison.c. */
#ifndef HEADLIGHT_LAB_COMPARISON_COUNTS_H
#define HEADLIGHT_LAB_COMPARISON_COUNTS_H

#include "lab/comparison.h"

/* Fill comparison->counts of the column that is in the bench, whose values and expectations are
 * there. Without memory nothing is expected of A. */
void comparison_count(Comparison *comparison, int column);

#endif
