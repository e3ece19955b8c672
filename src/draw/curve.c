#include "draw/curve.h"

#include <math.h>

Vec2 curve_point(const DrawCurve *c, float t) {
    float s = 1 - t, a = s * s * s, b = 3 * s * s * t, d = 3 * s * t * t, e = t * t * t;
    return (Vec2){a * c->from.x + b * c->control_1.x + d * c->control_2.x + e * c->to.x,
                  a * c->from.y + b * c->control_1.y + d * c->control_2.y + e * c->to.y};
}

static float segment_distance(Vec2 a, Vec2 b, Vec2 p) {
    float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    float t = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
    t = fminf(fmaxf(t, 0), 1);
    return hypotf(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

bool curve_may_be_near(const DrawCurve *c, Vec2 point, float most) {
    float left = fminf(fminf(c->from.x, c->control_1.x), fminf(c->control_2.x, c->to.x));
    float right = fmaxf(fmaxf(c->from.x, c->control_1.x), fmaxf(c->control_2.x, c->to.x));
    float top = fminf(fminf(c->from.y, c->control_1.y), fminf(c->control_2.y, c->to.y));
    float bottom = fmaxf(fmaxf(c->from.y, c->control_1.y), fmaxf(c->control_2.y, c->to.y));
    return left <= point.x + most && right >= point.x - most && top <= point.y + most &&
           bottom >= point.y - most;
}

float curve_distance(const DrawCurve *curve, Vec2 point, float most) {
    float nearest = INFINITY;
    Vec2 before = curve->from;
    for (int i = 1; curve_may_be_near(curve, point, most) && i <= 24; i++) {
        Vec2 next = curve_point(curve, (float)i / 24);
        nearest = fminf(nearest, segment_distance(before, next, point));
        before = next;
    }
    return nearest;
}

static float bend(Vec2 a, Vec2 b, Vec2 c) {
    float x = a.x - 2 * b.x + c.x, y = a.y - 2 * b.y + c.y;
    return sqrtf(x * x + y * y);
}

float curve_pieces(const DrawCurve *c, float tolerance) {
    float most =
        fmaxf(bend(c->from, c->control_1, c->control_2), bend(c->control_1, c->control_2, c->to));
    return sqrtf(0.75f * most / tolerance);
}
