/* weigh.h: the middle of a pass, from scores to what a head reads: S, its softmax A, and Z = A·V.
 * A row of Z is (Σ_j E_ij·v_j) / (Σ_j E_ij) with E_ij = exp(S_ij − the row's largest), summed over
 * keys in their order; so a row whose keys come to at the end is gone on with by one term each, and
 * has the bits of one that is made at once. What that takes is kept where there is room, and A is
 * then made of it by the row when it is asked for.
 * Pure; no allocation in a pass. T tokens, R tokens that there is room for, H heads, V value width.
 */
#ifndef HEADLIGHT_MODEL_WEIGH_H
#define HEADLIGHT_MODEL_WEIGH_H

#include "math/softmax.h"
#include "model/attention.h"

/* Queries or keys first .. first+count-1. */
typedef struct AttnSpan {
    int first, count;
} AttnSpan;

/* What a trace keeps beside. A second set of sums, over the first keys alone, lets keys near the
 * end be replaced or taken away. */
struct AttnKeep {
    Mat E, A;                           /* (H*R, R), laid out as S; A as far as it has been made */
    Mat read, read_first;               /* (R, H*V): E·V, over all keys and over the first */
    Mat largest, largest_first, factor; /* (H, R): of open scores, and 1 / Σ E */
    SoftmaxSum *sum, *sum_first;        /* H*R: of E */
    uint8_t *is_stale;                  /* H*R: a row of A is yet to be made */
    int *made;                          /* H: so many columns of A's other rows are */
    bool *is_made;                      /* H: all of A is, and asking for it writes nothing */
    int room, keys, first;              /* R; keys of the last pass; how many are the first */
};

/* Bytes that attn_keep_push takes for the shape's tokens; SIZE_MAX where that does not fit. */
size_t attn_keep_bytes(const AttnShape *shape);

/* What trace, which was pushed for the shape, is to keep from now on; A moves there. */
void attn_keep_push(AttnKeep *keep, Arena *arena, AttnTrace *trace, const AttnShape *shape);

/* What is kept for the first `tokens`, into one with more room. */
void attn_keep_copy(AttnKeep *to, const AttnKeep *from, int heads, int tokens);

/* A of one head (T, T), made as far as it is not yet: the one way to it in a trace that keeps. */
Mat attn_weights(const AttnTrace *trace, const AttnShape *shape, int head);

/* The trace with all of A in it, and without what is kept. */
AttnTrace attn_trace_whole(const AttnTrace *trace, const AttnShape *shape);

/* Before any row of a pass is made: all of them are to be. */
void weigh_begin(AttnTrace *trace, const AttnShape *shape);

/* Rows of A (or what it is made of) and Z of every head, from S and V. */
void weigh_rows(AttnTrace *trace, const AttnShape *shape, const Mask *mask, AttnSpan queries);

/* How a row of A may differ from that of the pass before. */
typedef enum WeighRow {
    WEIGH_SAME,
    WEIGH_ANEW,
    WEIGH_ON /* in keys from a certain one on alone */
} WeighRow;

/* Bring A and Z of every head up to date: rows (T) are WeighRow. Keys before `from` are what they
 * were, S and V are right. A row that cannot be gone on with is made anew: where its largest score
 * is another now, and where nothing is kept. */
void weigh_update(AttnTrace *trace, const AttnShape *shape, const Mask *mask, const uint8_t *rows,
                  int from);

/* Before that, for keys that may be new: rows that stay do not read them. */
void weigh_close(AttnTrace *trace, const AttnShape *shape, const uint8_t *rows, AttnSpan keys);

#endif
