/* The names of nodes in the Graph view, the numbers inside nodes, and the backgrounds behind the
 * names of focused tokens. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "ui/text.h"
#include "views/graph/graph_parts.h"

#define NAME_LEAST 40.0f /* px: minimum width of a shortened name */
/* Px: minimum width of a name that is shortened because of its neighbours. */
#define CUT_LEAST   64.0f
#define ROTATED_GAP 8.0f
/* Number of places around a node for its name, which are tried if place 0 is not free. Place 0
 * depends on the layout. */
#define AROUND 8
#define PLACES (1 + AROUND)
/* Number of places for a name with a background: place 0, and AROUND on each of four rings around
 * the node. */
#define MARK_PLACES (1 + 4 * AROUND)
#define FURTHER     26.0f
/* If there are more tokens, only place 0 is tried for a name. */
#define SEARCHED    64
#define MARK_MOST   640.0f /* px: greatest width of a name with a background */
#define MARK_PAD    8.0f
#define MARK_LEAST  15.0f /* px: minimum letter size of a name with a background */
#define NUMBER_SIZE 15.0f
#define NUMBER_FROM 8.0f /* px: if no node has a smaller radius, all show numbers */
/* Largest width and letter size of the number, as a multiple of the node's radius. */
#define NUMBER_SHARE 1.6f
#define NODE_CLEAR   4.0f  /* px between a text and a node */
#define GROUND_ALPHA 0.75f /* opacity of the background of a name that edges may cross */
#define HEADING_W    120.0f
#define HEADING_H    20.0f

static float radius_of(const Scene *s, int node) {
    return s->radius[node % s->T];
}

static bool numbers_inside(const Scene *s) {
    return s->radius_least >= NUMBER_FROM;
}

/* Return the query of the edge under the pointer or, if there is none, of the pinned edge, or
 * -1. */
static int marked_query(const ViewContext *c) {
    return attn_cell_is_set(c->hover->lit) ? c->hover->lit.query : view_pin(c).query;
}

bool graph_is_marked(const ViewContext *c, int token) {
    return token == graph_token(c) || token == marked_query(c);
}

static TokenLabel name_of(const ViewContext *c, const Scene *s, int node, char number[12]) {
    int token = node % s->T;
    if (!s->numbered)
        return c->run->labels[token];
    return (TokenLabel){number, (size_t)snprintf(number, 12, "%d", token + 1)};
}

/* Return the direction from a node to a place for its name. */
static Vec2 way_of(const Scene *s, int node, int place) {
    static const Vec2 around[AROUND] = {{0, 1},        {1, 0},        {-1, 0},        {0.8f, 0.6f},
                                        {-0.8f, 0.6f}, {0.8f, -0.6f}, {-0.8f, -0.6f}, {0, -1}};
    Vec2 out = scene_outward(s, node);
    if (place > 0) {
        Vec2 way = around[(place - 1) % AROUND];
        bool up = s->layout == GRAPH_CIRCLE && out.y < 0; /* places outside the ring come first */
        return (Vec2){way.x, up ? -way.y : way.y};
    }
    if (s->columns > 1)
        return (Vec2){node < s->T ? -1 : 1, 0};
    return s->layout == GRAPH_CIRCLE ? out : (Vec2){0, 1}; /* below, because edges pass above */
}

static Rect beside(const Scene *s, int node, int place, float w, float h) {
    Vec2 way = way_of(s, node, place);
    bool loop = place == 0 && s->layout == GRAPH_CIRCLE && s->loops[node % s->T];
    float further = loop ? scene_loop_height(s, node % s->T) : 0;
    further += place > 0 ? FURTHER * (float)((place - 1) / AROUND) : 0;
    float away = radius_of(s, node) + SCENE_NAME_GAP + further;
    Vec2 p = {s->rest[node].x + way.x * away, s->rest[node].y + way.y * away};
    float x = way.x > 0.25f ? p.x : way.x < -0.25f ? p.x - w : p.x - w / 2;
    return (Rect){x, p.y - h / 2 + way.y * h * 0.3f, w, h};
}

