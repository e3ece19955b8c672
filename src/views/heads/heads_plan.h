/* heads_plan.h: the layout of the parts of the Heads view. Only for heads.c. */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_PLAN_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_PLAN_H

#include "views/heads/wall.h"

/* Places of all parts. A part without width is not shown. */
typedef struct HeadsPlan {
    int first_layer, layers; /* the layers whose walls (heatmaps of all heads) are shown */
    WallLayout wall[RESULTS_LAYERS_MAX];
    Rect scheme[RESULTS_LAYERS_MAX]; /* line above each wall for its initialisation scheme */
    Rect bar, graph;
    Rect chips,
        other; /* chips that choose the head; button that shows the other wall, if only one fits */
} HeadsPlan;

/* Return the plan of the view with all heads or, if `one`, with the chosen head alone. In a small
 * window both plans are equal. */
HeadsPlan heads_plan(const ViewContext *context, const Heatmap *shown, Rect area, bool one);

/* Return the plan of a frame in the transition from the plan of all heads (t = 0) to that of one
 * head (t = 1). 0 < t < 1. */
HeadsPlan heads_plan_between(const ViewContext *context, const HeadsPlan *all, const HeadsPlan *one,
                             float t);

/* Draw the view for a lecture hall: the matrices of up to four heads, including the chosen one,
 * without token labels. */
void heads_hall(const ViewContext *context, const Heatmap *shown, Rect area);

#endif
