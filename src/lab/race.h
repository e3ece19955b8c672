/* race.h: trains layers from several schemes on one task, side by side. Each column samples its
 * layer and takes steps of gradient descent on the mean squared error. Each step uses a batch of
 * random orders of the text's words; the text itself and other orders are held out and only
 * measured. Step n is the layer after n updates; step 0 is before training. Results depend only on
 * the plan, to the bit. T tokens, D model width, H heads.
 *
 * A job (base/job.h) computes a race: each thread takes the column with the fewest steps and
 * advances it by one step in its own RaceBench, so all columns stay near the same step. Meanwhile
 * the owner may read the steps that race_done counts. Jobs call race_bench_init,
 * race_bench_release, race_advance and race_look in other threads; all other functions are for the
 * owner's thread.
 *
 * The trained parameters are those of the layer's form (FORMS): W_Q and W_K in separate, both
 * factors in nested, W_QK in free. A race in the form merged starts from W_Q·W_Kᵀ and trains W_QK
 * as in free. */
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
#define RACE_SEEDS       10 /* limit of seeds */
#define RACE_COLUMNS_MAX (COMPARISON_MAX * RACE_SEEDS)
#define RACE_MEASURE     10 /* steps between two measurements */
#define RACE_KEEP_BYTES                                                                            \
    ((size_t)48 << 20) /* limit of bytes of stored A of all columns; see KEPT_LEAST */

#define RACE_HELD 64

/* The sequences of words on which a race trains, and the held-out sequences. A sequence is T
 * indices of words; equal words have the index of their first occurrence. The text, the seed and
 * the sequence's number determine a sequence. */
typedef struct RaceOrders {
    int T;
    /* false: a sequence has each token once. true: it repeats at most (T + 1)/2 different words. */
    bool repeats;
    int *text; /* (T): the text itself; in the arena */
    /* (held_count, T): the held-out sequences; the first is the text; in the arena. */
    int *held;
    /* RACE_HELD, or fewer for a text of fewer than 6 tokens. */
    int held_count;
} RaceOrders;

uint64_t race_orders_bytes(int T);

/* Sample the held-out sequences. words (T, D): two words are equal if their vectors are equal. */
RaceOrders race_orders_push(Arena *arena, const Mat *words, bool repeats, uint64_t seed);

/* Fill order (T) with training sequence `number`. It is not held out, unless the text has hardly
 * any other order, like "a a b". */
void race_order_draw(int *order, const RaceOrders *orders, uint64_t seed, uint64_t number);

static inline const int *race_order_held(const RaceOrders *orders, int i) {
    return orders->held + (size_t)i * (size_t)orders->T;
}

typedef enum RaceData { RACE_ORDERS, RACE_SENTENCE, RACE_DATA_COUNT } RaceData;
extern const Registry RACE_DATA;

typedef enum RaceWords { RACE_WORDS_FIXED, RACE_WORDS_TRAINED, RACE_WORDS_COUNT } RaceWords;
extern const Registry RACE_WORDS;

/* The rules of training, for every column. */
typedef struct RaceRules {
    TaskKind task;
    OptimiserKind optimiser;
    RaceData data;
    RaceWords words;
    int batch; /* 1 to RACE_BATCH_MAX sequences per step; 1 for RACE_SENTENCE */
    int steps; /* 1 to RACE_STEPS_MAX */
    /* 1 to RACE_SEEDS; every scheme is trained with each seed. */
    int seeds;
    float rate;
} RaceRules;

bool race_rules_equal(const RaceRules *a, const RaceRules *b);

typedef struct RacePlan {
    /* The form must not be FORM_RANK, or FORM_MERGED with RoPE. */
    AttnShape shape;
    Mat x;     /* (T, D): input of the layer; borrowed, like everything below */
    Mat words; /* (T, D): word vectors without positions; targets are mixed from them */
    Mask mask;
    /* Parameters that replace sampled ones at step 0. */
    Mat given[ATTN_PARAM_COUNT];
    /* Numbers set by hand; those in parameters change the parameters of step 0. */
    HandNumbers hand;
    SchemePlan schemes[COMPARISON_MAX];
    int scheme_count;
    RaceRules rules;
} RacePlan;

/* Indices of gradient norms: the parameters in order, then the word vectors. */
#define RACE_NORM_WORDS ATTN_PARAM_COUNT
#define RACE_NORM_COUNT (ATTN_PARAM_COUNT + 1)

/* The numbers of one step of one column; NaN if a number does not exist or was not measured
 * (race_measured). */
typedef struct RaceRecord {
    float loss;     /* mean over the batch */
    float held_out; /* mean loss over the held-out sequences */
    /* Score of the best head: its task_score over the held-out sequences, divided by the number of
     * rows with a wanted key. */
    float score;
    int best_head;               /* the head with this score; -1 if there is none */
    float norm[RACE_NORM_COUNT]; /* Frobenius norms of ∂L/∂parameter */
} RaceRecord;

/* Trained parameters, or their gradients. */
typedef struct RaceParams {
    AttnParams layer;
    Mat words; /* (T, D): a row for each index of a word; absent if words are fixed */
} RaceParams;

typedef struct RaceWeights {
    RaceParams params;
    RaceParams moments[OPTIMISER_MOMENTS_MAX];
} RaceWeights;

/* One layer in training. Columns from scheme_count on repeat the schemes with further seeds, and do
 * not store A. */
