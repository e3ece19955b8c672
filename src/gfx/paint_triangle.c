#include <math.h>

#include "gfx/paint.h"

#define SOFT_PX      1.0f
#define MITRE_MAX_PX 8.0f /* most px that a sharp corner moves outwards */
#define AREA_MIN     1e-4f

static Vec2 minus(Vec2 a, Vec2 b) {
    return (Vec2){a.x - b.x, a.y - b.y};
}

static float cross_of(Vec2 a, Vec2 b) {
    return a.x * b.y - a.y * b.x;
}

static bool has_corner(const DrawTriangle *t, Vec2 p) {
    return (t->a.x == p.x && t->a.y == p.y) || (t->b.x == p.x && t->b.y == p.y) ||
           (t->c.x == p.x && t->c.y == p.y);
}

static bool shares_edge(const DrawTriangle *neighbour, Vec2 from, Vec2 to) {
    return neighbour != NULL && has_corner(neighbour, from) && has_corner(neighbour, to);
}

/* Return the unit vector that points out of the triangle across the edge from p to q. turn is the
 * sign of the area. */
static Vec2 outward(Vec2 p, Vec2 q, float turn) {
    Vec2 edge = minus(q, p);
    float length = sqrtf(edge.x * edge.x + edge.y * edge.y);
    return (Vec2){turn * edge.y / length, -turn * edge.x / length};
}

/* Return the corner at which the two edges meet after each was moved outwards by this distance. */
static Vec2 move_corner(Vec2 corner, Vec2 out_1, float by_1, Vec2 out_2, float by_2) {
    float det = cross_of(out_1, out_2);
    if (fabsf(det) < 1e-4f)
        return corner;
    Vec2 move = {(by_1 * out_2.y - by_2 * out_1.y) / det, (by_2 * out_1.x - by_1 * out_2.x) / det};
    float length = sqrtf(move.x * move.x + move.y * move.y);
    float share = length > MITRE_MAX_PX ? MITRE_MAX_PX / length : 1;
    return (Vec2){corner.x + share * move.x, corner.y + share * move.y};
}

static Rect bounds_of(const Vec2 p[3]) {
    float left = fminf(p[0].x, fminf(p[1].x, p[2].x));
    float top = fminf(p[0].y, fminf(p[1].y, p[2].y));
    float right = fmaxf(p[0].x, fmaxf(p[1].x, p[2].x));
    float bottom = fmaxf(p[0].y, fmaxf(p[1].y, p[2].y));
    return (Rect){left, top, right - left, bottom - top};
}

/* Return a bit for each edge that a neighbour shares. Edge i lies opposite corner i. */
static uint32_t shared_edges(const DrawTriangle *t, const DrawTriangle *previous,
                             const DrawTriangle *next) {
    const Vec2 from[3] = {t->b, t->c, t->a}, to[3] = {t->c, t->a, t->b};
    uint32_t shared = 0;
    for (int i = 0; i < 3; i++)
        if (shares_edge(previous, from[i], to[i]) || shares_edge(next, from[i], to[i]))
            shared |= 1u << i;
    return shared;
}

static void soften(Vec2 drawn[3], const Vec2 p[3], uint32_t shared, float turn) {
    Vec2 out[3];
    float by[3];
    for (int i = 0; i < 3; i++) {
        out[i] = outward(p[(i + 1) % 3], p[(i + 2) % 3], turn);
        by[i] = (shared >> i & 1) != 0 ? 0 : SOFT_PX;
    }
    for (int i = 0; i < 3; i++) {
        int e = (i + 1) % 3, f = (i + 2) % 3;
        drawn[i] = move_corner(p[i], out[e], by[e], out[f], by[f]);
    }
}

void paint_triangle(Painter *painter, const DrawTriangle *triangle, const DrawTriangle *previous,
                    const DrawTriangle *next) {
    float scale = painter->list->scale;
    Vec2 p[3] = {{triangle->a.x * scale, triangle->a.y * scale},
                 {triangle->b.x * scale, triangle->b.y * scale},
                 {triangle->c.x * scale, triangle->c.y * scale}};
    float area = cross_of(minus(p[1], p[0]), minus(p[2], p[0]));
    if (!(fabsf(area) > AREA_MIN))
        return;
    uint32_t shared = shared_edges(triangle, previous, next);
    Vec2 drawn[3];
    soften(drawn, p, shared, area > 0 ? 1.0f : -1.0f);
    PaintItem item = {.pipeline = PIPELINE_TRIANGLE,
                      .bounds = bounds_of(drawn),
                      .words = {
                          paint_word(p[0].x),
                          paint_word(p[0].y),
                          paint_word(p[1].x),
                          paint_word(p[1].y),
                          paint_word(p[2].x),
                          paint_word(p[2].y),
                          shared,
                          0,
                          paint_word(drawn[0].x),
                          paint_word(drawn[0].y),
                          paint_word(drawn[1].x),
                          paint_word(drawn[1].y),
                          paint_word(drawn[2].x),
                          paint_word(drawn[2].y),
                          0,
                          0,
                          triangle->colour_a,
                          triangle->colour_b,
                          triangle->colour_c,
                          0,
                      }};
    paint_add(painter, &item);
}
