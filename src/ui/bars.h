/* bars.h: a small bar chart of one row of numbers; and a histogram, which shows the number of
 * values in each of several equal bins, with the expected curve. */
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
    /* Largest values above and below zero, for the scale; both 0: those of `values` and `before`.
     */
    float up, down;
} Bars;

/* Draw the bars in rect; values that are not finite have none. If values may be negative, bars grow
 * up and down from zero. If bars would be too thin, several values share one bar, which shows the
 * marked value if it is one of them, otherwise the one of largest magnitude. Return the index of
 * the value whose bar is under the pointer, or -1. */
int bars_draw(Ui *ui, Rect rect, const Bars *bars);

/* Return the x, in px, of the middle of the bar that shows values[bar]. */
float bars_middle(Rect rect, const Bars *bars, int bar);

/* Raise *up and *down to the largest finite value above and below zero. */
void bars_extent(float *up, float *down, const float *values, int count);

/* A histogram. counts[i] is the number of values in bin i of lo..hi. expected, or NULL, has the
 * expected counts at expected_count evenly spaced positions from lo to hi. Arrays are borrowed for
 * the call. */
typedef struct Histogram {
    const float *counts;
    int bins;
    float lo, hi;
    const float *expected;
    int expected_count;
    float band_lo, band_hi; /* a shaded range of values; none if both are equal */
    Colour colour;
    bool logarithmic; /* true if the bins have equal widths on a logarithmic scale; then 0 < lo */
    long all;         /* number of all values, including those outside the bins */
    const char *meaning; /* a sentence about the expected curve, or NULL */
} Histogram;

/* Count values[0..count) in equal bins from lo to hi, hi included, and add the counts to
 * counts[0..bins). Return the number of values in no bin: outside lo..hi or not finite. */
int histogram_add(float *counts, int bins, float lo, float hi, const float *values, int count);

/* Draw in rect, with the axis below and a tooltip for the bin under the pointer. */
void histogram_draw(Ui *ui, UiId id, Rect rect, const Histogram *histogram);

#endif