/* Find a name's rectangle with `beside`. If the whole picture is visible, keep the rectangle in the
 * area: move it if it is above or below the node, otherwise shorten it, to width 0 if too little
 * room is left. */
static Rect beside_inside(const Scene *s, Rect area, int node, int place, float w, float h) {
    Rect r = beside(s, node, place, w, h);
    Vec2 way = way_of(s, node, place);
    float left = fmaxf(area.x - r.x, 0), right = fmaxf(rect_right(r) - rect_right(area), 0);
    if (!s->is_whole)
        return r;
    if (fabsf(way.x) <= 0.25f) {
        r.x += left - right;
        return r;
    }
    if (left + right > 0 && r.w - left - right < NAME_LEAST)
        return (Rect){0};
    r.w -= left + right;
    r.x += way.x < 0 ? left : 0;
    return r;
}

/* Place a rotated name: along the radius of the ring, or at 45° below a line of nodes, shortened to
 * stay in the area. Return false if too little would be left. */
static bool rotated_box(SpaceBox *box, const Scene *s, int node, float w, float h) {
    bool is_line = s->layout == GRAPH_ARC;
    Vec2 out = is_line ? (Vec2){0.7071f, 0.7071f} : scene_outward(s, node);
    float away = radius_of(s, node) + ROTATED_GAP;
    if (!is_line && s->loops[node % s->T]) /* an arc has its loops above the nodes */
        away += scene_loop_height(s, node % s->T);
    Vec2 p = {s->rest[node].x + out.x * away, s->rest[node].y + out.y * away};
    /* Begin below the node if the name would otherwise touch the next node on the right. */
    if (is_line && s->spacing * s->zoom * out.x < s->radius_most + NODE_CLEAR + h / 2)
        p = (Vec2){s->rest[node].x, s->rest[node].y + radius_of(s, node) + NODE_CLEAR + 0.36f * h};
    Rect inner = rect_inset(s->area, fabsf(out.y) * h / 2, fabsf(out.x) * h / 2);
    float across = out.x > 0 ? rect_right(inner) - p.x : p.x - inner.x;
    float down = out.y > 0 ? rect_bottom(inner) - p.y : p.y - inner.y;
    float room = fminf(across / fmaxf(fabsf(out.x), 1e-3f), down / fmaxf(fabsf(out.y), 1e-3f));
    if (s->is_whole && room < fminf(w, NAME_LEAST))
        return false;
    w = s->is_whole ? fminf(w, room) : w;
    *box = (SpaceBox){{p.x + out.x * w / 2, p.y + out.y * w / 2},
                      out.x < -1e-3f ? (Vec2){-out.x, -out.y} : out,
                      w / 2,
                      h / 2};
    return true;
}

bool graph_is_free(const GraphLabels *l, const SpaceBox *box, unsigned kinds) {
    return (!l->scene->is_whole || space_is_inside(box, l->scene->area)) &&
           space_hit(&l->space, box, kinds, SPACE_BUT_NONE) == NULL;
}

/* Choose the first free place for a name. With at most SEARCHED tokens and no rotated names, try
 * all places, then all places again with shorter names. If no place is free, the node gets no
 * name. */
