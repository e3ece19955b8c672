#include "views/heads.h"

#include <math.h>
#include <string.h>

#include "ui/formula.h"
#include "ui/label.h"
#include "views/arcs.h"
#include "views/head_chips.h"
#include "views/heads_bar.h"
#include "views/wall.h"

#define SCHEME_H        34
#define BAR_AWAY        8
#define BETWEEN         40
#define BETWEEN_STACKED 16
#define GRAPH_SHARE     0.36f /* of the view's width, beside one wall */
#define GRAPH_SHARE_TWO 0.24f /* beside two */
#define GRAPH_LEAST     300   /* px, beside one head that fills the view */
#define NARROW_W        1000
#define NARROW_BOTH_H   560
#define BAR_LEAST       520 /* px that the row under the wall may take at least, where there are */

#define SIDE_LEAST  72 /* px of a matrix in a narrow window: of smaller ones one stands alone */
#define CHIPS_H     36
#define COLUMN_W    184 /* of what stands beside a matrix that has all the height */
#define COLUMN_AWAY 16

int heads_selected(const ViewContext *c) {
    int count = 0;
    for (int i = 0; i < c->run->T; i++)
        count += c->memory->heads.selected[i];
    return count;
}

bool heads_escape(const ViewContext *c) {
    bool has_selection = heads_selected(c) > 0;
    memset(c->memory->heads.selected, 0, sizeof c->memory->heads.selected);
    if (has_selection)
        return true;
    if (c->settings->wall == 0)
        return false;
    view_set(c, "wall", "all", 0);
    return true;
}

void heads_wish(RunWish *wish, const Session *session, const Settings *settings) {
    (void)session;
    wish->gradient = show_is_gradient(settings->show);
}

