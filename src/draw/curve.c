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

static bool lies_within(float from, float control_1, float control_2, float to, float at,
                        float most) {
    bool is_below =
        from > at + most && control_1 > at + most && control_2 > at + most && to > at + most;
    bool is_above =
        from < at - most && control_1 < at - most && control_2 < at - most && to < at - most;
    return !is_below && !is_above;
}

bool curve_may_be_near(const DrawCurve *c, Vec2 point, float most) {
    return lies_within(c->from.x, c->control_1.x, c->control_2.x, c->to.x, point.x, most) &&
           lies_within(c->from.y, c->control_1.y, c->control_2.y, c->to.y, point.y, most);
}

float curve_distance(const DrawCurve *curve, Vec2 point) {
    float nearest = INFINITY;
    Vec2 before = curve->from;
    for (int i = 1; i <= 24; i++) {
        Vec2 next = curve_point(curve, (float)i / 24);
        nearest = fminf(nearest, segment_distance(before, next, point));
        before = next;
    }
    return nearest;
}

static Vec2 scaled(Vec2 v, float scale) {
    return (Vec2){v.x * scale, v.y * scale};
}

DrawCurve curve_scaled(const DrawCurve *curve, float scale) {
    DrawCurve out = *curve;
    out.from = scaled(curve->from, scale);
    out.control_1 = scaled(curve->control_1, scale);
    out.control_2 = scaled(curve->control_2, scale);
    out.to = scaled(curve->to, scale);
    out.width_from *= scale;
    out.width_to *= scale;
    out.dash_on *= scale;
    out.dash_off *= scale;
    return out;
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
