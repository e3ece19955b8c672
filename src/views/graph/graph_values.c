#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "ui/text.h"
#include "views/graph/graph_parts.h"

#define VALUE_H     24
#define VALUE_PAD   4
#define RIM         2  /* px around a pill */
#define PIECES      24 /* pieces of an edge, to test whether it crosses a rectangle */
#define LOOP_PLACES 6
#define LOOP_CLEAR  6.0f  /* px between a node and the value of its loop */
#define LOOP_ASIDE  22.0f /* px from the middle of a loop to a value next to it */

#define PLACES   13
#define FARTHEST 0.86f /* share of an edge; a value further on would touch the key */
#define APART    0.06f /* distance between two places on an edge, as a share of its length */

/* Return the place of a value on its edge, as a share of the way from query to key. Place 0 is the
 * best: the top of an arc, near the key between columns, otherwise just beyond the middle. */
static float place_along(const Scene *s, int place) {
    if (s->columns > 1)
        return place == 2 ? FARTHEST : 0.8f - APART * (float)(place - (place > 2));
    float best = s->layout == GRAPH_ARC ? 0.5f : 0.58f;
    return fminf(best + APART * (float)((place + 1) / 2) * (place % 2 == 0 ? 1 : -1), FARTHEST);
}

/* Return a place for a loop's value: beyond the loop's top, next to the loop, next to the node, or
 * inside the ring. The place inside the ring is the last, because other edges start there. */
static Vec2 loop_place(const Scene *s, const Arrow *arrow, Vec2 size, int place) {
    int token = arrow->edge.at.query;
    Vec2 node = s->at[token], out = scene_outward(s, token), side = {-out.y, out.x};
    Vec2 from = arrow->arc.middle;
    float beyond = (fabsf(out.x) * size.x + fabsf(out.y) * size.y) / 2;
    float aside = (fabsf(out.y) * size.x + fabsf(out.x) * size.y) / 2 + LOOP_ASIDE;
    float inwards = s->radius[token] + beyond + LOOP_CLEAR;
    if (place == LOOP_PLACES - 1)
        return (Vec2){node.x - out.x * inwards, node.y - out.y * inwards};
    if (place == 0)
        return (Vec2){from.x + out.x * beyond, from.y + out.y * beyond};
    if (place > 2) { /* further down, because the node's name may be next to the top of the loop */
        aside += s->radius[token] - LOOP_ASIDE + LOOP_CLEAR;
        from = (Vec2){(from.x + node.x) / 2, (from.y + node.y) / 2};
    }
    aside = place % 2 == 0 ? -aside : aside;
    return (Vec2){from.x + side.x * aside, from.y + side.y * aside};
}

/* Set *out to one of the places of a text of this size on its edge. aside: distance of the text
 * from the edge, in heights of the text. Return false if the edge has no such place. */
static bool value_place(Rect *out, const ViewContext *c, const Scene *s, const Arrow *arrow,
                        Vec2 size, int place, int aside) {
    const DrawCurve *curve = &arrow->arc.curve;
    bool is_loop = arrow->edge.at.query == arrow->edge.at.key && s->columns == 1;
    float along = place_along(s, place);
    if (place >= (is_loop ? LOOP_PLACES : PLACES))
        return false;
    Vec2 at = is_loop ? loop_place(s, arrow, size, place)
                      : curve_point(curve, graph_flows(c) ? 1 - along : along);
    Vec2 a = curve_point(curve, 0.45f), b = curve_point(curve, 0.55f);
    float by = size.y * (float)aside / fmaxf(hypotf(b.x - a.x, b.y - a.y), 1e-3f);
    at = (Vec2){at.x + (b.y - a.y) * by, at.y + (a.x - b.x) * by};
    *out = (Rect){at.x - size.x / 2, at.y - size.y / 2, size.x, size.y};
    return true;
}

