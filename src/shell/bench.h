/* bench.h: what `headlight bench` can time. */
#ifndef HEADLIGHT_SHELL_BENCH_H
#define HEADLIGHT_SHELL_BENCH_H

#include "shell/cli.h"
#include "shell/timing.h"

#define BENCH_SECONDS       1.0 /* of measuring */
#define BENCH_FRAME_SECONDS 4.0 /* whole frames; the slowest are of interest */

/* session is the call's, with a text of the number of words that was asked for. */
typedef bool (*BenchFn)(Timing *timing, const Call *call, const Session *session, Err *err);

typedef struct BenchRow {
    Entry entry;
    BenchFn time;
} BenchRow;

/* The rows that the program has. It is an object of its own, because tests/bench links a longer
 * table in its place. */
extern const Registry BENCHES;

/* X to Y with every intermediate stored; W_QK of the merged form, which does not depend on X, is
 * computed before. */
bool bench_forward(Timing *timing, const Call *call, const Session *session, Err *err);

/* The same and then the gradients of X and every parameter, with every intermediate kept. */
bool bench_backward(Timing *timing, const Call *call, const Session *session, Err *err);

/* One seed of one scheme with all that `compare` writes: draw, forward, statistics, backward. */
bool bench_study(Timing *timing, const Call *call, const Session *session, Err *err);

/* A letter typed into the text, or taken away again: the whole pass and the whole frame of the
 * view, drawn offscreen to the last pixel. */
bool bench_frame(Timing *timing, const Call *call, const Session *session, Err *err);

#endif
