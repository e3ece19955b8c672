/* race_plan.h: a race of the session's layer as a Results has it. No I/O, no clock. */
#ifndef HEADLIGHT_RESULTS_RACE_PLAN_H
#define HEADLIGHT_RESULTS_RACE_PLAN_H

#include "lab/race.h"
#include "results/results.h"

/* What is asked for. All zero is nothing; hashed by its bytes, of which none is padding. */
typedef struct RaceRequest {
    OptionList schemes;                /* rows of SCHEMES, at most COMPARISON_MAX */
    OptionList own[ATTN_WEIGHT_COUNT]; /* by column: rows of SCHEMES, or -1 */
    RaceRules rules;
} RaceRequest;

bool race_request_equal(const RaceRequest *a, const RaceRequest *b);

/* The plan of it on the session that the Results was made from. What it borrows is the Results's
 * and, the words, the arena's, which is reserved anew; race_init copies both. Words are rows of the
 * embedding as X has them before positions are added, or those of X where a weights file gives
 * that. The Results must be valid and have a token. Fails for want of memory. */
bool race_plan(RacePlan *plan, Arena *arena, const Results *run, const RaceRequest *request,
               Err *err);

/* All that was trained, for a file of that path: the layer, and if they were trained the word
 * vectors by the tokens of run, which the race was planned on. NULL and err if a value is not
 * finite, and for want of memory. */
Weights *race_trained_weights(const char *path, const Results *run, const Race *race,
                              const RaceParams *trained, Err *err);

#endif
