/* study.h: the initialisation study: a layer, or a stack of them, drawn by several schemes over
 * many seeds, and what follows from each draw in numbers.
 * Pure, without threads or clock: its unit of work is one scheme with one seed, which whoever has
 * time computes. Units may be computed at once, each in a bench of its own; results are kept by
 * unit and summed in the order of the units, so that no order of computing changes them.
 * Schemes share their draws: one seed gives all of them the same ones.
 * Not safe by itself: one thread at a time may call what takes a Study that is not const. */
#ifndef HEADLIGHT_LAB_STUDY_H
#define HEADLIGHT_LAB_STUDY_H

#include "lab/study_stats.h"
#include "model/attention/backward.h"
#include "model/attention/embedding.h"
#include "model/attention/position.h"
#include "model/init/scheme.h"

#define STUDY_SCHEMES_MAX 64
#define STUDY_BYTES_MAX   ((size_t)1 << 30) /* of results, and of one bench */

typedef struct StudyScheme {
    int scheme;      /* row of SCHEMES: the one it goes by */
    SchemePlan plan; /* with the first of the seeds; its depth is that of depth-aware schemes */
} StudyScheme;

/* How X is made for a seed, where something in it is drawn. */
typedef struct StudyInput {
    EmbedInput embed; /* its seed is the unit's; what it points to is borrowed */
    PositionKind positions;
} StudyInput;

/* A seed's X is the one that a session with that seed has. The layer above takes the one below's
 * output. G, what gradients start from, is drawn from the unit's seed as attn_output_gradient_draw
 * does. */
typedef struct StudyPlan {
    AttnShape shape; /* of every layer */
    const Mat *x;    /* (T, D): what enters the lowest layer; borrowed */
    bool draws_x;    /* x is the first seed's, and input makes that of each */
    StudyInput input;
    Mask mask;                   /* borrowed */
    Mat given[ATTN_PARAM_COUNT]; /* in place of drawn ones, in every layer; borrowed; rows 0: drawn
                                  */
    StudyScheme schemes[STUDY_SCHEMES_MAX];
    int scheme_count;
    int layers;     /* from 1 */
    int seeds;      /* from 1: the first one, and those after it */
    unsigned parts; /* of StudyPart */
} StudyPlan;

/* Of one statistic over the seeds that are in: mean and standard deviation, that of a sample (with
 * n − 1 in it), 0 for a single seed. Both are not numbers where the statistic of any seed is not a
 * finite number. */
typedef struct StudySummary {
    double mean, deviation, least, most;
    int seeds;
} StudySummary;

typedef struct StudyMoments {
    double mean, squares, least, most; /* squares: Σ (value − mean)² */
} StudyMoments;

typedef struct Study {
    StudyPlan plan;
    Arena arena;
    float *values;         /* by unit, layer, statistic */
    uint8_t *done;         /* by unit */
    StudyMoments *moments; /* by scheme, layer, statistic: over the units that are in */
    long long units;       /* schemes × seeds; unit u is scheme u % schemes, seed u / schemes */
    long long in;          /* units 0 .. in−1 are done and part of moments */
} Study;

/* What one unit is computed in. */
typedef struct StudyBench {
    Arena arena;
    AttnParams *params; /* by layer */
    AttnTrace *trace;   /* by layer */
    AttnParams grads;   /* of the layer that is looked at; with STUDY_BACKWARD, as are the others */
    AttnBack back[2];   /* in turn: what one layer leaves in X the one below starts from */
    Mat G;              /* (T, D): the gradient of the highest layer's Y */
    Mat x;              /* (T, D), where the plan draws it; else rows 0 */
    EmbedNote *notes;   /* T, likewise */
    const Job *job;     /* borrowed, NULL at first: a pass fails if the job is to stop */
} StudyBench;

/* A study without any result yet. Fails where seeds run past 2⁶⁴ − 1, where the results would take
 * more than STUDY_BYTES_MAX (the error names how many seeds may be had), and for want of memory;
 * then there is nothing to release. */
bool study_init(Study *study, const StudyPlan *plan, Err *err);
void study_release(Study *study);

/* Room for any unit of the plan. Fails where that is more than STUDY_BYTES_MAX (the error names
 * how many layers may be had), and for want of memory; then there is nothing to release. */
bool study_bench_init(StudyBench *bench, const StudyPlan *plan, Err *err);
void study_bench_release(StudyBench *bench);

/* Compute one unit into values (layers × STUDY_STAT_COUNT), which is a function of plan and unit
 * alone. Fails as scheme_draw, attn_fold and embed do, and if the bench's job is to stop. */
bool study_compute(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                   Err *err);

/* Compute one of the unit's 2 * layers passes: forward from the lowest layer, then backward from
 * the highest. Fails as study_compute does. */
bool study_compute_pass(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                        int pass, Err *err);

/* Where a unit's values belong, and to say that they are there. */
float *study_values_at(const Study *study, long long unit);
void study_finish(Study *study, long long unit);

/* Keep only the first seeds, all of which must be in. */
void study_cut(Study *study, int seeds);

/* Compute the next `units` units, or those that are left, one after the other. Not to be mixed
 * with study_finish. */
bool study_step(Study *study, StudyBench *bench, int units, Err *err);

/* The seeds that every scheme has results of. */
int study_seeds_in(const Study *study);

/* layer from 0, the lowest. Without any seed yet, not numbers. */
StudySummary study_summary(const Study *study, int scheme, int layer, StudyStat stat);

/* One seed's value, index from 0, which must be in. */
float study_value(const Study *study, int scheme, int seed, int layer, StudyStat stat);

/* What theory expects of every statistic, or not a number; see expect.h. With given matrices
 * nothing is expected but of those that are drawn. */
void study_expect(double out[STUDY_STAT_COUNT], const StudyPlan *plan, int scheme, int layer);

/* The seed that a layer is drawn from, layer from 0: the lowest layer's is the study's own, so that
 * it is the layer that the session shows; those above have seeds drawn from it. */
uint64_t study_layer_seed(uint64_t seed, int layer);

#endif
