/* bars.h: a small bar chart of one row of numbers. */
#ifndef HEADLIGHT_UI_BARS_H
#define HEADLIGHT_UI_BARS_H

#include "ui/ui.h"

typedef struct Bars {
    const float *values;
    const float *before; /* earlier values, drawn as outlines; NULL for none */
    int count;
    int palette;    /* row of PALETTES from which each bar gets the colour of its value */
    float lo, hi;   /* ends of the palette; both 0 for ± the largest magnitude */
    int marked;     /* the value whose bar has a ring, counted from 1; 0 for none */
    float bar_most; /* px: largest width of a bar; 0: the bars fill the rectangle */
    bool by_sign;   /* true: use only two colours, one for bars above zero and one for bars below */
    /* Largest values above and below zero, for the scale; both 0: those of `values` and
     * `before`. */
    float up, down;
} Bars;

/* Draw the bars in rect; values that are not finite have none. If values may be negative, bars grow
 * up and down from zero. If bars would be too thin, several values share one bar, which shows the
 * marked value or, if none of them is marked, the one of largest magnitude. Return the index of the
 * value whose bar is under the pointer, or -1. */
int bars_draw(Ui *ui, Rect rect, const Bars *bars);

/* Return the x of the middle of the bar that shows this value, in px. bar is the index of the
 * value, from 0. */
float bars_middle(Rect rect, const Bars *bars, int bar);

/* Raise *up and *down to the largest finite value above and below zero. */
void bars_extent(float *up, float *down, const float *values, int count);

#endif
