/* form_timing.h: measures how long one head's scores take from separate factors and from their
 * product. The caller passes the clock. */
#ifndef HEADLIGHT_LAB_FORM_TIMING_H
#define HEADLIGHT_LAB_FORM_TIMING_H

#include <stdbool.h>

/* Medians, in seconds. */
typedef struct FormTiming {
    double separate_s, merged_s;
} FormTiming;

#define FORM_TIMING_WORK_MAX 3e7 /* limit of multiply-adds; more would delay a frame */

/* Measure with p tokens, model width n and head width m; now_s returns seconds. Return false if one
 * pass would exceed FORM_TIMING_WORK_MAX, or if memory runs out. */
bool form_timing(FormTiming *out, int p, int n, int m, double (*now_s)(void));

#endif
