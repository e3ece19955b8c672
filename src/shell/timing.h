/* timing.h: measures how long a function takes, with enough runs for reliable numbers. */
#ifndef HEADLIGHT_SHELL_TIMING_H
#define HEADLIGHT_SHELL_TIMING_H

#include "base/err.h"

/* Additional numbers, printed in the same line: counts, or times of a function that alternates with
 * the timed one. */
#define TIMING_PARTS_MAX 24
typedef enum TimingUnit { TIMING_US, TIMING_COUNT } TimingUnit;
typedef struct TimingPart {
    const char *key, *label;
    double value;
    TimingUnit unit;
} TimingPart;

typedef struct Timing {
    double median_us, least_us;
    double p99_us; /* time that 99 % of the runs do not exceed */
    double cpu_us; /* mean processor time of a run, all threads added up */
    int runs;
    int tokens; /* number of tokens of a checkpoint's own text, if it was timed; 0: --tokens */
    int part_count;
    TimingPart parts[TIMING_PARTS_MAX];
} Timing;

/* Compute the statistics of at least one duration, without processor time. Sorts the durations. */
Timing timing_of(double *durations_s, int runs);

double timing_now_s(void);

/* Return the processor time of all threads together, in seconds. */
double timing_cpu_s(void);

/* Call once(context) repeatedly and time each call: first for a fifth of `seconds` without
 * measuring, then for about `seconds`, but at least 5 times. Fails if memory runs out or if once
 * fails. */
bool timing_measure(Timing *timing, double seconds, bool (*once)(void *context, Err *err),
                    void *context, Err *err);

#endif
