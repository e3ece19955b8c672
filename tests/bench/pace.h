/* pace.h: frames of a stage at the pace of a display, timed, as a person would be shown them. */
#ifndef HEADLIGHT_BENCH_PACE_H
#define HEADLIGHT_BENCH_PACE_H

#include "shell/stage.h"
#include "shell/timing.h"

typedef struct Pace {
    Stage *stage;       /* borrowed */
    double next_s;      /* when the display takes the next picture */
    double *frames_s;   /* owned: how long those took that are noted */
    int frames, missed; /* missed: pictures that the display had to show twice */
} Pace;

/* Begin now. Fails when memory runs out. Release in any case. */
bool pace_begin(Pace *pace, Stage *stage, Err *err);
void pace_release(Pace *pace);

/* One frame after an event, which may be NULL, begun when the display took the one before; the time
 * is that of the clock. A late one is seen at the next turn. */
void pace_frame(Pace *pace, const InputEvent *event, bool is_noted);

/* What the noted frames come to, of which there is one at least. */
Timing pace_timing(Pace *pace);

/* The turns that were missed, to be told beside a timing. */
TimingPart pace_missed(const Pace *pace);

#endif
