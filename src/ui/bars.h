/* bars.h: small bar charts of one row of numbers. */
#ifndef HEADLIGHT_UI_BARS_H
#define HEADLIGHT_UI_BARS_H

#include "ui/ui.h"

typedef struct Bars {
    const float *values;
    int count;
    int palette;  /* bars take the colour of their value on it */
    float lo, hi; /* of the palette; signed bars grow up and down from zero */
    int marked;   /* this bar is ringed; -1 for none */
} Bars;

/* Draw in rect; bars that are not finite are left out. Returns the bar under the pointer or -1. */
int bars_draw(Ui *ui, Rect rect, const Bars *bars);

#endif
