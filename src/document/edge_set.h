/* edge_set.h: the pairs of query and key that the user opened or closed by hand, on top of the
 * mask. Positions count from 0 here and from 1 in text. Pairs beyond the current tokens are kept
 * for longer texts. An EdgeSet is shared and counted like a session's text, and never changed in
 * place; NULL is an empty set. Pure. */
#ifndef HEADLIGHT_DOCUMENT_EDGE_SET_H
#define HEADLIGHT_DOCUMENT_EDGE_SET_H

#include <stdint.h>

#include "base/err.h"
#include "base/registry.h"
#include "base/text_out.h"
#include "model/attention/mask.h"

#define EDGE_RUNS_MAX 16384 /* runs of neighbouring keys; 4 a query at 4096 tokens */

typedef enum EdgeState { EDGE_AS_MASK, EDGE_OPEN, EDGE_CLOSED } EdgeState;

/* The state of one query's keys from first to last, both included. */
typedef struct EdgeRun {
    uint16_t query, first, last, state;
} EdgeRun;

/* Runs sorted by query and then key. Two runs of one state never touch. */
typedef struct EdgeSet {
    int owners, count;
    EdgeRun runs[];
} EdgeSet;

typedef struct EdgeRange {
    int first, last; /* both included */
} EdgeRange;

/* A request to set every pair in a rectangle to one state. */
typedef struct EdgePaint {
    EdgeRange queries, keys;
    EdgeState state;
} EdgePaint;

/* The request that removes all edges set by hand. */
extern const EdgePaint EDGES_RESET;

void edges_drop(EdgeSet *set);

/* One of the options `open` and `close` of the state string, which list edges. */
typedef struct EdgeKey {
    Entry entry;
    EdgeState state;
} EdgeKey;
extern const Registry EDGE_KEYS;
const EdgeKey *edge_key(int row);

/* Replace *set by a copy in which the rectangle has the requested state. Asserts that the ranges
 * lie within TOKENS_MAX. Fails, and changes nothing, if memory runs out or there are more than
 * EDGE_RUNS_MAX runs. */
bool edges_paint(EdgeSet **set, const EdgePaint *paint, Err *err);

/* Replace *set by a copy in which exactly the pairs in the text have key->state. The text is "none"
 * or a list of rectangles QUERY-KEY separated by commas. Each side may be a range, as in
 * "3-5,4..6-1..2". A listed pair that had the other state gets this one. On failure nothing
 * changes. If the text is not such a list, err is a usage error that names the option. */
bool edges_read(EdgeSet **set, const EdgeKey *key, const char *text, size_t bytes, Err *err);

bool edges_have(const EdgeSet *set, EdgeState state);

/* Append the pairs with that state as a text for edges_read, "" for none. Equal sets have equal
 * texts. */
void edges_write(TextOut *out, const EdgeSet *set, EdgeState state);

bool edges_equal(const EdgeSet *a, const EdgeSet *b);

/* Apply the set to the mask. Return how many entries of the mask changed. */
long edges_apply(Mask *mask, const EdgeSet *set);

#endif
