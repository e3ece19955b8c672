/* heads_plan.h: where the parts of the Heads view stand, by the room that there is; for heads.c. */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_PLAN_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_PLAN_H

#include "views/heads/wall.h"

/* What has no width is not shown. */
typedef struct HeadsPlan {
    int first_layer, layers; /* the walls that are shown */
    WallLayout wall[RESULTS_LAYERS_MAX];
    Rect scheme[RESULTS_LAYERS_MAX]; /* the line that says which scheme a wall is of */
    Rect bar, graph;
    Rect chips, other; /* to choose the head, and the other wall, where one alone has room */
} HeadsPlan;

/* All heads, or the chosen one alone. In a small window that is the same. */
HeadsPlan heads_plan(const ViewContext *context, const Heatmap *shown, Rect area, bool one);

/* On the way from all heads to one; t is 0 to 1, without its ends. */
HeadsPlan heads_plan_between(const ViewContext *context, const HeadsPlan *all, const HeadsPlan *one,
                             float t);

#endif
