#include "views/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/label.h"

#define BAND        64.0f /* the width of N(i) along a ring */
#define BAND_ALPHA  0.13f
#define VALUES_MOST 8 /* values written on the edges of a token */
#define NUMBER_FROM 9.5f
#define CROWD_FROM  250.0f /* edges: with more of them each is fainter and thinner */

int graph_token(const ViewContext *c) {
    int lit = view_lit_token(c);
    return lit >= 0 ? lit : spot_is_cell(c->hover->lit) ? -1 : view_rest(c).query;
}

GraphStep graph_step(const ViewContext *c) {
    bool pinned = view_pin(c).query >= 0;
    return pinned ? (GraphStep)c->memory->graph.step : STEP_NONE;
}

bool graph_walks(const ViewContext *c) {
    int lit = view_lit_token(c);
    return graph_step(c) != STEP_NONE && (lit < 0 || lit == view_pin(c).query);
}

static Colour edge_colour(const ViewContext *c, const GraphData *d, int at) {
    float value = d->edges[at].weight;
    if (c->settings->graph_value == GRAPH_SCORES)
        return palette_colour(c->ui->theme->signed_palette, value < 0 ? 0 : 1);
    return view_head_colour(c, d->head_of[at]);
}

static float edge_share(const GraphData *d, float value) {
    return d->largest > 0 ? fminf(fabsf(value) / d->largest, 1) : 0;
}

/* Below 1 where there are more edges than can be told apart. */
static float thinning(const GraphData *d) {
    return sqrtf(fminf(1, CROWD_FROM / (float)(d->count + 1)));
}

/* Weights have their own width; what has no limit takes that of half a weight at its largest, and
 * of less in a crowd. */
float graph_edge_width(const GraphData *d, float value) {
    bool weight = d->key.value == GRAPH_WEIGHTS;
    return arc_width(weight ? value : 0.5f * thinning(d) * edge_share(d, value));
}

bool graph_flows(const ViewContext *c) {
    return c->settings->graph_flow == GRAPH_ON;
}

static void arc_show(const ViewContext *c, const Arc *arc, bool dashed) {
    DrawCurve curve = arc->curve;
    if (dashed)
        curve.dash_on = 5, curve.dash_off = 4;
    draw_curve(c->ui->list, &curve);
    draw_triangle(c->ui->list, &arc->head);
}

static void edge_show(const ViewContext *c, const Scene *s, const GraphData *d, int at,
                      Colour colour) {
    const Edge *edge = &d->edges[at];
    Arc arc = scene_arc(s, edge, d->layer_of[at], graph_edge_width(d, edge->weight), graph_flows(c),
                        colour);
    arc_show(c, &arc, edge->weight < 0);
}

static bool touches(const Edge *edge, int token) {
    return edge->query == token || edge->key == token;
}

/* All edges; those of the token that is looked at come last, each way told apart by its colour:
 * what it reads in the ring's, who reads it in the head's. */
static void edges_show(const ViewContext *c, const Scene *s, const GraphData *d, int token) {
    float thinned = thinning(d);
    for (int i = 0; i < d->count; i++) {
        const Edge *edge = &d->edges[i];
        if (touches(edge, token))
            continue;
        float alpha = (0.30f + 0.45f * edge_share(d, edge->weight)) * thinned;
        edge_show(c, s, d, i, colour_fade(edge_colour(c, d, i), token >= 0 ? alpha / 2 : alpha));
    }
    for (int i = 0; token >= 0 && i < d->count; i++)
        if (d->edges[i].key == token && d->edges[i].query != token)
            edge_show(c, s, d, i, edge_colour(c, d, i));
    bool scores = c->settings->graph_value == GRAPH_SCORES;
    for (int i = 0; token >= 0 && i < d->count; i++)
        if (d->edges[i].query == token)
            edge_show(c, s, d, i, scores ? edge_colour(c, d, i) : c->ui->theme->ring);
    GraphValues values = {.count = 0};
    for (int i = d->count - 1; token >= 0 && i >= 0 && values.count < VALUES_MOST; i--) {
        if (d->edges[i].query != token)
            continue;
        float width = graph_edge_width(d, d->edges[i].weight);
        Arc arc = scene_arc(s, &d->edges[i], d->layer_of[i], width, graph_flows(c), 0);
        graph_value(c, s, &values, &d->edges[i], &arc);
    }
}

