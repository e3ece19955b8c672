/* Values on the edges of the Graph view. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "ui/text.h"
#include "views/graph/graph.h"
#include "views/graph/graph_labels.h"

#define VALUE_SIZE  18
#define VALUE_H     24
#define VALUE_PAD   4
#define RIM         2  /* px around a pill */
#define PIECES      24 /* points of an edge tested for crossing a rectangle */
#define LOOP_PLACES 6
#define LOOP_CLEAR  6.0f  /* px between a node and its loop's value */
#define LOOP_ASIDE  22.0f /* px from the middle of a loop to a value at its side */

/* Places of a value along its edge, the best first: the top of an arc; or, if edges fan out from
 * one node, near their other ends, with more columns of places next to these. */
static const float ON_TOP[] = {0.5f, 0.43f, 0.57f, 0.36f, 0.64f, 0.3f,
                               0.7f, 0.24f, 0.76f, 0.18f, 0.82f};
static const float IN_A_FAN[] = {0.58f, 0.52f, 0.64f, 0.46f, 0.7f, 0.4f,
                                 0.76f, 0.34f, 0.82f, 0.28f, 0.22f};
static const float AT_THE_KEY[] = {0.8f, 0.74f, 0.86f, 0.68f, 0.62f, 0.56f,
                                   0.5f, 0.44f, 0.38f, 0.32f, 0.26f};
#define PLACES ARRAY_COUNT(AT_THE_KEY)

/* Return a place for a loop's value: beyond the loop's top, at its side, at the node's side or,
 * last because other edges start there, inside the ring. */
static Vec2 loop_place(const Scene *s, const LitEdge *lit, Vec2 size, int place) {
    Vec2 node = s->at[lit->edge.query], out = scene_outward(s, lit->edge.query);
    Vec2 side = {-out.y, out.x}, from = lit->arc.middle;
    float beyond = (fabsf(out.x) * size.x + fabsf(out.y) * size.y) / 2;
    float aside = (fabsf(out.y) * size.x + fabsf(out.x) * size.y) / 2 + LOOP_ASIDE;
    float inwards = s->radius[lit->edge.query] + beyond + LOOP_CLEAR;
    if (place == LOOP_PLACES - 1)
        return (Vec2){node.x - out.x * inwards, node.y - out.y * inwards};
    if (place == 0)
        return (Vec2){from.x + out.x * beyond, from.y + out.y * beyond};
    if (place > 2) { /* the name may be next to the loop's top */
        aside += s->radius[lit->edge.query] - LOOP_ASIDE + LOOP_CLEAR;
        from = (Vec2){(from.x + node.x) / 2, (from.y + node.y) / 2};
    }
    aside = place % 2 == 0 ? -aside : aside;
    return (Vec2){from.x + side.x * aside, from.y + side.y * aside};
}

/* Find the centre of a value at one of its PLACES. Return false if there are no more. */
static bool value_place(Vec2 *at, const ViewContext *c, const Scene *s, const LitEdge *lit,
                        Vec2 size, int place) {
    if (lit->edge.query == lit->edge.key && s->columns == 1) {
        *at = loop_place(s, lit, size, place);
        return place < LOOP_PLACES;
    }
    float t = (s->columns > 1 ? AT_THE_KEY : s->layout == GRAPH_ARC ? ON_TOP : IN_A_FAN)[place];
    *at = curve_point(&lit->arc.curve, graph_flows(c) ? 1 - t : t);
    return true;
}

static bool is_free(const GraphLabels *l, const Scene *s, Rect ground, unsigned kinds) {
    SpaceBox box = space_box(ground);
    return (!l->is_whole || space_is_inside(&box, s->area)) &&
           space_hit(&l->space, &box, kinds, SPACE_BUT_NONE) == NULL;
}

/* Return the centre of a pill moved sideways from its edge, by multiples of its height. */
static Vec2 aside(const LitEdge *lit, Vec2 at, float h, int side) {
    const DrawCurve *curve = &lit->arc.curve;
    Vec2 a = curve_point(curve, 0.45f), b = curve_point(curve, 0.55f);
    float length = fmaxf(hypotf(b.x - a.x, b.y - a.y), 1e-3f), by = h * (float)side;
    return (Vec2){at.x + (b.y - a.y) / length * by, at.y + (a.x - b.x) / length * by};
}

/* Find the first place that is free: on the edge, then farther and farther from it. */
static bool find_pill(Rect *pill, const GraphLabels *l, const ViewContext *c, const Scene *s,
                      const LitEdge *lit, Vec2 size, unsigned kinds) {
    static const int sides[] = {0, 1, -1, 2, -2, 3, -3};
    Vec2 at;
    for (size_t side = 0; side < ARRAY_COUNT(sides); side++)
        for (int i = 0; i < (int)PLACES && value_place(&at, c, s, lit, size, i); i++) {
            at = aside(lit, at, size.y, sides[side]);
            *pill = (Rect){at.x - size.x / 2, at.y - size.y / 2, size.x, size.y};
            if (is_free(l, s, *pill, kinds))
                return true;
        }
    return false;
}

