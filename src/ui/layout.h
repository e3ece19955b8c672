/* layout.h: divides an area into a row of places. Pure. */
#ifndef HEADLIGHT_UI_LAYOUT_H
#define HEADLIGHT_UI_LAYOUT_H

#include "base/geom.h"

#define LAYOUT_MAX 16 /* most places in one row */

/* The size of one place along its row, in logical pixels. If share is 0, the size is `least`.
 * Otherwise the place gets this share of the remaining space, but no less than `least` and, if most
 * > 0, no more than `most`. If the area is short, the places with the highest `hide` are left out
 * first; a place with hide 0 is never left out. */
typedef struct Track {
    float least, share, most;
    int hide;
} Track;

/* Divide area into count places with `gap` between neighbours. Return true if none is hidden. A
 * hidden place is an empty rectangle. If the places still do not fit, the last ones are cut. */
bool layout_row(Rect places[], Rect area, float gap, const Track tracks[], int count);

/* Return the i-th of count equal places in a row of area. */
Rect layout_part(Rect area, float gap, int i, int count);

/* Return the i-th place of a grid of `across` equal columns in area, whose rows begin every row_h
 * px. */
Rect layout_cell(Rect area, float gap, float row_h, int i, int across);

#endif