/* A hovered or pinned edge, whether it is among those drawn or not. */
static void focus_show(const ViewContext *c, const Scene *s, const GraphData *d, Spot focus) {
    HeadValues values = graph_values(c, focus.head);
    float value = head_value(&values, focus.query, focus.key);
    if (!isfinite(value) || !mask_row(&c->run->mask, focus.query)[focus.key])
        return;
    Edge edge = {focus.query, focus.key, value};
    Arc arc =
        scene_arc(s, &edge, 0, graph_edge_width(d, value), graph_flows(c), c->ui->theme->ring);
    arc_show(c, &arc, value < 0);
    Vec2 at = scene_value_place(s, &edge, &arc);
    view_value_pill(c, at, s->area, value, spot_is_cell(c->hover->lit));
}

/* A piece of the ring from one token's middle to the next one's, as wide as the band. */
static void band_piece(const ViewContext *c, const Scene *s, float from, float to, float radius,
                       Colour colour) {
    float reach = radius * 4 / 3 * tanf((to - from) / 4);
    Vec2 a = {s->centre.x + radius * sinf(from), s->centre.y - radius * cosf(from)};
    Vec2 b = {s->centre.x + radius * sinf(to), s->centre.y - radius * cosf(to)};
    draw_curve(c->ui->list,
               &(DrawCurve){.from = a,
                            .control_1 = {a.x + reach * cosf(from), a.y + reach * sinf(from)},
                            .control_2 = {b.x - reach * cosf(to), b.y - reach * sinf(to)},
                            .to = b,
                            .width_from = BAND,
                            .width_to = BAND,
                            .colour_from = colour,
                            .colour_to = colour});
}

/* N(i), the tokens that the mask leaves open to a query. */
static void neighbourhood_show(const ViewContext *c, const Scene *s, int token) {
    const uint8_t *open = mask_row(&c->run->mask, token);
    Colour colour = colour_fade(view_head_colour(c, c->session->options.head - 1), BAND_ALPHA);
    const GraphMemory *m = &c->memory->graph;
    bool ring = s->layout == GRAPH_CIRCLE && m->zoom_steps == 0 && m->pan.x == 0 && m->pan.y == 0;
    float radius = hypotf(s->at[0].x - s->centre.x, s->at[0].y - s->centre.y);
    for (int j = 0; j < s->T; j++) {
        if (!open[j])
            continue;
        float step = 6.2831853f / (float)s->T, angle = step * (float)j;
        int node = scene_key(s, j, 0);
        float r = s->radius[j] + 9;
        if (!ring || s->T < 3)
            draw_fill(c->ui->list, (Rect){s->at[node].x - r, s->at[node].y - r, 2 * r, 2 * r}, r,
                      colour_fade(view_head_colour(c, c->session->options.head - 1), 0.28f));
        else
            band_piece(c, s, angle - step / 2, angle + step / 2, radius, colour);
    }
}

static bool is_marked(const ViewContext *c, int token) {
    Spot focus = view_focus(c);
    return token == graph_token(c) || (spot_is_cell(focus) && token == focus.query);
}

/* A small ring has all its numbers inside the nodes, or all beside them. */
static bool numbers_inside(const Scene *s) {
    return !s->numbered || s->radius_least >= NUMBER_FROM;
}

static void node_number(const ViewContext *c, const Scene *s, int node, int token, bool marked) {
    char text[12];
    if (s->radius[token] < NUMBER_FROM || !numbers_inside(s))
        return;
    snprintf(text, sizeof text, "%d", token + 1);
    Colour colour = marked ? c->ui->theme->text_on_fill : c->ui->theme->text_1;
    LabelStyle style = {FONT_MONO, 15, colour, LABEL_CENTRE};
    Vec2 at = s->at[node];
    label_draw(c->ui, (Rect){at.x - 20, at.y - 10, 40, 20}, &style, text);
}

static void node_show(const ViewContext *c, const Scene *s, int node) {
    const Theme *theme = c->ui->theme;
    int token = node % s->T;
    bool one = c->settings->graph_heads == GRAPH_OFF, marked = is_marked(c, token);
    bool empty = mask_open_keys(&c->run->mask, token) == 0 && node < s->T;
    Colour colour = one ? view_head_colour(c, c->session->options.head - 1) : theme->control;
    float r = s->radius[token];
    Rect disc = {s->at[node].x - r, s->at[node].y - r, 2 * r, 2 * r};
    DrawBox box = {.rect = disc, .radius = r, .border = 1.5f, .stroke = colour};
    box.fill = empty ? theme->canvas : colour_mix(theme->canvas, colour, 0.25f);
    if (marked) {
        draw_ring(c->ui->list, rect_inset(disc, -3, -3), r + 3, 2.5f, theme->ring);
        box.fill = theme->fill;
    }
    box.fill_right = box.fill;
    draw_box(c->ui->list, &box);
    node_number(c, s, node, token, marked);
}

