/* race.h: schemes trained side by side from one seed: each draws the layer, and then takes steps of
 * gradient descent on the mean squared error of one task. Each step is trained on a batch of random
 * orders of the text's words; other orders, the text itself among them, are held out, and only
 * measured on. Step n is the layer after n updates, with its losses, its score, the norms of its
 * gradients and the weights A of the text; step 0 is the layer as it was drawn.
 * Pure, without threads or clock. Whoever has time advances a column; what comes out depends on the
 * plan alone, to the bit, however it was shared out and in what portions. Columns may be advanced
 * at once, each by one hand with a bench of its own, and read meanwhile as far as race_done says.
 * Trained is what a form holds: W_Q and W_K in separate, both factors in nested, W_QK itself in
 * merged and free; so a merged race starts from W_Q·W_Kᵀ and goes on as a free one.
 * T tokens, D model width, H heads. */
#ifndef HEADLIGHT_LAB_RACE_H
#define HEADLIGHT_LAB_RACE_H

#include <stdatomic.h>

#include "base/job.h"
#include "lab/comparison.h"
#include "lab/race_orders.h"
#include "model/attention/optimiser.h"
#include "model/attention/task.h"

#define RACE_STEPS_MAX   10000
#define RACE_BATCH_MAX   256
#define RACE_SEEDS       10 /* of the race over many seeds */
#define RACE_COLUMNS_MAX (COMPARISON_MAX * RACE_SEEDS)
#define RACE_MEASURE     10                 /* steps from one measurement to the next */
#define RACE_KEEP_BYTES  ((size_t)48 << 20) /* of A, for all columns */
#define RACE_MARK_BYTES  ((size_t)16 << 20) /* of weights to go on from, for all columns */

/* What a batch is made of. */
typedef enum RaceData { RACE_ORDERS, RACE_SENTENCE, RACE_DATA_COUNT } RaceData;
extern const Registry RACE_DATA;

/* Whether the word vectors are trained too. */
typedef enum RaceWords { RACE_WORDS_FIXED, RACE_WORDS_TRAINED, RACE_WORDS_COUNT } RaceWords;
extern const Registry RACE_WORDS;

/* How a layer is trained, whatever it starts from. */
typedef struct RaceRules {
    TaskKind task;
    OptimiserKind optimiser;
    RaceData data;
    RaceWords words;
    int batch; /* sequences a step, from 1 to RACE_BATCH_MAX; 1 for RACE_SENTENCE */
    int steps; /* from 1 to RACE_STEPS_MAX */
    int seeds; /* from 1 to RACE_SEEDS: each start again with the next seeds */
    float rate;
} RaceRules;

bool race_rules_equal(const RaceRules *a, const RaceRules *b);

typedef struct RacePlan {
    AttnShape shape; /* not FORM_RANK, nor FORM_MERGED with rope */
    Mat x;           /* (T, D): what enters the layer; borrowed, as all below */
    Mat words;       /* (T, D): the words that targets are made of, without positions */
    Mask mask;
    Mat given[ATTN_PARAM_COUNT]; /* what every column starts from in place of drawn ones */
    SchemePlan schemes[COMPARISON_MAX];
    int scheme_count;
    RaceRules rules;
} RacePlan;

/* The norms of a record: of the parameters in their order, and last of the word vectors. */
#define RACE_NORM_WORDS ATTN_PARAM_COUNT
#define RACE_NORM_COUNT (ATTN_PARAM_COUNT + 1)

/* What is known of one step of one column. Not a number is what does not exist or was not
 * measured: see race_measured. */
typedef struct RaceRecord {
    float loss;     /* mean over the batch */
    float held_out; /* mean loss over the sequences that are held out */
    float score;    /* task_score there, mean over rows, of the head with the largest */
    int best_head;  /* that head, from 0; -1 for none */
    float norm[RACE_NORM_COUNT]; /* Frobenius, of ∂L/∂parameter */
} RaceRecord;

/* What is trained, or its gradients. */
typedef struct RaceParams {
    AttnParams layer;
    Mat words; /* (T, D), by the rows of RaceOrders; absent if they are fixed */
} RaceParams;

/* Parameters on the way, and what the optimiser keeps of each. */
typedef struct RaceWeights {
    RaceParams params;
    RaceParams moments[OPTIMISER_MOMENTS_MAX];
} RaceWeights;

