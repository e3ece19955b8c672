#include "shell/bench.h"

static const BenchRow ROWS[] = {
    {{"forward", "Forward", "", "One forward pass, X to Y."}, bench_forward},
    {{"backward", "Backward", "", "One forward and one backward pass."}, bench_backward},
    {{"study", "Study", "", "One seed of one scheme, with all statistics that compare writes."},
     bench_study},
    {{"frame", "Frame", "", "One frame after a key press, drawn offscreen."}, bench_frame},
};

const Registry BENCHES = REGISTRY("timings", "timing", ROWS);
