#include "views/graph/graph_scene.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "ui/label.h"
#include "ui/tween.h"
#include "views/graph/graph.h"

#define RADIUS_LEAST    11.0f
#define RADIUS_NUMBERED 9.0f /* least radius of a node with a number */
#define RADIUS_GROWTH   27.0f
#define RADIUS_SHARE    0.42f /* largest radius as a share of the distance between neighbours */
#define NAME_SIZE       22.0f
#define NAME_LEAST      11.0f
#define NAMES_BETWEEN   14.0f  /* px between names side by side */
#define ROTATE_BELOW    40.0f  /* px between neighbours below which names are rotated */
#define LINE_ROOM       40.0f  /* px at the ends of a line of tokens */
#define LEAN_ROOM       96.0f  /* px at the right end if names lean to the right */
#define NAME_ROOM       150.0f /* px at the sides of a ring of tokens */
#define NODE_ROOM       116.0f /* px above and below a ring: a node, its loop, its name */
#define NODE_ROOM_NEAR  76.0f  /* px above and below a ring if there is little room */
#define NAMES_APART     44.0f  /* px along the ring that each name needs */
#define NUMBER_ROOM     52.0f  /* px around a ring that shows numbers instead of names */
#define RING_LEAST      60.0f  /* smallest ring with names */
#define NAMES_SHARE     0.26f  /* largest share of the width for the names at one side of columns */
#define HEADING_H       30.0f  /* height of the heading above each column */
#define ZOOM_STEP       1.15f
#define PULL_LEAST      0.16f /* least bend of a ring's short edges towards its centre, */
#define PULL_GROWTH     0.40f /* and how much more the longest bend */
#define BEND                                                                                       \
    0.12f /* sideways bend as a share of the length, so that both directions are visible           \
           */

/* Choose the ring's radius. A small ring has its names closer, or numbers if names would overlap.
 */
static float ring_radius(const Scene *s, Rect area, bool *numbered) {
    float across = area.w / 2 - NAME_ROOM, named = fminf(across, area.h / 2 - NODE_ROOM);
    float near = fminf(across, area.h / 2 - NODE_ROOM_NEAR);
    *numbered = named < RING_LEAST && near * 6.2831853f < (float)s->T * NAMES_APART;
    if (*numbered)
        return fmaxf(fminf(area.w, area.h) / 2 - NUMBER_ROOM, 12);
    return named < RING_LEAST ? near : named;
}

static Vec2 circle_place(const Scene *s, Rect area, int token) {
    bool numbered;
    float radius = s->T > 1 ? ring_radius(s, area, &numbered) : 0;
    float angle = 6.2831853f * (float)token / (float)s->T;
    return (Vec2){s->centre.x + radius * sinf(angle), s->centre.y - radius * cosf(angle)};
}

/* Return the place of a token on the line. Rotated names need more room at the right. */
static Vec2 arc_place(const Scene *s, Rect area, int token) {
    rect_cut_left(&area, LINE_ROOM);
    rect_cut_right(&area, s->leans ? LEAN_ROOM : LINE_ROOM);
    float step = fminf(area.w / (float)s->T, 110);
    float first = rect_centre(area).x - step * (float)(s->T - 1) / 2;
    return (Vec2){first + step * (float)token, rect_bottom(area) - fminf(150, area.h * 0.25f)};
}

/* Return a place in the bipartite or layered layout. */
static Vec2 column_place(const Scene *s, Rect area, int token, int column) {
    float step = fminf((area.h - HEADING_H - 20) / (float)s->T, 64), last = (float)(s->columns - 1);
    float apart = fminf((area.w - 2 * fminf(NAME_ROOM, area.w * NAMES_SHARE)) / last,
                        s->columns == 2 ? 560 : 320);
    float first = s->centre.y + HEADING_H / 2 - step * (float)(s->T - 1) / 2;
    return (Vec2){s->centre.x + apart * ((float)column - last / 2), first + step * (float)token};
}

/* True if all names fit side by side on a line. */
static bool names_fit(const ViewContext *c, const Scene *s, float room) {
    for (int i = 0; i < s->T; i++) {
        size_t bytes;
        const char *text = view_token(c, i, &bytes);
        if (room < ROTATE_BELOW ||
            label_width(c->ui, FONT_SANS, NAME_SIZE, text, bytes) + NAMES_BETWEEN > room)
            return false;
    }
    return true;
}