static void find_name(GraphLabels *l, const ViewContext *c, int node) {
    static const float shorter[] = {1, 0.7f, 0.45f};
    const Scene *s = l->scene;
    NodeName *name = &l->names[node];
    char number[12];
    TokenLabel text = name_of(c, s, node, number);
    float whole = label_width(c->ui, FONT_SANS, s->name_size, text.bytes, text.size) + 2;
    float h = s->name_size * SCENE_NAME_LINE;
    bool searches = s->T <= SEARCHED && !s->rotated;
    for (int cut = 0; cut < (searches ? (int)ARRAY_COUNT(shorter) : 1); cut++) {
        float w = fminf(whole, SCENE_NAME_MOST) * shorter[cut];
        if (cut > 0 && w < CUT_LEAST)
            return;
        for (int place = 0; place < (searches ? PLACES : 1); place++) {
            Rect r = beside_inside(s, s->area, node, place, w, h);
            name->box = space_box(r);
            bool fits = s->rotated ? rotated_box(&name->box, s, node, w, h) : r.w > 0;
            if (!fits || !graph_is_free(l, &name->box, SPACE_PANEL | SPACE_NODE | SPACE_NAME))
                continue;
            name->place = place;
            name->is_shown = true;
            name->taken = space_take(&l->space, &name->box, SPACE_NAME, node);
            return;
        }
    }
}

/* Find places for all names: large nodes first in the force layout, otherwise in the order of
 * nodes. Dragged nodes come last, so that other names stay where they are. */
static void find_names(GraphLabels *l, const ViewContext *c) {
    const Scene *s = l->scene;
    int nodes = s->columns * s->T, inner = (s->columns - 1) * s->T;
    float *rank = arena_push(c->scratch, sizeof *rank * (size_t)nodes);
    int *order = arena_push(c->scratch, sizeof *order * (size_t)nodes);
    if (s->numbered && numbers_inside(s))
        return;
    for (int node = 0; node < nodes; node++) {
        Vec2 by = c->memory->graph->dragged[node];
        bool is_named = (node < s->T || node >= inner) && node % s->T % s->name_step == 0;
        rank[node] = !is_named                  ? NAN
                     : by.x != 0 || by.y != 0   ? 0
                     : s->layout == GRAPH_FORCE ? radius_of(s, node)
                                                : 1;
    }
    int count = mat_largest_first(order, nodes, rank, nodes);
    for (int i = 0; i < count; i++)
        find_name(l, c, order[i]);
}

static bool heading_of(Rect *place, char text[32], const Scene *s, int column) {
    Vec2 at = s->rest[column * s->T];
    float apart = s->columns > 1 ? s->rest[s->T].x - s->rest[0].x : 0;
    if (apart < HEADING_W / 2)
        return false;
    snprintf(text, 32, column == 0 ? "input" : "layer %d", column);
    if (s->layout == GRAPH_BIPARTITE)
        snprintf(text, 32, column == 0 ? "queries" : "keys");
    float w = fminf(apart, HEADING_W);
    float up = fmaxf(s->radius[0], s->name_size * SCENE_NAME_LINE / 2) + 8;
    *place = (Rect){at.x - w / 2, at.y - up - HEADING_H, w, HEADING_H};
    return true;
}

static void take_rect(GraphLabels *l, Rect rect, float more, unsigned kind) {
    SpaceBox box = space_box(rect);
    box.half_w += more;
    box.half_h += more;
    space_take(&l->space, &box, kind, SPACE_OF_NOBODY);
}

void graph_displace(GraphLabels *l, Rect fill) {
    SpaceBox box = space_box(fill);
    for (SpaceItem *name;
         (name = space_hit(&l->space, &box, SPACE_NAME, SPACE_BUT_NONE)) != NULL;) {
        name->is_gone = true;
        l->names[name->owner].is_shown = false;
    }
    take_rect(l, fill, 0, SPACE_MARK);
}

static LabelStyle mark_style(const ViewContext *c, const Scene *s) {
    return (LabelStyle){FONT_SANS_BOLD, fmaxf(s->name_size, MARK_LEAST), c->ui->theme->text_on_fill,
                        LABEL_CENTRE};
}

/* Place the name of a focused token with a background, at the place of its plain name if possible,
 * and in full if there is room. If no place is free, it may cover nodes and panels, but no other
 * name with a background. */
