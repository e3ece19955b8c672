/* race.h: schemes trained side by side from one seed. Each column samples its layer and takes steps
 * of gradient descent on the mean squared error of one task. Each step uses a batch of random
 * orders of the text's words; other orders, including the text itself, are held out and only
 * measured. Step n is the layer after n updates, with its losses, score, gradient norms and the
 * weights A of the text; step 0 is the layer before training. Results depend only on the plan, to
 * the bit. A job (base/job.h) computes a race: each thread takes the column with the fewest steps
 * and advances it by one step in its own bench, so all columns stay close to the same step. While
 * the job works, the owner may read the steps that race_done counts. The trained parameters are
 * those of the layer's form (FORMS): W_Q and W_K in separate, both factors in nested, W_QK in free.
 * A merged race starts from W_Q·W_Kᵀ and continues as a free one. All functions except race_advance
 * and race_look belong to the owner's thread. T tokens, D model width, H heads. */
#ifndef HEADLIGHT_LAB_RACE_H
#define HEADLIGHT_LAB_RACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text_out.h"
#include "lab/comparison.h"
#include "math/mat.h"
#include "model/attention/optimiser.h"
#include "model/attention/task.h"

#define RACE_STEPS_MAX   10000
#define RACE_BATCH_MAX   256
#define RACE_SEEDS       10 /* number of seeds in the race over many seeds */
#define RACE_COLUMNS_MAX (COMPARISON_MAX * RACE_SEEDS)
#define RACE_MEASURE     10                 /* number of steps between two measurements */
#define RACE_KEEP_BYTES  ((size_t)48 << 20) /* most bytes of stored A, for all columns together */

#define RACE_HELD 64 /* number of sequences that are never trained on */

/* The sequences of words that a race trains on, and the held-out sequences. A sequence is T indices
 * of words; equal words have the index of their first occurrence. A sequence depends only on the
 * text, the seed and its number. */
typedef struct RaceOrders {
    int T;
    /* True if a sequence repeats at most (T + 1)/2 different words, instead of containing each
     * token once. */
    bool repeats;
    int *text; /* (T): the text itself; owned by the arena */
    /* (held_count, T): the held-out sequences; the first is the text; owned by the arena. */
    int *held;
    /* Number of held-out sequences: RACE_HELD, or fewer for a text of fewer than 6 tokens. */
    int held_count;
} RaceOrders;

uint64_t race_orders_bytes(int T);

/* Sample the held-out sequences. Two words (rows of T, D) are equal if their vectors are equal. */
RaceOrders race_orders_push(Arena *arena, const Mat *words, bool repeats, uint64_t seed);

/* Fill order (T) with training sequence `number` of the seed. The sequence differs from the
 * held-out ones, unless the text has hardly any other order, like "a a b". */
void race_order_draw(int *order, const RaceOrders *orders, uint64_t seed, uint64_t number);

static inline const int *race_order_held(const RaceOrders *orders, int i) {
    return orders->held + (size_t)i * (size_t)orders->T;
}

/* The sequences in a batch: orders of the text's words, or the text itself. */
typedef enum RaceData { RACE_ORDERS, RACE_SENTENCE, RACE_DATA_COUNT } RaceData;
extern const Registry RACE_DATA;

/* Whether the word vectors are trained, too. */
typedef enum RaceWords { RACE_WORDS_FIXED, RACE_WORDS_TRAINED, RACE_WORDS_COUNT } RaceWords;
extern const Registry RACE_WORDS;

/* The rules of training, which are the same for every column. */
typedef struct RaceRules {
    TaskKind task;
    OptimiserKind optimiser;
    RaceData data;
    RaceWords words;
    int batch; /* sequences per step, from 1 to RACE_BATCH_MAX; 1 for RACE_SENTENCE */
    int steps; /* number of steps, 1 to RACE_STEPS_MAX */
    /* Number of seeds, 1 to RACE_SEEDS; every scheme is trained once with each. */
    int seeds;
    float rate;
} RaceRules;