static Vec2 target(const Scene *s, const Vec2 *forced, Rect area, int token, int column) {
    switch (s->layout) {
    case GRAPH_CIRCLE:
        return circle_place(s, area, token);
    case GRAPH_ARC:
        return arc_place(s, area, token);
    case GRAPH_BIPARTITE:
    case GRAPH_LAYERED:
        return column_place(s, area, token, column);
    case GRAPH_FORCE:
    case GRAPH_LAYOUT_COUNT:
        break;
    }
    assert(forced != NULL);
    return (Vec2){s->centre.x + forced[token].x, s->centre.y + forced[token].y};
}

/* Return the distance between neighbours in the layout, before zooming. */
static float spacing_of(const Scene *s, Rect area) {
    if (s->layout == GRAPH_FORCE || s->T < 2)
        return sqrtf(area.w * area.h / (float)s->T) * 0.6f;
    Vec2 a, b;
    if (s->layout == GRAPH_CIRCLE)
        a = circle_place(s, area, 0), b = circle_place(s, area, 1);
    else if (s->layout == GRAPH_ARC)
        a = arc_place(s, area, 0), b = arc_place(s, area, 1);
    else
        a = column_place(s, area, 0, 0), b = column_place(s, area, 1, 0);
    return hypotf(a.x - b.x, a.y - b.y);
}

/* Return the position on screen. */
static Vec2 on_screen(const ViewContext *c, const Scene *s, Vec2 p) {
    const GraphMemory *m = &c->memory->graph;
    return (Vec2){s->centre.x + (p.x - s->centre.x) * s->zoom + m->pan.x,
                  s->centre.y + (p.y - s->centre.y) * s->zoom + m->pan.y};
}

/* Return a node's position in the last frame. */
static Vec2 place_before(const Scene *s, const GraphMemory *m, int node) {
    int column = m->layout == (int)s->layout ? node / s->T : 0;
    column = column < m->columns ? column : m->columns - 1;
    return m->shown[column * m->T + node % s->T];
}

/* Start a move if the layout, the text or the force positions changed. A token whose name occurs
 * once more than before starts from the place of its earlier occurrence. While a slider is dragged,
 * nodes follow at once. */
static void begin_move(const ViewContext *c, Scene *s, const GraphData *d) {
    GraphMemory *m = &c->memory->graph;
    bool first = m->T == 0, same = m->layout == (int)s->layout && m->T == s->T;
    uint64_t key = s->layout == GRAPH_FORCE ? rng_hash(&d->key, sizeof d->key) : 0;
    bool forced = s->layout == GRAPH_FORCE && same && m->moved_key != key && c->ui->active == 0;
    m->moved_key = key;
    s->zoom = powf(ZOOM_STEP, m->zoom_steps);
    if (same && m->columns == s->columns && !forced)
        return;
    bool shows_all = !first && m->layout != (int)s->layout; /* a new layout starts unzoomed */
    for (int node = 0; node < s->columns * s->T; node++) {
        bool is_new = first || node % s->T >= m->T;
        m->from[node] = is_new      ? (Vec2){NAN, NAN}
                        : shows_all ? on_screen(c, s, place_before(s, m, node))
                                    : place_before(s, m, node);
    }
    if (!same)
        memset(m->dragged, 0, sizeof m->dragged);
    if (shows_all) {
        m->zoom_steps = 0, m->pan = (Vec2){0, 0};
        s->zoom = 1;
    }
    m->layout = (int)s->layout;
    m->T = s->T;
    m->columns = s->columns;
    m->moved_s = first ? -INFINITY : c->ui->time_s;
}

/* Return the finished share of the move, 0 to 1. */
static float progress(const ViewContext *c) {
    double t = (c->ui->time_s - c->memory->graph.moved_s) / (double)ui_motion_s(c->ui, MOTION_VIEW);
    if (c->ui->reduced_motion || !(t < 1))
        return 1;
    ui_wake(c->ui, c->ui->time_s);
    return easing_at(MOTIONS[MOTION_VIEW].easing, (float)t);
}

void scene_restore(const ViewContext *c, const Scene *s) {
    GraphMemory *m = &c->memory->graph;
    memcpy(m->from, s->at, sizeof *m->from * (size_t)(s->columns * s->T));
    memset(m->dragged, 0, sizeof m->dragged);
    m->zoom_steps = 0;
    m->pan = (Vec2){0, 0};
    m->moved_s = c->ui->time_s;
    c->ui->again = true;
}

