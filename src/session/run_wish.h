/* run_wish.h: what a view asks of a Run beside what every Run has: made on request alone, in the
 * frame where it is short and as a job where it is long. No I/O, no clock. */
#ifndef HEADLIGHT_SESSION_RUN_WISH_H
#define HEADLIGHT_SESSION_RUN_WISH_H

#include "session/run_lineup.h"
#include "session/run_merge.h"

/* All zero wishes for nothing. */
typedef struct RunWish {
    bool gradient;         /* of every layer: see run_gradient */
    bool checked_gradient; /* the same of the form that is checked, where there is one */
    bool check;            /* the form that is checked: see run_check */
    bool follows;          /* that too, if the picture does without it */
    bool has_merge;
    MergeWish merge;   /* see run_merge */
    LineupWish lineup; /* see run_lineup; kind LINEUP_NONE for none */
} RunWish;

bool run_wish_same(const RunWish *a, const RunWish *b);

/* What the picture needs of it; what follows the picture is left out. */
RunWish run_wish_first(const RunWish *wish);

/* Whether what is wished for was made of the Run as it stands, though perhaps with other numbers:
 * then a picture can be drawn of it, and only then. */
bool run_wish_is_drawable(const Run *run, const RunWish *wish);

/* Make it. run must be valid and have a token. Fails as run_gradient, run_merge and run_lineup do.
 */
bool run_wish_meet(Run *run, const RunWish *wish, JobWatch *watch, Err *err);

#endif
