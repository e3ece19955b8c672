#include "views/heads/heads.h"

#include <math.h>
#include <string.h>

#include "results/layer_map.h"
#include "results/model_output.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "ui/tween.h"
#include "views/heads/arcs.h"
#include "views/heads/heads_bar.h"
#include "views/heads/heads_plan.h"
#include "views/heads/layer_map.h"
#include "views/heads/next_tokens.h"
#include "views/heads/sentences.h"
#include "views/shared/head_chips.h"

#define MAP_AWAY     40  /* px between the map of all layers and the graph */
#define GRAPH_LEAST  300 /* px: least width of the graph next to the map */
#define SCHEME_CLEAR 24  /* px kept free at the right of a scheme's formula */

bool heads_escape(const ViewContext *c) {
    bool has_selection = c->memory->heads.selects;
    c->memory->heads.selects = false;
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
    request->rollout = has_map && settings->summary != SUMMARY_NONE;
    request->next_tokens = results_has_next_tokens(session);
    request->gradient = show_is_gradient(settings->show);
    request->check = settings->minus.row == MINUS_FORM;
    request->checked_gradient = request->gradient && request->check;
}

/* Draw the name of a layer's initialisation scheme and, if there is room, its formula. */
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

/* Draw the reason why no matrix can be shown. */
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

/* Draw a button with the name of the other layer's scheme; a click shows that layer. */
static void other_wall(const ViewContext *c, Rect place, int layer) {
    const Entry *scheme = registry_entry(&SCHEME_REGISTRY, c->run->layers[layer].scheme);
    UiId id = ui_id("heads other wall", 0);
    if (button_text(c->ui, id, place, scheme->label)) {
        c->memory->heads.small_layer = 1 - layer;
        c->ui->again = true;
    }
    tooltip(c->ui, id, place, &(Tooltip){.text = "Show the other scheme."});
}

/* Draw the buttons with which the user chooses one head, or all. */
static void chooser(const ViewContext *c) {
    bool all = c->settings->wall == WALL_ALL, changed = false;
    layer_chips(c, head_chips(c, c->beside_title, &all, &changed), true);
    if (changed)
        view_set(c, "wall", all ? "one" : "all", 0);
}

/* Draw the chosen head as a graph; for a checkpoint, also the words that its model expects next. */
static void graph_draw(const ViewContext *c, Rect area, Rect rows, int layer) {
    next_tokens_draw(c, &area);
    arcs_draw(c, area, rows, layer);
}

/* Return the place of the only matrix if each of its rows is one token in text order. The tokens of
 * the graph are then at the height of these rows. */
static Rect token_rows(const ViewContext *c, const HeadsPlan *plan) {
    const WallLayout *wall = &plan->wall[plan->first_layer];
    bool has_rows = plan->layers == 1 && wall->tiles == 1 && wall->pool == 1 &&
                    wall->cell == wall->fit && c->settings->order == ORDER_POSITION;
    return has_rows ? wall_matrix(wall, wall->first_tile) : (Rect){0};
}

/* Draw everything except the heatmaps. */
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
        graph_draw(c, plan->graph, token_rows(c, plan), layer);
}

/* Draw one frame of the transition between all heads and one head: the chosen head moves and grows,
 * the others fade out. */
static HeadsPlan way_draw(const ViewContext *c, const Heatmap *shown, Rect area, float way) {
    HeadsPlan all = heads_plan(c, shown, area, false), one = heads_plan(c, shown, area, true);
    bool disabled = ui_disable(c->ui, true);
    walls_draw(c, shown, &all);
    ui_disable(c->ui, disabled);
    draw_fill(c->ui->list, rect_inset(area, -8, -8), 0, colour_fade(c->ui->theme->canvas, way));
    HeadsPlan plan = heads_plan_between(c, &all, &one, way);
    for (int layer = 0; layer < plan.layers; layer++) {
        Rect m = wall_matrix(&plan.wall[layer], plan.wall[layer].first_tile);
        draw_fill(c->ui->list, rect_inset(m, -8, -8), 0, c->ui->theme->canvas);
    }
    walls_draw(c, shown, &plan);
    return plan;
}

void heads_frame(const ViewContext *c, Rect area) {
    if (!c->ui->wants_text && ui_key(c->ui, KEY_BACKSPACE, 0))
        /* Request another pass, because the rest of the frame needs the new state. */
        c->ui->again |= heads_escape(c);
    const Heatmap *shown = heatmap_update(c);
    bool is_known = shown->why[0] == '\0';
    Settings made = *c->settings;
    ViewContext walls = *c; /* draw with the settings with which the heatmaps were computed */
    walls.settings = &made;
    heatmap_settings(&made, c, shown);
    if (c->is_hall && is_known) {
        heads_hall(&walls, shown, area);
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
            graph_draw(c, graph, (Rect){0}, 0);
        chooser(c);
        return;
    }
    float way = ui_tween(c->ui, ui_id("heads wall", 0), c->settings->wall == WALL_ONE, MOTION_VIEW);
    HeadsPlan plan;
    c->memory->heads.over = 0;
    if (is_known && way > 0 && way < 1) {
        plan = way_draw(&walls, shown, area, way);
    } else {
        plan = heads_plan(c, shown, area, way >= 1);
        if (is_known)
            walls_draw(&walls, shown, &plan);
        else
            say_why(c, beside_bar(area, plan.bar), shown->why);
    }
    rest_draw(c, shown, &plan);
}