static void place_nodes(const ViewContext *c, Scene *s, const Vec2 *forced, Rect area) {
    GraphMemory *m = &c->memory->graph;
    float way = progress(c);
    for (int column = 0; column < s->columns; column++)
        for (int i = 0; i < s->T; i++) {
            int node = column * s->T + i;
            Vec2 to = target(s, forced, area, i, column), from = m->from[node];
            to.x += m->dragged[node].x, to.y += m->dragged[node].y;
            Vec2 at = isnan(from.x) || way >= 1
                          ? to
                          : (Vec2){from.x + (to.x - from.x) * way, from.y + (to.y - from.y) * way};
            m->shown[node] = at;
            s->at[node] = on_screen(c, s, at);
            s->rest[node] = on_screen(c, s, to);
        }
    s->hub = on_screen(c, s, s->centre);
    for (int i = 0; s->layout == GRAPH_FORCE && i < s->T; i++) {
        s->hub.x += (s->rest[i].x - s->hub.x) / (float)(i + 1);
        s->hub.y += (s->rest[i].y - s->hub.y) / (float)(i + 1);
    }
}

static void size_nodes(const ViewContext *c, Scene *s, const GraphData *d) {
    s->radius_most = fminf(RADIUS_LEAST + RADIUS_GROWTH, s->spacing * s->zoom * RADIUS_SHARE);
    float least = fmaxf(s->radius_most * 0.6f, fminf(RADIUS_NUMBERED, s->radius_most * 0.85f));
    s->radius_least = fminf(RADIUS_LEAST, least);
    bool plain = c->settings->graph_nodes == GRAPH_PLAIN || s->layout == GRAPH_LAYERED;
    for (int i = 0; i < s->T; i++)
        s->radius[i] = plain ? fmaxf(fminf(16, s->radius_most), 1.5f)
                             : scene_radius(s, d->size_most > 0 ? d->size[i] / d->size_most : 0);
}

float scene_radius(const Scene *s, float share) {
    float grown = (s->radius_most - s->radius_least) * sqrtf(fmaxf(share, 0));
    return fmaxf(s->radius_least + grown, 1.5f);
}

float scene_loop_height(const Scene *s, int token) {
    return 12 + 0.7f * s->radius[token];
}

/* Choose the number of named tokens, so that names do not overlap. */
static void size_names(const ViewContext *c, Scene *s) {
    float room = s->spacing * s->zoom;
    s->name_size = fminf(fmaxf(room * 0.8f, NAME_LEAST), NAME_SIZE);
    s->rotated = s->layout == GRAPH_ARC      ? !names_fit(c, s, room)
                 : s->layout == GRAPH_CIRCLE ? room < ROTATE_BELOW && !s->numbered
                                             : false;
    float across = s->rotated && s->layout == GRAPH_ARC ? room * 0.7071f : room;
    s->name_step =
        s->layout == GRAPH_FORCE ? 1 : (int)fmaxf(ceilf(s->name_size * 1.3f / across), 1);
}

static const Vec2 *forced_places(const ViewContext *c, const GraphData *d, Scene s) {
    s.zoom = 1;
    size_names(c, &s);
    size_nodes(c, &s, d);
    return scene_forced(c, d, &s);
}

/* Mark the loops that are drawn: edges of the data, of the walk, and a hovered or pinned one. */
static void find_loops(const ViewContext *c, Scene *s, const GraphData *d) {
    AttnCell focus = view_focus(c);
    int walker = graph_walks(c) ? view_pin(c).query : -1;
    for (int i = 0; i < d->count; i++)
        s->loops[d->edges[i].query] |= d->edges[i].query == d->edges[i].key;
    if (walker >= 0 && mask_row(&c->run->mask, walker)[walker])
        s->loops[walker] = true;
    if (attn_cell_is_set(focus) && focus.query == focus.key)
        s->loops[focus.query] = true;
}

