/* form_timing.h: how long one head's scores take from separate factors and from their product.
 * The clock is an argument. */
#ifndef HEADLIGHT_LAB_FORM_TIMING_H
#define HEADLIGHT_LAB_FORM_TIMING_H

#include <stdbool.h>

/* Medians, in seconds. */
typedef struct FormTiming {
    double separate_s, merged_s;
} FormTiming;

#define FORM_TIMING_WORK_MAX 3e7 /* multiply-adds of one pass: more would hold up a frame */

/* For p tokens, a width of n and a head of m; now_s is a clock in seconds. False where one pass
 * takes more than FORM_TIMING_WORK_MAX, or for want of memory. */
bool form_timing(FormTiming *out, int p, int n, int m, double (*now_s)(void));

#endif
