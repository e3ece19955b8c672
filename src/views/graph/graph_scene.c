#include "views/graph/graph_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "ui/label.h"
#include "ui/tween.h"

#define RADIUS_LEAST    11.0f
#define RADIUS_NUMBERED 9.0f /* px: minimum radius of a node that shows a number */
#define RADIUS_GROWTH   27.0f
#define RADIUS_SHARE    0.42f /* largest radius as a share of the distance between neighbours */
#define NAME_SIZE       22.0f
#define NAME_LEAST      11.0f
#define NAMES_BETWEEN   14.0f  /* px between names side by side */
#define ROTATE_BELOW    40.0f  /* px: if neighbours are closer, names are rotated */
#define LINE_ROOM       40.0f  /* px at the ends of a line of tokens */
#define LEAN_ROOM       96.0f  /* px at the right end of a line if names lean to the right */
#define NAME_ROOM       150.0f /* px at the sides of a ring of tokens */
#define NODE_ROOM       116.0f /* px above and below a ring for a node, its loop and its name */
#define NODE_ROOM_NEAR  76.0f  /* px: NODE_ROOM in an area with little room */
#define NAMES_APART     44.0f  /* px along the ring that each name needs */
#define NUMBER_ROOM     52.0f  /* px around a ring whose nodes show numbers instead of names */
#define RING_LEAST      60.0f  /* px: smallest radius of a ring with names */
/* Largest share of the width for the names on one side of the columns. */
#define NAMES_SHARE 0.26f
#define HEADING_H   30.0f /* px: height of the heading above each column */
#define PULL_LEAST  0.16f /* share of the way to the hub by which the shortest edges bend */
#define PULL_GROWTH 0.40f /* additional bend of the longest edges of a ring */
/* Sideways bend as a share of an edge's length, which keeps i → j apart from j → i. */
#define BEND       0.12f
#define CROWD_FROM 250.0f /* if there are more edges, each is drawn fainter and thinner */

/* The force layout. */
#define NAMED_MOST  64    /* if there are more tokens, names may overlap */
#define NAMED_SHARE 0.5f  /* largest share of the area that nodes with names may take */
#define CLEAR       5.0f  /* px kept free around a node, and at the ends of its name */
#define CLOSE       1.0f  /* px kept free around a node if there are too many nodes for CLEAR */
#define EDGE        28.0f /* px at the edges of the area for loops */
#define SIDES       36.0f /* px at the left and right that only names may use */
/* Most tokens with which all nodes move after a drag; with more, only those near a dragged node
 * make room. */
#define SETTLE_MOST 256

const PanZoomLimits GRAPH_ZOOM = {.least = 0.43f, .most = 28.6f, .is_loose = true};

/* Return the ring's radius. In a small ring names are closer to their nodes. Set *numbered to true
 * if they would still overlap, so that nodes show numbers. */
static float ring_radius(const Scene *s, bool *numbered) {
    Rect area = s->area;
    float across = area.w / 2 - NAME_ROOM, named = fminf(across, area.h / 2 - NODE_ROOM);
    float near = fminf(across, area.h / 2 - NODE_ROOM_NEAR);
    *numbered = named < RING_LEAST && near * 6.2831853f < (float)s->T * NAMES_APART;
    if (*numbered)
        return fmaxf(fminf(area.w, area.h) / 2 - NUMBER_ROOM, 12);
    return named < RING_LEAST ? near : named;
}