static bool in_a_corner(const Scene *s, Rect place) {
    for (int i = 0; i < SCENE_CORNERS; i++) {
        Rect common = rect_intersect(place, s->corners[i]);
        if (common.w > 0 && common.h > 0)
            return true;
    }
    return false;
}

/* A name that would lie on a panel goes below its node, or above where that is further out. */
static Rect out_of_corners(const Scene *s, int node, Rect place, LabelAlign *align) {
    Vec2 at = s->at[node];
    float away = s->radius[node % s->T] + 6;
    Rect beside = {at.x - place.w / 2, at.y > s->centre.y ? at.y + away : at.y - away - place.h,
                   place.w, place.h};
    if (!in_a_corner(s, rect_inset(place, -8, 0)) || in_a_corner(s, beside))
        return place;
    *align = LABEL_CENTRE;
    return beside;
}

/* Where a token's name goes: beside its node, away from the edges. */
static Rect name_place(const ViewContext *c, const Scene *s, int node, float width,
                       LabelAlign *align) {
    int token = node % s->T;
    Vec2 at = s->at[node], out = scene_outward(s, node);
    float h = s->name_size * 1.4f, gap = s->radius[token] + 12;
    (void)c;
    if (s->columns > 1) {
        bool key = node >= s->T;
        *align = key ? LABEL_LEFT : LABEL_RIGHT;
        return (Rect){key ? at.x + gap : at.x - gap - width, at.y - h / 2, width, h};
    }
    if (s->layout == GRAPH_FORCE || s->layout == GRAPH_ARC) { /* below: edges pass above */
        *align = LABEL_CENTRE;
        float below = s->layout == GRAPH_ARC ? 6 : 3;
        return (Rect){at.x - width / 2, at.y + s->radius[token] + below, width, h};
    }
    float loop = s->loops[token] ? scene_loop_height(s, token) : 0;
    float away = gap + (s->layout == GRAPH_CIRCLE ? loop : 0);
    Vec2 p = {at.x + out.x * away, at.y + out.y * away};
    *align = out.x > 0.25f ? LABEL_LEFT : out.x < -0.25f ? LABEL_RIGHT : LABEL_CENTRE;
    float x = *align == LABEL_LEFT ? p.x : *align == LABEL_RIGHT ? p.x - width : p.x - width / 2;
    return out_of_corners(s, node, (Rect){x, p.y - h / 2 + out.y * h * 0.3f, width, h}, align);
}

/* Names too close for lines of their own are turned along the ring's spokes, or down from a line.
 */
static bool turns_names(const Scene *s) {
    float room = s->spacing * s->zoom;
    return s->layout == GRAPH_ARC ? room < 90
                                  : s->layout == GRAPH_CIRCLE && room < 40 && !s->numbered;
}

static void turned_name(const ViewContext *c, const Scene *s, int node, const LabelStyle *style,
                        const char *text, size_t bytes) {
    Vec2 out = s->layout == GRAPH_ARC ? (Vec2){0.7071f, 0.7071f} : scene_outward(s, node);
    float width = label_width(c->ui, style->font, style->size, text, bytes);
    bool left = out.x < -1e-3f, loop = s->layout == GRAPH_CIRCLE && s->loops[node % s->T];
    float away = s->radius[node % s->T] + 8 + (left ? width : 0), drop = style->size * 0.35f;
    away += loop ? scene_loop_height(s, node % s->T) : 0;
    float angle = atan2f(out.y, out.x) + (left ? 3.14159265f : 0);
    Vec2 at = {s->at[node].x + out.x * away - drop * sinf(angle),
               s->at[node].y + out.y * away + drop * cosf(angle)};
    DrawText turned = {.at = at,
                       .size = style->size,
                       .angle_rad = angle,
                       .font = style->font,
                       .colour = style->colour};
    draw_text_run(c->ui->list, &turned, text, bytes);
}