/* One start. Columns from scheme_count on are the same schemes with further seeds: of these A and
 * marks are not kept. */
typedef struct RaceColumn {
    Arena arena;
    RaceWeights now;     /* of step `done`, once drawn; whoever advances the column has it */
    RaceWeights *marks;  /* of every mark_every-th step */
    RaceRecord *records; /* steps + 1 */
    Mat *kept;           /* by race_kept_index: (H*T, T), of the text as it stands */
    bool is_drawn;
    atomic_int done; /* so many steps, from 0 on, may be read; the last one overflowed or not */
} RaceColumn;

typedef struct Race {
    RacePlan plan;   /* what it borrows is copied */
    AttnShape shape; /* of what is trained: FORM_FREE where the plan's is FORM_MERGED */
    Arena arena;
    Mat positions; /* (T, D): x without the words */
    RaceOrders orders;
    RaceColumn columns[RACE_COLUMNS_MAX];
    int kept_every, kept_count; /* A is kept of every so many steps, and of the last one */
    int mark_every, mark_count;
} Race;

static inline int race_columns(const Race *race) {
    return race->plan.scheme_count * race->plan.rules.seeds;
}

/* The seed of a column's weights and of its sequences. */
static inline uint64_t race_seed(const Race *race, int column) {
    int count = race->plan.scheme_count;
    return race->plan.schemes[column % count].seed + (uint64_t)(column / count);
}

/* What a column is advanced in, or looked at. */
typedef struct RaceBench {
    Arena arena;
    AttnTrace trace;  /* of the sequence computed last */
    AttnParams grads; /* of that sequence, of the race's shape */
    AttnBack back;
    Mat dY;
    int *order;          /* (T) */
    Mat x, words;        /* (T, D): the sequence, and its words as they were at the start */
    Mat share, target;   /* (T, T) and (T, D): see task.h */
    double *scores;      /* (H) */
    RaceParams gradient; /* mean over the batch */
    const Job *job;      /* borrowed, NULL at first: what computes fails if it is to stop */
    Arena looked;        /* of race_look */
    RaceWeights look;    /* the weights of the step that was looked at */
} RaceBench;

/* Whether a layer of that shape can be trained; err says why not, and what can. */
bool race_can_train(const AttnShape *shape, Err *err);

/* A race before its first step. Fails where race_can_train does, where it would take more than
 * STUDY_BYTES_MAX, and for want of memory; then there is nothing to release. */
bool race_init(Race *race, const RacePlan *plan, Err *err);
void race_release(Race *race);

bool race_bench_init(RaceBench *bench, const Race *race, Err *err);
void race_bench_release(RaceBench *bench);

/* Compute the next steps of a column, or those that are left. Fails if the column cannot be
 * sampled, or if the bench's job is to stop; err then means nothing. What is done stays, and the
 * next call continues. */
bool race_advance(Race *race, RaceBench *bench, int column, int steps, Err *err);

/* How many steps of a column may be read, from step 0 on: 0 before the first, plan.steps + 1 at the
 * end. */
int race_done(const Race *race, int column);

/* Whether there is no more to compute: the last step is done, or the loss is not finite. */
bool race_is_over(const Race *race, int column);

/* The step whose loss was not finite, after which the column stands still, or -1. */
int race_overflow(const Race *race, int column);

/* What is known of a step that is done. */
const RaceRecord *race_record(const Race *race, int column, int step);

/* The last step up to this one that is measured: every RACE_MEASURE-th, and the last one. */
int race_measured(const Race *race, int step);

/* True if the norm is of something that is trained. */
bool race_trains(const Race *race, int norm);

/* Its symbol, as in PARAMS; "E" for the word vectors. */
const char *race_norm_name(int norm);

/* The last step up to this one of which A is kept, and the number of such steps before it. */
int race_kept_step(const Race *race, int step);
int race_kept_index(const Race *race, int step);

/* A of one head (T, T) at a kept step that is done, as it is drawn: closed pairs are −INFINITY. */
Mat race_weights(const Race *race, int column, int step, int head);

/* Compute any step that is done again, to the same bits: bench->look has its parameters (they are
 * of race->shape) and bench->trace its pass of the text as it stands. May be called while the
 * column is advanced with another bench. False as race_advance. */
bool race_look(RaceBench *bench, const Race *race, int column, int step, Err *err);

#endif
