/* more.h: benchmarks of tests/bench in addition to `headlight bench`. */
#ifndef HEADLIGHT_BENCH_MORE_H
#define HEADLIGHT_BENCH_MORE_H

#include "shell/bench.h"

/* One step of training one scheme: forward, loss, backward, the norms of the gradients, Adam, and
 * storing the step. */
bool bench_train(Timing *timing, const Call *call, const Session *session, Err *err);

/* The wheel turned over the view's middle and the view dragged: the whole frame, drawn offscreen to
 * the last pixel. */
bool bench_pan(Timing *timing, const Call *call, const Session *session, Err *err);

/* A new seed, and frames at the pace of a display until the view's jobs have ended, such as the
 * Compare view's many seeds and its stack: the time of all, the times of the frames, and the number
 * of late frames. */
bool bench_stream(Timing *timing, const Call *call, const Session *session, Err *err);

/* A drag of the temperature's slider to and fro at the pace of a display: the time of a whole
 * frame, fully drawn offscreen, and the number of late frames. */
bool bench_drag(Timing *timing, const Call *call, const Session *session, Err *err);

/* Drags and pointer moves on the pages of W_QK, the rank first: the time of a whole frame, fully
 * drawn offscreen, and the time from a move to the picture with all of its effects. */
bool bench_wqk(Timing *timing, const Call *call, const Session *session, Err *err);

/* Drags of the Graph view's filter, pointer moves over edges and tokens, and all layouts and node
 * sizes, at the pace of a display: the time of a whole frame, fully drawn offscreen, and the number
 * of late frames. */
bool bench_graph(Timing *timing, const Call *call, const Session *session, Err *err);

/* All blocks of the checkpoint of --weights on the tokens of --ids, with every head's attention;
 * then a digit is typed or deleted until the picture is complete: the time of that, and the times
 * of the frames. */
bool bench_layers(Timing *timing, const Call *call, const Session *session, Err *err);

#endif
