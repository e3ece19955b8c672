/* lineup_counts.h: a column's values as a histogram, for lineup.c. */
#ifndef HEADLIGHT_LAB_LINEUP_COUNTS_H
#define HEADLIGHT_LAB_LINEUP_COUNTS_H

#include "lab/lineup.h"

/* Fill lineup->counts of the column that is in the bench, whose values and expectations are there.
 * Without memory nothing is expected of A. */
void lineup_count(Lineup *lineup, int column);

#endif
