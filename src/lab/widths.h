/* widths.h: what a wider head does to the scores, scheme by scheme: their deviation and how far the
 * softmax saturates, measured on one draw and as theory expects, for widths 2, 4, 8, … of a head.
 * Pure, with memory of its own. The form is separate, without biases, all of it drawn. */
#ifndef HEADLIGHT_LAB_WIDTHS_H
#define HEADLIGHT_LAB_WIDTHS_H

#include <stdatomic.h>

#include "lab/lineup.h"

#define WIDTHS 8

/* What it is made from; zeroed before it is filled, to be compared by its bytes. How wide a head of
 * the layer itself is does not count. */
typedef struct WidthsKey {
    uint64_t x, open; /* hashes */
    int T, D, H, V;
    AttnBlock block;
    int schemes[LINEUP_MAX][ATTN_WEIGHT_COUNT], scheme_count, depth;
    uint64_t seed;
    float scale;  /* what q·k is multiplied by, but for 1/√d_k */
    bool divided; /* by √d_k */
    bool rope;
} WidthsKey;

/* By scheme and width. */
typedef float WidthsValues[LINEUP_MAX][WIDTHS];

typedef struct Widths {
    Arena arena;
    StudyPlan plan; /* what it borrows is in the arena */
    WidthsKey key;
    atomic_int done; /* one width after the other, of each all schemes in turn */
    WidthsValues deviation, saturation, expected_deviation, expected_saturation;
} Widths;

static inline int widths_at(int i) {
    return 2 << i;
}

/* Nothing done yet; plan is of one layer and one seed. What it borrows is copied. Fails for want of
 * memory; then there is nothing to release. */
bool widths_init(Widths *widths, const StudyPlan *plan, bool divided, Err *err);
void widths_release(Widths *widths);

WidthsKey widths_key(const StudyPlan *plan, bool divided);
bool widths_key_equal(const WidthsKey *a, const WidthsKey *b);

/* One scheme at one width more, where any is left. Whoever reads what is done meanwhile may be in
 * another thread. Fails as study_compute does, and once watch, which may be NULL, says to stop;
 * then it may be called again. */
bool widths_step(Widths *widths, JobWatch *watch, Err *err);

bool widths_is_done(const Widths *widths);

/* How many widths, the least first, are done of a scheme. */
int widths_of(const Widths *widths, int scheme);

/* About how many steps (base/job.h) all of it takes. */
double widths_steps(const Widths *widths);

#endif
