/* comparison_counts.h: a column's values as a histogram, for comparison.c. */
#ifndef HEADLIGHT_LAB_COMPARISON_COUNTS_H
#define HEADLIGHT_LAB_COMPARISON_COUNTS_H

#include "lab/comparison.h"

/* Fill comparison->counts of the column in the bench, which must have values and expectations. If
 * memory runs out, A gets no expectation. */
void comparison_count(Comparison *comparison, int column);

#endif
