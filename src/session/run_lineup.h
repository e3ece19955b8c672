/* run_lineup.h: schemes side by side on what a Run is made of, made on request alone: the columns
 * that a person chose, the cases of the fused matrix, or a broken initialisation beside the one
 * that was meant. No I/O, no clock. */
#ifndef HEADLIGHT_SESSION_RUN_LINEUP_H
#define HEADLIGHT_SESSION_RUN_LINEUP_H

#include <stdatomic.h>

#include "lab/lineup.h"
#include "session/run.h"

typedef enum LineupKind {
    LINEUP_NONE,
    LINEUP_COLUMNS, /* schemes, with the session's and then the columns' own for single matrices */
    LINEUP_CASES,   /* schemes, and nothing else but them */
    LINEUP_BUG      /* as it was meant, and as it was drawn; theory speaks of what was meant */
} LineupKind;

/* What is asked for. All zero is nothing; compared by its bytes, of which none is padding. */
typedef struct LineupWish {
    LineupKind kind;
    OptionList schemes;                /* rows of SCHEMES, at most LINEUP_MAX */
    OptionList own[ATTN_WEIGHT_COUNT]; /* of LINEUP_COLUMNS, by column: rows of SCHEMES, or -1 */
    int bug;                           /* row of BUGS */
    LineupSpread spread;
} LineupWish;

struct RunLineup {
    LineupWish wish; /* as answered; kind LINEUP_NONE: nothing is there */
    Lineup lineup;
    uint64_t pass;     /* of the Run that it was made of */
    atomic_int owners; /* Runs that have it */
};

bool lineup_wish_same(const LineupWish *a, const LineupWish *b);

/* A study of the session that the Run is made of, for what is wished for: more layers, seeds or
 * parts may be put in. What it borrows is the Run's. */
StudyPlan run_lineup_plan(const Run *run, const LineupWish *wish, unsigned parts);

/* Make run->lineup what is wished for; other Runs keep the one that they had. run must be valid and
 * have a token. Fails if it takes too much memory, or if the watch, which may be NULL, says to
 * stop; then there is nothing. */
bool run_lineup(Run *run, const LineupWish *wish, JobWatch *watch, Err *err);

/* Whether there is one of the Run as it stands, though perhaps of another wish. */
bool run_lineup_is_current(const Run *run);

/* For run.c: one owner more of run->lineup, and one less. */
void run_lineup_share(Run *run);
void run_lineup_release(Run *run);

#endif
