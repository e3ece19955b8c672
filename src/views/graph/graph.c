#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw/part.h"
#include "ui/button.h"
#include "ui/icon.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "ui/tween.h"
#include "views/graph/graph_parts.h"

#define MARGIN      4     /* px around a node, and around all nodes together with their names */
#define BAND        64.0f /* px: width of the bands that mark open tokens on the ring */
#define VALUES_MOST 8     /* maximum number of values written on the edges of one token */
#define VALUES_HALL 1     /* VALUES_MOST in a lecture hall */
#define DOT         9.0f

int graph_token(const ViewContext *c) {
    int lit = view_lit_token(c);
    return lit >= 0 ? lit : attn_cell_is_set(c->hover->lit) ? -1 : view_rest(c).query;
}

/* A message to the pinned token has three steps. Its query meets the key of every open token. The
 * softmax turns the scores into weights. The values arrive, each scaled by its weight. Return the
 * step that is shown; STEP_NONE without a pin. */
int graph_step(const ViewContext *c) {
    return view_pin(c).query >= 0 ? c->settings->graph_step : STEP_NONE;
}

bool graph_walks(const ViewContext *c) {
    int lit = view_lit_token(c);
    return graph_step(c) != STEP_NONE && (lit < 0 || lit == view_pin(c).query);
}

/* Draw a dot for the value that a key sends. It moves along the edge and arrives when the animation
 * of the step ends. */
static void dot_show(const ViewContext *c, const Arrow *arrow, float weight) {
    double t = (c->ui->time_s - c->memory->graph->step_s) / (double)ui_motion_s(c->ui, MOTION_STEP);
    if (c->ui->reduced_motion || !(t < 1))
        return;
    ui_wake(c->ui, c->ui->time_s);
    float way = easing_at(MOTIONS[MOTION_STEP].easing, fmaxf((float)t, 0));
    bool is_loop = arrow->edge.at.query == arrow->edge.at.key;
    Vec2 at = curve_point(&arrow->arc.curve, is_loop ? 1 - way : way);
    float r = 2 + DOT * sqrtf(fminf(fmaxf(weight, 0), 1));
    draw_disc(c->ui->list, at, r, c->ui->theme->ring, 0, 0);
}

static int heavier(const void *left, const void *right) {
    const Edge *a = &((const Arrow *)left)->edge, *b = &((const Arrow *)right)->edge;
    float x = fabsf(a->weight), y = fabsf(b->weight);
    return x != y ? (x < y ? 1 : -1) : a->at.key - b->at.key;
}

/* Draw the edges from the pinned query to all open keys, then the values on these edges, the
 * largest first. */
static void walk(const ViewContext *c, const Scene *s, GraphLabels *labels) {
    AttnCell at = view_pin(c);
    int step = graph_step(c), count = 0;
    bool meets = step == STEP_MEET, sums = step == STEP_SUM;
    Mat scores = results_scores(c->run, 0, at.head), weights = results_weights(c->run, 0, at.head);
    const float *score = mat_row(&scores, at.query), *weight = mat_row(&weights, at.query);
    const uint8_t *open = mask_row(&c->run->mask, at.query);
    Arrow *arrows = arena_push(c->scratch, sizeof *arrows * (size_t)s->T);
    float largest = 0;
    for (int j = 0; j < s->T; j++)
        if (open[j] && isfinite(score[j]))
            largest = fmaxf(largest, fabsf(score[j]));
    for (at.key = 0; at.key < s->T; at.key++) {
        float value = meets ? score[at.key] : weight[at.key];
        float share = !meets ? value : largest > 0 ? 0.4f * fabsf(value) / largest : 0;
        Colour sign = palette_colour(c->ui->theme->signed_palette, value < 0 ? 0 : 1);
        Colour colour = meets ? sign : colour_fade(c->ui->theme->ring, sums ? 0.6f : 1);
        if (!open[at.key] || !isfinite(value))
            continue;
        Arrow *arrow = &arrows[count++];
        *arrow = scene_arrow(s, &(Edge){at, value, value}, arc_width(share), sums, colour);
        arrow_draw(c, arrow, colour);
        if (sums)
            dot_show(c, arrow, weight[at.key]);
    }
    qsort(arrows, (size_t)count, sizeof *arrows, heavier);
    graph_values_show(labels, c, arrows, count < GRAPH_VALUES_MAX ? count : GRAPH_VALUES_MAX);
}