void graph_pill_text(char text[GRAPH_PILL_MAX], const Edge *edge, bool exact) {
    const char *drawn = VALUE_TEXT(edge->weight, exact), *own = VALUE_TEXT(edge->own, exact);
    if (isnan(edge->weight))
        snprintf(text, GRAPH_PILL_MAX, "A %s, hidden", own);
    else if (edge->own != edge->weight)
        snprintf(text, GRAPH_PILL_MAX, "%s · A %s", drawn, own);
    else
        snprintf(text, GRAPH_PILL_MAX, "%s", drawn);
}

Vec2 graph_pill_place(GraphLabels *l, const ViewContext *c, const Arrow *arrow, const char *text) {
    static const int sides[] = {0, 1, -1, 2, -2, 3, -3};
    const unsigned others = SPACE_PANEL | SPACE_NODE | SPACE_MARK;
    Vec2 size = view_pill_size(c, text), at = arrow->arc.middle;
    size = (Vec2){size.x + 2 * RIM, size.y + 2 * RIM};
    Rect pill = {at.x - size.x / 2, at.y - size.y / 2, size.x, size.y};
    pill = rect_within(pill, l->scene->area);
    bool found = false;
    for (int displaces = 0; displaces < 2 && !found; displaces++)
        for (size_t side = 0; side < ARRAY_COUNT(sides) && !found; side++) {
            Rect place;
            for (int i = 0; !found && value_place(&place, c, l->scene, arrow, size, i, sides[side]);
                 i++) {
                SpaceBox box = space_box(place);
                found = graph_is_free(l, &box, others | (displaces ? 0 : SPACE_NAME));
                pill = found ? place : pill;
            }
        }
    graph_displace(l, pill);
    return rect_centre(pill);
}

static int crossings(const Arrow *arrows, int count, int but, Rect ground) {
    int crossed = 0;
    for (int i = 0; i < count; i++) {
        const DrawCurve *curve = &arrows[i].arc.curve;
        bool runs = false;
        if (i == but || !curve_may_be_near(curve, rect_centre(ground), ground.w / 2))
            continue;
        for (int k = 0; k <= PIECES && !runs; k++)
            runs = rect_contains(ground, curve_point(curve, (float)k / PIECES));
        crossed += runs;
    }
    return crossed;
}

/* Write a value with two decimals, or with three if its magnitude is below 0.01; "≈0" below 0.0005,
 * but "0" for 0. Return the text, without a 0 at its start if a point follows. */
static const char *value_text(char text[32], float value) {
    number_format_fixed(text, 32, (double)value, fabsf(value) < 0.00995f ? 3 : 2);
    if (fabsf(value) < 0.0005f)
        snprintf(text, 32, value == 0 ? "0" : "≈0");
    return strncmp(text, "0.", 2) == 0 ? text + 1 : text;
}

void graph_values_show(GraphLabels *l, const ViewContext *c, const Arrow *arrows, int count) {
    const unsigned all = SPACE_PANEL | SPACE_NODE | SPACE_NAME | SPACE_MARK | SPACE_VALUE;
    for (int i = 0; i < count; i++) {
        char room[32];
        Rect ground = {0}, place;
        const char *text = value_text(room, arrows[i].edge.weight);
        Vec2 size = {text_width(c->ui, TEXT_NUMBER, "%s", text) + 2 * VALUE_PAD, VALUE_H};
        int fewest = count + 1;
        for (int k = 0; fewest > 0 && value_place(&place, c, l->scene, &arrows[i], size, k, 0);
             k++) {
            SpaceBox box = space_box(place);
            int crossed = graph_is_free(l, &box, all) ? crossings(arrows, count, i, place) : fewest;
            ground = crossed < fewest ? place : ground;
            fewest = crossed < fewest ? crossed : fewest;
        }
        if (fewest > count)
            continue;
        SpaceBox box = space_box(ground);
        space_take(&l->space, &box, SPACE_VALUE, SPACE_OF_NOBODY);
        draw_fill(c->ui->list, ground, 4, c->ui->theme->canvas);
        text_in(c->ui, ground, TEXT_NUMBER | TEXT_CENTRE, "%s", text);
    }
}
