#include <math.h>

#include "gfx/paint.h"

#define SOFT_PX      1.0f
#define MITRE_MAX_PX 8.0f /* largest distance that a sharp corner moves outwards */
#define AREA_MIN     1e-4f

static float cross_of(Vec2 a, Vec2 b) {
    return a.x * b.y - a.y * b.x;
}

static bool has_corner(const DrawTriangle *t, Vec2 p) {
    return (t->a.x == p.x && t->a.y == p.y) || (t->b.x == p.x && t->b.y == p.y) ||
           (t->c.x == p.x && t->c.y == p.y);
}

/* Set bit i if a neighbour has the edge opposite corner i. */
static uint32_t shared_edges(const DrawTriangle *t, const DrawTriangle *const neighbours[2]) {
    const Vec2 corners[] = {t->a, t->b, t->c};
    uint32_t shared = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (neighbours[k] != NULL && has_corner(neighbours[k], corners[(i + 1) % 3]) &&
                has_corner(neighbours[k], corners[(i + 2) % 3]))
                shared |= 1u << i;
    return shared;
}

/* Return the new corner after one edge at it was moved by by_1 in direction out_1, and the other
 * edge by by_2 in direction out_2. */
static Vec2 move_corner(Vec2 corner, Vec2 out_1, float by_1, Vec2 out_2, float by_2) {
    float det = cross_of(out_1, out_2);
    if (fabsf(det) < 1e-4f)
        return corner;
    Vec2 move = {(by_1 * out_2.y - by_2 * out_1.y) / det, (by_2 * out_1.x - by_1 * out_2.x) / det};
    float length = vec2_length(move);
    return vec2_along(corner, move, length > MITRE_MAX_PX ? MITRE_MAX_PX / length : 1);
}

void paint_triangle(Painter *painter, const DrawTriangle *t, const DrawTriangle *previous,
                    const DrawTriangle *next) {
    const float scale = painter->list->scale;
    PaintItem item = {
        .kind = DRAW_TRIANGLE,
        .as.triangle = {.at = {{t->a.x * scale, t->a.y * scale},
                               {t->b.x * scale, t->b.y * scale},
                               {t->c.x * scale, t->c.y * scale}},
                        .colour = {t->colour_a, t->colour_b, t->colour_c},
                        .shared = shared_edges(t, (const DrawTriangle *[]){previous, next})}};
    const Vec2 *at = item.as.triangle.at;
    Vec2 *drawn = item.as.triangle.drawn, out[3];
    float area = cross_of(vec2_minus(at[1], at[0]), vec2_minus(at[2], at[0])), by[3];
    float turn = area > 0 ? 1.0f : -1.0f;
    if (!(fabsf(area) > AREA_MIN))
        return;
    for (int i = 0; i < 3; i++) {
        Vec2 edge = vec2_minus(at[(i + 2) % 3], at[(i + 1) % 3]);
        float length = vec2_length(edge);
        out[i] = (Vec2){turn * edge.y / length, -turn * edge.x / length};
        by[i] = (item.as.triangle.shared >> i & 1) != 0 ? 0 : SOFT_PX;
    }
    for (int i = 0; i < 3; i++) {
        int e = (i + 1) % 3, f = (i + 2) % 3;
        drawn[i] = move_corner(at[i], out[e], by[e], out[f], by[f]);
    }
    float left = fminf(drawn[0].x, fminf(drawn[1].x, drawn[2].x));
    float top = fminf(drawn[0].y, fminf(drawn[1].y, drawn[2].y));
    float right = fmaxf(drawn[0].x, fmaxf(drawn[1].x, drawn[2].x));
    float bottom = fmaxf(drawn[0].y, fmaxf(drawn[1].y, drawn[2].y));
    paint_add(painter, &item, (Rect){left, top, right - left, bottom - top});
}