/* Show a step of the message. If plays is true, the next steps follow automatically; otherwise
 * playing stops. */
static void walk_set(const ViewContext *c, int step, bool plays) {
    Player *player = &c->memory->graph->player;
    view_player_set(c, player, plays);
    if (step != c->settings->graph_step)
        view_set(c, "graph-step", registry_entry(&GRAPH_STEPS, step)->id, player->serial);
}

bool graph_press(const ViewContext *c, TransportButton button) {
    int step = graph_step(c), lit = view_lit_token(c), pinned = view_pin(c).query;
    int token = lit >= 0 ? lit : pinned >= 0 ? pinned : view_rest(c).query;
    if (button == TRANSPORT_PLAY && token >= 0) {
        bool begins = !c->memory->graph->player.plays;
        if (token != pinned)
            view_pin_token(c, token, false);
        walk_set(c, step == STEP_NONE || (begins && step == STEP_SUM) ? STEP_MEET : step, begins);
        return true;
    }
    if (step == STEP_NONE || button >= TRANSPORT_COUNT || button == TRANSPORT_PLAY)
        return false;
    walk_set(c, view_player_step(button, step, STEP_NONE, STEP_SUM), false);
    return true;
}

static void walk_advance(const ViewContext *c) {
    GraphMemory *m = c->memory->graph;
    int step = graph_step(c);
    if (m->step != step)
        m->step_s = c->ui->time_s;
    m->step = step;
    if (step != STEP_NONE && view_player_is_due(c, &m->player, step == STEP_SUM))
        view_set(c, "graph-step", registry_entry(&GRAPH_STEPS, step + 1)->id, m->player.serial);
}

void graph_walk_card(const ViewContext *c, Rect area) {
    int step = graph_step(c), i = view_pin(c).query + 1;
    const char *names[STEP_COUNT - 1];
    char formula[128];
    bool plays = c->memory->graph->player.plays;
    if (area.w <= 0)
        return;
    if (step == STEP_MEET)
        snprintf(formula, sizeof formula, "s_{%d,j} = q_{%d} · k_j%s%s", i, i,
                 c->session->options.scale == SCALE_SQRT ? " / √{d_k}" : "",
                 c->session->options.temperature != 1 ? " / τ" : "");
    else if (step == STEP_SOFTMAX)
        snprintf(formula, sizeof formula, "a_{%d,j} = e^{s_{%d,j}} / Σ_{k∈N(%d)} e^{s_{%d,k}}", i,
                 i, i, i);
    else
        snprintf(formula, sizeof formula, "z_{%d} = Σ_{j∈N(%d)} a_{%d,j} v_j", i, i, i);
    Rect line = rect_cut_top(&area, 36), button = rect_cut_left(&line, 36);
    UiId play = ui_id("graph play", 0);
    if (button_icon(c->ui, play, button, plays ? ICON_PAUSE : ICON_PLAY))
        graph_press(c, TRANSPORT_PLAY);
    tooltip(c->ui, play, button, "Play",
            "Space plays the three steps. The arrow keys go back and forward.");
    for (int k = 1; k < STEP_COUNT; k++)
        names[k - 1] = registry_entry(&GRAPH_STEPS, k)->label;
    rect_cut_left(&line, 8);
    line.w = fminf(line.w, segmented_width(c->ui, names, STEP_COUNT - 1));
    int clicked = segmented(c->ui, ui_id("graph step", 0), line, names, STEP_COUNT - 1, step - 1);
    rect_cut_top(&area, 8);
    text_wrap(c->ui, &area, TEXT_BODY, registry_entry(&GRAPH_STEPS, step)->help);
    rect_cut_top(&area, 6);
    text_in(c->ui, rect_cut_top(&area, 34), TEXT_NAME, "%s", formula);
    if (clicked >= 0)
        walk_set(c, clicked + 1 == step ? STEP_NONE : clicked + 1, false);
}