/* Return a node's position in its layout. by_force is NULL in layouts other than GRAPH_FORCE. */
static Vec2 layout_place(const Scene *s, const Vec2 *by_force, int node) {
    int token = node % s->T;
    Rect area = s->area;
    Vec2 at = s->centre;
    switch (s->layout) {
    case GRAPH_CIRCLE: {
        bool numbered;
        float radius = s->T > 1 ? ring_radius(s, &numbered) : 0;
        float angle = 6.2831853f * (float)token / (float)s->T;
        return (Vec2){at.x + radius * sinf(angle), at.y - radius * cosf(angle)};
    }
    case GRAPH_ARC: {
        rect_cut_left(&area, LINE_ROOM);
        rect_cut_right(&area, s->leans ? LEAN_ROOM : LINE_ROOM);
        float step = fminf(area.w / (float)s->T, 110);
        float first = rect_centre(area).x - step * (float)(s->T - 1) / 2;
        return (Vec2){first + step * (float)token, rect_bottom(area) - fminf(150, area.h * 0.25f)};
    }
    case GRAPH_BIPARTITE:
    case GRAPH_LAYERED: {
        float last = (float)(s->columns - 1), names = fminf(NAME_ROOM, area.w * NAMES_SHARE);
        float step = fminf((area.h - HEADING_H - 20) / (float)s->T, 64);
        float apart = fminf((area.w - 2 * names) / last, s->columns == 2 ? 560 : 320);
        float first = at.y + HEADING_H / 2 - step * (float)(s->T - 1) / 2;
        return (Vec2){at.x + apart * ((float)(node / s->T) - last / 2),
                      first + step * (float)token};
    }
    case GRAPH_FORCE:
    case GRAPH_LAYOUT_COUNT:
        break;
    }
    assert(by_force != NULL);
    return (Vec2){at.x + by_force[token].x, at.y + by_force[token].y};
}

static float spacing_of(const Scene *s) {
    if (s->layout == GRAPH_FORCE || s->T < 2)
        return sqrtf(s->area.w * s->area.h / (float)s->T) * 0.6f;
    Vec2 a = layout_place(s, NULL, 0), b = layout_place(s, NULL, 1);
    return hypotf(a.x - b.x, a.y - b.y);
}

static bool names_fit(const ViewContext *c, float room) {
    return room >= ROTATE_BELOW &&
           view_names_width(c, FONT_SANS, NAME_SIZE, room) + NAMES_BETWEEN <= room;
}

/* Start a motion if the layout, the number of nodes or the positions of the force layout changed.
 * Each node starts at the previous place of its token; the node of a new token does not move. While
 * a control is held down, the positions of the force layout change at once. */
static void begin_move(const ViewContext *c, Scene *s) {
    GraphMemory *m = c->memory->graph;
    bool first = m->T == 0, same = m->layout == (int)s->layout && m->T == s->T;
    /* A new layout starts without zoom and pan. */
    bool shows_all = !first && m->layout != (int)s->layout;
    uint64_t key = s->layout == GRAPH_FORCE ? rng_hash(&s->data->key, sizeof s->data->key) : 0;
    bool forced = s->layout == GRAPH_FORCE && same && m->moved_key != key && c->ui->active == 0;
    m->moved_key = key;
    if (same && m->columns == s->columns && !forced)
        return;
    for (int node = 0; node < s->columns * s->T; node++) {
        int column = m->layout == (int)s->layout ? node / s->T : 0;
        column = column < m->columns ? column : m->columns - 1;
        m->from[node] = (Vec2){NAN, NAN};
        if (!first && node % s->T < m->T)
            m->from[node] = m->shown[column * m->T + node % s->T];
        if (shows_all)
            m->from[node] = pan_zoom_point(&m->view, s->area, m->from[node]);
    }
    if (!same)
        memset(m->dragged, 0, sizeof m->dragged);
    if (shows_all)
        m->view = (PanZoom){0};
    m->layout = (int)s->layout;
    m->T = s->T;
    m->columns = s->columns;
    m->moved_s = first ? -INFINITY : c->ui->time_s;
}

void scene_restore(const ViewContext *c, const Scene *s) {
    GraphMemory *m = c->memory->graph;
    memcpy(m->from, s->at, sizeof *m->from * (size_t)(s->columns * s->T));
    memset(m->dragged, 0, sizeof m->dragged);
    m->view = (PanZoom){0};
    m->moved_s = c->ui->time_s;
    c->ui->again = true;
}

