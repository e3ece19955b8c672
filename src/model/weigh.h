/* weigh.h: the middle of a pass, from scores to what a head reads: S, its softmax A, and Z = A·V.
 * A row of Z is (Σ_j E_ij·v_j) / (Σ_j E_ij) with E_ij = exp(S_ij − the row's reference), summed
 * over keys in their order; so a row whose keys come to at the end is gone on with by one term
 * each, and has the bits of one that is made at once. What that takes is kept where there is room,
 * and A, Z and what follows from Z are then made of it by the row when they are asked for. Pure; no
 * allocation in a pass. T tokens, R tokens that there is room for, H heads, V value width.
 */
#ifndef HEADLIGHT_MODEL_WEIGH_H
#define HEADLIGHT_MODEL_WEIGH_H

#include "math/softmax.h"
#include "model/attention.h"

/* Queries or keys first .. first+count-1. */
typedef struct AttnSpan {
    int first, count;
} AttnSpan;

/* The next in a row of T that are marked, from span's end on; false where there are none. */
bool attn_next_span(AttnSpan *span, const uint8_t *marks, int T);

/* What the last keys have with the queries that there were before each: key by key, so that a key
 * which comes to does not touch every row of S. */
#define ATTN_TAIL 32
typedef struct AttnTail {
    Mat dots;      /* (H*ATTN_TAIL, R): yet to be laid into the rows of keep.dots, S and E */
    uint8_t *open; /* ATTN_TAIL*R: whether a query may read the key */
    int first, count, queries[ATTN_TAIL]; /* keys first .. first+count-1, and of each how many */
} AttnTail;

#define ATTN_BESIDE 8

/* What a trace keeps beside. A second set of sums, over the first keys alone, lets keys near the
 * end be replaced or taken away. */
struct AttnKeep {
    Mat dots, S, E, A; /* (H*R, R), head h is a block of R rows; dots are S before score_factor,
                          A is there as far as it has been made */
    AttnTail tail;
    Mat read, read_first;    /* (R, H*V): E·V, over all keys and over the first; absent
                                where the pass is there for its weights */
    Mat Z, sum_normed, Y;    /* the trace's Z, sum and Y, as far as they have been made */
    Mat beside, read_beside; /* (ATTN_BESIDE, R) and (ATTN_BESIDE, V): E and what is read of rows
                                that are made together; absent as read is */
    Mat reference, reference_first, factor; /* (H, R): see softmax.h; and 1 / Σ E */
    double *sum, *sum_first;  /* H*SOFTMAX_LANES*R: of E, lane by lane; see attn_keep_lane */
    uint8_t *is_stale;        /* H*R: a row of A is yet to be made */
    uint8_t *owes_Z, *owes_Y; /* R: a row of Z, or what follows from it, is */
    int *made;                /* H: so many columns of A's other rows are */
    bool *is_made;            /* H: all of A is, and asking for it writes nothing */
    int room, keys, first;    /* R; keys of the last pass; how many are the first */
};

/* Whether what is read goes on with the keys, or the pass is there for its weights: then Z is a
 * product anew where somebody asks for it all the same. */
typedef enum AttnReads { READS_ANEW, READS_ON } AttnReads;

/* Bytes that attn_keep_push takes for the shape's tokens; SIZE_MAX where that does not fit. */
size_t attn_keep_bytes(const AttnShape *shape, AttnReads reads);

/* What trace, which was pushed for the shape, is to keep from now on; S, A, Z and Y move there. */
void attn_keep_push(AttnKeep *keep, Arena *arena, AttnTrace *trace, const AttnShape *shape,
                    AttnReads reads);

/* What is kept for the shape's tokens, into one with room for as many or more. */
void attn_keep_copy(AttnKeep *to, AttnKeep *from, const AttnShape *shape);

/* Where a query's row stands in what is kept by head and row. */
static inline size_t attn_keep_row(const AttnKeep *keep, int head, int query) {
    return (size_t)head * (size_t)keep->room + (size_t)query;
}

/* A lane of sum or sum_first: of each query of a head. */
static inline double *attn_keep_lane(const AttnKeep *keep, double *sums, int head, int lane) {
    return sums + (size_t)(head * SOFTMAX_LANES + lane) * (size_t)keep->room;
}

/* Lay what the tail holds into the rows, of all queries; and of one, but for its E. */
void attn_lay(AttnKeep *keep, const AttnShape *shape);
void attn_lay_row(AttnKeep *keep, const AttnShape *shape, int head, int query);

/* Whether keys from `from` on, which came to since the last pass, go to the tail. */
bool attn_tail_takes(AttnKeep *keep, const AttnShape *shape, int from);

/* Exps of queries first .. first+count-1 of one head with a key in the tail, 0 where it is closed;
 * is_on is cleared where its score outgrows the row's reference. */
void attn_tail_exps(float *exps, uint8_t *is_on, const AttnKeep *keep, const AttnShape *shape,
                    int head, AttnSpan queries, int key);

/* S of one head (T, T): the one way to it in a trace that keeps. */
Mat attn_scores(const AttnTrace *trace, const AttnShape *shape, int head);

/* A of one head (T, T), made as far as it is not yet: the one way to it in a trace that keeps. */
Mat attn_weights(const AttnTrace *trace, const AttnShape *shape, int head);

/* A query's row of a head's A, as heights (T) and what they are multiplied by to be weights: of E,
 * where that is kept, and then a score like reference would have a height of 1. */
typedef struct AttnHeights {
    const float *at;
    float factor, reference; /* not a number where nothing is kept */
} AttnHeights;
AttnHeights attn_heights(const AttnTrace *trace, const AttnShape *shape, int head, int query);

/* The largest |a − b| of two rows of A (T), to the bit of A itself; not a number where any is not.
 */
float attn_heights_difference(const AttnHeights *a, const AttnHeights *b, int T);

/* Z (T, H*V), made as far as it is not yet: the one way to it in a trace that keeps. */
Mat attn_read(const AttnTrace *trace, const AttnShape *shape);

/* Before any row of a pass is made: all of them are to be. */
void weigh_begin(AttnTrace *trace, const AttnShape *shape);

/* Rows of A and Z of every head, or what they are made of, from S and V. */
void weigh_rows(AttnTrace *trace, const AttnShape *shape, const Mask *mask, AttnSpan queries);

/* How a row of A may differ from that of the pass before. */
typedef enum WeighRow {
    WEIGH_SAME,
    WEIGH_ANEW,
    WEIGH_ON /* in keys from a certain one on alone */
} WeighRow;

/* Bring A and Z of every head up to date: rows (T) are WeighRow. Keys before `from` are what they
 * were, S and V are right. A row that cannot be gone on with is made anew: where its reference
 * is another now, and where nothing is kept. */
void weigh_update(AttnTrace *trace, const AttnShape *shape, const Mask *mask, const uint8_t *rows,
                  int from);

/* The same where keys from `from` on came to and are in the tail, of which the rest stays. */
void weigh_append(AttnTrace *trace, const AttnShape *shape, const Mask *mask, const uint8_t *rows,
                  int from);

/* Before weigh_update, for keys that may be new: rows that stay do not read them. */
void weigh_close(AttnTrace *trace, const AttnShape *shape, const uint8_t *rows, AttnSpan keys);

#endif
