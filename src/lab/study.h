/* study.h: the initialisation study: a layer, or a stack of layers, sampled by several schemes over
 * many seeds, and its statistics. Pure, without threads or clock. Its unit of work is one scheme
 * with one seed. Units may be computed in parallel, each in its own bench; results are stored by
 * unit and summed in the order of units, so no order of computing changes them. Schemes share their
 * draws: one seed gives all of them the same ones. Not thread-safe: only one thread at a time may
 * call functions that take a non-const Study. */
#ifndef HEADLIGHT_LAB_STUDY_H
#define HEADLIGHT_LAB_STUDY_H

#include "lab/study_stats.h"
#include "model/attention/backward.h"
#include "model/attention/embedding.h"
#include "model/attention/position.h"
#include "model/init/scheme.h"

#define STUDY_SCHEMES_MAX 64
#define STUDY_BYTES_MAX   ((size_t)1 << 30) /* most bytes of results, and of a bench */

typedef struct StudyScheme {
    int scheme;      /* row of SCHEMES that gives the name */
    SchemePlan plan; /* has the first seed; its depth is for depth-aware schemes */
} StudyScheme;

/* How X is made for a seed, if part of it is sampled. */
typedef struct StudyInput {
    EmbedInput embed; /* has the unit's seed; what it points to is borrowed */
    PositionKind positions;
} StudyInput;

/* The plan of a study. Its X for a seed is that of a session with this seed. Each layer's input is
 * the output of the layer below. G, the start of the gradients, is sampled with the unit's seed by
 * attn_output_gradient_draw. */
typedef struct StudyPlan {
    AttnShape shape; /* the same for every layer */
    const Mat *x;    /* (T, D): the lowest layer's input; borrowed */
    bool draws_x;    /* x belongs to the first seed; input makes that of each seed */
    StudyInput input;
    Mask mask;                   /* borrowed */
    Mat given[ATTN_PARAM_COUNT]; /* replace sampled parameters in every layer; borrowed */
    StudyScheme schemes[STUDY_SCHEMES_MAX];
    int scheme_count;
    int layers;     /* number of layers, at least 1 */
    int seeds;      /* number of seeds, at least 1: the first seed and its successors */
    unsigned parts; /* flags of StudyPart */
} StudyPlan;

/* One statistic over the seeds so far: mean and sample standard deviation (with n − 1; 0 for one
 * seed). Both are NaN if any seed's value is not finite. */
typedef struct StudySummary {
    double mean, std, least, most;
    int seeds;
} StudySummary;

typedef struct StudyMoments {
    double mean, squares, least, most; /* squares: Σ (value − mean)² */
} StudyMoments;

typedef struct Study {
    StudyPlan plan;
    Arena arena;
    float *values;         /* indexed by unit, layer, statistic */
    uint8_t *done;         /* true for each finished unit */
    StudyMoments *moments; /* indexed by scheme, layer, statistic: over the first `in` units */
    long long units;       /* schemes × seeds; unit u is scheme u % schemes, seed u / schemes */
    long long in;          /* units 0 to in − 1 are done and part of moments */
} Study;

/* Scratch for computing one unit. */
typedef struct StudyBench {
    Arena arena;
    AttnParams *params; /* one for each layer */
    AttnTrace *trace;   /* one for each layer */
    AttnParams grads;   /* the current layer's; allocated with STUDY_BACKWARD, like what follows */
    AttnBack back[2];   /* alternating: the gradient of one layer's X starts the layer below */
    Mat G;              /* (T, D): the gradient of the highest layer's Y */
    Mat x;              /* (T, D) if the plan samples it; otherwise rows 0 */
    EmbedNote *notes;   /* (T) if the plan samples X */
    const Job *job;     /* borrowed, NULL at first; a pass fails if this job is cancelled */
} StudyBench;

/* Make a study without results. Fails if seeds exceed 2⁶⁴ − 1, if the results need more than
 * STUDY_BYTES_MAX (the error says how many seeds are possible), or if memory runs out; then there
 * is nothing to release. */
bool study_init(Study *study, const StudyPlan *plan, Err *err);
void study_release(Study *study);

/* Make room for any unit of the plan. Fails if that exceeds STUDY_BYTES_MAX (the error says how
 * many layers are possible), or if memory runs out; then there is nothing to release. */
bool study_bench_init(StudyBench *bench, const StudyPlan *plan, Err *err);
void study_bench_release(StudyBench *bench);

/* Compute one unit into values (layers × STUDY_STAT_COUNT), which depend only on plan and unit.
 * Fails as scheme_draw, attn_fold and embed do, and if the bench's job is cancelled. */
bool study_compute(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                   Err *err);

/* Compute one of the unit's 2 * layers passes: forward from the lowest layer, then backward from
 * the highest. Fails as study_compute does. */
bool study_compute_pass(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                        int pass, Err *err);

/* Return where a unit's values are stored; report that they are complete. */
float *study_values_at(const Study *study, long long unit);
void study_finish(Study *study, long long unit);

/* Keep only the first seeds, all of which must be finished. */
void study_cut(Study *study, int seeds);

/* Compute the next `units` units, or those that are left, in order. Must not be combined with
 * study_finish. */
bool study_step(Study *study, StudyBench *bench, int units, Err *err);

/* Return the number of seeds that have results of every scheme. */
int study_seeds_in(const Study *study);

/* Return the summary of a layer, from 0, the lowest. NaN before any seed. */
StudySummary study_summary(const Study *study, int scheme, int layer, StudyStat stat);

/* Return the value of one seed, counted from 0, which must be finished. */
float study_value(const Study *study, int scheme, int seed, int layer, StudyStat stat);

/* Fill out with what theory expects of every statistic, or NaN; see expect.h. With given matrices
 * only sampled ones have an expectation. */
void study_expect(double out[STUDY_STAT_COUNT], const StudyPlan *plan, int scheme, int layer);

/* Return the seed of a layer, from 0. The lowest layer has the study's own seed, so it is the layer
 * that the session shows; the others have seeds derived from it. */
uint64_t study_layer_seed(uint64_t seed, int layer);

#endif
