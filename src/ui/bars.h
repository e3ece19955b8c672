/* bars.h: a small bar chart of one row of numbers. */
#ifndef HEADLIGHT_UI_BARS_H
#define HEADLIGHT_UI_BARS_H

#include "ui/ui.h"

typedef struct Bars {
    const float *values;
    int count;
    int palette;  /* gives each bar the colour of its value */
    float lo, hi; /* ends of the palette; signed bars grow up and down from zero */
    int marked;   /* index of the bar with a ring; -1 for none */
} Bars;

/* Draw in rect, without bars that are not finite. Return the bar under the pointer, or -1. */
int bars_draw(Ui *ui, Rect rect, const Bars *bars);

#endif
