/* study.h: the initialisation study: a layer, or a stack of layers, sampled by several schemes over
 * many seeds, and its statistics, computed by a job (base/job.h). Its unit of work is one scheme
 * with one seed. Each thread takes the next free unit and computes it in a bench of its own;
 * results are stored by unit and summed in the order of units, so they depend neither on the order
 * of computing nor on the number of threads. Schemes share their draws: one seed gives all of them
 * the same ones. All functions belong to the owner's thread, except those of StudyBench. */
#ifndef HEADLIGHT_LAB_STUDY_H
#define HEADLIGHT_LAB_STUDY_H

#include "base/job.h"
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
    int K;           /* query/key width of its layers; 0 for that of the plan's shape, */
    float factor;    /* and their score_factor */
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
    AttnShape shape; /* of every layer; see study_shape */
    const Mat *x;    /* (T, D): the lowest layer's input, unless draws_x; borrowed */
    bool draws_x;    /* input makes the x of each seed */
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

typedef enum StudyUnit { UNIT_FREE, UNIT_TAKEN, UNIT_DONE } StudyUnit;

typedef struct Study {
    Job job;
    StudyPlan plan; /* with copies of what the caller's plan borrows */
    Arena arena;
    float *values;         /* indexed by unit, layer, statistic */
    atomic_uchar *state;   /* a StudyUnit for each unit */
    StudyMoments *moments; /* indexed by scheme, layer, statistic: over the first `in` units */
    double *expected;      /* indexed likewise, with STUDY_THEORY: what study_expect sets */
    long long units;       /* schemes × seeds; unit u is scheme u % schemes, seed u / schemes */
    long long in;          /* units 0 to in − 1 are done and part of moments */
    atomic_llong next;     /* all units before it are taken */
    atomic_bool failed;    /* if set, err says why after the job */
    Err err;
} Study;

/* Scratch for computing one unit; all zero at first. */
typedef struct StudyBench {
    const Job *job; /* borrowed; a pass fails if this job, which may be NULL, is cancelled */
    Arena arena;
    AttnShape shape; /* of the layers that it has room for */
    int layers;      /* 0 for no room */
    bool has_backward, draws_x;
    AttnParams *params; /* one for each layer */
    AttnTrace *trace;   /* one for each layer */
    AttnParams grads;   /* the current layer's; allocated with STUDY_BACKWARD, like what follows */
    AttnBack back[2];   /* alternating: the gradient of one layer's X starts the layer below */
    Mat G;              /* (T, D): the gradient of the highest layer's Y */
    Mat x;              /* (T, D) if the plan samples it; otherwise rows 0 */
    EmbedNote *notes;   /* (T) if the plan samples X */
} StudyBench;

/* Return a study whose job computes it. Owned: free it with job_drop. A stopped job continues if it
 * is started again. Return NULL if seeds exceed 2⁶⁴ − 1, if the results need more than
 * STUDY_BYTES_MAX (the error says how many seeds are possible), or if memory runs out. */
Study *study_create(const StudyPlan *plan, Err *err);

/* Add the units that were completed to the moments. */
void study_update(Study *study);

/* True if all units are done, or one failed. */
bool study_is_over(const Study *study);

/* Keep only the first seeds, all of which must be finished. The job must not work. */
void study_cut(Study *study, int seeds);

/* Return the number of seeds that have results of every scheme. */
int study_seeds_in(const Study *study);

/* Return the summary of a layer, from 0, the lowest. NaN before any seed. */
StudySummary study_summary(const Study *study, int scheme, int layer, StudyStat stat);

/* Return the value of one seed, counted from 0, which must be finished. */
float study_value(const Study *study, int scheme, int seed, int layer, StudyStat stat);

/* Return the shape of a scheme's layers. */
AttnShape study_shape(const StudyPlan *plan, int scheme);

/* Return a hash of the plan without the number of seeds and without what the plan borrows. */
uint64_t study_plan_hash(const StudyPlan *plan);

/* Return the bytes that study_plan_keep pushes. */
size_t study_plan_bytes(const StudyPlan *plan);

/* Copy what the plan borrows, except for word vectors, which stay as long as the program runs. */
void study_plan_keep(StudyPlan *plan, Arena *arena);

/* Fill out with what theory expects of every statistic, or NaN; see expect.h. With given matrices
 * only sampled ones have an expectation. */
void study_expect(double out[STUDY_STAT_COUNT], const StudyPlan *plan, int scheme, int layer);

/* Return the seed of a layer, from 0. The lowest layer has the study's own seed, so it is the layer
 * that the session shows; the others have seeds derived from it. */
uint64_t study_layer_seed(uint64_t seed, int layer);

/* Make room for a unit of the scheme, unless there is. Fails if that exceeds STUDY_BYTES_MAX (the
 * error says how many layers are possible), or if memory runs out. */
bool study_bench_fit(StudyBench *bench, const StudyPlan *plan, int scheme, Err *err);
void study_bench_release(StudyBench *bench);

/* Compute one of the unit's 2 * layers passes: forward from the lowest layer, then backward from
 * the highest, which fills values (layers × STUDY_STAT_COUNT). The values depend only on plan and
 * unit. Fails as study_bench_fit, scheme_draw, attn_fold and embed do, and if the bench's job is
 * cancelled. */
bool study_compute_pass(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                        int pass, Err *err);

/* Return a layer of the bench after its forward pass, without gradients. */
StudyLayer study_bench_layer(const StudyBench *bench, const StudyPlan *plan, int layer);

/* Compute all passes of a unit. */
bool study_compute(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                   Err *err);

#endif