static void place_nodes(const ViewContext *c, Scene *s, const Vec2 *by_force) {
    GraphMemory *m = c->memory->graph;
    double t = (c->ui->time_s - m->moved_s) / (double)ui_motion_s(c->ui, MOTION_VIEW);
    bool moves = !c->ui->reduced_motion && t < 1;
    float way = moves ? easing_at(MOTIONS[MOTION_VIEW].easing, (float)t) : 1;
    if (moves)
        ui_wake(c->ui, c->ui->time_s);
    for (int node = 0; node < s->columns * s->T; node++) {
        Vec2 to = layout_place(s, by_force, node), from = m->from[node];
        to.x += m->dragged[node].x, to.y += m->dragged[node].y;
        m->shown[node] = isnan(from.x) || way >= 1 ? to : vec2_between(from, to, way);
        s->at[node] = pan_zoom_point(&m->view, s->area, m->shown[node]);
        s->rest[node] = pan_zoom_point(&m->view, s->area, to);
    }
    s->hub = pan_zoom_point(&m->view, s->area, s->centre);
    for (int i = 0; s->layout == GRAPH_FORCE && i < s->T; i++)
        s->hub = vec2_between(s->hub, s->rest[i], 1 / (float)(i + 1));
}

static void size_nodes(const ViewContext *c, Scene *s) {
    s->radius_most = fminf(RADIUS_LEAST + RADIUS_GROWTH, s->spacing * s->zoom * RADIUS_SHARE);
    float least = fmaxf(s->radius_most * 0.6f, fminf(RADIUS_NUMBERED, s->radius_most * 0.85f));
    s->radius_least = fminf(RADIUS_LEAST, least);
    bool plain = c->settings->graph.nodes == GRAPH_PLAIN || s->layout == GRAPH_LAYERED;
    float most = s->data->size_most;
    for (int i = 0; i < s->T; i++)
        s->radius[i] = plain ? fmaxf(fminf(16, s->radius_most), 1.5f)
                             : scene_radius(s, most > 0 ? s->data->size[i] / most : 0);
}

float scene_radius(const Scene *s, float share) {
    float grown = (s->radius_most - s->radius_least) * sqrtf(fmaxf(share, 0));
    return fmaxf(s->radius_least + grown, 1.5f);
}

float scene_loop_height(const Scene *s, int token) {
    return 12 + 0.7f * s->radius[token];
}

static void size_names(const ViewContext *c, Scene *s) {
    float room = s->spacing * s->zoom;
    s->name_size = fminf(fmaxf(room * 0.8f, NAME_LEAST), NAME_SIZE);
    s->rotated = s->layout == GRAPH_ARC      ? !names_fit(c, room)
                 : s->layout == GRAPH_CIRCLE ? room < ROTATE_BELOW && !s->numbered
                                             : false;
    float across = s->rotated && s->layout == GRAPH_ARC ? room * 0.7071f : room;
    s->name_step = s->layout == GRAPH_FORCE
                       ? 1
                       : (int)fmaxf(fminf(ceilf(s->name_size * 1.3f / across), TOKENS_MAX), 1);
}

static Vec2 reach(const Scene *s) {
    return (Vec2){fmaxf(s->area.w / 2 - s->radius_most - SIDES, 20),
                  fmaxf(s->area.h / 2 - s->radius_most - CLEAR, 20)};
}

static Rect bounds_of(const Scene *s) {
    float w = fmaxf(s->area.w - 2 * EDGE, 1), h = fmaxf(s->area.h - 2 * EDGE, 1);
    return (Rect){-w / 2, -h / 2, w, h};
}

/* Return the boxes of all nodes. They include the names, unless the names are hidden, are too many
 * or would take too much room. */
