#include "views/heads/heads_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "results/layer_map.h"
#include "ui/pan_zoom.h"
#include "ui/text.h"
#include "views/shared/tools.h"

#define LABEL_W    64 /* px: width of the layers' names */
#define LABEL_H    26
#define ORDER_H    36 /* px: height of the row in which the user chooses the order */
#define ORDER_AWAY 12 /* px below that row */
#define CAPTION_H  22
#define GAP        4
#define SIDE_MOST  160
#define NAME_EVERY 18 /* px: smallest distance between two names */
#define NAME_W     52 /* px: minimum width of a column with a word above it */

/* The grid of matrices: one row for each layer. If the heads are sorted by a number, they follow
 * each other in reading order, with captions. */
typedef struct Grid {
    Rect all, view; /* all matrices, and the visible part */
    int columns, count;
    float step, pitch; /* px from one matrix to the next in a row; px from one row to the next */
    float gap;
} Grid;

static bool is_sorted(const ViewContext *c) {
    return c->settings->layer_order != LAYER_ORDER_PLACE;
}

/* Return the number of columns after the heads, for their mean and the rollout: 0 to 2. */
static int extra_columns(const ViewContext *c) {
    int summary = c->settings->maps.summary;
    bool none = is_sorted(c) || c->run->map.rollout.rows == 0 || summary == SUMMARY_NONE;
    return none ? 0 : summary == SUMMARY_BOTH ? 2 : 1;
}

/* Return the head index, for layer_map_head, of the i-th column after the heads. */
static int extra_head(const ViewContext *c, int i) {
    return c->run->map.heads + (c->settings->maps.summary == SUMMARY_ROLLOUT ? 1 : i);
}

static Grid grid_of(const ViewContext *c, Rect area) {
    const LayerMap *map = &c->run->map;
    Grid g = {.columns = map->heads + extra_columns(c), .count = map->layers * map->heads};
    rect_cut_top(&area, ORDER_H + ORDER_AWAY);
    if (!is_sorted(c)) {
        rect_cut_left(&area, LABEL_W);
        rect_cut_top(&area, 2 * LABEL_H);
        g.step = fminf(area.w / (float)g.columns, area.h / (float)map->layers);
    }
    for (int columns = 1; is_sorted(c) && columns <= g.count; columns++) {
        float rows = ceilf((float)g.count / (float)columns);
        float step = fminf(area.w / (float)columns, area.h / rows - CAPTION_H);
        if (step > g.step) {
            g.step = step;
            g.columns = columns;
        }
    }
    g.step = fmaxf(floorf(fminf(g.step, SIDE_MOST)), 2);
    g.pitch = g.step + (is_sorted(c) ? CAPTION_H : 0);
    g.gap = g.step > 4 * GAP ? GAP : 1;
    float rows = ceilf((float)g.count / (float)(g.columns - extra_columns(c)));
    g.all = g.view = (Rect){area.x, area.y, g.step * (float)g.columns, g.pitch * rows};
    return g;
}

/* Zoom and pan the grid; at the closest zoom one matrix fills the view. Return true while a drag
 * pans it. */
static bool grid_zoom(const ViewContext *c, Grid *g, UiId id, UiState state) {
    PanZoom *m = &c->memory->heads.map;
    PanZoomLimits limits = {.least = 1, .most = fminf(g->view.w, g->view.h) / g->step};
    bool pans = pan_zoom(c->ui, id, state, g->view, &limits, m);
    float zoom = pan_zoom_drawn(m, &limits);
    g->all = pan_zoom_rect(m, g->view, zoom);
    g->step *= zoom;
    g->pitch *= zoom;
    return pans;
}

static Rect grid_cell(const Grid *g, int row, int column) {
    return (Rect){g->all.x + g->step * (float)column, g->all.y + g->pitch * (float)row,
                  g->step - g->gap, g->step - g->gap};
}

