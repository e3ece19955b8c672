#include "views/heads/heads_plan.h"

#include <math.h>

#include "views/heads/heads_bar.h"

/* The layout of the Heads view. A wall is the heatmaps of all heads of one layer; two layers have
 * two walls. The bar is the row of controls below them. */
#define SCHEME_H 34
/* Px between walls and bar, with room for the label of an even share. */
#define BAR_AWAY        12
#define BETWEEN         40
#define BETWEEN_STACKED 16
#define GRAPH_SHARE     0.36f /* share of the view's width for the graph next to one wall */
#define GRAPH_SHARE_TWO 0.24f /* share of the view's width for the graph next to two walls */
#define GRAPH_LEAST     300   /* px: least width of the graph next to a head that fills the view */
/* Largest share of the view's width by which the graph grows into room left by the walls. */
#define GRAPH_MORE    0.12f
#define NARROW_W      1000
#define NARROW_BOTH_H 560
#define BAR_LEAST     520 /* px: least width of the bar below the heatmaps */
/* Px: if a matrix in a narrow window would be smaller than this, one is shown alone. */
#define SIDE_LEAST  72
#define ROW_H       36
#define ROW_AWAY    8
#define COLUMN_W    184 /* px: width of the column next to a matrix that fills the height */
#define COLUMN_AWAY 16

/* Return the place of one of two walls, which are side by side or stacked. */
static Rect wall_place(Rect area, int layer, bool stacked, float label_w) {
    Rect place = area;
    if (stacked) {
        place.h = (area.h - BETWEEN_STACKED) / 2;
        place.y += (place.h + BETWEEN_STACKED) * (float)layer;
        return place;
    }
    float each = (area.w - label_w - BETWEEN) / 2;
    place.w = each + (layer == 0 ? label_w : 0);
    place.x += layer == 0 ? 0 : label_w + each + BETWEEN;
    return place;
}

/* True if stacking the walls gives larger cells. */
static bool stack_walls(const ViewContext *c, Rect area, float label_w, int tiles) {
    Rect beside = wall_place(area, 0, false, label_w), above = wall_place(area, 0, true, label_w);
    rect_cut_top(&beside, SCHEME_H);
    rect_cut_top(&above, SCHEME_H);
    return wall_layout(c, above, true, tiles).fit >= wall_layout(c, beside, true, tiles).fit;
}

/* Place the walls. Two walls show the same tokens on the same scale. If they are side by side, only
 * the first has row names. */
static void place_walls(HeadsPlan *plan, const ViewContext *c, const Heatmap *shown, Rect area,
                        bool one) {
    int head = c->session->options.head - 1;
    int tiles = one || shown->why[0] != '\0' ? 1 : shown->layer[0].count;
    float label_w = wall_layout(c, area, true, tiles).label_w;
    bool two = plan->layers > 1, stacked = two && stack_walls(c, area, label_w, tiles);
    for (int i = 0; i < plan->layers; i++) {
        int layer = plan->first_layer + i;
        Rect place = two ? wall_place(area, layer, stacked, label_w) : area;
        Rect line = two ? rect_cut_top(&place, SCHEME_H) : (Rect){0};
        WallLayout *wall = &plan->wall[layer];
        *wall = wall_layout(c, place, i == 0 || stacked, tiles);
        wall->first_tile = one ? head : 0;
        rect_cut_left(&line, wall->label_w);
        plan->scheme[layer] = line;
    }
}

static Vec2 walls_end(const HeadsPlan *plan) {
    Vec2 end = {0, 0};
    for (int i = 0; i < plan->layers; i++) {
        const WallLayout *wall = &plan->wall[plan->first_layer + i];
        end.x = fmaxf(end.x, wall_right(wall));
        end.y = fmaxf(end.y, wall_bottom(wall));
    }
    return end;
}

/* Place the walls, and below them the bar, at least as wide as the walls. Return the right end of
 * walls and bar. */
static float place_walls_and_bar(HeadsPlan *plan, const ViewContext *c, const Heatmap *shown,
                                 Rect area, bool one) {
    float bar_h = heads_bar_height(c, area.w), right = 0;
    for (bool fits = false; !fits;) {
        Rect above = area;
        rect_cut_bottom(&above, bar_h + BAR_AWAY);
        place_walls(plan, c, shown, above, one);
        Vec2 end = walls_end(plan);
        const WallLayout *first = &plan->wall[plan->first_layer];
        Rect bar = {wall_matrix(first, first->first_tile).x, end.y + BAR_AWAY, 0, bar_h};
        bar.w = fminf(fmaxf(end.x - bar.x, BAR_LEAST), rect_right(area) - bar.x);
        bar.y = fminf(bar.y, rect_bottom(area) - bar_h);
        plan->bar = bar;
        right = fmaxf(end.x, rect_right(bar));
        /* A bar that needs more height makes the walls smaller, but not the bar wider. */
        float needed = heads_bar_height(c, bar.w);
        fits = needed <= bar_h;
        bar_h = fmaxf(bar_h, needed);
    }
    return right;
}

