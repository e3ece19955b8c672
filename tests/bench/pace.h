/* pace.h: times frames of a stage at the pace of a display. */
#ifndef HEADLIGHT_BENCH_PACE_H
#define HEADLIGHT_BENCH_PACE_H

#include "shell/stage.h"
#include "shell/timing.h"

typedef struct Pace {
    Stage *stage;       /* borrowed */
    double next_s;      /* time of the display's next refresh */
    double *frames_s;   /* owned: how long those took that are noted */
    int frames, missed; /* missed: pictures that the display had to show twice */
} Pace;

/* Begin now. Fails when memory runs out. Release in any case. */
bool pace_begin(Pace *pace, Stage *stage, Err *err);
void pace_release(Pace *pace);

/* One frame after an event, which may be NULL, begun when the display took the one before; the time
 * is that of the clock. A late one is seen at the next turn. */
void pace_frame(Pace *pace, const InputEvent *event, bool is_noted);

/* Return the statistics of the noted frames, of which at least one exists. */
Timing pace_timing(Pace *pace);

/* Write the number of missed refreshes, to be shown with a timing. */
TimingPart pace_missed(const Pace *pace);

#endif