static void names_draw(const ViewContext *c, Rect side, Rect first, Vec2 step, int count,
                       int chosen) {
    int every = (int)ceilf(NAME_EVERY / fmaxf(step.x, step.y));
    Rect clip = draw_clip(c->ui->list, side);
    for (int i = 0; i < count; i++) {
        Rect place = {first.x + step.x * (float)i, first.y + step.y * (float)i, first.w, first.h};
        unsigned style = step.x > 0 ? TEXT_CENTRE : TEXT_RIGHT;
        if (i % every == 0 || i == chosen)
            text_in(c->ui, place, TEXT_COUNT | style | (i == chosen ? TEXT_BRIGHT : 0), "%d",
                    i + 1);
    }
    draw_clip_restore(c->ui->list, clip);
}

static void sides_draw(const ViewContext *c, const Grid *g) {
    const LayerMap *map = &c->run->map;
    Rect top = {g->view.x, g->view.y - LABEL_H, g->view.w, LABEL_H};
    Rect left = {g->view.x - LABEL_W, g->view.y, LABEL_W - 8, g->view.h};
    Rect corner = {left.x, top.y - LABEL_H, left.w, 2 * LABEL_H};
    Rect head = {g->all.x, top.y, g->step - g->gap, LABEL_H};
    Rect layer = {left.x, g->all.y, left.w, g->step - g->gap};
    text_in(c->ui, rect_cut_top(&corner, LABEL_H), TEXT_NOTE | TEXT_RIGHT, "head →");
    text_in(c->ui, corner, TEXT_NOTE | TEXT_RIGHT, "layer ↓");
    names_draw(c, top, head, (Vec2){g->step, 0}, map->heads, c->session->options.head - 1);
    int shared = view_heads_sharing(c);
    /* a line below the numbers of each group of heads that share their keys */
    for (int h = 0; shared > 1 && h < map->heads; h += shared) {
        Rect line = {head.x + g->step * (float)h, rect_bottom(top) - 4,
                     g->step * (float)shared - 3 * g->gap, 2};
        draw_fill(c->ui->list, rect_intersect(line, top), 0, c->ui->theme->control);
    }
    names_draw(c, left, layer, (Vec2){0, g->step}, map->layers, c->session->weights->layer - 1);
    for (int i = 0; i < extra_columns(c); i++) {
        int column = extra_head(c, i);
        head.x = g->all.x + g->step * (float)(map->heads + i);
        Rect clip = draw_clip(c->ui->list, top);
        if (g->step >= NAME_W)
            text_in(c->ui, head, TEXT_NOTE | TEXT_CENTRE,
                    column == map->heads ? "mean" : "rollout");
        draw_clip_restore(c->ui->list, clip);
        clip = draw_clip(c->ui->list, g->view);
        for (int l = 0; l < map->layers; l++) {
            Mat m = layer_map_head(map, l, column);
            DrawCells cells = view_cells_of(c, grid_cell(g, l, map->heads + i), &m, 1, false);
            draw_cells(c->ui->list, &cells);
        }
        draw_clip_restore(c->ui->list, clip);
    }
}

static void figure_text(char out[48], const LayerMapHead *head, int order) {
    int kind = head->pattern.kind;
    if (order != LAYER_ORDER_PATTERN)
        snprintf(out, 48, "%s",
                 order == LAYER_ORDER_ENTROPY ? FIXED(head->entropy, 2) : FIXED(head->distance, 1));
    else if (kind == PATTERN_MIXED)
        snprintf(out, 48, "unclear");
    else
        snprintf(out, 48, "%s %s", registry_entry(&HEAD_PATTERNS, kind)->id,
                 FIXED(head->pattern.of[kind].value, 2));
}

/* Write the layer, the head and the number by which it is sorted below a matrix, "L2 H4 0.31"; in
 * less room only the layer and the head, or nothing. */
static void caption_draw(const ViewContext *c, Rect cell, int at) {
    const LayerMap *map = &c->run->map;
    char figure[48];
    Rect line = {cell.x, rect_bottom(cell), cell.w, CAPTION_H};
    int layer = at / map->heads + 1, head = at % map->heads + 1;
    figure_text(figure, &map->figures[at], c->settings->layer_order);
    if (text_width(c->ui, TEXT_NOTE, "L%d H%d", layer, head) <= line.w)
        text_in(c->ui, line, TEXT_NOTE | TEXT_FAINT, "L%d H%d %s\nL%d H%d", layer, head, figure,
                layer, head);
}