bool race_rules_equal(const RaceRules *a, const RaceRules *b);

typedef struct RacePlan {
    /* The layer's shape; its form is neither FORM_RANK, nor FORM_MERGED with rope. */
    AttnShape shape;
    Mat x;     /* (T, D): the layer's input; borrowed, like everything below */
    Mat words; /* (T, D): the word vectors, without positions, from which targets are mixed */
    Mask mask;
    /* Parameters of step 0 of every column, in place of sampled ones. */
    Mat given[ATTN_PARAM_COUNT];
    /* Numbers set by hand. Those of parameters change step 0 of every column. */
    HandNumbers hand;
    SchemePlan schemes[COMPARISON_MAX];
    int scheme_count;
    RaceRules rules;
} RacePlan;

/* The gradient norms in a record: first those of the parameters in order, then that of the word
 * vectors. */
#define RACE_NORM_WORDS ATTN_PARAM_COUNT
#define RACE_NORM_COUNT (ATTN_PARAM_COUNT + 1)

/* The numbers of one step of one column. NaN if a number does not exist or was not measured: see
 * race_measured. */
typedef struct RaceRecord {
    float loss;     /* mean over the batch */
    float held_out; /* mean loss over the held-out sequences */
    /* Largest score of all heads: task_score on the held-out sequences, as a mean over rows. */
    float score;
    int best_head;               /* index of the head with the largest score; -1 for none */
    float norm[RACE_NORM_COUNT]; /* Frobenius norm of each ∂L/∂parameter */
} RaceRecord;

/* Trained parameters, or their gradients. */
typedef struct RaceParams {
    AttnParams layer;
    Mat words; /* (T, D): word vectors, indexed by RaceOrders; absent if they are fixed */
} RaceParams;

/* Parameters during training, and the optimiser's moments. */
typedef struct RaceWeights {
    RaceParams params;
    RaceParams moments[OPTIMISER_MOMENTS_MAX];
} RaceWeights;

/* The training of one layer, from a scheme and a seed. Columns from scheme_count on have the same
 * schemes with further seeds, and do not store A. */
typedef struct RaceColumn {
    Arena arena;
    /* Weights at step `done`; not set before they are sampled. Used only by the thread that
     * advances the column. */
    RaceWeights now;
    RaceRecord *records; /* steps + 1 */
    Mat *kept;           /* indexed by race_kept_index: A (H*T, T) for the text itself */
    bool is_drawn;
    atomic_bool is_taken; /* true while a thread has reserved the column */
    /* Number of steps, from step 0 on, that may be read; the loss of the last may have
     * overflowed. */
    atomic_int done;
} RaceColumn;