static bool shows_scores(const ViewContext *c) {
    return c->settings->graph.value == GRAPH_SCORES;
}

/* Set *arrow to the focused edge (view_focus), even if it is not drawn. While weights are
 * renormalised, a hidden edge is shown only while it is hovered. Return false if there is no edge
 * to show. */
static bool focus_arrow(Arrow *arrow, const ViewContext *c, const Scene *s) {
    AttnCell focus = view_focus(c);
    if (!attn_cell_is_set(focus) || !mask_row(&c->run->mask, focus.query)[focus.key])
        return false;
    Edge edge = graph_edge(c, focus);
    bool is_excluded = isnan(edge.weight);
    float width = graph_edge_width(s->data, is_excluded ? edge.own : edge.weight);
    *arrow = scene_arrow(s, &edge, width, graph_flows(c), 0);
    return isfinite(edge.own) && (!is_excluded || attn_cell_is_set(c->hover->lit));
}

/* Draw all edges, those of the focused token last. Its edges to the keys that it reads have the
 * colour of the focus ring, unless colours show signs or heads. Write values on those edges in the
 * lowest layer: first on the focused edge, even if the filter excludes it, then on the strongest
 * ones. */
static void edges_and_values(const ViewContext *c, const Scene *s, GraphLabels *labels, int token) {
    const GraphData *d = s->data;
    bool own = shows_scores(c) || c->settings->graph.heads == GRAPH_ON;
    arrows_draw(c, s->arrows, d->count,
                &(ArrowsStyle){.largest = d->largest,
                               .fade = graph_thinning(d),
                               .token = token,
                               .reads = own ? 0 : c->ui->theme->ring,
                               .apart = ATTN_CELL_NONE});
    Arrow lit[VALUES_MOST];
    int count = 0, most = c->is_hall ? VALUES_HALL : VALUES_MOST;
    if (token < 0)
        return;
    bool pins = view_focus(c).query == token && focus_arrow(&lit[0], c, s);
    Colour sign = palette_colour(c->ui->theme->signed_palette, pins && lit[0].edge.weight >= 0);
    if (pins)
        arrow_draw(c, &lit[count++], shows_scores(c) ? sign : c->ui->theme->ring);
    for (int i = d->count - 1; i >= 0 && count < most; i--) {
        AttnCell at = d->edges[i].at;
        bool is_pinned = pins && attn_cell_equal(at, lit[0].edge.at);
        if (at.query == token && at.layer == 0 && !is_pinned)
            lit[count++] = s->arrows[i];
    }
    graph_values_show(labels, c, lit, count);
}

static float ring_of(const ViewContext *c, const Scene *s) {
    Vec2 by = c->memory->graph->dragged[0], first = s->at[0];
    return hypotf(first.x - by.x * s->zoom - s->hub.x, first.y - by.y * s->zoom - s->hub.y);
}

/* Draw the neighbourhood N(i), the tokens that the mask leaves open to query i: as bands along a
 * ring of at least three tokens, otherwise as discs. */
static void neighbourhood_show(const ViewContext *c, const Scene *s, int token) {
    const uint8_t *open = mask_row(&c->run->mask, token);
    Colour colour = view_head_colour(c, c->session->options.head - 1);
    float radius = ring_of(c, s), step = 6.2831853f / (float)s->T;
    float reach = radius * 4 / 3 * tanf(step / 4);
    for (int j = 0; j < s->T; j++) {
        float from = step * ((float)j - 0.5f), to = from + step;
        Vec2 a = {s->hub.x + radius * sinf(from), s->hub.y - radius * cosf(from)};
        Vec2 b = {s->hub.x + radius * sinf(to), s->hub.y - radius * cosf(to)};
        DrawCurve band = {.from = a,
                          .control_1 = {a.x + reach * cosf(from), a.y + reach * sinf(from)},
                          .control_2 = {b.x - reach * cosf(to), b.y - reach * sinf(to)},
                          .to = b,
                          .width_from = BAND,
                          .width_to = BAND,
                          .colour_from = colour_fade(colour, GRAPH_BAND_ALPHA),
                          .colour_to = colour_fade(colour, GRAPH_BAND_ALPHA)};
        Vec2 at = s->at[scene_key(s, (AttnCell){0, 0, token, j})];
        float r = s->radius[j] + 9;
        /* fainter if the discs of neighbours overlap */
        float alpha = 0.28f * fminf(1, s->spacing * s->zoom / r);
        if (open[j] && s->layout == GRAPH_CIRCLE && s->T > 2)
            draw_curve(c->ui->list, &band);
        else if (open[j])
            draw_disc(c->ui->list, at, r, colour_fade(colour, alpha), 0, 0);
    }
}

