/* Handle the pointer over the tokens and edges of the Graph view. */
#include <math.h>

#include "views/graph/graph.h"

#define NEAR_PX    5.0f /* an edge lights up if the pointer is at most this far away */
#define MOVE_PX    4.0f /* a press that moves farther is a drag */
#define ZOOM_LEAST (-6.0f)
#define ZOOM_MOST  24.0f

static UiId ground_id(void) {
    return ui_id("graph ground", 0);
}

/* Return the drawn edge nearest to the pointer, or -1. */
static int edge_at_pointer(const ViewContext *c, const Scene *s, const GraphData *d) {
    int nearest = -1;
    float best = NEAR_PX;
    for (int i = 0; i < d->count; i++) {
        float width = graph_edge_width(d, d->edges[i].weight);
        Arc arc = scene_arc(s, &d->edges[i], d->layer_of[i], width, graph_flows(c), 0);
        float away = curve_distance(&arc.curve, c->ui->pointer, best + width / 2) - width / 2;
        if (away < best) {
            best = away;
            nearest = i;
        }
    }
    return nearest;
}

/* Drag a node, or the whole picture by its background. */
static void drag(const ViewContext *c, const Scene *s) {
    GraphMemory *m = &c->memory->graph;
    Vec2 now = c->ui->pointer, by = {now.x - m->grab_from.x, now.y - m->grab_from.y};
    if (!m->moving && hypotf(by.x, by.y) < MOVE_PX)
        return;
    m->moving = true;
    m->grab_from = now;
    if (by.x == 0 && by.y == 0)
        return;
    c->ui->again = true;
    if (m->grabbed > 0) {
        m->from[m->grabbed - 1] = (Vec2){NAN, NAN}; /* no earlier motion of this node continues */
        m->dragged[m->grabbed - 1].x += by.x / s->zoom;
        m->dragged[m->grabbed - 1].y += by.y / s->zoom;
        return;
    }
    m->pan.x += by.x;
    m->pan.y += by.y;
}

static void zoom(const ViewContext *c, const Scene *s) {
    GraphMemory *m = &c->memory->graph;
    unsigned mods;
    float notches = ui_wheel(c->ui, ground_id(), s->area, &mods).y;
    if (notches == 0)
        return;
    float before = s->zoom, steps = fminf(fmaxf(m->zoom_steps + notches, ZOOM_LEAST), ZOOM_MOST);
    float ratio = powf(1.15f, steps) / before;
    Vec2 p = {c->ui->pointer.x - s->centre.x, c->ui->pointer.y - s->centre.y};
    m->pan = (Vec2){p.x - (p.x - m->pan.x) * ratio, p.y - (p.y - m->pan.y) * ratio};
    m->zoom_steps = steps;
    c->ui->again = true;
}

/* Pin a token by a click and play its walk; further clicks go to the next step. */
static void click_token(const ViewContext *c, int token, bool as_key) {
    bool is_other = as_key || view_pin(c).query != token;
    int next = (graph_step(c) + 1) % STEP_COUNT;
    if (is_other)
        view_pin_token(c, token, as_key);
    graph_walk_set(c, as_key ? STEP_NONE : is_other ? STEP_MEET : next, is_other && !as_key);
}

/* True if the pointer is on a panel, which blocks what is under it. */
static bool is_on_panel(const ViewContext *c, const GraphPanels *panels) {
    for (int i = 0; i < panels->corner_count; i++)
        if (rect_contains(panels->corners[i], c->ui->pointer))
            return true;
    return false;
}

int graph_pointer(const ViewContext *c, const Scene *s, const GraphData *d,
                  const GraphPanels *panels) {
    GraphMemory *m = &c->memory->graph;
    if (c->ui->active != ground_id() && is_on_panel(c, panels))
        return -1;
    UiState state = ui_control(c->ui, ground_id(), s->area, UI_NO_FOCUS | UI_NO_HAND);
    int node = state.hovered ? scene_node_at(s, c->ui->pointer) : -1;
    if (state.pressed) {
        m->grabbed = node >= 0 ? node + 1 : -1;
        m->grab_from = c->ui->pointer;
        m->moving = false;
    }
    if (state.held && m->grabbed != 0)
        drag(c, s);
    bool moved = m->moving;
    if (!state.held && m->grabbed != 0) {
        m->grabbed = 0;
        m->moving = false;
        c->ui->again |=
            moved; /* build once more, so that what is now under the pointer lights up */
    }
    zoom(c, s);
    if (!state.hovered || moved)
        return -1;
    if (node >= 0) {
        view_light(c, (AttnCell){0, c->session->options.head - 1, node % s->T, -1});
        if (state.clicked)
            click_token(c, node % s->T, (state.mods & KEY_MOD_SHIFT) != 0);
        return -1;
    }
    int edge = edge_at_pointer(c, s, d);
    if (edge >= 0 && d->layer_of[edge] > 0)
        return edge;
    if (edge >= 0) {
        AttnCell cell = {0, d->head_of[edge], d->edges[edge].query, d->edges[edge].key};
        view_light(c, cell);
        if (state.clicked)
            view_toggle_pin(c, cell);
    } else if (state.pressed && state.clicks == 2) {
        scene_restore(c, s);
    }
    return -1;
}