static ForceBox *boxes_of(const ViewContext *c, const Scene *s) {
    ForceBox *boxes = arena_push(c->scratch, sizeof *boxes * (size_t)s->T);
    bool named = s->T <= NAMED_MOST && !s->numbered;
    float taken = 0, below = SCENE_NAME_GAP + 0.8f * s->name_size * SCENE_NAME_LINE;
    for (int i = 0; named && i < s->T; i++) {
        TokenLabel name = c->run->labels[i];
        float w = label_width(c->ui, FONT_SANS, s->name_size, name.bytes, name.size);
        float r = s->radius[i], half = fmaxf(fminf(w, SCENE_NAME_MOST) / 2, r) + CLEAR;
        boxes[i] = (ForceBox){{half, (2 * r + CLEAR + below) / 2}, (below - CLEAR) / 2};
        taken += 4 * half * boxes[i].half.y;
    }
    for (int i = 0; (!named || taken > NAMED_SHARE * s->area.w * s->area.h) && i < s->T; i++)
        boxes[i] = (ForceBox){{s->radius[i] + CLEAR, s->radius[i] + CLEAR}, 0};
    return boxes;
}

static void part(const ViewContext *c, const Scene *s) {
    GraphMemory *m = c->memory->graph;
    const GraphData *d = s->data;
    float sizes[] = {s->area.w, s->area.h, s->radius_most, s->name_size};
    uint64_t keys[] = {rng_hash(&d->key, sizeof d->key), rng_hash(sizes, sizeof sizes)};
    uint64_t key = rng_hash(keys, sizeof keys) | 1;
    if (m->parted_key == key)
        return;
    Arena before = *c->scratch;
    Vec2 most = reach(s);
    for (int i = 0; i < s->T; i++)
        m->parted[i] = (Vec2){d->forced[i].x * most.x, d->forced[i].y * most.y};
    force_part(m->parted, boxes_of(c, s), NULL, s->T, bounds_of(s));
    *c->scratch = before;
    m->parted_key = key;
}

/* Move the other nodes to make room for the dragged ones. If there are many nodes, move only those
 * that are in the way. */
static void settle(const ViewContext *c, const Scene *s) {
    GraphMemory *m = c->memory->graph;
    Vec2 most = reach(s), *at = arena_push(c->scratch, sizeof *at * (size_t)s->T);
    Vec2 *rest = arena_push(c->scratch, sizeof *rest * (size_t)s->T);
    bool *is_fixed = arena_push(c->scratch, sizeof *is_fixed * (size_t)s->T);
    ForceLink *links = arena_push(c->scratch, sizeof *links * GRAPH_EDGES_MAX);
    for (int i = 0; i < s->T; i++) {
        Vec2 p = m->parted[i], by = m->dragged[i];
        is_fixed[i] = by.x != 0 || by.y != 0;
        rest[i] = (Vec2){p.x / most.x, p.y / most.y};
        at[i] = (Vec2){(p.x + by.x) / most.x, (p.y + by.y) / most.y};
    }
    bool settles = s->T <= SETTLE_MOST;
    if (settles)
        force_settle(at, rest, is_fixed, s->T, links, graph_links(links, s->data), c->scratch);
    for (int i = 0; i < s->T; i++)
        at[i] = (Vec2){at[i].x * most.x, at[i].y * most.y};
    ForceBox *boxes = boxes_of(c, s);
    for (int i = 0; i < s->T && !settles; i++)
        if (!is_fixed[i]) /* a small box, so that only the fixed nodes push others away */
            boxes[i].half = (Vec2){s->radius[i] + CLOSE, s->radius[i] + CLOSE};
    if (settles)
        force_part(at, boxes, is_fixed, s->T, bounds_of(s));
    else
        force_make_room(at, boxes, is_fixed, s->T, bounds_of(s), c->scratch);
    for (int i = 0; i < s->T; i++)
        m->pinned[i] = is_fixed[i] ? m->parted[i] : at[i];
}

/* Return the positions of the force layout, relative to the area's centre. Tokens that read each
 * other are close, dragged tokens stay where the user put them, others make room. Cached until an
 * input changes. *s is a copy of the scene; it gets the sizes of nodes and names without zoom. */
