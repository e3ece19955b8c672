/* trace_room.h: the memory of a layer's passes in one or more forms, with room for a text to grow,
 * so that a token more does not move what is there. */
#ifndef HEADLIGHT_SESSION_TRACE_ROOM_H
#define HEADLIGHT_SESSION_TRACE_ROOM_H

#include "model/stats.h"
#include "model/weigh.h"

/* What is kept of one row of one head. */
typedef struct RowKeep {
    RowStats stats;
    float difference_A, difference_S; /* the largest between two forms, over open keys */
} RowKeep;

typedef struct TraceRoom {
    Arena arena;
    int tokens; /* that it has room for */
    bool has[FORM_COUNT];
    AttnTrace whole[FORM_COUNT]; /* for that many tokens */
    AttnKeep keep[FORM_COUNT];   /* theirs, where they keep */
    RowKeep *rows;               /* H * tokens */
    uint8_t *is_stale;           /* tokens: whether rows are of an earlier pass, in every head */
} TraceRoom;

/* Bytes for that many tokens; SIZE_MAX where that does not fit. shapes is by form, of one layer. */
size_t trace_room_bytes(const AttnShape shapes[FORM_COUNT], const bool has[FORM_COUNT], int tokens);

/* Room for exactly the shapes' tokens. What was there is lost, also on failure. */
bool trace_room_push(TraceRoom *room, const AttnShape shapes[FORM_COUNT],
                     const bool has[FORM_COUNT], Err *err);

/* Room for the shapes' tokens and a quarter more, with what is there for the first `kept` tokens;
 * on failure it stays as it is. */
bool trace_room_grow(TraceRoom *room, const AttnShape shapes[FORM_COUNT], int kept, Err *err);

/* The trace of a form for the shape's tokens; its input, and in the free form W_QK, are yet to be
 * set by attn_fold and a pass. */
AttnTrace trace_room_view(const TraceRoom *room, const AttnShape *shape);

void trace_room_release(TraceRoom *room);

#endif
