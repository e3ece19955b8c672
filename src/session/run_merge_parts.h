/* run_merge_parts.h: the parts of a RunMerge: what each is made from, and how. For run_merge*.c
 * alone. A part is made beside the one that is shown, in the other of its two arenas, so that the
 * shown one may be read meanwhile. */
#ifndef HEADLIGHT_SESSION_RUN_MERGE_PARTS_H
#define HEADLIGHT_SESSION_RUN_MERGE_PARTS_H

#include "session/run_merge.h"

/* Each is made from those before it that it names. */
typedef enum MergePart {
    PART_PRODUCT,
    PART_PASSES,
    PART_CUT,
    PART_GAUGE,
    PART_FREE,
    PART_STEP,
    PART_PARTS,
    MERGE_PARTS
} MergePart;

/* All that a part was made from; compared byte by byte. */
typedef struct PartKey {
    uint64_t weights, pass, seed;
    AttnShape shape;
    int layer, head, kind, offset, rank, is_rotation;
    float turn, rate;
} PartKey;

/* The parts of one RunMerge. */
typedef struct MergeState {
    RunMerge merge;
    PartKey keys[MERGE_PARTS];
    bool made[MERGE_PARTS];
    int turn[MERGE_PARTS]; /* which of its arenas it lies in */
} MergeState;

struct MergeCache {
    Arena arenas[MERGE_PARTS][2], scratch;
    MergeState shown; /* its merge is the Run's own copy and not used */
    MergeState next;  /* what is being made */
};

/* One making: what it is from, and what is told of it. */
typedef struct MergeMaking {
    const Run *run;
    const RunLayer *layer;
    const AttnShape *shape;
    const MergeWish *wish;
    MergeCache *cache;
    RunMerge *merge; /* the next one */
    JobWatch *watch;
    Err *err;
} MergeMaking;

/* Make one part, which is wanted and not made yet. */
bool run_merge_part(const MergeMaking *making, MergePart part);

/* Leave a part out that may be absent. */
void run_merge_drop(RunMerge *merge, MergePart part);

/* About how many steps that takes. */
double run_merge_part_steps(MergePart part, const AttnShape *shape, const MergeWish *wish);

/* Whether the head's scores are made with a turn between the factors. */
bool run_merge_turns(const AttnShape *shape, const MergeWish *wish);

#endif
