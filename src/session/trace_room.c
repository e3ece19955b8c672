#include "session/trace_room.h"

#include <assert.h>
#include <string.h>

/* Of the dot products of one form, and as much of what else is kept: 2048 tokens with 4 heads. */
#define EXTRA_BYTES_MAX (64ull << 20)

/* So much may be taken for tokens that are yet to come. */
#define ROOMY_BYTES_MAX (256ull << 20)

#define LINE_FLOATS 16 /* of a cache line */

static AttnShape with_tokens(const AttnShape *shape, int tokens) {
    AttnShape other = *shape;
    other.T = tokens;
    return other;
}

static size_t rows_bytes(const AttnShape *shape, int tokens) {
    return (size_t)shape->H * (size_t)tokens * sizeof(RowKeep);
}

/* What weigh.h keeps is for the sake of another token or temperature, of which no more is asked
 * than that. */
static bool has_extras(const AttnShape *shape) {
    return mat_bytes(shape->H * shape->T, shape->T) <= EXTRA_BYTES_MAX;
}

static AttnReads reads_of(const AttnShape *shape, AttnForm form) {
    return shape->form == form ? READS_ON : READS_ANEW;
}

static size_t form_bytes(const AttnShape *shape, AttnForm form) {
    size_t extras = attn_keep_bytes(shape, reads_of(shape, form));
    return mat_bytes_add(attn_trace_bytes(shape), has_extras(shape) ? extras : 0);
}

static void push_form(TraceRoom *room, const AttnShape *shape) {
    AttnTrace *trace = &room->whole[shape->form];
    *trace = attn_trace_push(&room->arena, shape);
    if (has_extras(shape))
        attn_keep_push(&room->keep[shape->form], &room->arena, trace, shape,
                       reads_of(shape, room->form));
}

size_t trace_room_bytes(const AttnShape shapes[FORM_COUNT], const bool has[FORM_COUNT],
                        AttnForm form, int tokens) {
    size_t bytes =
        arena_padded(rows_bytes(&shapes[0], tokens)) + arena_padded((size_t)tokens * sizeof(int));
    for (int f = 0; f < FORM_COUNT; f++) {
        AttnShape shape = with_tokens(&shapes[f], tokens);
        bytes = has[f] ? mat_bytes_add(bytes, form_bytes(&shape, form)) : bytes;
    }
    return bytes;
}

/* An eighth more, and an odd number of cache lines a row, so that the entries of a column do not
 * crowd in a few sets of a cache. */
static int roomy(int T) {
    int lines = (T + T / 8) / LINE_FLOATS + 1;
    return (lines | 1) * LINE_FLOATS;
}

/* The tokens to make room for: no more than there are, where that would take too much, or what is
 * kept. */
static int tokens_for(const AttnShape shapes[FORM_COUNT], const bool has[FORM_COUNT],
                      AttnForm form) {
    int T = shapes[0].T, tokens = roomy(T);
    AttnShape more = with_tokens(&shapes[0], tokens);
    bool fits = trace_room_bytes(shapes, has, form, tokens) <= ROOMY_BYTES_MAX;
    return fits && has_extras(&more) == has_extras(&shapes[0]) ? tokens : T;
}

bool trace_room_fits(const TraceRoom *room, int T) {
    return room->tokens >= T && room->tokens <= 2 * roomy(T);
}

bool trace_room_keeps(const TraceRoom *room, const AttnShape shapes[FORM_COUNT]) {
    AttnShape shape = with_tokens(&shapes[0], tokens_for(shapes, room->has, room->form));
    bool keeps = has_extras(&shape);
    for (int f = 0; f < FORM_COUNT; f++)
        if (room->has[f] && keeps != (room->whole[f].keep != NULL))
            return false;
    return true;
}

