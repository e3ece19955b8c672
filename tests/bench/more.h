/* more.h: what tests/bench times beyond `headlight bench`. */
#ifndef HEADLIGHT_BENCH_MORE_H
#define HEADLIGHT_BENCH_MORE_H

#include "shell/bench.h"

/* One step of training one scheme: forward, loss, backward, the norms of the gradients, Adam, and
 * what a race keeps of a step. */
bool bench_train(Timing *timing, const Call *call, const Session *session, Err *err);

/* The wheel turned over the view's middle and the view dragged: the whole frame, drawn offscreen to
 * the last pixel. */
bool bench_pan(Timing *timing, const Call *call, const Session *session, Err *err);

/* Another seed asked for, and frames at the pace of a display until all is in that the view has
 * computed beside them, as the Compare view's many seeds and its stack: how long that takes, and
 * how long the frames meanwhile and how many of them came late. */
bool bench_stream(Timing *timing, const Call *call, const Session *session, Err *err);

/* The slider of the temperature dragged to and fro at the pace of a display, with the button held:
 * the whole frame, drawn offscreen to the last pixel, and how many came late. */
bool bench_drag(Timing *timing, const Call *call, const Session *session, Err *err);

/* What the pages of W_QK have to be dragged or passed over, the rank first: the whole frame, drawn
 * offscreen to the last pixel, and how long it is from a move to the picture with all that follows
 * from it. */
bool bench_wqk(Timing *timing, const Call *call, const Session *session, Err *err);

/* The Graph view's filter dragged, edges and tokens passed over, layouts and sizes of nodes chosen
 * in turn, at the pace of a display: the whole frame, drawn offscreen to the last pixel, and how
 * many came late. */
bool bench_graph(Timing *timing, const Call *call, const Session *session, Err *err);

/* All blocks of the checkpoint of --weights on the tokens of --ids, with every head's attention;
 * then a digit typed or deleted, until everything shown has been computed: how long that takes, and
 * how long the frames meanwhile. */
bool bench_layers(Timing *timing, const Call *call, const Session *session, Err *err);

#endif
