/* Names of nodes in the Graph view, numbers inside nodes, and backgrounds behind the names of
 * focused tokens. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "ui/label.h"
#include "ui/text.h"
#include "views/graph/graph.h"
#include "views/graph/graph_labels.h"

#define NAME_LEAST  40.0f /* px: least width of a shortened name */
#define CUT_LEAST   64.0f /* px: least width if it is shortened because of its neighbours */
#define ROTATED_GAP 8.0f
#define AROUND                                                                                     \
    8 /* places tried for a name around its node, after the place that the layout gives */
#define PLACES       (1 + AROUND)
#define MARK_PLACES  (1 + 4 * AROUND) /* places of such a name: rings around the node */
#define FURTHER      26.0f
#define SEARCHED     64     /* with more tokens, a name only tries its own place */
#define MARK_MOST    640.0f /* px: greatest width of a name with a background */
#define MARK_PAD     8.0f
#define MARK_LEAST   15.0f /* least letter size of a name with a background */
#define NUMBER_SIZE  15.0f
#define NUMBER_FROM  8.0f  /* radius of the smallest node from which all nodes have numbers */
#define NUMBER_SHARE 1.6f  /* largest width and letter size of the number, in radii of its node */
#define NODE_CLEAR   4.0f  /* px between words and a node */
#define GROUND_ALPHA 0.75f /* background of a name that edges may cross */
#define HEADING_W    120.0f
#define HEADING_H    20.0f

size_t graph_labels_bytes(const Results *run) {
    size_t nodes = (size_t)run->T * GRAPH_COLUMNS_MAX;
    nodes = nodes < GRAPH_PLACES_MAX ? nodes : GRAPH_PLACES_MAX;
    return space_bytes(3 * (int)nodes + 64) + arena_padded(sizeof(NodeName) * nodes) +
           arena_padded(sizeof(int) * nodes);
}

static int node_count(const Scene *s) {
    return s->columns * s->T;
}

static float radius_of(const Scene *s, int node) {
    return s->radius[node % s->T];
}

/* True if all nodes have their number inside; otherwise none has. */
static bool numbers_inside(const Scene *s) {
    return s->radius_least >= NUMBER_FROM;
}

/* Return the query of the edge under the pointer, or else of the pinned edge. Without a pin, the
 * strongest edge is shown only until something is hovered. */
static int marked_query(const ViewContext *c) {
    return attn_cell_is_set(c->hover->lit) ? c->hover->lit.query : view_pin(c).query;
}

bool graph_is_marked(const ViewContext *c, int token) {
    return token == graph_token(c) || token == marked_query(c);
}

static const char *name_of(const ViewContext *c, const Scene *s, int node, char number[12],
                           size_t *bytes) {
    int token = node % s->T;
    if (!s->numbered)
        return view_token(c, token, bytes);
    *bytes = (size_t)snprintf(number, 12, "%d", token + 1);
    return number;
}

/* Return the direction from a node to one of the places of its name: the layout's own, then around
 * it. */
static Vec2 way_of(const Scene *s, int node, int place) {
    static const Vec2 around[AROUND] = {{0, 1},        {1, 0},        {-1, 0},        {0.8f, 0.6f},
                                        {-0.8f, 0.6f}, {0.8f, -0.6f}, {-0.8f, -0.6f}, {0, -1}};
    Vec2 out = scene_outward(s, node);
    if (place > 0) {
        Vec2 way = around[(place - 1) % AROUND];
        bool up = s->layout == GRAPH_CIRCLE && out.y < 0; /* the outer places first */
        return (Vec2){way.x, up ? -way.y : way.y};
    }
    if (s->columns > 1)
        return (Vec2){node < s->T ? -1 : 1, 0};
    return s->layout == GRAPH_CIRCLE ? out : (Vec2){0, 1}; /* below: edges pass above */
}

/* Return a name's rectangle of this size at one of those places. */
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

/* Shorten a rectangle that leaves the area at one side, or shift it if it is centred on the node.
 * Width 0 means that too little is left. */
