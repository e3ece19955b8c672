/* graph_make.h: edges, nodes and positions of the Graph view from the heads of a Results; for
 * graph_data.c only, which caches them. Pure. T tokens. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_MAKE_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_MAKE_H

#include "views/graph/graph_data.h"

/* Inputs, all borrowed. */
typedef struct GraphSource {
    const Results *run;      /* valid; if a job reads it, all its weights are computed */
    const LayerStack *stack; /* stack of the layered layout, whose lowest layer is that of the
                                Results; NULL for one layer */
    int heads;               /* number of heads of the layer */
    GraphKey key;            /* the requested data */
} GraphSource;

/* Return a head's values of one kind; lengths come from scratch. */
HeadValues graph_head_values(const AttnTrace *trace, const AttnShape *shape, int head,
                             GraphValue value, Arena *scratch);

/* True if the settings hide the edge from query to token. */
bool graph_is_hidden(const GraphKey *key, int query, int token);

/* Return the sum by which a row (T) is divided when drawn; 1 without renormalising. */
double graph_left_sum(const GraphKey *key, const float *row, int T, int query);

/* True if data of both keys are equal. */
bool graph_key_equal(const GraphKey *a, const GraphKey *b);

/* Compute the data for the source's key; parts whose part of the key is unchanged are kept. Return
 * false if the job (may be NULL) was cancelled; then the data are invalid, with revision 0. scratch
 * has graph_make_bytes of room. */
bool graph_make(GraphData *data, const GraphSource *source, Arena *scratch, const Job *job);
size_t graph_make_bytes(int T);

#endif
