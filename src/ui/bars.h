/* bars.h: a small bar chart of one row of numbers. */
#ifndef HEADLIGHT_UI_BARS_H
#define HEADLIGHT_UI_BARS_H

#include "ui/ui.h"

typedef struct Bars {
    const float *values;
    const float *before; /* earlier values, drawn as outlines; NULL for none */
    int count;
    int palette;    /* gives each bar the colour of its value */
    float lo, hi;   /* ends of the palette; both 0 for ± the largest magnitude */
    int marked;     /* the bar with a ring, from 1; 0 for none */
    float bar_most; /* px of a bar's largest width; 0: the bars fill the rectangle */
    bool by_sign;   /* two colours instead: one above zero, one below */
    float up, down; /* largest values above and below zero; both 0 for those of values */
} Bars;

/* Draw in rect, without bars that are not finite; signed bars grow up and down from zero. Bars that
 * would be too thin share one: the marked or else the largest. Return the bar under the pointer, or
 * -1. */
int bars_draw(Ui *ui, Rect rect, const Bars *bars);

/* Return the middle of a bar, from 0, in px. */
float bars_middle(Rect rect, const Bars *bars, int bar);

/* Raise *up and *down to the largest finite value above and below zero. */
void bars_extent(float *up, float *down, const float *values, int count);

#endif
