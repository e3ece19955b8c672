#include "bench/pace.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define FRAME_S     (1.0 / 60)
#define FRAMES_MOST 40000

bool pace_begin(Pace *pace, Stage *stage, Err *err) {
    *pace = (Pace){.stage = stage, .next_s = timing_now_s()};
    pace->frames_s = malloc(FRAMES_MOST * sizeof *pace->frames_s);
    return pace->frames_s != NULL ||
           err_fail(err, "memory", "too little to measure; close other programs");
}

void pace_release(Pace *pace) {
    free(pace->frames_s);
    *pace = (Pace){0};
}

/* Sleep between frames like a window. Polling the clock would use up the thread's time slice, and
 * other processes would then delay it. */
static void sleep_until(double when_s) {
    double early_s = when_s - timing_now_s();
    if (early_s > 0)
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * fmin(early_s, FRAME_S))}, NULL);
}

void pace_frame(Pace *pace, const InputEvent *event, bool is_noted) {
    sleep_until(pace->next_s);
    double then_s = pace->next_s;
    stage_frame(pace->stage, event, event != NULL, then_s);
    double took_s = pace->stage->drawn_s - then_s, turns = fmax(ceil(took_s / FRAME_S), 1);
    pace->next_s += turns * FRAME_S;
    if (!is_noted || pace->frames == FRAMES_MOST)
        return;
    pace->missed += (int)turns - 1;
    pace->frames_s[pace->frames++] = took_s;
}

Timing pace_timing(Pace *pace) {
    return timing_of(pace->frames_s, pace->frames);
}

TimingPart pace_missed(const Pace *pace) {
    return (TimingPart){"missed", "turns of a display of 60 Hz missed", pace->missed, TIMING_COUNT};
}
