/* graph_make.h: edges, nodes and places of the Graph view from what a Results's heads say; for
 * graph_data.c alone, which keeps them. Pure. T tokens. */
#ifndef HEADLIGHT_VIEWS_GRAPH_GRAPH_MAKE_H
#define HEADLIGHT_VIEWS_GRAPH_GRAPH_MAKE_H

#include "views/graph/graph_data.h"

/* What they are made of; all borrowed. */
typedef struct GraphSource {
    const Results *run;      /* valid, with all its weights where the job is not its owner's */
    const LayerStack *stack; /* of layered places: its layers, the lowest of which is the Results's
                              own; NULL for the Results alone */
    int heads;               /* of the layer */
    GraphKey key;            /* what is asked for */
} GraphSource;

/* A head's values of a kind; lengths come from the scratch. */
HeadValues graph_head_values(const AttnTrace *trace, const AttnShape *shape, int head,
                             GraphValue value, Arena *scratch);

/* Whether the settings hide what a query reads of a token. */
bool graph_is_hidden(const GraphKey *key, int query, int token);

/* What is left of a row (T) is drawn over this sum of it: 1 where weights stay as they are. */
double graph_left_sum(const GraphKey *key, const float *row, int T, int query);

/* True if data of both keys are equal. */
bool graph_key_equal(const GraphKey *a, const GraphKey *b);

/* Bring data to what the source's key asks for; what of it holds still, by its own key, stays.
 * False once the watch, which may be NULL, says to stop: then the data are of no use and their
 * revision is 0. scratch has graph_make_bytes of room. */
bool graph_make(GraphData *data, const GraphSource *source, Arena *scratch, JobWatch *watch);
size_t graph_make_bytes(int T);

#endif
