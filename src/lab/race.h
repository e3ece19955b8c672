/* race.h: schemes trained side by side from one seed: each draws the layer, and then takes steps of
 * gradient descent on the mean squared error of one task. Step n is the layer after n updates, with
 * its loss, the norms of its gradients and its weights A; step 0 is the layer as it was drawn.
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
#include "lab/lineup.h"
#include "model/optimiser.h"
#include "model/task.h"

#define RACE_STEPS_MAX  10000
#define RACE_KEEP_BYTES ((size_t)48 << 20) /* of A, for all columns */
#define RACE_MARK_BYTES ((size_t)16 << 20) /* of weights to go on from, for all columns */

typedef struct RacePlan {
    AttnShape shape; /* not FORM_RANK, nor FORM_MERGED with rope */
    Mat x;           /* (T, D): what enters the layer; borrowed, as all below */
    Mat words;       /* (T, D): the words that targets are made of, without positions */
    Mask mask;
    Mat given[ATTN_PARAM_COUNT]; /* what every column starts from in place of drawn ones */
    SchemePlan schemes[LINEUP_MAX];
    int scheme_count;
    TaskKind task;
    OptimiserKind optimiser;
    float rate;
    int steps; /* from 1 to RACE_STEPS_MAX */
} RacePlan;

/* What is known of one step of one column. */
typedef struct RaceRecord {
    float loss;
    float norm[ATTN_PARAM_COUNT]; /* Frobenius, of ∂L/∂parameter; not a number where it has none */
} RaceRecord;

/* A layer's parameters on the way, and what the optimiser keeps of each. */
typedef struct RaceWeights {
    AttnParams params;
    AttnParams moments[OPTIMISER_MOMENTS_MAX];
} RaceWeights;

typedef struct RaceColumn {
    Arena arena;
    RaceWeights now;     /* of step `done`, once drawn; whoever advances the column has it */
    RaceWeights *marks;  /* of every mark_every-th step */
    RaceRecord *records; /* steps + 1 */
    Mat *kept;           /* by race_kept_index: (H*T, T) */
    bool is_drawn;
    atomic_int done; /* so many steps, from 0 on, may be read; the last one overflowed or not */
} RaceColumn;

typedef struct Race {
    RacePlan plan;   /* what it borrows is copied */
    AttnShape shape; /* of what is trained: FORM_FREE where the plan's is FORM_MERGED */
    Arena arena;
    Mat target; /* (T, D) */
    RaceColumn columns[LINEUP_MAX];
    int kept_every, kept_count; /* A is kept of every so many steps, and of the last one */
    int mark_every, mark_count;
} Race;

/* What a column is advanced in, or looked at. */
typedef struct RaceBench {
    Arena arena;
    AttnTrace trace;  /* of the step computed last */
    AttnParams grads; /* of the race's shape */
    AttnBack back;
    Mat dY;
    Arena looked;     /* of race_look */
    RaceWeights look; /* the weights of the step that was looked at */
} RaceBench;

/* Whether a layer of that shape can be trained; err says why not, and what can. */
bool race_can_train(const AttnShape *shape, Err *err);

/* A race before its first step. Fails where race_can_train does, where it would take more than
 * STUDY_BYTES_MAX, and for want of memory; then there is nothing to release. */
bool race_init(Race *race, const RacePlan *plan, Err *err);
void race_release(Race *race);

bool race_bench_init(RaceBench *bench, const Race *race, Err *err);
void race_bench_release(RaceBench *bench);

/* Compute the next steps of a column, or those that are left. False where drawing it failed, and
 * soon after the watch, which may be NULL, has said to stop (err then means nothing): what is done
 * stays, and the next call goes on. */
bool race_advance(Race *race, RaceBench *bench, int column, int steps, JobWatch *watch, Err *err);

/* How many steps of a column may be read, from step 0 on: 0 before the first, plan.steps + 1 at the
 * end. */
int race_done(const Race *race, int column);

/* Whether there is no more to compute: the last step is done, or the loss is not finite. */
bool race_is_over(const Race *race, int column);

/* The step whose loss was not finite, after which the column stands still, or -1. */
int race_overflow(const Race *race, int column);

/* Loss and gradients of a step that is done. */
const RaceRecord *race_record(const Race *race, int column, int step);

/* The last step up to this one of which A is kept, and the number of such steps before it. */
int race_kept_step(const Race *race, int step);
int race_kept_index(const Race *race, int step);

/* A of one head (T, T) at a kept step that is done, as it is drawn: closed pairs are −INFINITY. */
Mat race_weights(const Race *race, int column, int step, int head);

/* Compute any step that is done again, to the same bits: bench->look has its parameters (they are
 * of race->shape) and bench->trace its pass. May be called while the column is advanced with
 * another bench. False as race_advance. */
bool race_look(RaceBench *bench, const Race *race, int column, int step, JobWatch *watch, Err *err);

/* About how many steps (base/job.h) one step of one column takes, and race_look of a step: the last
 * one of a column that is over is at hand. */
double race_steps(const Race *race);
double race_look_steps(const Race *race, int column, int step);

#endif
