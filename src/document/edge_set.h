/* edge_set.h: the pairs of query and key that a person opened or closed by hand, over whatever mask
 * is chosen. Positions count from 0 here and from 1 in text; pairs beyond the tokens there are wait
 * for more. An EdgeSet is shared and counted like a session's text, and never changed in place; no
 * pair at all is NULL. Pure. */
#ifndef HEADLIGHT_DOCUMENT_EDGE_SET_H
#define HEADLIGHT_DOCUMENT_EDGE_SET_H

#include <stdint.h>

#include "base/err.h"
#include "model/attention/mask.h"

#define EDGE_RUNS_MAX 16384 /* four for each of 4096 tokens */

typedef enum EdgeState { EDGE_AS_MASK, EDGE_OPEN, EDGE_CLOSED } EdgeState;

/* Keys first..last of one query, both included. */
typedef struct EdgeRun {
    uint16_t query, first, last, state;
} EdgeRun;

/* Runs by query and then key, none touching another of its state. */
typedef struct EdgeSet {
    int owners, count;
    EdgeRun runs[];
} EdgeSet;

typedef struct EdgeRange {
    int first, last; /* both included */
} EdgeRange;

/* Every pair of a rectangle, put into one state. */
typedef struct EdgePaint {
    EdgeRange queries, keys;
    EdgeState state;
} EdgePaint;

/* Every pair that there can be, back to what the mask has. */
extern const EdgePaint EDGES_RESET;

void edges_drop(EdgeSet *set);

/* *out becomes old, which is not given up, with the rectangle in its state. Asserts that the ranges
 * lie within TOKENS_MAX. Fails for want of memory, or past EDGE_RUNS_MAX. */
bool edges_paint(EdgeSet **out, const EdgeSet *old, const EdgePaint *paint, Err *err);

/* *out becomes old with exactly the pairs of that state that the text lists: rectangles
 * QUERY-KEY with commas between, where either side may be a range, "3-5,4..6-1..2"; or "none".
 * A pair that was in the other state changes. what names the option in err, which is a usage error
 * where the text is not such a list. */
bool edges_read(EdgeSet **out, const EdgeSet *old, EdgeState state, const char *text, size_t bytes,
                const char *what, Err *err);

/* The pairs of that state as edges_read takes them, "" for none, ended by NUL. Returns the length;
 * what does not fit into capacity is left off. One set has one text. */
size_t edges_write(char *out, size_t capacity, const EdgeSet *set, EdgeState state);

bool edges_equal(const EdgeSet *a, const EdgeSet *b);

/* Put the pairs into the mask. Returns how many of its entries that changed. */
long edges_apply(Mask *mask, const EdgeSet *set);

#endif
