/* layout.h: divides an area into equal places. Pure. */
#ifndef HEADLIGHT_UI_LAYOUT_H
#define HEADLIGHT_UI_LAYOUT_H

#include "base/geom.h"

/* Return the i-th of count equal places in a row of area. */
static inline Rect layout_part(Rect area, float gap, int i, int count) {
    float width = (area.w - gap * (float)(count - 1)) / (float)count;
    return (Rect){area.x + (width + gap) * (float)i, area.y, width, area.h};
}

/* Return the i-th place of a grid of `across` equal columns in area. Rows begin every row_h px. */
static inline Rect layout_cell(Rect area, float gap, float row_h, int i, int across) {
    Rect row = {area.x, area.y + row_h * (float)(i / across), area.w, row_h};
    return layout_part(row, gap, i % across, across);
}

#endif
