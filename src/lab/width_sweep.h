/* width_sweep.h: the effect of a head's width on the scores, for each scheme: their standard
 * deviation and the saturation of the softmax, measured on one draw and expected by theory, for
 * head widths 2, 4, 8, … Pure, with memory of its own. The form is separate, without biases, and
 * all weights are sampled. */
#ifndef HEADLIGHT_LAB_WIDTH_SWEEP_H
#define HEADLIGHT_LAB_WIDTH_SWEEP_H

#include "lab/comparison.h"

#define WIDTH_SWEEP_SIZES 8

/* The inputs of a sweep. The layer's own head width is not one of them. */
typedef struct WidthSweepKey {
    uint64_t x, open; /* hashes */
    int T, D, H, V;
    AttnBlock block;
    int schemes[COMPARISON_MAX][ATTN_WEIGHT_COUNT], scheme_count, depth;
    uint64_t seed;
    float scale;  /* factor of q·k, without 1/√d_k */
    bool divided; /* q·k is also divided by √d_k */
    bool rope;
} WidthSweepKey;

/* One number for each scheme and width. */
typedef float WidthSweepValues[COMPARISON_MAX][WIDTH_SWEEP_SIZES];

typedef struct WidthSweep {
    Job job;
    Arena arena;
    StudyPlan plan; /* the arena holds what it borrows */
    WidthSweepKey key;
    atomic_int done;    /* finished results, in the order of widths and, for each, of schemes */
    atomic_bool failed; /* if set, err says why after the job */
    Err err;
    WidthSweepValues std, saturation, expected_std, expected_saturation;
} WidthSweep;

static inline int width_sweep_at(int i) {
    return 2 << i;
}

/* Return a sweep whose job computes it, or NULL if memory runs out. plan has one layer and one
 * seed; what it borrows is copied. Owned: free it with job_drop. Finished widths may be read while
 * the job works. A stopped job continues if it is started again. */
WidthSweep *width_sweep_create(const StudyPlan *plan, bool divided, Err *err);

WidthSweepKey width_sweep_key(const StudyPlan *plan, bool divided);
bool width_sweep_key_equal(const WidthSweepKey *a, const WidthSweepKey *b);

bool width_sweep_is_done(const WidthSweep *widths);

/* Return how many widths of a scheme are done, from the smallest on. */
int width_sweep_of(const WidthSweep *widths, int scheme);

#endif
