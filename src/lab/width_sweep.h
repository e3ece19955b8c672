/* width_sweep.h: what a wider head does to the scores, for each scheme: their standard deviation
 * and how far the softmax saturates, measured on one draw and expected by theory, for head widths
 * 2, 4, 8, … Pure, with memory of its own. The form is separate, without biases, all of it drawn.
 */
#ifndef HEADLIGHT_LAB_WIDTH_SWEEP_H
#define HEADLIGHT_LAB_WIDTH_SWEEP_H

#include "lab/comparison.h"

#define WIDTH_SWEEP_SIZES 8

/* The inputs of a sweep. The width of a head of the layer itself does not count. */
typedef struct WidthSweepKey {
    uint64_t x, open; /* hashes */
    int T, D, H, V;
    AttnBlock block;
    int schemes[COMPARISON_MAX][ATTN_WEIGHT_COUNT], scheme_count, depth;
    uint64_t seed;
    float scale;  /* what q·k is multiplied by, but for 1/√d_k */
    bool divided; /* by √d_k */
    bool rope;
} WidthSweepKey;

/* By scheme and width. */
typedef float WidthSweepValues[COMPARISON_MAX][WIDTH_SWEEP_SIZES];

typedef struct WidthSweep {
    Job job;
    Arena arena;
    StudyPlan plan; /* what it borrows is in the arena */
    WidthSweepKey key;
    atomic_int done;    /* one width after the other, of each all schemes in turn */
    atomic_bool failed; /* err says why, after the job */
    Err err;
    WidthSweepValues deviation, saturation, expected_std, expected_saturation;
} WidthSweep;

static inline int width_sweep_at(int i) {
    return 2 << i;
}

/* Return a sweep whose job computes it, or NULL for want of memory. plan is of one layer and one
 * seed; what it borrows is copied. Owned: job_drop frees it. The widths that are done may be read
 * while the job works. A job that was stopped continues if it is started again. */
WidthSweep *width_sweep_create(const StudyPlan *plan, bool divided, Err *err);

WidthSweepKey width_sweep_key(const StudyPlan *plan, bool divided);
bool width_sweep_key_equal(const WidthSweepKey *a, const WidthSweepKey *b);

bool width_sweep_is_done(const WidthSweep *widths);

/* How many widths, the least first, are done of a scheme. */
int width_sweep_of(const WidthSweep *widths, int scheme);

#endif
