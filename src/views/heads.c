#include "views/heads.h"

#include <math.h>
#include <stdio.h>

#include "ui/button.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/scale_bar.h"
#include "views/arcs.h"
#include "views/wall.h"

#define LEGEND_H        64
#define SCHEME_H        34
#define BETWEEN         40
#define BETWEEN_STACKED 16
#define GRAPH_SHARE     0.36f /* of the view's width, beside one wall */
#define GRAPH_SHARE_TWO 0.24f /* beside two */
#define NARROW_W        1000
#define NARROW_BOTH_H   560

/* One scale below, for every matrix of the view. */
static void heads_legend(const ViewContext *c, Rect area) {
    Spot focus = view_focus(c);
    ScaleBar bar = {.palette = c->settings->palette,
                    .lo = 0,
                    .hi = view_scale_top(c),
                    .name = "\"Attention\" A",
                    .marked = NAN};
    if (spot_is_cell(focus)) {
        Mat weights = view_weights(c, focus.layer, focus.head);
        bar.marked = mat_row(&weights, focus.query)[focus.key];
    }
    Rect left = area;
    left.w = fminf(left.w, 380);
    scale_bar(c->ui, left, &bar);
    LabelStyle style = {FONT_SANS, 18, c->ui->theme->text_3, LABEL_RIGHT};
    rect_cut_left(&area, left.w + 16);
    if (area.w > 140)
        label_draw(c->ui, rect_cut_top(&area, 16), &style, "row reads column");
}

/* Which scheme a wall was drawn by, where there are two. */
static void wall_scheme(const ViewContext *c, Rect line, int layer) {
    const Entry *scheme = registry_entry(&SCHEME_REGISTRY, c->run->layers[layer].scheme);
    LabelStyle style = {FONT_SANS_BOLD, 20, c->ui->theme->text_1, LABEL_LEFT};
    rect_cut_left(&line, label_draw(c->ui, line, &style, scheme->label) + 14);
    FormulaStyle formula = {.size = 20, .colour = c->ui->theme->text_2};
    formula_label(c->ui, line, &formula, scheme->formula);
}

/* The place of one of two walls: side by side, or one above the other. */
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

/* Whichever way gives larger cells. */
static bool stack_walls(const ViewContext *c, Rect area, float label_w) {
    Rect beside = wall_place(area, 0, false, label_w), above = wall_place(area, 0, true, label_w);
    rect_cut_top(&beside, SCHEME_H);
    rect_cut_top(&above, SCHEME_H);
    return wall_layout(c, above, true).cell >= wall_layout(c, beside, true).cell;
}

/* Two walls show the same tokens on one scale; side by side the first alone names the rows. */
static float walls_draw(const ViewContext *c, Rect area) {
    int walls = c->run->layer_count;
    Rect first = {0};
    float right = area.x, bottom = area.y, label_w = wall_layout(c, area, true).label_w;
    bool stacked = walls > 1 && stack_walls(c, area, label_w);
    for (int layer = 0; layer < walls; layer++) {
        Rect place = walls > 1 ? wall_place(area, layer, stacked, label_w) : area;
        Rect line = walls > 1 ? rect_cut_top(&place, SCHEME_H) : (Rect){0};
        WallLayout wall = wall_layout(c, place, layer == 0 || stacked);
        rect_cut_left(&line, wall.label_w);
        if (walls > 1)
            wall_scheme(c, line, layer);
        wall_draw(c, &wall, layer);
        first = layer == 0 ? wall_matrix(&wall, 0) : first;
        bottom = fmaxf(bottom, wall_bottom(&wall));
        right = fmaxf(right, wall_right(&wall));
    }
    heads_legend(c, (Rect){first.x, bottom + 22, right - first.x, LEGEND_H});
    return right;
}

/* A narrow window has the graph below the wall, where there is the height for both. */
static void heads_narrow(const ViewContext *c, Rect area) {
    Rect graph = rect_cut_bottom(&area, area.h > NARROW_BOTH_H ? area.h * 0.48f : 0);
    rect_cut_bottom(&area, LEGEND_H + (graph.h > 0 ? BETWEEN : 0));
    walls_draw(c, area);
    if (graph.h > 0)
        arcs_draw(c, graph, 0);
}

void heads_frame(const ViewContext *c, Rect area) {
    if (c->window_width < NARROW_W) {
        heads_narrow(c, area);
        return;
    }
    float share = c->run->layer_count > 1 ? GRAPH_SHARE_TWO : GRAPH_SHARE;
    Rect walls = area, graph = rect_cut_right(&walls, area.w * share);
    rect_cut_right(&walls, BETWEEN);
    rect_cut_bottom(&walls, LEGEND_H);
    float right = walls_draw(c, walls);
    float spare = fminf(fmaxf(graph.x - right - BETWEEN, 0), area.w * 0.12f);
    graph.x -= spare;
    graph.w += spare;
    int layer = c->run->layer_count > 1 && c->hover->lit.layer == 1 ? 1 : 0;
    arcs_draw(c, graph, layer);
}