void graph_pill_text(char text[GRAPH_PILL_MAX], const LitEdge *lit, bool exact) {
    char drawn[32], own[32];
    view_value_text(drawn, lit->edge.weight, exact);
    view_value_text(own, lit->own, exact);
    if (lit->is_hidden)
        snprintf(text, GRAPH_PILL_MAX, "A %s, hidden", own);
    else if (lit->own != lit->edge.weight)
        snprintf(text, GRAPH_PILL_MAX, "%s · A %s", drawn, own);
    else
        snprintf(text, GRAPH_PILL_MAX, "%s", drawn);
}

Vec2 graph_value_place(GraphLabels *l, const ViewContext *c, const Scene *s, const LitEdge *lit,
                       bool exact) {
    const unsigned others = SPACE_PANEL | SPACE_NODE | SPACE_MARK;
    char text[GRAPH_PILL_MAX];
    graph_pill_text(text, lit, exact);
    Vec2 size = view_pill_size(c, text), at = lit->arc.middle;
    size = (Vec2){size.x + 2 * RIM, size.y + 2 * RIM};
    Rect pill;
    if (!find_pill(&pill, l, c, s, lit, size, others | SPACE_NAME) &&
        !find_pill(&pill, l, c, s, lit, size, others))
        pill = rect_within((Rect){at.x - size.x / 2, at.y - size.y / 2, size.x, size.y}, s->area);
    graph_displace(l, pill);
    SpaceBox box = space_box(pill);
    space_take(&l->space, &box, SPACE_MARK, SPACE_OF_NOBODY);
    return rect_centre(pill);
}

static int crossings(const LitEdge *edges, int count, int but, Rect ground) {
    int crossed = 0;
    for (int i = 0; i < count; i++) {
        const DrawCurve *curve = &edges[i].arc.curve;
        bool runs = false;
        if (i == but || !curve_may_be_near(curve, rect_centre(ground), ground.w / 2))
            continue;
        for (int k = 0; k <= PIECES && !runs; k++)
            runs = rect_contains(ground, curve_point(curve, (float)k / PIECES));
        crossed += runs;
    }
    return crossed;
}

/* Find the free place that the fewest other edges cross. Return false if none is free. */
static bool find_place(Rect *ground, const GraphLabels *l, const ViewContext *c, const Scene *s,
                       const LitEdge *edges, int count, int which, float w) {
    int fewest = count + 1;
    Vec2 at;
    for (int i = 0; i < (int)PLACES && fewest > 0; i++) {
        if (!value_place(&at, c, s, &edges[which], (Vec2){w, VALUE_H}, i))
            break;
        Rect place = {at.x - w / 2, at.y - VALUE_H / 2, w, VALUE_H};
        if (!is_free(l, s, place, SPACE_PANEL | SPACE_NODE | SPACE_NAME | SPACE_MARK | SPACE_VALUE))
            continue;
        int crossed = crossings(edges, count, which, place);
        if (crossed < fewest) {
            fewest = crossed;
            *ground = place;
        }
    }
    return fewest <= count;
}

/* Write two decimals; three if two would show 0; "≈0" for smaller values. */
static const char *value_text(char text[32], float value) {
    number_format_fixed(text, 32, (double)value, fabsf(value) < 0.00995f ? 3 : 2);
    if (fabsf(value) < 0.0005f)
        snprintf(text, 32, value == 0 ? "0" : "≈0");
    return strncmp(text, "0.", 2) == 0 ? text + 1 : text;
}

void graph_values_show(GraphLabels *l, const ViewContext *c, const Scene *s, const LitEdge *edges,
                       int count) {
    for (int i = 0; i < count; i++) {
        char room[32];
        Rect ground = {0, 0, 0, 0};
        const char *text = value_text(room, edges[i].edge.weight);
        float w = text_width(c->ui, TEXT_NUMBER | TEXT_CENTRE, "%s", text) + 2 * VALUE_PAD;
        if (!find_place(&ground, l, c, s, edges, count, i, w))
            continue;
        SpaceBox box = space_box(ground);
        space_take(&l->space, &box, SPACE_VALUE, SPACE_OF_NOBODY);
        draw_fill(c->ui->list, ground, 4, c->ui->theme->canvas);
        text_in(c->ui, ground, TEXT_NUMBER | TEXT_CENTRE, "%s", text);
    }
}