static void mark_matrix(const ViewContext *c, Rect cell, const char *name) {
    Vec2 size = view_pill_size(c, name);
    draw_ring(c->ui->list, rect_inset(cell, -2, -2), 3, 2, c->ui->theme->ring);
    view_pill(c, (Vec2){rect_right(cell) + 12 + size.x / 2, cell.y + cell.h / 2}, c->ui->list->clip,
              name);
}

static void handle_pointer(const ViewContext *c, const Grid *g, UiState state) {
    const LayerMap *map = &c->run->map;
    int columns = g->columns - extra_columns(c);
    int column = (int)((c->ui->pointer.x - g->all.x) / g->step);
    int row = (int)((c->ui->pointer.y - g->all.y) / g->pitch), k = row * columns + column;
    bool is_inside = state.hovered && column >= 0 && row >= 0 && column < g->columns;
    char pattern[48];
    if (is_inside && column >= columns && row < map->layers) {
        bool is_mean = extra_head(c, column - columns) == map->heads;
        mark_matrix(
            c, grid_cell(g, row, column),
            PRINT(is_mean ? "layer %d: mean of heads" : "rollout, layers 1 to %d", row + 1));
    }
    if (!is_inside || column >= columns || k >= g->count)
        return;
    int at = map->order[c->settings->layer_order][k];
    int layer = at / map->heads + 1, head = at % map->heads + 1;
    figure_text(pattern, &map->figures[at], LAYER_ORDER_PATTERN);
    mark_matrix(c, grid_cell(g, row, column),
                PRINT("layer %d, head %d: %s, entropy %s, distance %s", layer, head, pattern,
                      FIXED(map->figures[at].entropy, 2), FIXED(map->figures[at].distance, 1)));
    if (!state.clicked)
        return;
    edit_push_state(c->edits, "layer", "%d", layer);
    edit_push_state(c->edits, "head", "%d", head);
    view_set(c, "wall", "all", 0);
}

static float maps_draw(const ViewContext *c, Rect area) {
    const LayerMap *map = &c->run->map;
    int layer = c->session->weights->layer - 1, head = c->session->options.head - 1;
    Grid g = grid_of(c, area);
    int columns = g.columns - extra_columns(c);
    UiId id = ui_id("layer map", 0);
    UiState state = ui_control(c->ui, id, g.view, UI_NO_FOCUS);
    bool pans = grid_zoom(c, &g, id, state);
    float right = rect_right(g.view);
    Rect part = {area.x, area.y + ORDER_H + ORDER_AWAY, right - area.x, 0};
    part.h = rect_bottom(g.view) - part.y;
    draw_part(c->ui->list, PART_RECT(part), "heads.layers");
    Rect order = {area.x, area.y, area.w, ORDER_H};
    text_in(c->ui, rect_cut_left(&order, LABEL_W), TEXT_BODY | TEXT_PLAIN, "Order");
    tool_segments_some(c, order, "layer-order", LAYER_ORDER_COUNT);
    right = fmaxf(right, order.x + fminf(tool_segments_width(c, "layer-order"), order.w));
    if (!is_sorted(c))
        sides_draw(c, &g);
    Rect clip = draw_clip(c->ui->list, rect_inset(g.view, -5, -5));
    for (int k = 0; k < g.count; k++) {
        int at = map->order[c->settings->layer_order][k];
        Rect place = grid_cell(&g, k / columns, k % columns);
        Mat m = layer_map_head(map, at / map->heads, at % map->heads);
        DrawCells cells = view_cells_of(c, place, &m, 1, false);
        draw_cells(c->ui->list, &cells);
        if (is_sorted(c))
            caption_draw(c, place, at);
        if (at == layer * map->heads + head)
            draw_ring(c->ui->list, rect_inset(place, -3, -3), 3, 2, view_head_colour(c, head));
    }
    draw_clip_restore(c->ui->list, clip);
    if (!pans)
        handle_pointer(c, &g, state);
    return right - area.x;
}

float layer_map_draw(const ViewContext *c, Rect area) {
    if (session_streams(c->session))
        return maps_draw(c, area);
    text_wrap(c->ui, &area, TEXT_BODY,
              "Other layers need the model's own tokens: choose the tokenizer Token ids and type "
              "numbers such as 5, 17, 2.");
    return area.w;
}