typedef struct RaceColumn {
    Arena arena;
    /* If is_drawn: the weights of the next step, or of the last step if race_is_over. Before that,
     * only the thread that advances the column uses them. */
    RaceWeights now;
    RaceRecord *records; /* steps + 1 */
    Mat *kept;           /* indexed by race_kept_index: A (H*T, T) for the text itself */
    bool is_drawn;
    atomic_bool is_taken; /* true while a thread advances the column */
    /* Number of steps, from step 0 on, that may be read. The loss of the last of these steps may
     * have overflowed. */
    atomic_int done;
} RaceColumn;

typedef struct Race {
    Job job;
    int owners;      /* number of owners: the job, and each RaceLook */
    RacePlan plan;   /* points to copies of the data that the caller's plan borrows */
    AttnShape shape; /* FORM_FREE if the plan has FORM_MERGED */
    Arena arena;
    Mat positions; /* (T, D): position vectors, x minus words */
    RaceOrders orders;
    RaceColumn columns[RACE_COLUMNS_MAX];
    /* A is stored at every kept_every-th step and at the last; kept_count steps in all. */
    int kept_every, kept_count;
    int goal;           /* the job computes every column up to this step; set before it starts */
    atomic_bool failed; /* if set, the job failed; err says why */
    Err err;
} Race;

static inline int race_columns(const Race *race) {
    return race->plan.scheme_count * race->plan.rules.seeds;
}

static inline uint64_t race_seed(const Race *race, int column) {
    int count = race->plan.scheme_count;
    return race->plan.schemes[column % count].seed + (uint64_t)(column / count);
}

/* Scratch memory for advancing or inspecting a column. */
typedef struct RaceBench {
    const Job *job; /* borrowed, may be NULL; if it is cancelled, computing fails */
    Arena arena;
    AttnTrace trace;  /* pass of the last sequence */
    AttnParams grads; /* gradients for the last sequence */
    AttnBack back;
    Mat dY;
    int *order;          /* (T) */
    Mat x, words;        /* (T, D): input of the sequence; its word vectors before training */
    Mat share, target;   /* (T, T) and (T, D): see task.h */
    double *scores;      /* (H) */
    RaceParams gradient; /* mean gradient over the batch */
    RaceWeights look;    /* result of race_look */
} RaceBench;

/* True if a layer of this shape can be trained. Otherwise err says why not, and which layers can.
 */
bool race_can_train(const AttnShape *shape, Err *err);

/* Return a race before its first step. Owned: free it with job_drop. Return NULL and set err if
 * race_can_train fails, if the race needs more than STUDY_BYTES_MAX, or if memory runs out. */
Race *race_create(const RacePlan *plan, Err *err);

/* True if every column has computed this step or stopped before it, or if one column failed. */
bool race_has(const Race *race, int step);

bool race_bench_init(RaceBench *bench, const Race *race, Err *err);
void race_bench_release(RaceBench *bench);

/* Compute the next steps of a column, at most `steps`. Fails if the column cannot be sampled, or if
 * the bench's job is cancelled (then err is undefined). Finished steps stay; the next call
 * continues. */
bool race_advance(Race *race, RaceBench *bench, int column, int steps, Err *err);

/* Return the number of steps of a column that may be read, including step 0: 0 at first, at most
 * steps + 1. */
int race_done(const Race *race, int column);

/* True if the column has computed its last step, or stopped because its loss was not finite. */
bool race_is_over(const Race *race, int column);

/* Return the step whose loss was not finite, after which the column stopped; or -1. */
int race_overflow(const Race *race, int column);

const RaceRecord *race_record(const Race *race, int column, int step);

/* Return the last measured step up to `step`. Every RACE_MEASURE-th step and the last step are
 * measured. */
int race_measured(const Race *race, int step);

/* True if the parameter of this index in RaceRecord.norm is trained. */
bool race_trains(const Race *race, int norm);

/* Return the parameter's symbol as in PARAMS; "E" for the word vectors. */
const char *race_norm_name(int norm);

/* race_kept_step returns the last step up to `step` whose A is stored; race_kept_index returns this
 * step's index among the stored steps. */
int race_kept_step(const Race *race, int step);
int race_kept_index(const Race *race, int step);

/* Return A of one head (T, T) at a stored step. Closed pairs are −INFINITY, so that they are drawn
 * as masked. */
Mat race_weights(const Race *race, int column, int step, int head);

/* Compute a finished step again, bit for bit: put its parameters (shape race->shape) into
 * bench->look, and its pass over the text into bench->trace. The last step of a finished column is
 * copied; for any other step the column is trained again from step 0. Another bench may advance the
 * column meanwhile. Fails like race_advance. */
bool race_look(RaceBench *bench, const Race *race, int column, int step, Err *err);

/* A job that calls race_look. The race stays in memory until the job is freed. */
typedef struct RaceLook {
    Job job;
    Race *race;
    int column, step;
    RaceBench bench; /* the result, if has_looked */
    bool has_looked; /* true after success; otherwise err says why not */
    Err err;
} RaceLook;

/* Return a job of this kind, or NULL if memory runs out. Owned: free it with job_drop. */
RaceLook *race_look_create(Race *race, int column, int step, Err *err);

/* Write the CSV header "step,loss,held_out,score" and the gradient norms, without a line end; or
 * one row per step, each starting with prefix. Values that were not measured or are not finite are
 * empty. */
void race_text_header(TextOut *out, const Race *race);
void race_text_csv(TextOut *out, const Race *race, int column, const char *prefix);

/* Write a JSON list with one object per step. Values that were not measured are absent; values that
 * are not finite are null. */
void race_text_json(TextOut *out, const Race *race, int column);

#endif