static void mark_node(GraphLabels *l, const ViewContext *c, int node) {
    const Scene *s = l->scene;
    NodeName *name = &l->names[node];
    LabelStyle style = mark_style(c, s);
    float most = fmaxf(fminf(MARK_MOST, s->area.w - 2 * MARK_PAD), NAME_LEAST);
    TokenLabel whole = c->run->labels[node % s->T];
    float w = label_width(c->ui, style.font, style.size, whole.bytes, whole.size) + 2,
          h = style.size * SCENE_NAME_LINE;
    w = fminf(w, most);
    Rect fill, inner = rect_inset(s->area, MARK_PAD, 2);
    SpaceBox box;
    bool found = false;
    for (int i = name->is_shown ? -1 : 0; i < 2 * MARK_PLACES && !found; i++) {
        /* i = −1: the place of the name without background. There a name may be shortened only if
         * its node is not in the first column. */
        bool may_be_cut = i < 0 ? node >= s->T : i >= MARK_PLACES;
        Rect r = beside_inside(s, inner, node, i < 0 ? name->place : i % MARK_PLACES, w, h);
        fill = rect_inset(r, -MARK_PAD, -2);
        box = space_box(fill);
        found = r.w > (may_be_cut ? 0 : w - 1) &&
                graph_is_free(l, &box, SPACE_PANEL | SPACE_NODE | SPACE_MARK);
    }
    if (name->taken != NULL)
        name->taken->is_gone = true;
    name->is_shown = false;
    if (!found) {
        fill = rect_within(rect_inset(beside(s, node, 0, w, h), -MARK_PAD, -2), s->area);
        box = space_box(fill);
        if (space_hit(&l->space, &box, SPACE_MARK, SPACE_BUT_NONE) != NULL)
            return;
    }
    graph_displace(l, fill);
    *name = (NodeName){.box = space_box(fill), .is_shown = true, .is_marked = true};
}

GraphLabels graph_labels_make(const ViewContext *c, const Scene *s, const GraphPanels *panels) {
    int nodes = s->columns * s->T, last = s->columns - 1;
    GraphLabels l = {.scene = s};
    Rect covered[GRAPH_COVERED_MAX], heading;
    char text[32];
    l.space = space_begin(s->area, 3 * nodes + 64, c->scratch);
    l.names = arena_push_zero(c->scratch, sizeof *l.names * (size_t)nodes);
    for (int i = graph_panels_covered(covered, panels) - 1; i >= 0; i--)
        take_rect(&l, covered[i], 8, SPACE_PANEL);
    for (int node = 0; node < nodes; node++) {
        float r = radius_of(s, node), half = scene_loop_height(s, node % s->T) / 2;
        Vec2 out = scene_outward(s, node), at = s->rest[node];
        Vec2 loop = {at.x + out.x * (r + half), at.y + out.y * (r + half)};
        space_take_disc(&l.space, at, r + NODE_CLEAR, SPACE_NODE, node);
        if (s->columns == 1 && s->loops[node])
            space_take_disc(&l.space, loop, half, SPACE_NODE, node);
    }
    for (int column = 0; column < s->columns; column++)
        if (heading_of(&heading, text, s, column))
            take_rect(&l, heading, 0, SPACE_PANEL);
    find_names(&l, c);
    int tokens[] = {graph_token(c), marked_query(c)};
    for (int i = 0; i < 2; i++)
        for (int column = 0; column <= last; column += last > 0 ? last : 1)
            if (tokens[i] >= 0 && tokens[i] < s->T && (i == 0 || tokens[1] != tokens[0]))
                mark_node(&l, c, column * s->T + tokens[i]);
    return l;
}