Scene scene_make(const ViewContext *c, const GraphData *d, Rect area) {
    Scene s = {.area = area,
               .T = c->run->T,
               .layout = (GraphLayout)c->settings->graph_layout,
               .centre = rect_centre(area)};
    if (s.layout == GRAPH_CIRCLE)
        ring_radius(&s, area, &s.numbered);
    if (s.layout == GRAPH_FORCE)
        s.numbered = fminf(area.w / 2 - NAME_ROOM, area.h / 2 - NODE_ROOM) < 40;
    s.columns = s.layout == GRAPH_LAYERED     ? graph_layers(c) + 1
                : s.layout == GRAPH_BIPARTITE ? 2
                                              : 1;
    while (s.columns * s.T > GRAPH_PLACES_MAX)
        s.columns--;
    s.at = arena_push(c->scratch, sizeof *s.at * GRAPH_PLACES_MAX);
    s.rest = arena_push(c->scratch, sizeof *s.rest * GRAPH_PLACES_MAX);
    s.radius = arena_push(c->scratch, sizeof *s.radius * TOKENS_MAX);
    s.loops = arena_push_zero(c->scratch, sizeof *s.loops * TOKENS_MAX);
    find_loops(c, &s, d);
    begin_move(c, &s, d);
    s.spacing = spacing_of(&s, area);
    if (s.layout == GRAPH_ARC && !names_fit(c, &s, s.spacing)) {
        s.leans = true;
        s.spacing = spacing_of(&s, area);
    }
    size_names(c, &s);
    place_nodes(c, &s, s.layout == GRAPH_FORCE ? forced_places(c, d, s) : NULL, area);
    size_nodes(c, &s, d);
    return s;
}

Vec2 scene_outward(const Scene *s, int node) {
    if (s->layout == GRAPH_ARC || s->columns > 1)
        return (Vec2){0, -1};
    Vec2 d = {s->rest[node].x - s->hub.x, s->rest[node].y - s->hub.y};
    float length = hypotf(d.x, d.y);
    return length > 1e-3f && s->T > 1 ? (Vec2){d.x / length, d.y / length} : (Vec2){0, -1};
}

static Vec2 mix(Vec2 a, Vec2 b, float t) {
    return (Vec2){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

/* Find the two control points of an edge that is not a loop. */
static void bend(const Scene *s, Vec2 from, Vec2 to, Vec2 controls[2]) {
    Vec2 d = {to.x - from.x, to.y - from.y}, side = {-d.y * BEND, d.x * BEND};
    Vec2 middle = s->hub;
    if (s->layout == GRAPH_CIRCLE) {
        float across = 2 * hypotf(from.x - middle.x, from.y - middle.y) + 1;
        float pull = PULL_LEAST + PULL_GROWTH * fminf(hypotf(d.x, d.y) / across, 1);
        controls[0] = mix(from, middle, pull);
        controls[1] = mix(to, middle, pull);
        controls[0].x += side.x / 2, controls[0].y += side.y / 2;
        controls[1].x += side.x / 2, controls[1].y += side.y / 2;
    } else if (s->layout == GRAPH_ARC) {
        float height = fminf(fabsf(d.x) * 0.5f, s->area.h * 0.62f) * (d.x < 0 ? 1 : 0.82f) + 14;
        controls[0] = (Vec2){from.x + d.x * 0.08f, from.y - height * 4 / 3};
        controls[1] = (Vec2){to.x - d.x * 0.08f, to.y - height * 4 / 3};
    } else if (s->columns > 1) {
        controls[0] = (Vec2){from.x + d.x * 0.45f, from.y};
        controls[1] = (Vec2){to.x - d.x * 0.45f, to.y};
    } else {
        controls[0] = (Vec2){from.x + d.x * 0.3f + side.x, from.y + d.y * 0.3f + side.y};
        controls[1] = (Vec2){to.x - d.x * 0.3f + side.x, to.y - d.y * 0.3f + side.y};
    }
}

/* Return the node of a query and the node of a key of a layer (from 0). */
static int scene_query(const Scene *s, int token, int layer) {
    return (s->layout == GRAPH_LAYERED ? layer + 1 : 0) * s->T + token;
}

int scene_key(const Scene *s, int token, int layer) {
    return (s->layout == GRAPH_LAYERED ? layer : s->columns - 1) * s->T + token;
}

Arc scene_arc(const Scene *s, const Edge *edge, int layer, float width, bool flow, Colour colour) {
    int query = scene_query(s, edge->query, layer), key = scene_key(s, edge->key, layer);
    Disc from = {s->at[query], s->radius[edge->query]}, to = {s->at[key], s->radius[edge->key]};
    if (query == key)
        return arc_loop(from, scene_outward(s, query), scene_loop_height(s, edge->query), width,
                        colour);
    if (flow) {
        Disc other = from;
        from = to;
        to = other;
    }
    Vec2 controls[2];
    bend(s, from.at, to.at, controls);
    return arc_link(from, to, controls[0], controls[1], width, 3 + 1.3f * s->radius_least, colour);
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