/* True if all heads together would be too small to read. */
static bool too_small(const ViewContext *c, Rect area) {
    rect_cut_bottom(&area, heads_bar_height(c, area.w) + BAR_AWAY);
    if (c->run->layer_count > 1)
        area = wall_place(area, 1, false, 0);
    return wall_layout(c, area, true, c->session->options.heads).side < SIDE_LEAST;
}

/* Plan the chosen head alone, with buttons (chips) to choose another. They are above the matrix, or
 * next to it in a low window, so that the matrix gets the full height. If two walls would still be
 * too small, show one at a time. */
static void plan_small(HeadsPlan *plan, const ViewContext *c, const Heatmap *shown, Rect area) {
    bool low = area.w >= area.h * 1.5f;
    Rect rest = area, column = low ? rect_cut_right(&rest, COLUMN_W) : rest;
    rect_cut_right(&rest, low ? COLUMN_AWAY : 0);
    plan->chips = rect_cut_top(low ? &column : &rest, ROW_H);
    rect_cut_top(low ? &column : &rest, ROW_AWAY);
    HeadsPlan both = *plan;
    place_walls(&both, c, shown, rest, true);
    bool alone = plan->layers > 1 && both.wall[0].side < SIDE_LEAST;
    if (alone) {
        plan->first_layer = c->memory->heads.small_layer;
        plan->layers = 1;
        plan->other = rect_cut_top(low ? &column : &rest, ROW_H);
        rect_cut_top(low ? &column : &rest, ROW_AWAY);
    }
    plan->bar = column;
    if (low)
        place_walls(plan, c, shown, rest, true);
    else
        place_walls_and_bar(plan, c, shown, rest, true);
}

/* Put the graph below the walls, if a narrow window is high enough for both. */
static void plan_narrow(HeadsPlan *plan, const ViewContext *c, const Heatmap *shown, Rect area,
                        bool one) {
    if (area.h <= NARROW_BOTH_H && too_small(c, area)) {
        plan_small(plan, c, shown, area);
        return;
    }
    if (area.h > NARROW_BOTH_H && !one) {
        plan->graph = rect_cut_bottom(&area, area.h * 0.48f);
        rect_cut_bottom(&area, BETWEEN / 2);
    }
    place_walls_and_bar(plan, c, shown, area, one);
}

static void plan_all(HeadsPlan *plan, const ViewContext *c, const Heatmap *shown, Rect area) {
    float share = plan->layers > 1 ? GRAPH_SHARE_TWO : GRAPH_SHARE;
    Rect walls = area, graph = rect_cut_right(&walls, area.w * share);
    rect_cut_right(&walls, BETWEEN);
    float right = place_walls_and_bar(plan, c, shown, walls, false);
    float spare = fminf(fmaxf(graph.x - right - BETWEEN, 0), area.w * GRAPH_MORE);
    graph.x -= spare;
    graph.w += spare;
    plan->graph = graph;
}

HeadsPlan heads_plan(const ViewContext *c, const Heatmap *shown, Rect area, bool one) {
    HeadsPlan plan = {.layers = c->run->layer_count};
    if (c->window_width < NARROW_W)
        plan_narrow(&plan, c, shown, area, one);
    else if (one) {
        /* Give one head the full height, and the graph the remaining width. */
        float right = place_walls_and_bar(&plan, c, shown, area, true) + BETWEEN;
        if (rect_right(area) - right >= GRAPH_LEAST)
            plan.graph = (Rect){right, area.y, rect_right(area) - right, area.h};
    } else
        plan_all(&plan, c, shown, area);
    return plan;
}

static Rect rect_between(Rect a, Rect b, float t) {
    return (Rect){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.w + (b.w - a.w) * t,
                  a.h + (b.h - a.h) * t};
}

HeadsPlan heads_plan_between(const ViewContext *c, const HeadsPlan *all, const HeadsPlan *one,
                             float t) {
    HeadsPlan plan = *one;
    for (int i = 0; i < one->layers; i++) {
        int layer = one->first_layer + i;
        plan.wall[layer] = wall_between(c, &all->wall[layer], &one->wall[layer], t);
        plan.scheme[layer] = rect_between(all->scheme[layer], one->scheme[layer], t);
    }
    plan.bar = rect_between(all->bar, one->bar, t);
    plan.graph =
        all->graph.w > 0 && one->graph.w > 0 ? rect_between(all->graph, one->graph, t) : (Rect){0};
    return plan;
}
