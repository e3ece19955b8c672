/* histogram.h: how often values fall in each of equal bins, with the curve that was expected. */
#ifndef HEADLIGHT_UI_HISTOGRAM_H
#define HEADLIGHT_UI_HISTOGRAM_H

#include "ui/ui.h"

/* counts[i] is the number of values in bin i of lo..hi. expected, or NULL, are the counts that a
 * density gives at expected_count even places from lo to hi. Borrowed for the call. */
typedef struct Histogram {
    const float *counts;
    int bins;
    float lo, hi;
    const float *expected;
    int expected_count;
    float band_lo, band_hi; /* a shaded range of values; equal for none */
    Colour colour;
    bool logarithmic; /* bins are even in the logarithm; 0 < lo */
} Histogram;

/* Count values[0..count) into counts[0..bins); returns how many lie outside lo..hi or are not
 * finite, and so in no bin. hi itself belongs to the last bin. */
int histogram_fill(float *counts, int bins, float lo, float hi, const float *values, int count);

/* What a normal distribution of total values would put into each bin: counts at places even over
 * lo..hi, for Histogram.expected. deviation > 0. */
void histogram_normal(float *expected, int places, float lo, float hi, int bins, float total,
                      float mean, float deviation);

/* Draw in rect, the axis below included. Returns the bin under the pointer, or -1. */
int histogram_draw(Ui *ui, Rect rect, const Histogram *histogram);

#endif