static const Vec2 *forced_places(const ViewContext *c, Scene *s) {
    GraphMemory *m = c->memory->graph;
    bool any = false;
    s->zoom = 1;
    size_names(c, s);
    size_nodes(c, s);
    part(c, s);
    for (int i = 0; i < s->T; i++)
        any |= m->dragged[i].x != 0 || m->dragged[i].y != 0;
    if (!any)
        return m->parted;
    uint64_t keys[] = {m->parted_key, rng_hash(m->dragged, sizeof *m->dragged * (size_t)s->T)};
    uint64_t key = rng_hash(keys, sizeof keys) | 1;
    if (m->pinned_key != key) {
        Arena before = *c->scratch;
        settle(c, s);
        *c->scratch = before;
        m->pinned_key = key;
    }
    return m->pinned;
}

static void find_loops(const ViewContext *c, Scene *s) {
    AttnCell focus = view_focus(c);
    int walker = graph_walks(c) ? view_pin(c).query : -1;
    for (int i = 0; i < s->data->count; i++) {
        AttnCell at = s->data->edges[i].at;
        s->loops[at.query] |= at.query == at.key;
    }
    if (walker >= 0 && mask_row(&c->run->mask, walker)[walker])
        s->loops[walker] = true;
    if (attn_cell_is_set(focus) && focus.query == focus.key)
        s->loops[focus.query] = true;
}

Scene scene_make(const ViewContext *c, const GraphData *d, Rect area) {
    const GraphMemory *m = c->memory->graph;
    Scene s = {.data = d,
               .area = area,
               .T = c->run->T,
               .columns = 1,
               .layout = (GraphLayout)c->settings->graph_layout,
               .centre = rect_centre(area)};
    if (s.layout == GRAPH_CIRCLE)
        ring_radius(&s, &s.numbered);
    else if (s.layout == GRAPH_FORCE)
        s.numbered = fminf(area.w / 2 - NAME_ROOM, area.h / 2 - NODE_ROOM) < 40;
    else if (s.layout != GRAPH_ARC)
        s.columns = s.layout == GRAPH_LAYERED ? graph_layers(c) + 1 : 2;
    while (s.columns * s.T > GRAPH_PLACES_MAX)
        s.columns--;
    s.at = arena_push(c->scratch, sizeof *s.at * GRAPH_PLACES_MAX);
    s.rest = arena_push(c->scratch, sizeof *s.rest * GRAPH_PLACES_MAX);
    s.radius = arena_push(c->scratch, sizeof *s.radius * TOKENS_MAX);
    s.loops = arena_push_zero(c->scratch, sizeof *s.loops * TOKENS_MAX);
    s.arrows = arena_push(c->scratch, sizeof *s.arrows * GRAPH_EDGES_MAX);
    find_loops(c, &s);
    begin_move(c, &s);
    s.zoom = pan_zoom_drawn(&m->view, &GRAPH_ZOOM);
    s.is_whole = s.zoom == 1 && m->view.at.x == 0 && m->view.at.y == 0;
    s.spacing = spacing_of(&s);
    if (s.layout == GRAPH_ARC && !names_fit(c, s.spacing)) {
        s.leans = true;
        s.spacing = spacing_of(&s);
    }
    size_names(c, &s);
    Scene whole = s;
    place_nodes(c, &s, s.layout == GRAPH_FORCE ? forced_places(c, &whole) : NULL);
    size_nodes(c, &s);
    for (int i = 0; i < d->count; i++) {
        const Edge *edge = &d->edges[i];
        Colour colour = c->settings->graph.value == GRAPH_SCORES
                            ? palette_colour(c->ui->theme->signed_palette, edge->weight < 0 ? 0 : 1)
                            : view_head_colour(c, edge->at.head);
        float width = graph_edge_width(d, edge->weight);
        s.arrows[i] = scene_arrow(&s, edge, width, graph_flows(c), colour);
    }
    return s;
}

Vec2 scene_outward(const Scene *s, int node) {
    if (s->layout == GRAPH_ARC || s->columns > 1)
        return (Vec2){0, -1};
    Vec2 d = {s->rest[node].x - s->hub.x, s->rest[node].y - s->hub.y};
    float length = hypotf(d.x, d.y);
    return length > 1e-3f && s->T > 1 ? (Vec2){d.x / length, d.y / length} : (Vec2){0, -1};
}

