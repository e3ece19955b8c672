#include <assert.h>
#include <math.h>
#include <string.h>

#include "model/weigh.h"

#define LAY_ROWS 64 /* laid together */

static const float *tail_dots(const AttnTail *tail, int head, int key) {
    return mat_row(&tail->dots, head * ATTN_TAIL + key - tail->first);
}

static const uint8_t *tail_open(const AttnKeep *keep, int key) {
    return keep->tail.open + (size_t)(key - keep->tail.first) * (size_t)keep->room;
}

/* How many of these queries a key of the tail is yet to be laid into the rows of. */
static int tail_rows(const AttnTail *tail, int key, AttnSpan queries) {
    int rows = tail->queries[key - tail->first] - queries.first;
    return rows < 0 ? 0 : rows < queries.count ? rows : queries.count;
}

/* A few rows of one key, before they go to where they belong. */
typedef struct TailRows {
    float dots[LAY_ROWS], S[LAY_ROWS], E[LAY_ROWS];
    int count;
} TailRows;

static void take_rows(TailRows *out, const AttnKeep *keep, const AttnShape *shape, int head,
                      AttnSpan queries, int key) {
    const float *dots = tail_dots(&keep->tail, head, key) + queries.first;
    const float *reference = mat_row(&keep->reference, head) + queries.first;
    const uint8_t *open = tail_open(keep, key) + queries.first;
    int count = out->count = tail_rows(&keep->tail, key, queries);
    for (int r = 0; r < count; r++) {
        out->dots[r] = dots[r];
        out->S[r] = dots[r] * shape->score_factor;
        out->E[r] = open[r] ? out->S[r] - reference[r] : -INFINITY;
    }
    softmax_exp_each(out->E, count);
}

/* A row that is not gone on with has its E already, but for keys that are closed to it. */
static void lay_rows(AttnKeep *keep, const TailRows *keys, int head, AttnSpan queries) {
    const AttnTail *tail = &keep->tail;
    const float *reference = mat_row(&keep->reference, head) + queries.first;
    for (int r = 0; r < queries.count; r++) {
        int row = (int)attn_keep_row(keep, head, queries.first + r);
        float *dots = mat_row(&keep->dots, row), *S = mat_row(&keep->S, row);
        float *E = mat_row(&keep->E, row);
        for (int k = 0; k < tail->count; k++) {
            int key = tail->first + k;
            if (r >= keys[k].count)
                continue;
            dots[key] = keys[k].dots[r];
            S[key] = keys[k].S[r];
            if (!isnan(reference[r]) || !tail_open(keep, key)[queries.first + r])
                E[key] = keys[k].E[r];
        }
    }
}

void attn_lay(AttnKeep *keep, const AttnShape *shape) {
    AttnTail *tail = &keep->tail;
    int end = tail->count > 0 ? tail->queries[tail->count - 1] : 0;
    TailRows keys[ATTN_TAIL];
    for (int h = 0; h < shape->H; h++)
        for (int first = 0; first < end; first += LAY_ROWS) {
            AttnSpan queries = {first, end - first < LAY_ROWS ? end - first : LAY_ROWS};
            for (int k = 0; k < tail->count; k++)
                take_rows(&keys[k], keep, shape, h, queries, tail->first + k);
            lay_rows(keep, keys, h, queries);
        }
    tail->count = 0;
}

void attn_lay_row(AttnKeep *keep, const AttnShape *shape, int head, int query) {
    const AttnTail *tail = &keep->tail;
    int row = (int)attn_keep_row(keep, head, query);
    for (int k = 0; k < tail->count; k++)
        if (query < tail->queries[k]) {
            float dot = tail_dots(tail, head, tail->first + k)[query];
            mat_row(&keep->dots, row)[tail->first + k] = dot;
            mat_row(&keep->S, row)[tail->first + k] = dot * shape->score_factor;
        }
}

bool attn_tail_takes(AttnKeep *keep, const AttnShape *shape, int from) {
    int count = shape->T - from;
    bool takes = from == keep->keys && count > 0 && count <= ATTN_TAIL;
    if (!takes || keep->tail.count + count > ATTN_TAIL)
        attn_lay(keep, shape);
    return takes;
}

void attn_tail_exps(float *exps, uint8_t *is_on, const AttnKeep *keep, const AttnShape *shape,
                    int head, AttnSpan queries, int key) {
    const float *dots = tail_dots(&keep->tail, head, key) + queries.first;
    const float *reference = mat_row(&keep->reference, head) + queries.first;
    const uint8_t *open = tail_open(keep, key) + queries.first;
    for (int r = 0; r < queries.count; r++) {
        float score = open[r] ? dots[r] * shape->score_factor : -INFINITY;
        is_on[r] = softmax_outgrows(score, reference[r]) ? 0 : is_on[r];
        exps[r] = open[r] ? score - reference[r] : -INFINITY;
    }
    softmax_exp_each(exps, queries.count);
}
