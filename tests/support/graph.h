/* graph.h: the Graph view after its start, for its tests. */
#ifndef HEADLIGHT_TESTS_SUPPORT_GRAPH_H
#define HEADLIGHT_TESTS_SUPPORT_GRAPH_H

#include "support/script.h"

#define GRAPH_W 1728
#define GRAPH_H 1080

/* The view with more of a state. */
void graph_open(Script *s, const char *more);

/* The middle of the node of that number. */
Vec2 graph_node(const Script *s, int number);

#endif