static Rect into_area(Rect area, Rect r, Vec2 way) {
    float left = fmaxf(area.x - r.x, 0), right = fmaxf(rect_right(r) - rect_right(area), 0);
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

/* Return the distance from a node at which a name leaning by 45° begins, so that it passes the next
 * node on the right. */
static float past_the_next(const Scene *s, int node, float away, float h) {
    float next = s->spacing * s->zoom * 0.7071f;
    for (int i = node + 1; i < s->T; i++) {
        float along = next * (float)(i - node), clear = s->radius[i] + NODE_CLEAR;
        float reach = clear * clear - (along - h / 2) * (along - h / 2);
        if (along > h / 2 + s->radius_most + NODE_CLEAR)
            break;
        if (along < h / 2)
            away = fmaxf(away, along + clear);
        else if (reach > 0)
            away = fmaxf(away, along + sqrtf(reach));
    }
    return away;
}

/* Place a name along the ring's radius, or down from a line, as far as the area reaches. */
static bool rotated_box(SpaceBox *box, const GraphLabels *l, const Scene *s, int node, float w,
                        float h) {
    Vec2 out = s->layout == GRAPH_ARC ? (Vec2){0.7071f, 0.7071f} : scene_outward(s, node);
    bool loop = s->layout == GRAPH_CIRCLE && s->loops[node % s->T];
    float away = radius_of(s, node) + ROTATED_GAP;
    if (s->layout == GRAPH_ARC)
        away = past_the_next(s, node, away, h);
    away += loop ? scene_loop_height(s, node % s->T) : 0;
    Vec2 p = {s->rest[node].x + out.x * away, s->rest[node].y + out.y * away};
    Rect inner = rect_inset(s->area, fabsf(out.y) * h / 2, fabsf(out.x) * h / 2);
    float across = out.x > 0 ? rect_right(inner) - p.x : p.x - inner.x;
    float down = out.y > 0 ? rect_bottom(inner) - p.y : p.y - inner.y;
    float room = fminf(across / fmaxf(fabsf(out.x), 1e-3f), down / fmaxf(fabsf(out.y), 1e-3f));
    if (l->is_whole && room < fminf(w, NAME_LEAST))
        return false;
    w = l->is_whole ? fminf(w, room) : w;
    bool left = out.x < -1e-3f;
    *box = (SpaceBox){{p.x + out.x * w / 2, p.y + out.y * w / 2},
                      left ? (Vec2){-out.x, -out.y} : out,
                      w / 2,
                      h / 2};
    return true;
}

static bool is_free(const GraphLabels *l, const Scene *s, const SpaceBox *box, unsigned kinds) {
    return (!l->is_whole || space_is_inside(box, s->area)) &&
           space_hit(&l->space, box, kinds, SPACE_BUT_NONE) == NULL;
}

/* Try one of the places for a name of this width. Return false if it is occupied. */
static bool try_name(SpaceBox *box, const GraphLabels *l, const Scene *s, int node, float w,
                     int place) {
    float h = s->name_size * SCENE_NAME_LINE;
    if (s->rotated)
        return place == 0 && rotated_box(box, l, s, node, w, h) &&
               is_free(l, s, box, SPACE_PANEL | SPACE_NODE | SPACE_NAME);
    Rect r = beside(s, node, place, w, h);
    if (l->is_whole)
        r = into_area(s->area, r, way_of(s, node, place));
    *box = space_box(r);
    return r.w > 0 && is_free(l, s, box, SPACE_PANEL | SPACE_NODE | SPACE_NAME);
}

/* Take the first free place. With few tokens every node gets a name, shortened if necessary. */
static void find_name(GraphLabels *l, const ViewContext *c, const Scene *s, int node) {
    static const float shorter[] = {1, 0.7f, 0.45f};
    NodeName *name = &l->names[node];
    size_t bytes;
    char number[12];
    const char *text = name_of(c, s, node, number, &bytes);
    float whole = label_width(c->ui, FONT_SANS, s->name_size, text, bytes) + 2;
    bool searches = s->T <= SEARCHED && !s->rotated;
    for (int cut = 0; cut < (searches ? (int)ARRAY_COUNT(shorter) : 1); cut++) {
        float w = fminf(whole, SCENE_NAME_MOST) * shorter[cut];
        if (cut > 0 && w < CUT_LEAST)
            return;
        for (int place = 0; place < (searches ? PLACES : 1); place++) {
            if (!try_name(&name->box, l, s, node, w, place))
                continue;
            name->place = place;
            name->is_shown = true;
            name->taken = space_take(&l->space, &name->box, SPACE_NAME, node);
            return;
        }
    }
}

/* A node and its place in the order in which names are placed. */
typedef struct Turn {
    int node;
    float rank;
} Turn;

static int earlier(const void *left, const void *right) {
    const Turn *a = left, *b = right;
    return a->rank != b->rank ? (a->rank < b->rank ? 1 : -1) : a->node - b->node;
}

/* Return the nodes with names in the order in which they are placed: the layout's own, or large
 * before small. Dragged nodes come last, so that other names stay in place. */
static int turns_of(Turn *turns, const ViewContext *c, const Scene *s) {
    int count = 0, last = s->columns - 1;
    if (s->numbered && numbers_inside(s))
        return 0;
    for (int column = 0; column <= last; column += last > 0 ? last : 1)
        for (int i = 0; i < s->T; i += s->name_step) {
            int node = column * s->T + i;
            Vec2 by = c->memory->graph.dragged[node];
            bool is_dragged = by.x != 0 || by.y != 0;
            float rank = s->layout == GRAPH_FORCE ? s->radius[i] : 1;
            turns[count++] = (Turn){node, is_dragged ? 0 : rank};
        }
    qsort(turns, (size_t)count, sizeof *turns, earlier);
    return count;
}

/* Find the place of a column's heading. Return false if columns are too close. */
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

void graph_headings_show(const ViewContext *c, const Scene *s) {
    Rect place;
    char text[32];
    for (int column = 0; column < s->columns; column++)
        if (heading_of(&place, text, s, column))
            text_in(c->ui, place, TEXT_NOTE | TEXT_FAINT | TEXT_CENTRE | TEXT_PLAIN, "%s", text);
}

GraphLabels graph_labels_make(const ViewContext *c, const Scene *s, const Rect *corners,
                              int corner_count) {
    int nodes = node_count(s);
    const GraphMemory *m = &c->memory->graph;
    GraphLabels l = {.is_whole = m->zoom_steps == 0 && m->pan.x == 0 && m->pan.y == 0};
    l.space = space_begin(s->area, 3 * nodes + 64, c->scratch);
    l.names = arena_push_zero(c->scratch, sizeof *l.names * (size_t)nodes);
    for (int i = 0; i < corner_count; i++)
        space_take(&l.space,
                   &(SpaceBox){
                       rect_centre(corners[i]), {1, 0}, corners[i].w / 2 + 8, corners[i].h / 2 + 8},
                   SPACE_PANEL, SPACE_OF_NOBODY);
    for (int node = 0; node < nodes; node++)
        space_take_disc(&l.space, s->rest[node], radius_of(s, node) + NODE_CLEAR, SPACE_NODE, node);
    for (int node = 0; node < nodes && s->columns == 1; node++) {
        /* Keep names and values off a node's loop. */
        Vec2 out = scene_outward(s, node);
        float half = scene_loop_height(s, node) / 2, away = radius_of(s, node) + half;
        Vec2 middle = {s->rest[node].x + out.x * away, s->rest[node].y + out.y * away};
        if (s->loops[node])
            space_take_disc(&l.space, middle, half, SPACE_NODE, node);
    }
    Rect heading;
    char text[32];
    for (int column = 0; column < s->columns; column++)
        if (heading_of(&heading, text, s, column)) {
            SpaceBox box = space_box(heading);
            space_take(&l.space, &box, SPACE_PANEL, SPACE_OF_NOBODY);
        }
    Turn *turns = arena_push(c->scratch, sizeof *turns * (size_t)nodes);
    int count = turns_of(turns, c, s);
    for (int i = 0; i < count; i++)
        find_name(&l, c, s, turns[i].node);
    return l;
}

void graph_displace(GraphLabels *l, Rect fill) {
    SpaceBox box = space_box(fill);
    for (SpaceItem *name;
         (name = space_hit(&l->space, &box, SPACE_NAME, SPACE_BUT_NONE)) != NULL;) {
        name->is_gone = true;
        l->names[name->owner].is_shown = false;
    }
}

static LabelStyle mark_style(const ViewContext *c, const Scene *s) {
    return (LabelStyle){FONT_SANS_BOLD, fmaxf(s->name_size, MARK_LEAST), c->ui->theme->text_on_fill,
                        LABEL_CENTRE};
}

/* Try one of a node's places for its name with a background. */
static bool try_mark(Rect *fill, const GraphLabels *l, const Scene *s, int node, float w, float h,
                     int place, bool may_be_cut) {
    Rect r = beside(s, node, place, w, h);
    if (l->is_whole)
        r = into_area(rect_inset(s->area, MARK_PAD, 2), r, way_of(s, node, place));
    *fill = rect_inset(r, -MARK_PAD, -2);
    SpaceBox box = space_box(*fill);
    return r.w > (may_be_cut ? 0 : w - 1) &&
           is_free(l, s, &box, SPACE_PANEL | SPACE_NODE | SPACE_MARK);
}

/* Place the whole name with its background, at the short name's place if possible, shortened if
 * necessary. If no place is free, it covers nodes, but no other name with a background. */
static void mark_node(GraphLabels *l, const ViewContext *c, const Scene *s, int node) {
    NodeName *name = &l->names[node];
    LabelStyle style = mark_style(c, s);
    size_t bytes;
    const char *text = view_token(c, node % s->T, &bytes);
    float w = label_width(c->ui, style.font, style.size, text, bytes) + 2,
          h = style.size * SCENE_NAME_LINE;
    w = fminf(w, fmaxf(fminf(MARK_MOST, s->area.w - 2 * MARK_PAD), NAME_LEAST));
    Rect fill;
    bool again = node >= s->T; /* the query's node shows it in full */
    bool found = name->is_shown && try_mark(&fill, l, s, node, w, h, name->place, again);
    for (int i = 0; i < 2 * MARK_PLACES && !found; i++)
        found = try_mark(&fill, l, s, node, w, h, i % MARK_PLACES, i >= MARK_PLACES);
    if (!found)
        fill = rect_within(rect_inset(beside(s, node, 0, w, h), -MARK_PAD, -2), s->area);
    if (name->taken != NULL)
        name->taken->is_gone = true;
    name->is_shown = false;
    SpaceBox box = space_box(fill);
    if (!found && space_hit(&l->space, &box, SPACE_MARK, SPACE_BUT_NONE) != NULL)
        return;
    graph_displace(l, fill);
    space_take(&l->space, &box, SPACE_MARK, SPACE_OF_NOBODY);
    l->marks[l->mark_count++] = (NodeMark){node, fill};
}

void graph_names_mark(GraphLabels *l, const ViewContext *c, const Scene *s) {
    int tokens[] = {graph_token(c), marked_query(c)}, last = s->columns - 1;
    for (int i = 0; i < 2; i++)
        for (int column = 0; column <= last; column += last > 0 ? last : 1)
            if (tokens[i] >= 0 && tokens[i] < s->T && (i == 0 || tokens[1] != tokens[0]))
                mark_node(l, c, s, column * s->T + tokens[i]);
}

float graph_number_size(const GraphLabels *l, const ViewContext *c, const Scene *s, int node) {
    char text[12];
    float r = radius_of(s, node);
    if (!numbers_inside(s))
        return 0;
    int bytes = snprintf(text, sizeof text, "%d", node % s->T + 1);
    float w = label_width(c->ui, FONT_MONO, NUMBER_SIZE, text, (size_t)bytes);
    float most = NUMBER_SHARE * r, size = fminf(NUMBER_SIZE * fminf(most / w, 1), most);
    SpaceBox box = {s->rest[node], {1, 0}, w * size / NUMBER_SIZE / 2, size * 0.4f};
    unsigned kinds = SPACE_PANEL | SPACE_NODE | SPACE_MARK | SPACE_VALUE;
    return space_hit(&l->space, &box, kinds, node) == NULL ? size : 0;
}

/* Return how far a node still is from its final position. */
static Vec2 on_the_way(const Scene *s, int node) {
    return (Vec2){s->at[node].x - s->rest[node].x, s->at[node].y - s->rest[node].y};
}

/* Draw a rotated name. A shortened name may be farther from its node. */
static void rotated_show(const ViewContext *c, const SpaceBox *box, const LabelStyle *style,
                         const char *text, size_t bytes, bool left) {
    float width = label_width(c->ui, style->font, style->size, text, bytes);
    float from = left ? box->half_w - width : -box->half_w, drop = style->size * 0.35f;
    Vec2 along = box->along;
    DrawText rotated = {.at = {box->middle.x + along.x * from - along.y * drop,
                               box->middle.y + along.y * from + along.x * drop},
                        .size = style->size,
                        .angle_rad = atan2f(along.y, along.x),
                        .font = style->font,
                        .colour = style->colour};
    draw_text_run(c->ui->list, &rotated, text, bytes);
}

static void name_show(const GraphLabels *l, const ViewContext *c, const Scene *s, int node,
                      bool quiet) {
    const Theme *theme = c->ui->theme;
    char number[12], room[LABEL_CUT_MAX];
    size_t bytes;
    const char *text = name_of(c, s, node, number, &bytes);
    Vec2 by = on_the_way(s, node), out = scene_outward(s, node);
    SpaceBox box = l->names[node].box;
    box.middle = (Vec2){box.middle.x + by.x, box.middle.y + by.y};
    LabelStyle style = {FONT_SANS, s->name_size, quiet ? theme->text_3 : theme->text_1,
                        LABEL_CENTRE};
    Rect around = space_around(&box);
    view_token_tip(c, ui_id("node name", node), around, ui_over(c->ui, around), &style,
                   text == number ? 0 : 2 * box.half_w, node % s->T);
    text = label_fit(c->ui, room, &style, text, &bytes, 2 * box.half_w);
    if (s->rotated) {
        rotated_show(c, &box, &style, text, bytes, s->layout == GRAPH_CIRCLE && out.x < -1e-3f);
        return;
    }
    Vec2 way = way_of(s, node, l->names[node].place);
    style.align = way.x > 0.25f ? LABEL_LEFT : way.x < -0.25f ? LABEL_RIGHT : LABEL_CENTRE;
    if (s->layout == GRAPH_FORCE)
        draw_fill(c->ui->list, around, 4, colour_fade(theme->canvas, GROUND_ALPHA));
    label_draw_bytes(c->ui, around, &style, text, bytes);
}

void graph_names_show(const GraphLabels *l, const ViewContext *c, const Scene *s,
                      const uint8_t *open) {
    for (int node = 0; node < node_count(s); node++)
        if (l->names[node].is_shown)
            name_show(l, c, s, node, open != NULL && !open[node % s->T]);
    LabelStyle style = mark_style(c, s);
    for (int i = 0; i < l->mark_count; i++) {
        const NodeMark *mark = &l->marks[i];
        size_t bytes;
        const char *text = view_token(c, mark->node % s->T, &bytes);
        Vec2 by = on_the_way(s, mark->node);
        Rect fill = {mark->rect.x + by.x, mark->rect.y + by.y, mark->rect.w, mark->rect.h};
        draw_fill(c->ui->list, fill, fill.h / 2, c->ui->theme->fill);
        label_draw_bytes(c->ui, rect_inset(fill, MARK_PAD, 2), &style, text, bytes);
    }
}