static void name_show(const ViewContext *c, const Scene *s, int node, bool quiet) {
    const Theme *theme = c->ui->theme;
    int token = node % s->T;
    bool marked = is_marked(c, token);
    size_t bytes;
    char room[LABEL_CUT_MAX];
    const char *text = view_token(c, token, &bytes);
    char number[16];
    if (s->numbered && !marked && numbers_inside(s))
        return;
    if (s->numbered && !marked) {
        bytes = (size_t)snprintf(number, sizeof number, "%d", token + 1);
        text = number;
    }
    LabelStyle style = {marked ? FONT_SANS_BOLD : FONT_SANS, s->name_size,
                        marked  ? theme->text_on_fill
                        : quiet ? theme->text_3
                                : theme->text_1,
                        LABEL_LEFT};
    text = label_fit(c->ui, room, &style, text, &bytes, 190);
    if (turns_names(s) && !marked) {
        turned_name(c, s, node, &style, text, bytes);
        return;
    }
    float width = label_width(c->ui, style.font, style.size, text, bytes) + 2;
    if (marked && turns_names(s))
        style.size = NUMBER_FROM * 2;
    Rect place = name_place(c, s, node, width, &style.align);
    if (marked)
        draw_fill(c->ui->list, rect_inset(place, -10, -1), place.h / 2, theme->fill);
    label_draw_bytes(c->ui, place, &style, text, bytes);
}

static void nodes_show(const ViewContext *c, const Scene *s, int token) {
    const uint8_t *open = token >= 0 ? mask_row(&c->run->mask, token) : NULL;
    int last = s->columns - 1;
    for (int node = 0; node < s->columns * s->T; node++)
        node_show(c, s, node);
    for (int marked = 0; marked < 2; marked++)
        for (int column = 0; column <= last; column += last > 0 ? last : 1)
            for (int i = 0; i < s->T; i++)
                if (is_marked(c, i) == (marked == 1) && (marked == 1 || i % s->name_step == 0))
                    name_show(c, s, column * s->T + i, open != NULL && !open[i]);
}

static void upper_edge_show(const ViewContext *c, const Scene *s, const GraphData *d, int at) {
    const Edge *edge = &d->edges[at];
    float width = graph_edge_width(d, edge->weight);
    Arc arc = scene_arc(s, edge, d->layer_of[at], width, graph_flows(c), c->ui->theme->ring);
    arc_show(c, &arc, edge->weight < 0);
    view_value_pill(c, arc.middle, s->area, edge->weight, true);
}

/* What each column holds. */
static void headings_show(const ViewContext *c, const Scene *s) {
    LabelStyle style = {FONT_SANS, 15, c->ui->theme->text_3, LABEL_CENTRE};
    for (int column = 0; s->columns > 1 && column < s->columns; column++) {
        char text[32];
        snprintf(text, sizeof text, column == 0 ? "input" : "layer %d", column);
        if (s->layout == GRAPH_BIPARTITE)
            snprintf(text, sizeof text, column == 0 ? "queries" : "keys");
        Vec2 at = s->at[column * s->T];
        label_draw(c->ui, (Rect){at.x - 60, at.y - s->radius[0] - 32, 120, 20}, &style, text);
    }
}

/* The token that the picture is about, or -1. */
static int token_shown(const ViewContext *c) {
    return graph_walks(c) ? view_pin(c).query : graph_token(c);
}

/* The tokens and what goes between them. */
static void picture(const ViewContext *c, const GraphData *d, const Scene *s) {
    int upper = graph_pointer(c, s, d), token = token_shown(c);
    bool walking = graph_walks(c);
    if (token >= 0)
        neighbourhood_show(c, s, token);
    if (walking)
        graph_walk(c, s);
    else
        edges_show(c, s, d, token);
    Spot focus = view_focus(c);
    if (spot_is_cell(focus) && token < 0 && !walking)
        focus_show(c, s, d, focus);
    if (upper >= 0)
        upper_edge_show(c, s, d, upper);
    nodes_show(c, s, token);
    headings_show(c, s);
}

/* There is nothing to draw yet. */
static void say_busy(const ViewContext *c, Rect area) {
    LabelStyle style = {FONT_SANS, 20, c->ui->theme->text_2, LABEL_CENTRE};
    if (c->is_late)
        label_draw(c->ui, area, &style, "Computing…");
}

void graph_frame(const ViewContext *c, Rect area) {
    const GraphData *d = graph_data(c);
    Rect whole = area;
    Settings made = *c->settings;
    ViewContext drawn = *c; /* which may still be that of the settings before */
    drawn.settings = &made;
    graph_settings(&made, c, d);
    GraphPanels panels = graph_panels(c, d, &area);
    if (d->key.revision == 0) {
        say_busy(c, area);
        return;
    }
    Scene s = scene_make(&drawn, d, area);
    memcpy(s.corners, panels.corners, sizeof s.corners);
    Rect clip = draw_clip(c->ui->list, whole);
    picture(&drawn, d, &s);
    draw_clip_restore(c->ui->list, clip);
    graph_legend(c, d, &s, panels.legend, token_shown(c));
    if (graph_walks(c))
        graph_walk_card(c, panels.card);
}
