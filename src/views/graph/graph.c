#include "views/graph/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/part.h"
#include "ui/icon.h"
#include "ui/label.h"

#define MARGIN      4     /* px around a node, and around the group of all nodes with their names */
#define BAND        64.0f /* width of the band of N(i) along the ring */
#define BAND_ALPHA  0.13f
#define VALUES_MOST 8      /* most values written on the edges of one token, */
#define VALUES_HALL 1      /* most values written in a hall */
#define CROWD_FROM  250.0f /* with more edges, each is fainter and thinner */

int graph_token(const ViewContext *c) {
    int lit = view_lit_token(c);
    return lit >= 0 ? lit : attn_cell_is_set(c->hover->lit) ? -1 : view_rest(c).query;
}

int graph_step(const ViewContext *c) {
    bool pinned = view_pin(c).query >= 0;
    return pinned ? c->settings->graph_step : STEP_NONE;
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

/* Return a factor for widths, below 1 if there are too many edges to tell apart. */
static float thinning(const GraphData *d) {
    return sqrtf(fminf(1, CROWD_FROM / (float)(d->count + 1)));
}

/* Return an edge's width. A weight has a fixed scale; for values without a limit the largest counts
 * as half a weight, and less if there are many edges. */
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

/* Draw all edges, those of the focused token last: keys that it reads in the ring's colour, unless
 * colour shows a sign or a head; queries that read it in the head's. */
static void edges_show(const ViewContext *c, const Scene *s, const GraphData *d, int token) {
    float thinned = thinning(d);
    for (int i = 0; i < d->count; i++) {
        const Edge *edge = &d->edges[i];
        if (edge->query == token || edge->key == token)
            continue;
        Colour colour = arc_faint(edge_colour(c, d, i), c->ui->theme->canvas,
                                  edge_share(d, edge->weight), token >= 0);
        edge_show(c, s, d, i, colour_fade(colour, thinned));
    }
    for (int i = 0; token >= 0 && i < d->count; i++)
        if (d->edges[i].key == token && d->edges[i].query != token)
            edge_show(c, s, d, i, edge_colour(c, d, i));
    bool own = c->settings->graph_value == GRAPH_SCORES || c->settings->graph_heads == GRAPH_ON;
    for (int i = 0; token >= 0 && i < d->count; i++)
        if (d->edges[i].query == token)
            edge_show(c, s, d, i, own ? edge_colour(c, d, i) : c->ui->theme->ring);
}

/* Find the hovered or pinned edge, even if it is not drawn. An edge excluded from the renormalised
 * sum is shown only while hovered. */
static bool focus_edge(LitEdge *lit, const ViewContext *c, const Scene *s, const GraphData *d,
                       AttnCell focus) {
    GraphDrawn drawn = graph_drawn(c, focus.head, focus.query, focus.key);
    bool is_hidden = isnan(drawn.drawn);
    if (!isfinite(drawn.value) || !mask_row(&c->run->mask, focus.query)[focus.key] ||
        (is_hidden && !attn_cell_is_set(c->hover->lit)))
        return false;
    float value = is_hidden ? drawn.value : drawn.drawn;
    Edge edge = {focus.query, focus.key, value};
    bool signs = c->settings->graph_value == GRAPH_SCORES && graph_token(c) >= 0;
    Colour colour = signs ? palette_colour(c->ui->theme->signed_palette, value < 0 ? 0 : 1)
                          : c->ui->theme->ring;
    Arc arc = scene_arc(s, &edge, 0, graph_edge_width(d, value), graph_flows(c), colour);
    *lit = (LitEdge){edge, arc, drawn.value, is_hidden};
    return true;
}

/* Write values on the edges from a token to its keys: first the pinned edge, even if it is not
 * drawn, then the strongest; in a stack those of the lowest layer. */
static void values_show(const ViewContext *c, const Scene *s, const GraphData *d, int token,
                        GraphLabels *labels) {
    LitEdge lit[VALUES_MOST];
    AttnCell focus = view_focus(c);
    int count = 0, most = c->is_hall ? VALUES_HALL : VALUES_MOST;
    bool pins =
        attn_cell_is_set(focus) && focus.query == token && focus_edge(&lit[0], c, s, d, focus);
    if (pins) {
        arc_show(c, &lit[0].arc, lit[0].edge.weight < 0);
        count = 1;
    }
    for (int i = d->count - 1; i >= 0 && count < most; i--) {
        const Edge *edge = &d->edges[i];
        bool is_pinned =
            pins && edge->key == focus.key && d->layer_of[i] == 0 && d->head_of[i] == focus.head;
        if (edge->query != token || is_pinned || d->layer_of[i] > 0)
            continue;
        float width = graph_edge_width(d, edge->weight);
        Arc arc = scene_arc(s, edge, d->layer_of[i], width, graph_flows(c), 0);
        lit[count++] = (LitEdge){.edge = *edge, .arc = arc, .own = edge->weight};
    }
    graph_values_show(labels, c, s, lit, count);
}

/* Draw the band from one token's centre to the next one's. */
static void band_piece(const ViewContext *c, Vec2 middle, float from, float to, float radius,
                       Colour colour) {
    float reach = radius * 4 / 3 * tanf((to - from) / 4);
    Vec2 a = {middle.x + radius * sinf(from), middle.y - radius * cosf(from)};
    Vec2 b = {middle.x + radius * sinf(to), middle.y - radius * cosf(to)};
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

/* Return the radius of the ring of tokens, and its centre. */
static float ring_of(Vec2 *middle, const ViewContext *c, const Scene *s) {
    const GraphMemory *m = &c->memory->graph;
    Vec2 first = {s->at[0].x - m->dragged[0].x * s->zoom, s->at[0].y - m->dragged[0].y * s->zoom};
    *middle = (Vec2){s->centre.x + m->pan.x, s->centre.y + m->pan.y};
    return hypotf(first.x - middle->x, first.y - middle->y);
}

/* Draw N(i), the tokens that the mask leaves open to a query. */
static void neighbourhood_show(const ViewContext *c, const Scene *s, int token) {
    const uint8_t *open = mask_row(&c->run->mask, token);
    Colour colour = view_head_colour(c, c->session->options.head - 1);
    Vec2 middle;
    float radius = ring_of(&middle, c, s);
    for (int j = 0; j < s->T; j++) {
        if (!open[j])
            continue;
        float step = 6.2831853f / (float)s->T, angle = step * (float)j;
        int node = scene_key(s, j, 0);
        float r = s->radius[j] + 9;
        float alpha = 0.28f * fminf(1, s->spacing * s->zoom / r); /* many discs overlap */
        if (s->layout != GRAPH_CIRCLE || s->T < 3)
            draw_fill(c->ui->list, (Rect){s->at[node].x - r, s->at[node].y - r, 2 * r, 2 * r}, r,
                      colour_fade(colour, alpha));
        else
            band_piece(c, middle, angle - step / 2, angle + step / 2, radius,
                       colour_fade(colour, BAND_ALPHA));
    }
}

static void node_number(const ViewContext *c, const Scene *s, const GraphLabels *labels, int node,
                        bool marked) {
    char text[12];
    float size = graph_number_size(labels, c, s, node);
    if (size == 0)
        return;
    snprintf(text, sizeof text, "%d", node % s->T + 1);
    Colour colour = marked ? c->ui->theme->text_on_fill : c->ui->theme->text_1;
    LabelStyle style = {FONT_MONO, size, colour, LABEL_CENTRE};
    Vec2 at = s->at[node];
    label_draw(c->ui, (Rect){at.x - 40, at.y - 10, 80, 20}, &style, text);
}

/* Offer to play the message that reaches the node under the pointer, by a badge on its edge. */
static void node_offer(const ViewContext *c, const Scene *s) {
    const Theme *theme = c->ui->theme;
    int node = scene_node_at(s, c->ui->pointer);
    if (c->is_hall || node < 0 || view_lit_token(c) != node % s->T || graph_walks(c))
        return;
    float away = 0.7f * s->radius[node % s->T] + 7, badge = 10;
    Vec2 at = {s->at[node].x + away, s->at[node].y + away};
    draw_fill(c->ui->list, (Rect){at.x - badge, at.y - badge, 2 * badge, 2 * badge}, badge,
              theme->beam);
    icon_draw(c->ui, ICON_PLAY, (Vec2){at.x + 1, at.y}, 11, theme->casing);
}

static void node_show(const ViewContext *c, const Scene *s, const GraphLabels *labels, int node) {
    const Theme *theme = c->ui->theme;
    int token = node % s->T;
    bool one = c->settings->graph_heads == GRAPH_OFF, marked = graph_is_marked(c, token);
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
    node_number(c, s, labels, node, marked);
}

static LitEdge upper_edge(const ViewContext *c, const Scene *s, const GraphData *d, int at) {
    const Edge *edge = &d->edges[at];
    float width = graph_edge_width(d, edge->weight);
    return (LitEdge){
        .edge = *edge,
        .arc = scene_arc(s, edge, d->layer_of[at], width, graph_flows(c), c->ui->theme->ring),
        .own = graph_own_value(c, d->layer_of[at], d->head_of[at], edge)};
}

/* Draw edges and the values on the focused ones. Return the focused token, or -1. */
static int edges_and_values(const ViewContext *c, const Scene *s, const GraphData *d,
                            GraphLabels *labels) {
    bool walks = graph_walks(c);
    int token = walks ? view_pin(c).query : graph_token(c);
    if (token >= 0)
        neighbourhood_show(c, s, token);
    if (walks) {
        graph_walk(c, s, labels);
        return token;
    }
    edges_show(c, s, d, token);
    if (token >= 0)
        values_show(c, s, d, token, labels);
    return token;
}

/* Find an edge to show alone: one of an upper layer under the pointer, or the focused one if no
 * token is focused. */
static bool single_edge(LitEdge *lit, const ViewContext *c, const Scene *s, const GraphData *d,
                        int upper, int token) {
    AttnCell focus = view_focus(c);
    if (upper >= 0)
        *lit = upper_edge(c, s, d, upper);
    return upper >= 0 || (token < 0 && attn_cell_is_set(focus) && focus_edge(lit, c, s, d, focus));
}

static void mark_parts(const ViewContext *c, const Scene *s, const GraphLabels *labels) {
    Rect all = {s->at[0].x, s->at[0].y, 0, 0};
    for (int node = 0; node < s->columns * s->T; node++) {
        float r = s->radius[node % s->T] + MARGIN;
        float loop = s->loops[node % s->T] ? scene_loop_height(s, node % s->T) : 0;
        Rect around = {s->at[node].x - r, s->at[node].y - r, 2 * r, 2 * r};
        all = rect_union(all, rect_inset(around, -loop, -loop));
        if (labels->names[node].is_shown)
            all = rect_union(all, space_around(&labels->names[node].box));
        if (node < s->T)
            draw_part(c->ui->list, PART_RECT(around), "graph.picture.token.%d", node + 1);
    }
    if (s->layout == GRAPH_CIRCLE && s->T > 2) {
        Vec2 middle;
        float outer = ring_of(&middle, c, s) + BAND / 2;
        all = rect_union(all, (Rect){middle.x - outer, middle.y - outer, 2 * outer, 2 * outer});
    }
    for (int i = 0; i < labels->mark_count; i++)
        all = rect_union(all, labels->marks[i].rect);
    all = rect_intersect(rect_inset(all, -MARGIN, -MARGIN), s->area);
    draw_part(c->ui->list, PART_RECT(all), "graph.picture");
}

static void picture(const ViewContext *c, const Scene *s, const GraphData *d, GraphLabels *labels,
                    int upper) {
    LitEdge lit;
    node_offer(c, s); /* drawn under everything else, so that it hides no number */
    int token = edges_and_values(c, s, d, labels);
    bool is_single = single_edge(&lit, c, s, d, upper, token), exact = false;
    Vec2 at = {0, 0};
    char text[GRAPH_PILL_MAX];
    if (is_single) {
        exact = upper >= 0 || attn_cell_is_set(c->hover->lit);
        arc_show(c, &lit.arc, lit.edge.weight < 0);
        at = graph_value_place(labels, c, s, &lit, exact);
        graph_pill_text(text, &lit, exact);
    }
    for (int node = 0; node < s->columns * s->T; node++)
        node_show(c, s, labels, node);
    graph_names_show(labels, c, s, token >= 0 ? mask_row(&c->run->mask, token) : NULL);
    if (is_single)
        view_pill(c, at, s->area, text);
    graph_headings_show(c, s);
}

static Scene scene_show(const ViewContext *c, const GraphData *d, const GraphPanels *panels,
                        Rect area) {
    Scene s = scene_make(c, d, area);
    int upper = graph_pointer(c, &s, d, panels);
    GraphLabels labels = graph_labels_make(c, &s, panels->corners, panels->corner_count);
    graph_names_mark(&labels, c, &s);
    Rect clip = draw_clip(c->ui->list, area);
    picture(c, &s, d, &labels, upper);
    mark_parts(c, &s, &labels);
    draw_clip_restore(c->ui->list, clip);
    return s;
}

void graph_frame(const ViewContext *c, Rect area) {
    const GraphData *d = graph_data(c);
    Settings made = *c->settings;
    ViewContext drawn = *c; /* the data may still be of earlier settings */
    drawn.settings = &made;
    graph_settings(&made, c, d);
    GraphPanels panels = graph_panels(c, d, &area);
    if (d->key.revision == 0) {
        LabelStyle style = {FONT_SANS, 20, c->ui->theme->text_2, LABEL_CENTRE};
        if (c->is_late)
            label_draw(c->ui, area, &style, "Computing…");
        graph_panels_over(c, d, &panels);
        return;
    }
    Scene s = scene_show(&drawn, d, &panels, area);
    graph_panels_over(c, d, &panels);
    graph_walk_advance(c);
    int token = graph_walks(c) ? view_pin(c).query : graph_token(c);
    graph_legend(c, d, &s, panels.legend, token);
    if (graph_walks(c))
        graph_walk_card(c, panels.card);
}
