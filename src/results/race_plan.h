/* race_plan.h: training runs of the session's layer, planned from a Results. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_RACE_PLAN_H
#define HEADLIGHT_RESULTS_RACE_PLAN_H

#include "lab/race.h"
#include "results/results.h"

/* A request for training runs; all zero requests nothing. It is hashed by its bytes, so it must
 * have no padding. */
typedef struct RaceRequest {
    OptionList schemes; /* rows of SCHEMES, at most COMPARISON_MAX */
    /* For each column, schemes for single matrices: a row of SCHEMES, or -1. */
    OptionList own[ATTN_WEIGHT_COUNT];
    RaceRules rules;
} RaceRequest;

bool race_request_equal(const RaceRequest *a, const RaceRequest *b);

/* Fill out with the plan for the session that the Results were computed from. The plan borrows from
 * the Results and, for the words, from the arena, which is emptied first; race_create copies both.
 * The words are rows of the embedding before positions are added; if a weights file has X, they are
 * rows of X. The Results must be valid and have a token. Fails if memory runs out. */
bool race_plan(RacePlan *plan, Arena *arena, const Results *run, const RaceRequest *request,
               Err *err);

/* Return everything that was trained, for a file at this path: the layer and, if word vectors were
 * trained, the vectors of run's tokens. The race must have been planned for run. Return NULL and
 * set err if a value is not finite or memory runs out. */
Weights *race_trained_weights(const char *path, const Results *run, const Race *race,
                              const RaceParams *trained, Err *err);

#endif