/* Draw a badge at the node under the pointer, which offers to play the message that reaches this
 * node. */
static void node_offer(const ViewContext *c, const Scene *s) {
    const Theme *theme = c->ui->theme;
    int node = scene_node_at(s, c->ui->pointer);
    if (c->is_hall || node < 0 || view_lit_token(c) != node % s->T || graph_walks(c))
        return;
    float away = 0.7f * s->radius[node % s->T] + 7;
    Vec2 at = {s->at[node].x + away, s->at[node].y + away};
    draw_disc(c->ui->list, at, 10, theme->beam, 0, 0);
    icon_draw(c->ui, ICON_PLAY, (Vec2){at.x + 1, at.y}, 11, theme->casing);
}

static void node_show(const ViewContext *c, const Scene *s, const GraphLabels *labels, int node) {
    const Theme *theme = c->ui->theme;
    int token = node % s->T;
    bool one = c->settings->graph.heads == GRAPH_OFF, marked = graph_is_marked(c, token);
    bool empty = mask_open_keys(&c->run->mask, token) == 0 && node < s->T;
    Colour colour = one ? view_head_colour(c, c->session->options.head - 1) : theme->control;
    float r = s->radius[token];
    if (marked)
        draw_disc(c->ui->list, s->at[node], r + 3, COLOUR_CLEAR, 2.5f, theme->ring);
    draw_disc(c->ui->list, s->at[node], r,
              marked  ? theme->fill
              : empty ? theme->canvas
                      : colour_mix(theme->canvas, colour, 0.25f),
              1.5f, colour);
    graph_number_show(labels, c, node);
}

/* Draw the edges, the nodes and their texts. upper: index of the hovered edge of an upper layer, or
 * -1. Return the focused token, or -1. */
static int picture(const ViewContext *c, const Scene *s, GraphLabels *labels, int upper) {
    Arrow single;
    bool walks = graph_walks(c);
    int token = walks ? view_pin(c).query : graph_token(c);
    node_offer(c, s); /* drawn first, so that it hides no number */
    if (token >= 0)
        neighbourhood_show(c, s, token);
    if (walks)
        walk(c, s, labels);
    else
        edges_and_values(c, s, labels, token);
    if (upper >= 0)
        single = s->arrows[upper];
    bool has_single = upper >= 0 || (token < 0 && focus_arrow(&single, c, s));
    char text[GRAPH_PILL_MAX];
    Vec2 at = {0, 0};
    if (has_single) {
        graph_pill_text(text, &single.edge, upper >= 0 || attn_cell_is_set(c->hover->lit));
        arrow_draw(c, &single, c->ui->theme->ring);
        at = graph_pill_place(labels, c, &single, text);
    }
    for (int node = 0; node < s->columns * s->T; node++)
        node_show(c, s, labels, node);
    graph_names_show(labels, c, token >= 0 ? mask_row(&c->run->mask, token) : NULL);
    if (has_single)
        view_pill(c, at, s->area, text);
    return token;
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
        float outer = ring_of(c, s) + BAND / 2;
        all = rect_union(all, (Rect){s->hub.x - outer, s->hub.y - outer, 2 * outer, 2 * outer});
    }
    all = rect_intersect(rect_inset(all, -MARGIN, -MARGIN), s->area);
    draw_part(c->ui->list, PART_RECT(all), "graph.picture");
}

/* Drag the pressed node or, if none is pressed, zoom and pan the picture. Return true during a drag
 * and at its release, which is not a click. */