static bool push(TraceRoom *room, const AttnShape shapes[FORM_COUNT], const bool has[FORM_COUNT],
                 AttnForm form, int tokens, Err *err) {
    if (!arena_reserve(&room->arena, trace_room_bytes(shapes, has, form, tokens), err))
        return false;
    room->form = form;
    room->tokens = tokens;
    room->rows = arena_push(&room->arena, rows_bytes(&shapes[0], tokens));
    room->right = arena_push_zero(&room->arena, (size_t)tokens * sizeof(int));
    for (int f = 0; f < FORM_COUNT; f++) {
        AttnShape shape = with_tokens(&shapes[f], tokens);
        room->has[f] = has[f];
        room->whole[f] = (AttnTrace){0};
        if (has[f])
            push_form(room, &shape);
    }
    return true;
}

bool trace_room_push(TraceRoom *room, const AttnShape shapes[FORM_COUNT],
                     const bool has[FORM_COUNT], AttnForm form, Err *err) {
    return push(room, shapes, has, form, tokens_for(shapes, has, form), err);
}

/* The first rows of each head. */
static void copy_heads(Mat *to, const Mat *from, const AttnShape *kept) {
    for (int h = 0; h < kept->H; h++) {
        Mat out = attn_head_scores(to, kept, h), in = attn_head_scores(from, kept, h);
        mat_copy(&out, &in);
    }
}

static void copy_trace(AttnTrace *to, const AttnTrace *from, const AttnShape *kept) {
    AttnTrace out = attn_trace_rows(to, kept, 0, kept->T);
    AttnTrace in = attn_trace_rows(from, kept, 0, kept->T);
    const struct {
        Mat *out, *in;
    } parts[] = {{&out.input, &in.input},
                 {&out.nested[0], &in.nested[0]},
                 {&out.nested[1], &in.nested[1]},
                 {&out.nested[2], &in.nested[2]},
                 {&out.fused, &in.fused},
                 {&out.V, &in.V},
                 {&out.turn, &in.turn},
                 {&out.W_QK, &in.W_QK},
                 {&out.W_QK_exact, &in.W_QK_exact},
                 {&out.sigma, &in.sigma},
                 {&out.XW, &in.XW},
                 {&out.Z, &in.Z},
                 {&out.sum, &in.sum},
                 {&out.Y, &in.Y}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].out->rows > 0)
            mat_copy(parts[i].out, parts[i].in);
    if (to->keep != NULL) {
        attn_keep_copy(to->keep, from->keep, kept);
        return;
    }
    copy_heads(&to->S, &from->S, kept);
    copy_heads(&to->A, &from->A, kept);
}

bool trace_room_move(TraceRoom *room, const AttnShape shapes[FORM_COUNT], int kept, Err *err) {
    TraceRoom grown = {0};
    int H = shapes[0].H, tokens = tokens_for(shapes, room->has, room->form);
    assert(kept <= room->tokens && kept <= tokens);
    if (!trace_room_keeps(room, shapes))
        return false;
    if (!push(&grown, shapes, room->has, room->form, tokens, err))
        return false;
    for (int f = 0; f < FORM_COUNT; f++) {
        AttnShape shape = with_tokens(&shapes[f], kept);
        if (room->has[f])
            copy_trace(&grown.whole[f], &room->whole[f], &shape);
    }
    memcpy(grown.right, room->right, (size_t)kept * sizeof(int));
    for (int h = 0; h < H; h++)
        memcpy(grown.rows + h * tokens, room->rows + h * room->tokens,
               (size_t)kept * sizeof(RowKeep));
    trace_room_release(room);
    *room = grown;
    for (int f = 0; f < FORM_COUNT; f++)
        if (room->whole[f].keep != NULL)
            room->whole[f].keep = &room->keep[f];
    return true;
}

AttnTrace trace_room_view(const TraceRoom *room, const AttnShape *shape) {
    return attn_trace_rows(&room->whole[shape->form], shape, 0, shape->T);
}

void trace_room_release(TraceRoom *room) {
    arena_release(&room->arena);
    *room = (TraceRoom){0};
}
