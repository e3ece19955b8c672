/* timing.h: how long a function takes, over enough runs for figures that can be trusted. */
#ifndef HEADLIGHT_SHELL_TIMING_H
#define HEADLIGHT_SHELL_TIMING_H

#include "base/err.h"

/* Figures of what took turns with the timed function, or was counted meanwhile; printed in the same
 * line. */
#define TIMING_PARTS_MAX 24
typedef enum TimingUnit { TIMING_US, TIMING_COUNT } TimingUnit;
typedef struct TimingPart {
    const char *key, *label;
    double value;
    TimingUnit unit;
} TimingPart;

typedef struct Timing {
    double median_us, least_us;
    double p99_us; /* 99 of 100 runs took no longer */
    double cpu_us; /* processor time of a run, all threads together: the mean */
    int runs;
    int part_count;
    TimingPart parts[TIMING_PARTS_MAX];
} Timing;

/* The statistics of at least one duration, without processor time; sorts the durations. */
Timing timing_of(double *durations_s, int runs);

/* A clock that never goes back, in seconds. */
double timing_now_s(void);

/* Processor time of all threads together, in seconds. */
double timing_cpu_s(void);

/* Call once(context) over and over, each call timed: first for a while unmeasured, then for about
 * seconds, but no fewer than 5 times. Fails when memory runs out or once does. */
bool timing_measure(Timing *timing, double seconds, bool (*once)(void *context, Err *err),
                    void *context, Err *err);

#endif
