/* study_plan.h: experiments of lab/ on the session's layer: the initialisation study, training
 * runs, and a stack of layers. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_STUDY_PLAN_H
#define HEADLIGHT_RESULTS_STUDY_PLAN_H

#include "lab/race.h"
#include "lab/study.h"
#include "results/results.h"

/* Return the plan of a study that compares `count` rows of SCHEMES over `seeds` seeds and measures
 * `parts`. X and mask are those of run, borrowed. Matrices that the session has as weights are
 * borrowed, too, and not sampled. The schemes of single matrices, the depth and the first seed are
 * in session->options. */
StudyPlan study_plan(const Results *run, const Session *session, const int *schemes, int count,
                     int seeds, unsigned parts);

/* If the session's weights contain all matrices, sample every parameter of the plan anyway:
 * otherwise all schemes would be equal. */
void study_plan_sample_all(StudyPlan *plan, const Session *session);

/* Return the plan of one column of a comparison. own: schemes for single matrices, by matrix and
 * column, or -1. */
SchemePlan study_column_plan(const Options *options, const OptionList *schemes,
                             const OptionList own[ATTN_WEIGHT_COUNT], int column);

/* A request for training runs. Zeroed: no request. Without padding, because its bytes are
 * hashed. */
typedef struct RaceRequest {
    OptionList schemes; /* rows of SCHEMES, at most COMPARISON_MAX */
    /* Schemes for single matrices, by matrix and column: rows of SCHEMES, or -1. */
    OptionList own[ATTN_WEIGHT_COUNT];
    RaceRules rules;
} RaceRequest;

bool race_request_equal(const RaceRequest *a, const RaceRequest *b);

/* Fill out with the plan for the session of the Results. The plan borrows from the Results and, for
 * the words, from the arena, which is emptied first; race_create copies both. Words are the rows of
 * X before positions are added or, if a weights file has X, X itself. The Results must be valid and
 * have a token. Fails if memory runs out. */
bool race_plan(RacePlan *plan, Arena *arena, const Results *run, const RaceRequest *request,
               Err *err);

/* Return everything that was trained, for a file at this path: the layer and, if word vectors were
 * trained, the vectors of run's tokens. The race must have been planned for run. Return NULL and
 * set err if a value is not finite or memory runs out. */
Weights *race_trained_weights(const char *path, const Results *run, const Race *race,
                              const RaceParams *trained, Err *err);

#define LAYER_STACK_MAX 12 /* limit of layers; deeper stacks are cut */

/* The stack above one layer of the Results. Its number of layers is the session's depth, but at
 * most LAYER_STACK_MAX. The lowest layer is that of the Results; the others have the seeds of
 * study_layer_seed. Kept until the Results change. Zeroed: an empty stack. */
typedef struct LayerStack {
    StudyBench bench; /* trace[layer] and params[layer]; layer 0 is the lowest */
    AttnShape shape;  /* of every layer */
    int layers;       /* 0 if the stack is empty */
    uint64_t revision;
    /* depth: the session's depth. of: index of the lowest layer in the Results. */
    int depth, of;
} LayerStack;

/* Compute the stack above a layer of run, unless it exists. run must be valid and have tokens.
 * Fails if the stack takes too much memory, or if study_forward fails; then layers is 0. */
bool layer_stack_update(LayerStack *stack, const Results *run, const Session *session, int layer,
                        Err *err);
void layer_stack_release(LayerStack *stack);

#endif
