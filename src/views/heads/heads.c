#include "views/heads/heads_parts.h"

#include <math.h>
#include <string.h>

#include "draw/part.h"
#include "results/layer_map.h"
#include "results/model_output.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "ui/tween.h"
#include "views/shared/head_chips.h"

#define MAP_AWAY     40  /* px between the map of all layers and the graph */
#define GRAPH_LEAST  300 /* px: minimum width of the graph next to the map */
#define SCHEME_CLEAR 24  /* px kept free at the right of a scheme's formula */
#define HALL_MOST    4
#define HALL_MARGIN  24
#define HALL_GAP     14
#define HALL_NAME    22
#define HALL_NAME_H  38
#define HALL_SCALE_H 44
#define HALL_SCALE_W 300
#define HALL_DOT     12
/* The layout of the Heads view. A wall is the heatmaps of all heads of one layer; two layers have
 * two walls. The bar is the row of controls below them. */
#define SCHEME_H 34
/* Px between the walls and the bar, with room for the label "even share" (1/n) above the colour
 * scale. */
#define BAR_AWAY        12
#define BETWEEN         40
#define BETWEEN_STACKED 16
#define GRAPH_SHARE     0.36f /* share of the view's width for the graph next to one wall */
#define GRAPH_SHARE_TWO 0.24f /* share of the view's width for the graph next to two walls */
#define ONE_GRAPH_LEAST 300   /* GRAPH_LEAST next to a head that fills the view */
/* Largest share of the view's width by which the graph grows into room left by the walls. */
#define GRAPH_MORE    0.12f
#define NARROW_W      1000
#define NARROW_BOTH_H 560
#define BAR_LEAST     520 /* px: minimum width of the bar below the heatmaps */
/* Px: if the matrices in a narrow window would be smaller than this, only one is shown. */
#define SIDE_LEAST  72
#define ROW_H       36
#define ROW_AWAY    8
#define COLUMN_W    184 /* px: width of the column next to a matrix that fills the height */
#define COLUMN_AWAY 16

bool heads_escape(const ViewContext *c) {
    bool has_selection = view_selected_tokens(c) > 0;
    memset(c->memory->heads.selected, 0, sizeof c->memory->heads.selected);
    if (has_selection)
        return true;
    if (c->settings->wall == WALL_ALL || attn_cell_is_set(view_pin(c)))
        return false;
    view_set(c, "wall", "all", 0);
    return true;
}

void heads_request(ResultsRequest *request, const Session *session, const Settings *settings) {
    bool has_map = results_has_layer_map(session);
    request->layer_map = has_map && settings->wall == WALL_LAYERS;
    request->rollout = has_map && settings->maps.summary != SUMMARY_NONE;
    request->next_tokens = results_has_next_tokens(session);
    request->gradient = show_is_gradient(settings->maps.show);
    request->check = settings->maps.minus.row == MINUS_FORM;
    request->checked_gradient = request->gradient && request->check;
}

/* Places of all parts. A part without width is not shown. */
typedef struct HeadsPlan {
    int first_layer, layers; /* the layers that are shown, each with a wall of heatmaps */
    WallLayout wall[RESULTS_LAYERS_MAX];
    Rect scheme[RESULTS_LAYERS_MAX]; /* line above each wall for its initialisation scheme */
    Rect bar, graph;
    Rect chips, other; /* chips to choose the head; a button for the other wall, if only one fits */
} HeadsPlan;

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

/* Place the walls and, below them, the bar, which is at least as wide as the walls if there is
 * room. Return the right end of walls and bar. */
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
        /* A higher bar makes the walls smaller, but never the bar wider, so this loop ends. */
        float needed = heads_bar_height(c, bar.w);
        fits = needed <= bar_h;
        bar_h = fmaxf(bar_h, needed);
    }
    return right;
}

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

/* Plan a narrow window: if it is high enough, all heads with the graph below them; otherwise no
 * graph and, if the matrices would be too small, only one of them. */
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

/* Return the plan of the view with all heads or, if `one`, with the chosen head alone. In a small
 * window both plans are equal. */
static HeadsPlan plan_of(const ViewContext *c, const Heatmap *shown, Rect area, bool one) {
    HeadsPlan plan = {.layers = c->run->layer_count};
    if (c->window_width < NARROW_W)
        plan_narrow(&plan, c, shown, area, one);
    else if (one) {
        /* Give one head the full height, and the graph the remaining width. */
        float right = place_walls_and_bar(&plan, c, shown, area, true) + BETWEEN;
        if (rect_right(area) - right >= ONE_GRAPH_LEAST)
            plan.graph = (Rect){right, area.y, rect_right(area) - right, area.h};
    } else
        plan_all(&plan, c, shown, area);
    return plan;
}

static Rect rect_between(Rect a, Rect b, float t) {
    return (Rect){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.w + (b.w - a.w) * t,
                  a.h + (b.h - a.h) * t};
}

