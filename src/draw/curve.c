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

#define HEAD_LENGTH 7.0f  /* px; the curve's width is added */
#define HEAD_WIDTH  0.84f /* the head's width as a share of its length */
/* half the height of a loop at a token, px; the curve's width is added */
#define LOOP_HALF 8.0f
#define HEAD_GAP  2.0f /* px between the arrow's tip and the disc that it points at */
/* largest length of the arrowhead, as a share of the distance between the discs */
#define HEAD_SHARE  0.4f
#define LOOP_SPREAD 0.62f /* radians between the axis of a disc's loop and each end of the loop */
/* distance of the control points from the axis of the loop, as a share of the loop's height */
#define LOOP_BULGE 0.75f

float arc_width(float weight) {
    return 0.8f + 13 * fminf(fmaxf(weight, 0), 1);
}

float arc_head_length(float width) {
    return HEAD_LENGTH + width;
}

Colour arc_faint(Colour colour, Colour ground, float share, bool is_beside_lit) {
    float contrast = is_beside_lit ? 2 : 3, alpha = 0;
    while (alpha < 1 && colour_contrast(colour_mix(ground, colour, alpha), ground) < contrast)
        alpha = fminf(alpha + 0.02f, 1);
    return colour_fade(colour, is_beside_lit ? alpha : alpha + (1 - alpha) * share);
}

DrawTriangle arc_head(Vec2 tip, Vec2 back, float length, Colour colour) {
    float half = length * HEAD_WIDTH / 2;
    Vec2 base = {tip.x + back.x * length, tip.y + back.y * length};
    return (DrawTriangle){tip,
                          {base.x - back.y * half, base.y + back.x * half},
                          {base.x + back.y * half, base.y - back.x * half},
                          colour,
                          colour,
                          colour};
}

static Arc arrow(Vec2 start, Vec2 tip, Vec2 back, Vec2 control_1, Vec2 control_2, float width,
                 float head, Colour colour) {
    Arc arc = {.curve = {.from = start,
                         .control_1 = control_1,
                         .control_2 = control_2,
                         .to = vec2_along(tip, back, fmaxf(head - 1, 0)),
                         .width_from = width,
                         .width_to = width,
                         .colour_from = colour,
                         .colour_to = colour},
               .head = arc_head(tip, back, head, colour)};
    arc.middle = curve_point(&arc.curve, 0.5f);
    return arc;
}

Arc arc_between(float x, float from_y, float to_y, float bulge, float width, Colour colour) {
    float reach = bulge * 4 / 3, spread = from_y == to_y ? LOOP_HALF + width * 0.8f : 0;
    float start_y = from_y - spread, end_y = to_y + spread;
    /* The curve bulges away from the column of tokens; the arrowhead points back at the column. */
    return arrow((Vec2){x, start_y}, (Vec2){x, end_y}, (Vec2){bulge < 0 ? -1 : 1, 0},
                 (Vec2){x + reach, start_y - spread}, (Vec2){x + reach, end_y + spread}, width,
                 arc_head_length(width), colour);
}

static Vec2 towards(Vec2 from, Vec2 to) {
    Vec2 d = vec2_minus(to, from);
    float length = vec2_length(d);
    return length > 1e-4f ? (Vec2){d.x / length, d.y / length} : (Vec2){0, -1};
}

Arc arc_link(Disc from, Disc to, Vec2 control_1, Vec2 control_2, float width, float head_most,
             Colour colour) {
    Vec2 start = vec2_along(from.at, towards(from.at, control_1), from.radius);
    Vec2 tip = vec2_along(to.at, towards(to.at, control_2), to.radius + HEAD_GAP);
    float distance = vec2_length(vec2_minus(tip, start));
    float head = fminf(fminf(arc_head_length(width), head_most), distance * HEAD_SHARE);
    return arrow(start, tip, towards(tip, control_2), control_1, control_2, width, fmaxf(head, 1),
                 colour);
}

static Vec2 rotated(Vec2 v, float angle_rad) {
    float c = cosf(angle_rad), s = sinf(angle_rad);
    return (Vec2){v.x * c - v.y * s, v.x * s + v.y * c};
}

Arc arc_loop(Disc disc, Vec2 out, float height, float width, Colour colour) {
    Vec2 side = {-out.y, out.x};
    Vec2 start = vec2_along(disc.at, rotated(out, -LOOP_SPREAD), disc.radius);
    Vec2 tip = vec2_along(disc.at, rotated(out, LOOP_SPREAD), disc.radius + HEAD_GAP);
    Vec2 top = vec2_along(disc.at, out, disc.radius + height * 4 / 3);
    Vec2 control_1 = vec2_along(top, side, -height * LOOP_BULGE);
    Vec2 control_2 = vec2_along(top, side, height * LOOP_BULGE);
    return arrow(start, tip, towards(tip, control_2), control_1, control_2, width,
                 fminf(arc_head_length(width), height * LOOP_BULGE), colour);
}
