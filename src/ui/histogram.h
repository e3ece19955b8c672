/* histogram.h: the number of values in equal bins, with the expected curve. */
#ifndef HEADLIGHT_UI_HISTOGRAM_H
#define HEADLIGHT_UI_HISTOGRAM_H

#include "ui/ui.h"

/* counts[i] is the number of values in bin i of lo..hi. expected, or NULL, holds the counts of a
 * density at expected_count evenly spaced places from lo to hi. Borrowed for the call. */
typedef struct Histogram {
    const float *counts;
    int bins;
    float lo, hi;
    const float *expected;
    int expected_count;
    float band_lo, band_hi; /* a shaded range of values; equal for none */
    Colour colour;
    bool logarithmic;    /* bins are even in the logarithm; 0 < lo */
    long all;            /* number of values, also of those in no bin */
    const char *meaning; /* a sentence about the expected curve, or NULL */
} Histogram;

/* Add to counts[0..bins) how many of values[0..count) lie in each bin. Return the number of values
 * in no bin: outside lo..hi or not finite. hi itself belongs to the last bin. */
int histogram_add(float *counts, int bins, float lo, float hi, const float *values, int count);

/* Draw in rect, with the axis below and a tooltip for the bin under the pointer. */
void histogram_draw(Ui *ui, UiId id, Rect rect, const Histogram *histogram);

#endif
