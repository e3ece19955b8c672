/* heads_plan.h: where the parts of the Heads view stand in the available room; for heads.c. */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_PLAN_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_PLAN_H

#include "views/heads/wall.h"

/* Places of all parts. A part without width is not shown. */
typedef struct HeadsPlan {
    int first_layer, layers; /* the walls that are shown */
    WallLayout wall[RESULTS_LAYERS_MAX];
    Rect scheme[RESULTS_LAYERS_MAX]; /* the line that names the scheme of a wall */
    Rect bar, graph;
    Rect chips, other; /* chips choose the head and other the wall, if only one fits */
} HeadsPlan;

/* Plan all heads, or the chosen head alone. In a small window both plans are the same. */
HeadsPlan heads_plan(const ViewContext *context, const Heatmap *shown, Rect area, bool one);

/* Plan a moment between all heads and one. 0 < t < 1. */
HeadsPlan heads_plan_between(const ViewContext *context, const HeadsPlan *all, const HeadsPlan *one,
                             float t);

/* Draw up to four heads, the chosen one among them, without names, for a room. */
void heads_hall(const ViewContext *context, const Heatmap *shown, Rect area);

#endif
