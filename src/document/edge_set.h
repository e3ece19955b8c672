/* edge_set.h: the pairs of query and key that the user opened or closed by hand, on top of the
 * mask. Positions count from 0 here and from 1 in text. Pairs beyond the current tokens are kept
 * for longer texts. An EdgeSet is shared and counted like a session's text, and never changed in
 * place; NULL is an empty set. Pure. */
#ifndef HEADLIGHT_DOCUMENT_EDGE_SET_H
#define HEADLIGHT_DOCUMENT_EDGE_SET_H

#include <stdint.h>

#include "base/err.h"
#include "model/attention/mask.h"

#define EDGE_RUNS_MAX 16384 /* four for each of 4096 queries */

typedef enum EdgeState { EDGE_AS_MASK, EDGE_OPEN, EDGE_CLOSED } EdgeState;

/* Keys first to last of one query, both included. */
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

/* Sets every pair of a rectangle to one state. */
typedef struct EdgePaint {
    EdgeRange queries, keys;
    EdgeState state;
} EdgePaint;

/* Returns every pair to the mask. */
extern const EdgePaint EDGES_RESET;

void edges_drop(EdgeSet *set);

/* Set *out to a copy of old with the rectangle in its state; old keeps its owners. Asserts that the
 * ranges lie within TOKENS_MAX. Fails if memory runs out or there are more than EDGE_RUNS_MAX runs.
 * */
bool edges_paint(EdgeSet **out, const EdgeSet *old, const EdgePaint *paint, Err *err);

/* Set *out to a copy of old in which exactly the pairs of the text have that state. The text lists
 * rectangles QUERY-KEY separated by commas, where either side may be a range, as in
 * "3-5,4..6-1..2"; or it is "none". A listed pair in the other state changes to this one. If the
 * text is not such a list, err is a usage error that names the option `what`. */
bool edges_read(EdgeSet **out, const EdgeSet *old, EdgeState state, const char *text, size_t bytes,
                const char *what, Err *err);

/* Write the pairs of that state as edges_read reads them, "" for none, ended by NUL. Return the
 * length; the text is cut to fit into capacity. Equal sets have equal texts. */
size_t edges_write(char *out, size_t capacity, const EdgeSet *set, EdgeState state);

bool edges_equal(const EdgeSet *a, const EdgeSet *b);

/* Apply the pairs to the mask. Return how many of its entries changed. */
long edges_apply(Mask *mask, const EdgeSet *set);

#endif
