/* bench.h: what `headlight bench` can time. To add one, give it a row of BENCHES in bench.c. */
#ifndef HEADLIGHT_SHELL_BENCH_H
#define HEADLIGHT_SHELL_BENCH_H

#include "shell/cli.h"
#include "shell/timing.h"

#define BENCH_SECONDS       1.0 /* of measuring */
#define BENCH_FRAME_SECONDS 4.0 /* of whole frames, of which the slowest are of interest */

/* session is the call's, with a text of as many words as were asked for. */
typedef bool (*BenchFn)(Timing *timing, const Call *call, const Session *session, Err *err);

/* X to Y with every intermediate kept; W_QK of the merged form, which does not depend on X, is
 * there already. */
bool bench_forward(Timing *timing, const Call *call, const Session *session, Err *err);

/* The same and then the gradients of X and every parameter, with every intermediate kept. */
bool bench_backward(Timing *timing, const Call *call, const Session *session, Err *err);

/* One seed of one scheme with all that `compare` writes: draw, forward, statistics, backward. */
bool bench_study(Timing *timing, const Call *call, const Session *session, Err *err);

/* One step of training one scheme: forward, loss, backward, the norms of the gradients, Adam, and
 * what a race keeps of a step. */
bool bench_train(Timing *timing, const Call *call, const Session *session, Err *err);

/* A letter typed into the text, or taken away again: the whole pass and the whole frame of the
 * view, drawn offscreen to the last pixel. */
bool bench_frame(Timing *timing, const Call *call, const Session *session, Err *err);

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

/* What a drag in W_QK asks for, brought up to date: of the rank; beside it of R, of the rate of one
 * step of training, of the temperature, and with rope of the distance. */
bool bench_merge(Timing *timing, const Call *call, const Session *session, Err *err);

#endif
