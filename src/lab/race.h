/* race.h: schemes trained side by side from one seed: each samples the layer and takes steps of
 * gradient descent on the mean squared error of one task. Each step uses a batch of random orders
 * of the text's words; other orders, including the text itself, are held out and only measured.
 * Step n is the layer after n updates, with its losses, score, gradient norms and the weights A of
 * the text; step 0 is the layer before training. Results depend on the plan only, to the bit. A
 * job (base/job.h) computes a race: each thread takes the column with the fewest steps and advances
 * it by one in its own bench, so all columns stay about equally far. The owner may read what
 * race_done allows while it works. The parameters of the form are trained: W_Q and W_K in separate,
 * both factors in nested, W_QK in free. A merged race starts from W_Q·W_Kᵀ and continues as a free
 * one. All functions but race_advance and race_look belong to the owner's thread. T tokens, D model
 * width, H heads. */
#ifndef HEADLIGHT_LAB_RACE_H
#define HEADLIGHT_LAB_RACE_H

#include "base/text_out.h"
#include "lab/comparison.h"
#include "lab/race_orders.h"
#include "model/attention/optimiser.h"
#include "model/attention/task.h"

#define RACE_STEPS_MAX   10000
#define RACE_BATCH_MAX   256
#define RACE_SEEDS       10 /* number of seeds in the race over many seeds */
#define RACE_COLUMNS_MAX (COMPARISON_MAX * RACE_SEEDS)
#define RACE_MEASURE     10                 /* steps between two measurements */
#define RACE_KEEP_BYTES  ((size_t)48 << 20) /* most bytes of stored A, for all columns */

/* The sequences of a batch. */
typedef enum RaceData { RACE_ORDERS, RACE_SENTENCE, RACE_DATA_COUNT } RaceData;
extern const Registry RACE_DATA;

/* True if the word vectors are trained, too. */
typedef enum RaceWords { RACE_WORDS_FIXED, RACE_WORDS_TRAINED, RACE_WORDS_COUNT } RaceWords;
extern const Registry RACE_WORDS;

/* How a layer is trained, whatever its start. */
typedef struct RaceRules {
    TaskKind task;
    OptimiserKind optimiser;
    RaceData data;
    RaceWords words;
    int batch; /* sequences per step, from 1 to RACE_BATCH_MAX; 1 for RACE_SENTENCE */
    int steps; /* number of steps, 1 to RACE_STEPS_MAX */
    int seeds; /* 1 to RACE_SEEDS: every start is repeated with the next seeds */
    float rate;
} RaceRules;

bool race_rules_equal(const RaceRules *a, const RaceRules *b);

typedef struct RacePlan {
    AttnShape shape; /* its form is not FORM_RANK, nor FORM_MERGED with rope */
    Mat x;           /* (T, D): the layer's input; borrowed, like everything below */
    Mat words;       /* (T, D): the words that targets consist of, without positions */
    Mask mask;
    Mat given[ATTN_PARAM_COUNT]; /* the start of every column, in place of sampled parameters */
    HandNumbers hand; /* set by hand; those of parameters apply to every column's start */
    SchemePlan schemes[COMPARISON_MAX];
    int scheme_count;
    RaceRules rules;
} RacePlan;

/* The norms of a record: of the parameters in order, then of the word vectors. */
#define RACE_NORM_WORDS ATTN_PARAM_COUNT
#define RACE_NORM_COUNT (ATTN_PARAM_COUNT + 1)

/* The numbers of one step of one column. NaN if a number does not exist or was not measured: see
 * race_measured. */
typedef struct RaceRecord {
    float loss;     /* mean over the batch */
    float held_out; /* mean loss over the held-out sequences */
    float score;    /* task_score on them, mean over rows, of the head with the largest score */
    int best_head;  /* index of that head; -1 for none */
    float norm[RACE_NORM_COUNT]; /* Frobenius, of ∂L/∂parameter */
} RaceRecord;

/* Trained parameters, or their gradients. */
typedef struct RaceParams {
    AttnParams layer;
    Mat words; /* (T, D), indexed by RaceOrders; absent if the words are fixed */
} RaceParams;

/* Parameters during training, and the optimiser's moments. */
typedef struct RaceWeights {
    RaceParams params;
    RaceParams moments[OPTIMISER_MOMENTS_MAX];
} RaceWeights;

/* The training run of one start. Columns from scheme_count on repeat the schemes with further
 * seeds; their A is not stored. */
typedef struct RaceColumn {
    Arena arena;
    RaceWeights now;     /* at step `done`, once sampled; of the thread that advances the column */
    RaceRecord *records; /* steps + 1 */
    Mat *kept;           /* indexed by race_kept_index: A (H*T, T) for the text itself */
    bool is_drawn;
    atomic_bool is_taken; /* true while a thread has the column */
    atomic_int done; /* number of steps from 0 on that may be read; the last may have overflowed */
} RaceColumn;

