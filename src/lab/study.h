/* study.h: the initialisation study: statistics of a layer, or of a stack of layers, sampled by
 * several schemes over many seeds. A job (base/job.h) computes it.
 *
 * A unit is one scheme with one seed. Each thread takes the next free unit and computes it in its
 * own StudyBench. Results are stored by unit and summed in the order of units, so they do not
 * depend on the order of computing or the number of threads. For one seed, all schemes use the same
 * random numbers. All functions belong to the owner's thread, except those of StudyBench. */
#ifndef HEADLIGHT_LAB_STUDY_H
#define HEADLIGHT_LAB_STUDY_H

#include "base/job.h"
#include "lab/study_stats.h"
#include "model/attention/backward.h"
#include "model/attention/embedding.h"
#include "model/attention/position.h"
#include "model/init/scheme.h"

#define STUDY_SCHEMES_MAX 64
#define STUDY_BYTES_MAX   ((size_t)1 << 30) /* limit of bytes of the results, and of a StudyBench */

typedef struct StudyScheme {
    int scheme;      /* row of SCHEMES, for the name */
    SchemePlan plan; /* plan of the scheme with the first seed */
    int K;           /* query/key width; 0: StudyPlan.shape.K */
    float factor;    /* score_factor of the layers, if K is not 0 */
    /* Parameters that replace all sampled ones, or NULL; borrowed. Only for a comparison. */
    const AttnParams *given;
} StudyScheme;

/* The inputs from which X is computed for each seed, if draws_x. */
typedef struct StudyInput {
    /* embed.seed is replaced by the seed of each unit. Pointers are borrowed. */
    EmbedInput embed;
    PositionKind positions;
} StudyInput;

/* The plan of a study. If draws_x, the X for a seed is the X of a session with this seed. A layer's
 * input is the output of the layer below. G, the gradient of the highest layer's Y, is sampled with
 * the unit's seed. */
typedef struct StudyPlan {
    AttnShape shape; /* shape of every layer; see study_shape */
    const Mat *x;    /* (T, D): input of the lowest layer, unless draws_x; borrowed */
    bool draws_x;    /* true: X is computed from `input` for each seed */
    StudyInput input;
    Mask mask; /* borrowed */
    /* Parameters that replace sampled ones in every layer; borrowed. */
    Mat given[ATTN_PARAM_COUNT];
    StudyScheme schemes[STUDY_SCHEMES_MAX];
    int scheme_count;
    int layers; /* at least 1 */
    /* Number of consecutive seeds, at least 1; the first is StudyScheme.plan.seed. */
    int seeds;
    unsigned parts; /* flags of StudyPart */
} StudyPlan;

/* One statistic over the finished seeds. std divides by n − 1; it is 0 for one seed. All four are
 * NaN if a value is not finite. */
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
    StudyPlan plan; /* points to copies of the data that the caller's plan borrows */
    Arena arena;
    float *values;         /* indexed by unit, layer and statistic */
    atomic_uchar *state;   /* a StudyUnit for each unit */
    StudyMoments *moments; /* of units 0 to in − 1, indexed by scheme, layer and statistic */
    /* Indexed by scheme, layer and statistic: results of study_expect; only with STUDY_THEORY. */
    double *expected;
    /* schemes × seeds; unit u has scheme u % schemes and seed u / schemes. */
    long long units;
    long long in;       /* units 0 to in − 1 are finished and in `moments` */
    atomic_llong next;  /* all units before this one are taken or done */
    atomic_bool failed; /* if set, the job failed; err says why */
    Err err;
} Study;

/* Scratch memory for computing one unit; all zero at first. */
typedef struct StudyBench {
    const Job *job; /* borrowed, may be NULL; if it is cancelled, a pass fails */
    Arena arena;
    AttnShape shape; /* shape of the allocated layers */
    int layers;      /* 0 if the bench has no memory yet */
    bool has_backward, draws_x;
    AttnParams *params; /* one for each layer */
    AttnTrace *trace;   /* one for each layer */
    /* Gradients of one layer. grads, back and G are allocated only with STUDY_BACKWARD. */
    AttnParams grads;
    /* Two that alternate, because the gradient of one layer's X is the gradient of Y in the layer
     * below. */
    AttnBack back[2];
    Mat G;            /* (T, D): gradient of the highest layer's Y */
    Mat x;            /* (T, D): X of the unit; no rows unless draws_x */
    EmbedNote *notes; /* (T), if draws_x */
} StudyBench;

/* Return a study; its job computes it. Owned: free it with job_drop. A stopped job continues if it
 * is started again. Return NULL if a seed would exceed 2⁶⁴ − 1, if the results need more than
 * STUDY_BYTES_MAX (the error says how many seeds are possible), or if memory runs out. */
Study *study_create(const StudyPlan *plan, Err *err);

/* Add finished units to the moments, up to the first unit that is not finished. */
void study_update(Study *study);

/* True if study_update has added all units, or if a unit failed. */
bool study_is_over(const Study *study);

/* Drop all but the first `seeds` seeds, which must be finished. The job must not be running. */
void study_cut(Study *study, int seeds);

/* Return the number of seeds for which every scheme has results. */
int study_seeds_in(const Study *study);

/* Return the summary of a layer; layer 0 is the lowest. NaN before the first seed is finished. */
StudySummary study_summary(const Study *study, int scheme, int layer, StudyStat stat);

/* Return the value of one finished seed, counted from 0. */
float study_value(const Study *study, int scheme, int seed, int layer, StudyStat stat);

AttnShape study_shape(const StudyPlan *plan, int scheme);

/* Return a hash of the plan, leaving out the number of seeds and borrowed data. */
uint64_t study_plan_hash(const StudyPlan *plan);

uint64_t study_plan_bytes(const StudyPlan *plan);

/* Copy the plan's borrowed data, except word vectors, which are never freed. */
void study_plan_keep(StudyPlan *plan, Arena *arena);

/* Fill out with the expected value of every statistic (expect.h); NaN if unknown, or if it depends
 * on a given matrix. */
void study_expect(double out[STUDY_STAT_COUNT], const StudyPlan *plan, int scheme, int layer);

/* Return the seed of a layer. Layer 0, the lowest, has the study's own seed, so it equals the layer
 * that the session shows. */
uint64_t study_layer_seed(uint64_t seed, int layer);

/* Allocate memory for a unit of the scheme, unless the bench has enough. Fails if it exceeds
 * STUDY_BYTES_MAX (the error says how many layers are possible), or if memory runs out. */
bool study_bench_fit(StudyBench *bench, const StudyPlan *plan, int scheme, Err *err);
void study_bench_release(StudyBench *bench);

/* Compute a unit's forward pass. The traces stay in the bench; they depend only on plan and unit.
 * Fails if study_bench_fit, scheme_draw, attn_fold or embed fails, or if the bench's job is
 * cancelled. */
bool study_forward(StudyBench *bench, const StudyPlan *plan, long long unit, Err *err);

StudyLayer study_bench_layer(const StudyBench *bench, const StudyPlan *plan, int layer);

/* Like study_forward; then compute the gradients from the highest layer down, and fill values
 * (layers × STUDY_STAT_COUNT). */
bool study_compute(float *values, StudyBench *bench, const StudyPlan *plan, long long unit,
                   Err *err);

#endif