static bool drag(const ViewContext *c, const Scene *s, UiId id, UiState state, int node) {
    GraphMemory *m = c->memory->graph;
    if (state.pressed)
        m->grabbed = node + 1;
    if (m->grabbed == 0)
        return pan_zoom(c->ui, id, state, s->area, &GRAPH_ZOOM, &m->view);
    Vec2 by = pan_zoom_drag(c->ui, state, &m->view);
    if (by.x != 0 || by.y != 0) {
        m->from[m->grabbed - 1] = (Vec2){NAN, NAN}; /* end an earlier motion of this node */
        m->dragged[m->grabbed - 1].x += by.x / s->zoom;
        m->dragged[m->grabbed - 1].y += by.y / s->zoom;
        c->ui->again = true;
    }
    m->grabbed = state.held ? m->grabbed : 0;
    return m->view.moves;
}

/* Handle hover, click, drag and zoom, unless the pointer is on a panel. Return the index of the
 * edge of an upper layer under the pointer, or -1. Only the value of such an edge is shown, because
 * the inspector and the pin belong to the lowest layer. */
static int pointer(const ViewContext *c, const Scene *s, const GraphPanels *panels) {
    Rect covered[GRAPH_COVERED_MAX];
    UiId id = ui_id("graph ground", 0);
    int count = graph_panels_covered(covered, panels);
    for (int i = 0; i < count; i++)
        if (c->ui->active != id && rect_contains(covered[i], c->ui->pointer))
            return -1;
    UiState state = ui_control(c->ui, id, s->area, UI_NO_FOCUS | UI_NO_HAND);
    int node = state.hovered ? scene_node_at(s, c->ui->pointer) : -1;
    if (drag(c, s, id, state, node)) {
        /* when the drag ends, draw again, to highlight what is under the pointer */
        c->ui->again |= state.clicked;
        return -1;
    }
    if (!state.hovered)
        return -1;
    if (node >= 0) {
        int token = node % s->T;
        bool as_key = (state.mods & KEY_MOD_SHIFT) != 0, is_other = view_pin(c).query != token;
        view_light(c, (AttnCell){0, c->session->options.head - 1, token, -1});
        if (state.clicked && (as_key || is_other))
            view_pin_token(c, token, as_key);
        if (state.clicked) /* first click: play the message; further clicks: its next step */
            walk_set(c,
                     as_key     ? STEP_NONE
                     : is_other ? STEP_MEET
                                : (graph_step(c) + 1) % STEP_COUNT,
                     is_other && !as_key);
        return -1;
    }
    int edge = arrow_at_pointer(c, s->arrows, s->data->count);
    if (edge >= 0 && s->data->edges[edge].at.layer > 0)
        return edge;
    if (edge >= 0) {
        view_light(c, s->data->edges[edge].at);
        if (state.clicked)
            view_toggle_pin(c, s->data->edges[edge].at);
    } else if (state.pressed && state.clicks == 2) {
        scene_restore(c, s);
    }
    return -1;
}

void graph_frame(const ViewContext *c, Rect area) {
    const GraphData *d = graph_data(c);
    Settings made = *c->settings;
    ViewContext drawn = *c; /* draw with the settings with which the data were computed */
    drawn.settings = &made;
    graph_settings(&made, c, d);
    GraphPanels panels = graph_panels(c, &area);
    if (d->key.revision == 0) {
        if (c->is_late)
            text_in(c->ui, area, TEXT_BODY | TEXT_CENTRE, "Computing…");
        graph_panels_draw(c, d, NULL, &panels, -1);
        return;
    }
    Scene s = scene_make(&drawn, d, area);
    int upper = pointer(&drawn, &s, &panels);
    walk_advance(c);
    GraphLabels labels = graph_labels_make(&drawn, &s, &panels);
    Rect clip = draw_clip(c->ui->list, area);
    int token = picture(&drawn, &s, &labels, upper);
    mark_parts(&drawn, &s, &labels);
    draw_clip_restore(c->ui->list, clip);
    graph_panels_draw(c, d, &s, &panels, token);
}
