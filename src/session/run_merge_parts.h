/* run_merge_parts.h: the parts of a RunMerge: what each is made from, and how. For run_merge*.c
 * alone. */
#ifndef HEADLIGHT_SESSION_RUN_MERGE_PARTS_H
#define HEADLIGHT_SESSION_RUN_MERGE_PARTS_H

#include <stdatomic.h>

#include "base/part.h"
#include "session/run_merge.h"

/* Each is made from those before it that it names. */
typedef enum MergePart {
    PART_PRODUCT,
    PART_FAMILY, /* with rope: what the matrices of all distances make */
    PART_PASSES,
    PART_VECTORS,
    PART_SPECTRUM, /* what the vectors make of the tokens */
    PART_CURVE,
    PART_CUT,
    PART_CUT_PRODUCT,
    PART_FRAME,
    PART_TURNED,
    PART_GAUGE,
    PART_STEP,
    PART_NESTED,
    PART_PARTS,
    PART_ALL,  /* of all heads what PART_PASSES says of one */
    PART_FREE, /* the singular values of a W_QK drawn whole */
    MERGE_PARTS
} MergePart;

/* All inputs of a part. */
typedef struct PartKey {
    uint64_t weights, pass, seed;
    AttnShape shape;
    int layer, head, kind, offset, rank, is_rotation, has_family;
    float turn, rate;
} PartKey;

/* The memory of a RunMerge. A part whose key has not changed is shared with the RunMerge before. */
struct MergeCache {
    atomic_int owners; /* Runs that have this RunMerge */
    Part *parts[MERGE_PARTS];
    PartKey keys[MERGE_PARTS];
    bool made[MERGE_PARTS];
};

/* What is there, or will be, of what not every picture has. */
typedef struct MergeHas {
    bool family;
} MergeHas;

/* One making: what it is from, and what is told of it. */
typedef struct MergeMaking {
    Run *run;
    const RunLayer *layer;
    const AttnShape *shape;
    const MergeWish *wish;
    RunMerge *merge; /* the next one */
    Arena *scratch;
    const MergeHas *has;
    JobWatch *watch;
    Err *err;
} MergeMaking;

/* What a part is made by; it is wanted and not made yet. */
bool run_merge_part(const MergeMaking *making, MergePart part);
bool run_merge_frame(const MergeMaking *making);
bool run_merge_turned(const MergeMaking *making);
bool run_merge_gauge(const MergeMaking *making);
bool run_merge_step(const MergeMaking *making);
bool run_merge_nested(const MergeMaking *making);

/* Leave a part out that may be absent. */
void run_merge_drop(RunMerge *merge, MergePart part);

/* For the files of the parts: room for a part, and scratch for the
 * making, NULL with err where there is none; and false with err once the watch says to stop. */
Arena *run_merge_room(const MergeMaking *making, MergePart part, size_t bytes, size_t scratch);
bool run_merge_goes_on(const MergeMaking *making);

/* Fill left (E, m) with the factor as the head has it, which with rope is not that of one offset.
 */
void run_merge_unturned(Mat *left, const MergeMaking *making);

/* Whether the head's scores are made with a turn between the factors; whether there is then one
 * product for each distance, and they are few enough; whether the product has factors. */
bool run_merge_turns(const AttnShape *shape, const MergeWish *wish);
bool run_merge_has_family(const AttnShape *shape, const MergeWish *wish);
bool run_merge_has_factors(const AttnShape *shape, const MergeWish *wish);

/* Whether the forms are compared over all heads, if that is wished for: where both can be had and
 * it does not take more than some seconds. */
bool run_merge_has_all(const AttnShape *shape, const MergeWish *wish);

#endif