void graph_number_show(const GraphLabels *l, const ViewContext *c, int node) {
    const Scene *s = l->scene;
    char text[12];
    bool marked = graph_is_marked(c, node % s->T);
    int bytes = snprintf(text, sizeof text, "%d", node % s->T + 1);
    float w = label_width(c->ui, FONT_MONO, NUMBER_SIZE, text, (size_t)bytes);
    float most = NUMBER_SHARE * radius_of(s, node);
    float size = fminf(NUMBER_SIZE * fminf(most / w, 1), most);
    SpaceBox box = {s->rest[node], {1, 0}, w * size / NUMBER_SIZE / 2, size * 0.4f};
    unsigned kinds = SPACE_PANEL | SPACE_NODE | SPACE_MARK | SPACE_VALUE;
    LabelStyle style = {FONT_MONO, size, marked ? c->ui->theme->text_on_fill : c->ui->theme->text_1,
                        LABEL_CENTRE};
    Vec2 at = s->at[node];
    if (numbers_inside(s) && space_hit(&l->space, &box, kinds, node) == NULL)
        label_draw(c->ui, (Rect){at.x - 40, at.y - 10, 80, 20}, &style, text);
}

static void name_show(const GraphLabels *l, const ViewContext *c, int node, bool quiet) {
    const Theme *theme = c->ui->theme;
    const Scene *s = l->scene;
    char number[12];
    Vec2 out = scene_outward(s, node);
    SpaceBox box = l->names[node].box; /* the name moves with its node */
    box.middle.x += s->at[node].x - s->rest[node].x;
    box.middle.y += s->at[node].y - s->rest[node].y;
    Rect around = space_around(&box);
    if (l->names[node].is_marked) {
        LabelStyle bold = mark_style(c, s);
        TokenLabel whole = c->run->labels[node % s->T];
        draw_fill(c->ui->list, around, around.h / 2, theme->fill);
        label_draw_bytes(c->ui, rect_inset(around, MARK_PAD, 2), &bold, whole.bytes, whole.size);
        return;
    }
    LabelStyle style = {FONT_SANS, s->name_size, quiet ? theme->text_3 : theme->text_1,
                        LABEL_CENTRE};
    view_token_tip(c, ui_id("node name", node), around, ui_over(c->ui, around), &style,
                   s->numbered ? 0 : 2 * box.half_w, node % s->T);
    ViewName name = view_name(c, &style, name_of(c, s, node, number), 2 * box.half_w);
    if (s->rotated) {
        /* on the left of the ring, a name ends at its node */
        bool left = s->layout == GRAPH_CIRCLE && out.x < -1e-3f;
        float from = left ? box.half_w - name.width : -box.half_w, drop = style.size * 0.35f;
        Vec2 at = {box.middle.x + box.along.x * from - box.along.y * drop,
                   box.middle.y + box.along.y * from + box.along.x * drop};
        label_turned(c->ui, at, atan2f(box.along.y, box.along.x), &style, name.text);
        return;
    }
    Vec2 way = way_of(s, node, l->names[node].place);
    style.align = way.x > 0.25f ? LABEL_LEFT : way.x < -0.25f ? LABEL_RIGHT : LABEL_CENTRE;
    if (s->layout == GRAPH_FORCE)
        draw_fill(c->ui->list, around, 4, colour_fade(theme->canvas, GROUND_ALPHA));
    label_draw(c->ui, around, &style, name.text);
}

void graph_names_show(const GraphLabels *l, const ViewContext *c, const uint8_t *open) {
    const Scene *s = l->scene;
    Rect heading;
    char words[32];
    /* Marked names come last, because their backgrounds cover other names. */
    for (int marked = 0; marked < 2; marked++)
        for (int node = 0; node < s->columns * s->T; node++)
            if (l->names[node].is_shown && l->names[node].is_marked == (marked == 1))
                name_show(l, c, node, open != NULL && !open[node % s->T]);
    for (int column = 0; column < s->columns; column++)
        if (heading_of(&heading, words, s, column))
            text_in(c->ui, heading, TEXT_NOTE | TEXT_FAINT | TEXT_CENTRE | TEXT_PLAIN, "%s", words);
}