typedef struct Race {
    Job job;
    int owners;      /* number of owners: the job, and each RaceLook */
    RacePlan plan;   /* the plan, with copies of what the caller's plan borrows */
    AttnShape shape; /* shape of the trained layer: FORM_FREE if the plan has FORM_MERGED */
    Arena arena;
    Mat positions; /* (T, D): x minus the words, that is the position vectors */
    RaceOrders orders;
    RaceColumn columns[RACE_COLUMNS_MAX];
    /* A is stored at every kept_every-th step and the last, at kept_count steps in all. */
    int kept_every, kept_count;
    int goal; /* the step up to which the job computes every column; set before it starts */
    atomic_bool failed; /* if set, the job failed; err says why */
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

/* Scratch memory for advancing or inspecting a column. */
typedef struct RaceBench {
    const Job *job; /* borrowed, NULL at first; if this job is cancelled, computing fails */
    Arena arena;
    AttnTrace trace;  /* trace of the last sequence computed */
    AttnParams grads; /* gradients of that sequence; the race's shape */
    AttnBack back;
    Mat dY;
    int *order;        /* (T) */
    Mat x, words;      /* (T, D): the input of the sequence; vectors of its words before training */
    Mat share, target; /* (T, T) and (T, D): see task.h */
    double *scores;    /* (H) */
    RaceParams gradient; /* mean gradient over the batch */
    RaceWeights look;    /* the weights of the step that race_look computed */
} RaceBench;

/* Return true if a layer of this shape can be trained. Otherwise err says why not, and which layers
 * can. */
bool race_can_train(const AttnShape *shape, Err *err);

/* Return a race before its first step. Owned: free it with job_drop. Return NULL and set err if
 * race_can_train fails, if the race needs more than STUDY_BYTES_MAX, or if memory runs out. */
Race *race_create(const RacePlan *plan, Err *err);

/* True if every column has computed this step or stopped before it, or if one column failed. */
bool race_has(const Race *race, int step);

bool race_bench_init(RaceBench *bench, const Race *race, Err *err);
void race_bench_release(RaceBench *bench);

/* Compute the next steps of a column, at most `steps`. Fails if the column cannot be sampled, or if
 * the bench's job is cancelled (then err is undefined). Finished steps stay, and the next call
 * continues. */
bool race_advance(Race *race, RaceBench *bench, int column, int steps, Err *err);

/* Return the number of steps of a column that may be read, counted from step 0: 0 at first,
 * plan.steps + 1 at the end. */
int race_done(const Race *race, int column);

/* Return true if the last step is finished or the loss is not finite. */
bool race_is_over(const Race *race, int column);

/* Return the step whose loss was not finite, after which the column stops; or -1. */
int race_overflow(const Race *race, int column);

/* Return the numbers of a finished step. */
const RaceRecord *race_record(const Race *race, int column, int step);

/* Return the last measured step that is not after `step`. Every RACE_MEASURE-th step and the last
 * step are measured. */
int race_measured(const Race *race, int step);

/* True if the parameter whose gradient norm has this index in RaceRecord is trained. */
bool race_trains(const Race *race, int norm);

/* Return the symbol of the parameter, as in PARAMS; "E" for the word vectors. */
const char *race_norm_name(int norm);

/* Return the last step not after `step` whose A is stored. The second function returns the number
 * of stored steps before it. */
int race_kept_step(const Race *race, int step);
int race_kept_index(const Race *race, int step);

/* Return A of one head (T, T) at a stored step. Pairs that the mask closes are −INFINITY, so that
 * they are drawn as masked. */
Mat race_weights(const Race *race, int column, int step, int head);

/* Compute a finished step again, bit for bit: put its parameters, which have race->shape, into
 * bench->look, and its pass over the text into bench->trace. For the last step of a finished
 * column, copy the weights; for any other step, train the column again from step 0. Another bench
 * may advance the column meanwhile. Fails like race_advance. */
bool race_look(RaceBench *bench, const Race *race, int column, int step, Err *err);

/* A job that computes a step again with race_look. The race stays in memory until this job is
 * freed. */
typedef struct RaceLook {
    Job job;
    Race *race;
    int column, step;
    RaceBench bench; /* the result, if has_looked */
    bool has_looked; /* true after the job was successful; otherwise err says why not */
    Err err;
} RaceLook;

/* Return a job that computes the step again, or NULL if memory runs out. Owned: free it with
 * job_drop. */
RaceLook *race_look_create(Race *race, int column, int step, Err *err);

/* Write the header "step,loss,held_out,score" and the gradient norms, without a line end. The
 * second function writes one row per step, each starting with prefix. Values that were not measured
 * or are not finite are empty. */
void race_text_header(TextOut *out, const Race *race);
void race_text_csv(TextOut *out, const Race *race, int column, const char *prefix);

/* Write a list with one object per step. Values that were not measured are absent; values that are
 * not finite are null. */
void race_text_json(TextOut *out, const Race *race, int column);

#endif
