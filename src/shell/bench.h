/* bench.h: the timings of `headlight bench`. */
#ifndef HEADLIGHT_SHELL_BENCH_H
#define HEADLIGHT_SHELL_BENCH_H

#include "shell/cli.h"
#include "shell/timing.h"

#define BENCH_SECONDS 1.0 /* seconds of measuring */
/* Seconds of measuring frames: longer than other timings, because the slowest frames matter. */
#define BENCH_FRAME_SECONDS 4.0

/* A timing. session: that of the command line, with a text of the requested number of words. */
typedef bool (*BenchFn)(Timing *timing, const Call *call, const Session *session, Err *err);

typedef struct BenchRow {
    Entry entry;
    BenchFn time;
} BenchRow;

/* The table of timings, in a file of its own: tests/bench links a longer table instead. */
extern const Registry BENCHES;

/* Time the forward pass from X to Y with every intermediate stored. W_QK of the merged form is
 * computed before, because W_QK does not depend on X. */
bool bench_forward(Timing *timing, const Call *call, const Session *session, Err *err);

/* Time the forward pass followed by the gradients of X and every parameter, with every intermediate
 * stored. */
bool bench_backward(Timing *timing, const Call *call, const Session *session, Err *err);

/* Time one seed of one scheme, with everything that `compare` writes: sampling, forward,
 * statistics, backward. */
bool bench_study(Timing *timing, const Call *call, const Session *session, Err *err);

/* Time a typed or deleted letter: everything that is computed because of it, and the whole frame of
 * the view, drawn offscreen to the last pixel. */
bool bench_frame(Timing *timing, const Call *call, const Session *session, Err *err);

#endif
