/* trace_room.h: the memory of a layer's passes in one or more forms, with room for a text to grow,
 * so that a token more does not move what is there. */
#ifndef HEADLIGHT_SESSION_TRACE_ROOM_H
#define HEADLIGHT_SESSION_TRACE_ROOM_H

#include <limits.h>

#include "model/stats.h"
#include "model/weigh.h"

/* What is kept of one row of one head for the figures of it. */
typedef struct RowKeep {
    RowStats stats;
    RowSums sums;                     /* over its first keys, as of these references */
    float reference[2];               /* of the form in use and of the one that is checked */
    float first_E, first_S;           /* over those keys, and over all: the largest difference */
    float difference_E, difference_S; /* of the forms' heights, and of their scores */
} RowKeep;

#define ROW_RIGHT INT_MAX

typedef struct TraceRoom {
    Arena arena;
    int tokens; /* that it has room for */
    bool has[FORM_COUNT];
    AttnForm form;               /* the one in use; the others are there for their weights */
    AttnTrace whole[FORM_COUNT]; /* for that many tokens */
    AttnKeep keep[FORM_COUNT];   /* theirs, where they keep */
    RowKeep *rows;               /* H * tokens */
    int *right;                  /* tokens: over so many keys the sums of rows are of this pass, in
                                    every head; ROW_RIGHT where all that is kept is */
} TraceRoom;

/* Bytes for that many tokens; SIZE_MAX where that does not fit. shapes is by form, of one layer. */
size_t trace_room_bytes(const AttnShape shapes[FORM_COUNT], const bool has[FORM_COUNT],
                        AttnForm form, int tokens);

/* Room for the shapes' tokens, and for a few more where that is not too much. What was there is
 * lost, also on failure. */
bool trace_room_push(TraceRoom *room, const AttnShape shapes[FORM_COUNT],
                     const bool has[FORM_COUNT], AttnForm form, Err *err);

/* Whether so many tokens are at home in the room as it is. */
bool trace_room_fits(const TraceRoom *room, int T);

/* Whether a room for the shapes' tokens keeps what this one keeps. */
bool trace_room_keeps(const TraceRoom *room, const AttnShape shapes[FORM_COUNT]);

/* The same for other tokens, with what follows from the parameters alone and what is there for the
 * first `kept` tokens. On failure, and where it would not keep what it keeps, it stays as it is. */
bool trace_room_move(TraceRoom *room, const AttnShape shapes[FORM_COUNT], int kept, Err *err);

/* The trace of a form for the shape's tokens; its input, and in the free form W_QK, are yet to be
 * set by attn_fold and a pass. */
AttnTrace trace_room_view(const TraceRoom *room, const AttnShape *shape);

void trace_room_release(TraceRoom *room);

#endif
