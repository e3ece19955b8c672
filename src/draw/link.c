#include "draw/link.h"

#include <math.h>

#define HEAD_GAP    2.0f  /* px between the tip and its disc */
#define HEAD_SHARE  0.4f  /* greatest length of the head as a share of the distance */
#define LOOP_SPREAD 0.62f /* radians from the loop's axis to its ends */
#define LOOP_BULGE  0.75f /* half the width of a loop as a share of its height */

static Vec2 towards(Vec2 from, Vec2 to) {
    Vec2 d = {to.x - from.x, to.y - from.y};
    float length = sqrtf(d.x * d.x + d.y * d.y);
    return length > 1e-4f ? (Vec2){d.x / length, d.y / length} : (Vec2){0, -1};
}

static Vec2 along(Vec2 from, Vec2 direction, float distance) {
    return (Vec2){from.x + direction.x * distance, from.y + direction.y * distance};
}

static Arc arrow(Vec2 start, Vec2 tip, Vec2 control_1, Vec2 control_2, float width, float head,
                 Colour colour) {
    Vec2 back = towards(tip, control_2);
    Arc arc = {.head = arc_head(tip, back, head, colour)};
    arc.curve = (DrawCurve){.from = start,
                            .control_1 = control_1,
                            .control_2 = control_2,
                            .to = along(tip, back, fmaxf(head - 1, 0)),
                            .width_from = width,
                            .width_to = width,
                            .colour_from = colour,
                            .colour_to = colour};
    arc.middle = curve_point(&arc.curve, 0.5f);
    return arc;
}

Arc link_between(Disc from, Disc to, Vec2 control_1, Vec2 control_2, float width, float head_most,
                 Colour colour) {
    Vec2 start = along(from.at, towards(from.at, control_1), from.radius);
    Vec2 tip = along(to.at, towards(to.at, control_2), to.radius + HEAD_GAP);
    Vec2 way = {tip.x - start.x, tip.y - start.y};
    float distance = sqrtf(way.x * way.x + way.y * way.y);
    float head = fminf(fminf(arc_head_length(width), head_most), distance * HEAD_SHARE);
    return arrow(start, tip, control_1, control_2, width, fmaxf(head, 1), colour);
}

static Vec2 rotated(Vec2 v, float angle_rad) {
    float c = cosf(angle_rad), s = sinf(angle_rad);
    return (Vec2){v.x * c - v.y * s, v.x * s + v.y * c};
}

Arc link_loop(Disc disc, Vec2 out, float height, float width, Colour colour) {
    Vec2 side = {-out.y, out.x};
    Vec2 start = along(disc.at, rotated(out, -LOOP_SPREAD), disc.radius);
    Vec2 tip = along(disc.at, rotated(out, LOOP_SPREAD), disc.radius + HEAD_GAP);
    Vec2 top = along(disc.at, out, disc.radius + height * 4 / 3);
    Vec2 control_1 = along(top, side, -height * LOOP_BULGE);
    Vec2 control_2 = along(top, side, height * LOOP_BULGE);
    return arrow(start, tip, control_1, control_2, width,
                 fminf(arc_head_length(width), height * LOOP_BULGE), colour);
}
