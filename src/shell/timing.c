#include "shell/timing.h"

#include <stdlib.h>
#include <time.h>

#include "base/heap.h"

#define RUNS_LEAST 5
#define RUNS_MOST  200000

static double clock_s(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double timing_now_s(void) {
    return clock_s(CLOCK_MONOTONIC);
}

double timing_cpu_s(void) {
    return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Time repeated calls for this number of seconds, but at least `least` and at most RUNS_MOST calls.
 * durations_s has room for RUNS_MOST durations. Return the number of calls, or -1 if one failed. */
static int sample(double *durations_s, double seconds, int least,
                  bool (*once)(void *context, Err *err), void *context, Err *err) {
    int runs = 0;
    double start = timing_now_s(), before = start;
    while (runs < RUNS_MOST && (runs < least || before - start < seconds)) {
        if (!once(context, err))
            return -1;
        double after = timing_now_s();
        durations_s[runs++] = after - before;
        before = after;
    }
    return runs;
}

Timing timing_of(double *durations_s, int runs) {
    qsort(durations_s, (size_t)runs, sizeof *durations_s, compare);
    double middle = (durations_s[(runs - 1) / 2] + durations_s[runs / 2]) / 2;
    /* Nearest rank: the shortest duration that 99 % of the runs do not exceed. */
    int rank = (99 * runs + 99) / 100;
    return (Timing){.median_us = 1e6 * middle,
                    .least_us = 1e6 * durations_s[0],
                    .p99_us = 1e6 * durations_s[rank - 1],
                    .runs = runs};
}

bool timing_measure(Timing *timing, double seconds, bool (*once)(void *context, Err *err),
                    void *context, Err *err) {
    double *durations_s = heap_get(RUNS_MOST * sizeof *durations_s);
    if (durations_s == NULL)
        return err_fail(err, "memory", "too little to measure; close other programs");
    int runs = sample(durations_s, seconds / 5, 1, once, context, err);
    double cpu_s = timing_cpu_s();
    if (runs > 0)
        runs = sample(durations_s, seconds, RUNS_LEAST, once, context, err);
    cpu_s = timing_cpu_s() - cpu_s;
    if (runs > 0) {
        *timing = timing_of(durations_s, runs);
        timing->cpu_us = 1e6 * cpu_s / runs;
    }
    free(durations_s);
    return runs > 0;
}