typedef struct Race {
    Job job;
    int owners;      /* the job, and each RaceLook */
    RacePlan plan;   /* with copies of what the caller's plan borrows */
    AttnShape shape; /* shape of the trained layer: FORM_FREE if the plan's is FORM_MERGED */
    Arena arena;
    Mat positions; /* (T, D): x minus the words */
    RaceOrders orders;
    RaceColumn columns[RACE_COLUMNS_MAX];
    int kept_every, kept_count; /* A is stored for every kept_every-th step, and for the last one */
    int goal; /* set before the job starts; it ends when every column has done this step */
    atomic_bool failed; /* if set, err says why after the job */
    Err err;
} Race;

static inline int race_columns(const Race *race) {
    return race->plan.scheme_count * race->plan.rules.seeds;
}

/* Return the seed of a column's weights and of its sequences. */
static inline uint64_t race_seed(const Race *race, int column) {
    int count = race->plan.scheme_count;
    return race->plan.schemes[column % count].seed + (uint64_t)(column / count);
}

/* Scratch for advancing or inspecting a column. */
typedef struct RaceBench {
    const Job *job; /* borrowed, NULL at first; computing fails if this job is cancelled */
    Arena arena;
    AttnTrace trace;  /* trace of the last sequence computed */
    AttnParams grads; /* gradients of that sequence, in the race's shape */
    AttnBack back;
    Mat dY;
    int *order;          /* (T) */
    Mat x, words;        /* (T, D): the sequence's input, and its words as they were at the start */
    Mat share, target;   /* (T, T) and (T, D): see task.h */
    double *scores;      /* (H) */
    RaceParams gradient; /* mean gradient over the batch */
    RaceWeights look;    /* the weights of the inspected step */
} RaceBench;

/* Return true if a layer of this shape can be trained; otherwise err says why not, and what can. */
bool race_can_train(const AttnShape *shape, Err *err);

/* Return a race before its first step. Owned: free it with job_drop. Return NULL as race_can_train
 * does, if it needs more than STUDY_BYTES_MAX, or if memory runs out. */
Race *race_create(const RacePlan *plan, Err *err);

/* True if every column has done that step or cannot, or one failed. */
bool race_has(const Race *race, int step);

bool race_bench_init(RaceBench *bench, const Race *race, Err *err);
void race_bench_release(RaceBench *bench);

/* Compute the next steps of a column, or those that are left. Fails if the column cannot be
 * sampled, or if the bench's job is cancelled (then err is undefined). Finished steps stay, and the
 * next call continues. */
bool race_advance(Race *race, RaceBench *bench, int column, int steps, Err *err);

/* Return the number of steps of a column that may be read, from step 0 on: 0 at first, plan.steps +
 * 1 at the end. */
int race_done(const Race *race, int column);

/* Return true if the last step is done or the loss is not finite. */
bool race_is_over(const Race *race, int column);

/* Return the step whose loss was not finite, after which the column stops; or -1. */
int race_overflow(const Race *race, int column);

/* Return the record of a finished step. */
const RaceRecord *race_record(const Race *race, int column, int step);

/* Return the last step up to this one that was measured. Measured are every RACE_MEASURE-th step
 * and the last. */
int race_measured(const Race *race, int step);

/* True if the parameter of this norm is trained. */
bool race_trains(const Race *race, int norm);

/* Return its symbol, as in PARAMS; "E" for the word vectors. */
const char *race_norm_name(int norm);

/* Return the last step up to this one whose A is stored, and the number of such steps before it. */
int race_kept_step(const Race *race, int step);
int race_kept_index(const Race *race, int step);

/* Return A of one head (T, T) at a stored step. Pairs that the mask closes are −INFINITY, so that
 * they are drawn as masked. */
Mat race_weights(const Race *race, int column, int step, int head);

/* Compute any finished step again, bit for bit. bench->look gets its parameters (of race->shape),
 * bench->trace its pass over the text. A step before the last is computed from the start. May run
 * while the column is advanced with another bench. Fails as race_advance does. */
bool race_look(RaceBench *bench, const Race *race, int column, int step, Err *err);

/* A job that computes a step again by race_look. The race stays in memory until this job is freed.
 * */
typedef struct RaceLook {
    Job job;
    Race *race;
    int column, step;
    RaceBench bench; /* the result, if has_looked */
    bool has_looked; /* true after a successful job; otherwise err says why not */
    Err err;
} RaceLook;

/* Return a job that computes the step again, or NULL if memory runs out. Owned: free it with
 * job_drop. */
RaceLook *race_look_create(Race *race, int column, int step, Err *err);

/* Write the columns "step,loss,held_out,score" and the gradient norms without a line end; and one
 * row per step, each starting with prefix. Values not measured or not finite are empty. */
void race_text_header(TextOut *out, const Race *race);
void race_text_csv(TextOut *out, const Race *race, int column, const char *prefix);

/* Write a list with one object per step. Values not measured are absent, values not finite are
 * null. */
void race_text_json(TextOut *out, const Race *race, int column);

#endif
