/* histogram.h: draws how many values lie in each of several equal bins, with the expected curve. */
#ifndef HEADLIGHT_UI_HISTOGRAM_H
#define HEADLIGHT_UI_HISTOGRAM_H

#include "ui/ui.h"

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
    bool logarithmic;    /* true if the bins are even in the logarithm; then 0 < lo */
    long all;            /* number of all values, including those outside the bins */
    const char *meaning; /* a sentence about the expected curve, or NULL */
} Histogram;

/* Count values[0..count) in equal bins from lo to hi, and add the counts to counts[0..bins). Return
 * the number of values that are in no bin: outside lo..hi or not finite. hi itself belongs to the
 * last bin. */
int histogram_add(float *counts, int bins, float lo, float hi, const float *values, int count);

/* Draw in rect, with the axis below and a tooltip for the bin under the pointer. */
void histogram_draw(Ui *ui, UiId id, Rect rect, const Histogram *histogram);

#endif