static void bend(const Scene *s, Vec2 from, Vec2 to, Vec2 controls[2]) {
    Vec2 d = {to.x - from.x, to.y - from.y}, side = {-d.y * BEND, d.x * BEND};
    if (s->layout == GRAPH_CIRCLE) {
        float across = 2 * hypotf(from.x - s->hub.x, from.y - s->hub.y) + 1;
        float pull = PULL_LEAST + PULL_GROWTH * fminf(hypotf(d.x, d.y) / across, 1);
        controls[0] = vec2_between(from, s->hub, pull);
        controls[1] = vec2_between(to, s->hub, pull);
        side = (Vec2){side.x / 2, side.y / 2};
    } else if (s->layout == GRAPH_ARC) {
        float height = fminf(fabsf(d.x) * 0.5f, s->area.h * 0.62f) * (d.x < 0 ? 1 : 0.82f) + 14;
        controls[0] = (Vec2){from.x + d.x * 0.08f, from.y - height * 4 / 3};
        controls[1] = (Vec2){to.x - d.x * 0.08f, to.y - height * 4 / 3};
        return;
    } else if (s->columns > 1) {
        controls[0] = (Vec2){from.x + d.x * 0.45f, from.y};
        controls[1] = (Vec2){to.x - d.x * 0.45f, to.y};
        return;
    } else {
        controls[0] = vec2_along(from, d, 0.3f);
        controls[1] = vec2_along(to, d, -0.3f);
    }
    for (int i = 0; i < 2; i++)
        controls[i] = (Vec2){controls[i].x + side.x, controls[i].y + side.y};
}

static int scene_query(const Scene *s, AttnCell at) {
    return (s->layout == GRAPH_LAYERED ? at.layer + 1 : 0) * s->T + at.query;
}

int scene_key(const Scene *s, AttnCell at) {
    return (s->layout == GRAPH_LAYERED ? at.layer : s->columns - 1) * s->T + at.key;
}

float graph_thinning(const GraphData *d) {
    return sqrtf(fminf(1, CROWD_FROM / (float)(d->count + 1)));
}

/* Return the width of an edge. For weights, equal values have equal widths in every graph. For
 * values without a limit, the largest gets the width of a weight of 0.5, or less in a graph of more
 * than CROWD_FROM edges. */
float graph_edge_width(const GraphData *d, float value) {
    float share = d->largest > 0 ? fminf(fabsf(value) / d->largest, 1) : 0;
    return arc_width(d->key.chosen.value == GRAPH_WEIGHTS ? value
                                                          : 0.5f * graph_thinning(d) * share);
}

bool graph_flows(const ViewContext *c) {
    return c->settings->graph_flow == GRAPH_ON;
}

Arrow scene_arrow(const Scene *s, const Edge *edge, float width, bool flow, Colour colour) {
    int query = scene_query(s, edge->at), key = scene_key(s, edge->at);
    Disc from = {s->at[query], s->radius[edge->at.query]},
         to = {s->at[key], s->radius[edge->at.key]};
    Vec2 controls[2];
    if (query == key)
        return (Arrow){*edge, arc_loop(from, scene_outward(s, query),
                                       scene_loop_height(s, edge->at.query), width, colour)};
    if (flow) {
        Disc other = from;
        from = to;
        to = other;
    }
    bend(s, from.at, to.at, controls);
    return (Arrow){*edge, arc_link(from, to, controls[0], controls[1], width,
                                   3 + 1.3f * s->radius_least, colour)};
}

int scene_node_at(const Scene *s, Vec2 point) {
    int nearest = -1;
    float best = INFINITY;
    for (int node = 0; node < s->columns * s->T; node++) {
        float away = hypotf(s->at[node].x - point.x, s->at[node].y - point.y);
        if (away <= fmaxf(s->radius[node % s->T], 14) && away < best) {
            best = away;
            nearest = node;
        }
    }
    return nearest;
}