/* Return the plan of a frame in the transition from all heads (t = 0) to one head (t = 1). */
static HeadsPlan plan_between(const ViewContext *c, const HeadsPlan *all, const HeadsPlan *one,
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

static void wall_scheme(const ViewContext *c, Rect line, int layer) {
    const Entry *scheme = registry_entry(&SCHEME_REGISTRY, c->run->layers[layer].scheme);
    unsigned style = TEXT_HEADING | TEXT_PLAIN, formula = TEXT_FORMULA | TEXT_DIM;
    if (text_width(c->ui, style, "%s", scheme->label) > line.w)
        style |= TEXT_SMALL;
    rect_cut_left(&line, text_in(c->ui, line, style, "%s", scheme->label) + 14);
    if (text_width(c->ui, formula, "%s", scheme->formula) + SCHEME_CLEAR <= line.w)
        text_in(c->ui, line, formula, "%s", scheme->formula);
}

/* Return area without the column of the bar, if the bar is to the right of the heatmaps. */
static Rect beside_bar(Rect area, Rect bar) {
    float room = bar.x - area.x - 16;
    if (bar.y < area.y + area.h / 2 && room > 100)
        area.w = fminf(area.w, room);
    return area;
}

static void say_why(const ViewContext *c, Rect area, const char *why) {
    rect_cut_top(&area, fminf(40, area.h * 0.1f));
    area.w = fminf(area.w, 560);
    view_fail(c, area, "Heads", why);
}

static void walls_draw(const ViewContext *c, const Heatmap *shown, const HeadsPlan *plan) {
    for (int i = 0; i < plan->layers; i++) {
        int layer = plan->first_layer + i;
        if (plan->scheme[layer].w > 0)
            wall_scheme(c, plan->scheme[layer], layer);
        wall_draw(c, &plan->wall[layer], shown, layer);
    }
}

static void other_wall(const ViewContext *c, Rect place, int layer) {
    const Entry *scheme = registry_entry(&SCHEME_REGISTRY, c->run->layers[layer].scheme);
    UiId id = ui_id("heads other wall", 0);
    if (button_text(c->ui, id, place, scheme->label)) {
        c->memory->heads.small_layer = 1 - layer;
        c->ui->again = true;
    }
    tooltip(c->ui, id, place, NULL, "Show the other scheme.");
}

static void chooser(const ViewContext *c) {
    bool all = c->settings->wall == WALL_ALL, changed = false;
    layer_chips(c, head_chips(c, c->beside_title, &all, &changed), true);
    if (changed)
        view_set(c, "wall", all ? "one" : "all", 0);
}

/* If a single matrix is shown, with a row for each token in text order, return its place: the graph
 * then has its tokens at the height of these rows. Otherwise return an empty rectangle. */
static Rect token_rows(const ViewContext *c, const HeadsPlan *plan) {
    const WallLayout *wall = &plan->wall[plan->first_layer];
    bool has_rows = plan->layers == 1 && wall->tiles == 1 && wall->pool == 1 &&
                    wall->cell == wall->fit && c->settings->maps.order == ORDER_POSITION;
    return has_rows ? wall_matrix(wall, wall->first_tile) : (Rect){0};
}

static void rest_draw(const ViewContext *c, const Heatmap *shown, const HeadsPlan *plan) {
    heads_bar(c, plan->bar, shown, &plan->wall[plan->first_layer]);
    if (plan->chips.w > 0)
        layer_chips(c, head_chips(c, plan->chips, NULL, NULL), false);
    else
        chooser(c);
    if (plan->other.w > 0)
        other_wall(c, plan->other, plan->first_layer);
    int layer = c->run->layer_count > 1 && c->hover->lit.layer == 1 ? 1 : 0;
    if (plan->graph.w > 0)
        arcs_draw(c, plan->graph, token_rows(c, plan), layer);
}

/* Draw one frame of the transition from all heads (way 0) to one head (way 1): the chosen head
 * moves and grows, the others fade out. Return the plan of the frame. */
static HeadsPlan way_draw(const ViewContext *c, const Heatmap *shown, Rect area, float way) {
    HeadsPlan all = plan_of(c, shown, area, false), one = plan_of(c, shown, area, true);
    bool disabled = ui_disable(c->ui, true);
    walls_draw(c, shown, &all);
    ui_disable(c->ui, disabled);
    draw_fill(c->ui->list, rect_inset(area, -8, -8), 0, colour_fade(c->ui->theme->canvas, way));
    HeadsPlan plan = plan_between(c, &all, &one, way);
    for (int layer = 0; layer < plan.layers; layer++) {
        Rect m = wall_matrix(&plan.wall[layer], plan.wall[layer].first_tile);
        draw_fill(c->ui->list, rect_inset(m, -8, -8), 0, c->ui->theme->canvas);
    }
    walls_draw(c, shown, &plan);
    return plan;
}

static float hall_side(Rect area, int count, int across) {
    int rows = (count + across - 1) / across;
    float width = (area.w - HALL_GAP * (float)(across - 1)) / (float)across;
    return fminf(width, area.h / (float)rows - HALL_NAME_H);
}

static void hall_tile(const ViewContext *c, const Heatmap *shown, Rect area, int index) {
    const HeatmapTile *tile = &shown->layer[0].tile[index];
    int T = c->run->T;
    float scale = c->ui->list->scale, side = area.w;
    int pool = (int)fmaxf(ceilf((float)T / (side * scale) - 1e-3f), 1);
    int seen = (T + pool - 1) / pool;
    Rect name = rect_cut_top(&area, HALL_NAME_H);
    Rect cells = {draw_snap(c->ui->list, area.x), draw_snap(c->ui->list, area.y), side, side};
    HeatmapWindow window = {pool, 0, 0, seen, seen};
    if (!heatmap_begin(c, 0, &window))
        return;
    HeatmapPart part = heatmap_part(c, 0, index, &window);
    DrawCells drawn = view_cells_of(c, cells, &part.values, part.hi, tile->is_signed);
    drawn.gap = side / (float)seen >= 8 ? 1 / scale : 0;
    view_cells(c, ui_id("heads hall", index), &drawn);
    draw_fill(c->ui->list,
              (Rect){name.x, rect_centre(name).y - HALL_DOT / 2.0f, HALL_DOT, HALL_DOT},
              HALL_DOT / 2.0f, view_head_colour(c, tile->id));
    rect_cut_left(&name, HALL_DOT + 8);
    text_in(c->ui, name, TEXT_STRONG | TEXT_PX(HALL_NAME), "Head %d", tile->id + 1);
    draw_part(c->ui->list,
              &(DrawPart){.rect = {cells.x, name.y, side, side + HALL_NAME_H},
                          .cells = cells,
                          .rows = pool == 1 ? T : 0,
                          .cols = T,
                          .numbers = heatmap_numbers(shown, tile)},
              "heads.matrix.%d", tile->id + 1);
}

/* Draw the view for a lecture hall: the matrices of up to four heads, including the chosen one,
 * without token labels. */
static void hall(const ViewContext *c, const Heatmap *shown, Rect area) {
    area = rect_inset(area, HALL_MARGIN, 8);
    Rect scale = rect_cut_bottom(&area, HALL_SCALE_H);
    int heads = c->session->options.heads,
        first = (c->session->options.head - 1) / HALL_MOST * HALL_MOST;
    int tiles[HALL_MOST], count = 0;
    for (int i = 0; i < shown->layer[0].count && count < HALL_MOST; i++)
        if (shown->layer[0].tile[i].id >= first && shown->layer[0].tile[i].id < heads)
            tiles[count++] = i;
    if (count == 0)
        return;
    bool in_row = hall_side(area, count, count) >= hall_side(area, count, (count + 1) / 2);
    int across = in_row ? count : (count + 1) / 2, rows = (count + across - 1) / across;
    float side = hall_side(area, count, across);
    float left = area.x + (area.w - side * (float)across - HALL_GAP * (float)(across - 1)) / 2;
    float top = area.y + fmaxf(area.h - (side + HALL_NAME_H) * (float)rows, 0) / 2;
    for (int i = 0; i < count; i++)
        hall_tile(c, shown,
                  (Rect){left + (side + HALL_GAP) * (float)(i % across),
                         top + (side + HALL_NAME_H) * (float)(i / across), side,
                         side + HALL_NAME_H},
                  tiles[i]);
    scale = (Rect){left, scale.y + 8, fminf(HALL_SCALE_W, scale.w - 40), scale.h};
    heatmap_scale(c, scale, &shown->layer[0].tile[tiles[0]], NAN, 0);
}

void heads_frame(const ViewContext *c, Rect area) {
    if (!c->ui->wants_text && ui_key(c->ui, KEY_BACKSPACE, 0))
        /* the settings of this pass are still the old ones */
        c->ui->again |= heads_escape(c);
    const Heatmap *shown = heatmap_update(c);
    bool is_known = shown->why[0] == '\0';
    Settings made = *c->settings;
    ViewContext walls = *c; /* draw with the settings with which the heatmaps were computed */
    walls.settings = &made;
    heatmap_settings(&made, c, shown);
    if (c->is_hall && is_known) {
        hall(&walls, shown, area);
        return;
    }
    if (sentences_are_on(c)) {
        sentences_draw(c, area);
        chooser(c);
        return;
    }
    if (c->settings->wall == WALL_LAYERS && session_has_layers(c->session)) {
        float used = layer_map_draw(c, area) + MAP_AWAY;
        Rect graph = {area.x + used, area.y, area.w - used, area.h};
        if (graph.w >= GRAPH_LEAST)
            arcs_draw(c, graph, (Rect){0}, 0);
        chooser(c);
        return;
    }
    float way = ui_tween(c->ui, ui_id("heads wall", 0), c->settings->wall == WALL_ONE, MOTION_VIEW);
    HeadsPlan plan;
    c->memory->heads.over = 0;
    if (is_known && way > 0 && way < 1) {
        plan = way_draw(&walls, shown, area, way);
    } else {
        plan = plan_of(c, shown, area, way >= 1);
        if (is_known)
            walls_draw(&walls, shown, &plan);
        else
            say_why(c, beside_bar(area, plan.bar), shown->why);
    }
    rest_draw(c, shown, &plan);
}
