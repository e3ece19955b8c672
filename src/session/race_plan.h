/* race_plan.h: a race of the session's layer as a Run has it. No I/O, no clock. */
#ifndef HEADLIGHT_SESSION_RACE_PLAN_H
#define HEADLIGHT_SESSION_RACE_PLAN_H

#include "lab/race.h"
#include "session/run.h"

/* What is asked for. All zero is nothing; compared by its bytes, of which none is padding. */
typedef struct RaceWish {
    OptionList schemes;                /* rows of SCHEMES, at most LINEUP_MAX */
    OptionList own[ATTN_WEIGHT_COUNT]; /* by column: rows of SCHEMES, or -1 */
    RaceRules rules;
} RaceWish;

bool race_wish_equal(const RaceWish *a, const RaceWish *b);

/* The plan of it on the session that the Run was made from. What it borrows is the Run's and, the
 * words, the arena's, which is reserved anew; race_init copies both. Words are rows of the
 * embedding as X has them before positions are added, or those of X where a weights file gives
 * that. The Run must be valid and have a token. Fails for want of memory. */
bool race_plan(RacePlan *plan, Arena *arena, const Run *run, const RaceWish *wish, Err *err);

#endif
