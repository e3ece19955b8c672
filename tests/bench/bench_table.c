/* The rows of src/shell/bench_table.c and more. The linker uses this table instead. */
#include "base/util.h"
#include "bench/more.h"

static const BenchRow ROWS[] = {
    {{"forward", "Forward", "", "One forward pass, X to Y."}, bench_forward},
    {{"backward", "Backward", "", "One forward and one backward pass."}, bench_backward},
    {{"study", "Study", "", "One seed of one scheme, with all statistics that compare writes."},
     bench_study},
    {{"frame", "Frame", "", "One frame after a key press, drawn offscreen."}, bench_frame},
    {{"train", "Train", "", "One step of training one scheme: both passes, the loss and Adam."},
     bench_train},
    {{"pan", "Pan", "", "One frame while the view is zoomed and dragged, drawn offscreen."},
     bench_pan},
    {{"stream", "Stream", "",
      "From another seed to all that is computed beside the frames, which go on meanwhile."},
     bench_stream},
    {{"drag", "Drag", "", "One frame of a number that is dragged, drawn offscreen."}, bench_drag},
    {{"wqk", "W_QK", "", "One frame of whatever the pages of W_QK have to be dragged, offscreen."},
     bench_wqk},
    {{"graph", "Graph", "", "One frame of whatever is done in the Graph view, offscreen."},
     bench_graph},
    {{"layers", "Layers", "",
      "All blocks of a checkpoint from its tokens, and a token typed in the window."},
     bench_layers},
};

const Registry BENCHES = {"timings", "timing", ROWS, sizeof ROWS[0], ARRAY_COUNT(ROWS)};
