/* weigh_part.h: rows of one head in the making: what weigh.c, which makes them whole, and
 * weigh_update.c, which goes on with them, share. For these two alone. Pure. */
#ifndef HEADLIGHT_MODEL_WEIGH_PART_H
#define HEADLIGHT_MODEL_WEIGH_PART_H

#include "model/weigh.h"

#define WEIGH_PART_ROWS 256 /* taken together at most */

/* Of the keys at the end so many, and up to twice as many more, are not among the first. */
#define WEIGH_LAST_KEYS 16
int weigh_first_keys(int T);

/* Some rows of one head. */
typedef struct WeighPart {
    const Mask *mask;
    int head, first, V_first; /* the first of the rows; the head's first column of V */
    Mat S, E, A, V, Z;        /* A is E where nothing is kept */
} WeighPart;

WeighPart weigh_part_of(const AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                        AttnSpan rows);

static inline const uint8_t *weigh_open_keys(const WeighPart *p, int row) {
    return mask_row(p->mask, p->first + row);
}

/* The head's part of what is kept by query and V, rows of p. */
Mat weigh_kept_rows(const Mat *m, const WeighPart *p);

/* Sums of rows, at most WEIGH_PART_ROWS, of which a lane is kept for all of them side by side. */
void weigh_load_sums(SoftmaxSum *out, const AttnKeep *keep, double *sums, int head, AttnSpan rows);
void weigh_store_sums(const AttnKeep *keep, double *sums, int head, AttnSpan rows,
                      const SoftmaxSum *in);
void weigh_make_factors(AttnKeep *keep, int head, AttnSpan queries);

/* From E: what is read over the first keys, and the sums over them, which stay in sums too. */
void weigh_read_first(AttnKeep *keep, const WeighPart *p);
void weigh_sum_first(SoftmaxSum sums[WEIGH_PART_ROWS], AttnKeep *keep, const WeighPart *p);

/* What is read over all keys, of which all but those of E, the last, have been read, in before. */
void weigh_read_on(AttnKeep *keep, const WeighPart *p, const Mat *E, const Mat *before);

/* Rows of one head from S, whatever was there. */
void weigh_head(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                AttnSpan queries);

/* The same of at most ATTN_BESIDE rows that are no neighbours, in a trace that keeps. */
void weigh_some(AttnTrace *trace, const AttnShape *shape, const Mask *mask, int head,
                const int *queries, int count);

/* Where what is read overflows before it is divided, it is read with the weights themselves. */
void weigh_rescue(const AttnTrace *trace, const AttnShape *shape, const Mat *Z, AttnSpan queries);

#endif