/* Which scheme a wall was drawn by, where there are two. */
static void wall_scheme(const ViewContext *c, Rect line, int layer) {
    const Entry *scheme = registry_entry(&SCHEME_REGISTRY, c->run->layers[layer].scheme);
    LabelStyle style = {FONT_SANS_BOLD, 20, c->ui->theme->text_1, LABEL_LEFT};
    rect_cut_left(&line, label_draw(c->ui, line, &style, scheme->label) + 14);
    FormulaStyle formula = {.size = 20, .colour = c->ui->theme->text_2};
    if (formula_width(c->ui, formula.size, scheme->formula) <= line.w)
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
static bool stack_walls(const ViewContext *c, Rect area, float label_w, int tiles) {
    Rect beside = wall_place(area, 0, false, label_w), above = wall_place(area, 0, true, label_w);
    rect_cut_top(&beside, SCHEME_H);
    rect_cut_top(&above, SCHEME_H);
    return wall_layout(c, above, true, tiles).fit >= wall_layout(c, beside, true, tiles).fit;
}

/* Why there is nothing to show, in the walls' place. */
static void say_why(const ViewContext *c, Rect area, const char *why) {
    LabelStyle style = {FONT_SANS, 20, c->ui->theme->text_2, LABEL_LEFT};
    rect_cut_top(&area, 40);
    area.w = fminf(area.w, 560);
    label_wrap(c->ui, area, &style, why);
}

/* Two walls show the same tokens on one scale; side by side the first alone names the rows. Returns
 * the first; *bottom_right is where they end. */
static WallLayout walls_alone(const ViewContext *c, const Shown *shown, Rect area,
                              Vec2 *bottom_right) {
    int walls = c->run->layer_count;
    int tiles = shown->why[0] != '\0' ? 1 : shown->layer[0].count;
    c->memory->heads.over = 0;
    float right = area.x, bottom = area.y, label_w = wall_layout(c, area, true, tiles).label_w;
    bool stacked = walls > 1 && stack_walls(c, area, label_w, tiles);
    WallLayout first = {0};
    for (int layer = 0; layer < walls; layer++) {
        Rect place = walls > 1 ? wall_place(area, layer, stacked, label_w) : area;
        Rect line = walls > 1 ? rect_cut_top(&place, SCHEME_H) : (Rect){0};
        WallLayout wall = wall_layout(c, place, layer == 0 || stacked, tiles);
        rect_cut_left(&line, wall.label_w);
        if (walls > 1 && shown->why[0] == '\0')
            wall_scheme(c, line, layer);
        if (shown->why[0] == '\0')
            wall_draw(c, &wall, shown, layer);
        first = layer == 0 ? wall : first;
        bottom = fmaxf(bottom, wall_bottom(&wall));
        right = fmaxf(right, wall_right(&wall));
    }
    if (shown->why[0] != '\0')
        say_why(c, area, shown->why);
    *bottom_right = (Vec2){right, bottom};
    return first;
}

/* The row of the scale stands below the walls, as wide as they or what there is. Returns the right
 * end. */
static float walls_draw(const ViewContext *c, Rect area) {
    const Shown *shown = shown_update(c);
    Rect all = area;
    Vec2 end;
    float bar_h = heads_bar_height(c);
    rect_cut_bottom(&area, bar_h + BAR_AWAY);
    WallLayout first = walls_alone(c, shown, area, &end);
    Rect bar = {wall_matrix(&first, 0).x, end.y + BAR_AWAY, 0, bar_h};
    bar.w = fminf(fmaxf(end.x - bar.x, BAR_LEAST), rect_right(all) - bar.x);
    bar.y = fminf(bar.y, rect_bottom(all) - bar_h);
    heads_bar(c, bar, shown, &first);
    return fmaxf(end.x, rect_right(bar));
}

/* Whether all heads together would be too small to be read. */
static bool too_small(const ViewContext *c, Rect area) {
    rect_cut_bottom(&area, heads_bar_height(c) + BAR_AWAY);
    if (c->run->layer_count > 1)
        area = wall_place(area, 1, false, 0);
    return wall_layout(c, area, true, c->session->options.heads).side < SIDE_LEAST;
}

/* The chosen head alone, with chips to choose another: above it, or where the window is low beside
 * it with all else, so that the matrix has the height. */
static void heads_small(const ViewContext *c, Rect area) {
    Settings settings = *c->settings;
    ViewContext one = *c;
    settings.wall = 1;
    one.settings = &settings;
    if (area.w < area.h * 1.5f) {
        head_chips(&one, rect_cut_top(&area, CHIPS_H), NULL, NULL);
        walls_draw(&one, area);
        return;
    }
    Rect column = rect_cut_right(&area, COLUMN_W);
    rect_cut_right(&area, COLUMN_AWAY);
    const Shown *shown = shown_update(&one);
    Vec2 end;
    WallLayout first = walls_alone(&one, shown, area, &end);
    head_chips(&one, rect_cut_top(&column, CHIPS_H), NULL, NULL);
    rect_cut_top(&column, BAR_AWAY);
    heads_bar(&one, column, shown, &first);
}

/* A narrow window has the graph below the wall, where there is the height for both. */
static void heads_narrow(const ViewContext *c, Rect area) {
    if (area.h <= NARROW_BOTH_H && too_small(c, area)) {
        heads_small(c, area);
        return;
    }
    bool both = area.h > NARROW_BOTH_H && c->settings->wall == 0;
    Rect graph = rect_cut_bottom(&area, both ? area.h * 0.48f : 0);
    rect_cut_bottom(&area, graph.h > 0 ? BETWEEN / 2 : 0);
    walls_draw(c, area);
    if (graph.h > 0)
        arcs_draw(c, graph, 0);
}

static void graph_beside(const ViewContext *c, Rect graph) {
    int layer = c->run->layer_count > 1 && c->hover->lit.layer == 1 ? 1 : 0;
    arcs_draw(c, graph, layer);
}

/* One head takes all the height there is; the graph what is left beside it. */
static void heads_one(const ViewContext *c, Rect area) {
    float right = walls_draw(c, area) + BETWEEN;
    Rect graph = {right, area.y, rect_right(area) - right, area.h};
    if (graph.w >= GRAPH_LEAST)
        graph_beside(c, graph);
}

void heads_frame(const ViewContext *c, Rect area) {
    if (!c->ui->wants_text && ui_key(c->ui, KEY_BACKSPACE, 0))
        heads_escape(c);
    if (c->window_width < NARROW_W) {
        heads_narrow(c, area);
        return;
    }
    if (c->settings->wall != 0) {
        heads_one(c, area);
        return;
    }
    float share = c->run->layer_count > 1 ? GRAPH_SHARE_TWO : GRAPH_SHARE;
    Rect walls = area, graph = rect_cut_right(&walls, area.w * share);
    rect_cut_right(&walls, BETWEEN);
    float right = walls_draw(c, walls);
    float spare = fminf(fmaxf(graph.x - right - BETWEEN, 0), area.w * 0.12f);
    graph.x -= spare;
    graph.w += spare;
    graph_beside(c, graph);
}
