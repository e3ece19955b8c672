#include <assert.h>
#include <math.h>

#include "draw/camera.h"
#include "draw/curve.h"
#include "gfx/paint.h"

#define PIECES_MAX   96
#define TOLERANCE_PX 0.4f
#define STRAIGHT     0.1369f /* below this result of curve_pieces, draw a single line */
#define SOFT_PX      1.0f    /* px: soft edge around a curve */

typedef struct CurvePoint {
    Vec2 at, normal;
    float half_width, along;
    Colour colour;
} CurvePoint;

static float length_of(Vec2 v) {
    return sqrtf(v.x * v.x + v.y * v.y);
}

static int piece_count(const DrawCurve *c) {
    float pieces = curve_pieces(c, TOLERANCE_PX);
    bool changes = c->colour_from != c->colour_to || c->width_from != c->width_to;
    float least = pieces < STRAIGHT && !changes ? 1 : 2;
    return (int)fmaxf(least, fminf(PIECES_MAX, ceilf(pieces)));
}

static Vec2 slope_at(const DrawCurve *c, float t) {
    float u = 1 - t;
    float a = u * u, b = 2 * u * t, d = t * t;
    return (Vec2){a * (c->control_1.x - c->from.x) + b * (c->control_2.x - c->control_1.x) +
                      d * (c->to.x - c->control_2.x),
                  a * (c->control_1.y - c->from.y) + b * (c->control_2.y - c->control_1.y) +
                      d * (c->to.y - c->control_2.y)};
}

/* If a control point equals its end, the slope at that end is 0, so use the slope nearby. */
static Vec2 direction_at(const DrawCurve *c, float t) {
    Vec2 chord = {c->to.x - c->from.x, c->to.y - c->from.y};
    Vec2 tries[] = {slope_at(c, t), slope_at(c, t < 0.5f ? t + 0.01f : t - 0.01f), chord};
    for (int i = 0; i < 3; i++) {
        float length = length_of(tries[i]), scale = 1 / length;
        if (length > 1e-5f)
            return (Vec2){tries[i].x * scale, tries[i].y * scale};
    }
    return (Vec2){1, 0};
}

static float flatten(CurvePoint *points, int pieces, const DrawCurve *c) {
    float along = 0;
    assert(pieces > 0);
    for (int i = 0; i <= pieces; i++) {
        float t = (float)i / (float)pieces;
        Vec2 direction = direction_at(c, t), at = curve_point(c, t);
        float width = c->width_from + (c->width_to - c->width_from) * t;
        if (i > 0)
            along += length_of((Vec2){at.x - points[i - 1].at.x, at.y - points[i - 1].at.y});
        points[i] = (CurvePoint){.at = at,
                                 .normal = {-direction.y, direction.x},
                                 .half_width = fmaxf(0, 0.5f * width),
                                 .along = along,
                                 .colour = colour_mix(c->colour_from, c->colour_to, t)};
    }
    return along;
}

/* Move an end outwards to make room for the soft edge. sign is -1 at the start and 1 at the end. */
static void extend(CurvePoint *point, float sign) {
    point->at.x += sign * SOFT_PX * point->normal.y;
    point->at.y -= sign * SOFT_PX * point->normal.x;
    point->along += sign * SOFT_PX;
}

/* Round the length of a dash or a gap down to 1/32 px, and to less than 2048 px. */
static float rounded(float length) {
    return floorf(fmaxf(0, fminf(65535, length * 32))) / 32;
}

/* Snap a horizontal or vertical line to whole pixels: its middle to the middle of a pixel for an
 * odd width, to the border of two for an even width. */
static float snap_middle(float middle, float width) {
    bool is_odd = (int)fmaxf(1, roundf(width)) % 2 == 1;
    return is_odd ? floorf(middle) + 0.5f : roundf(middle);
}

static void snap_line(DrawCurve *c) {
    float width = c->width_from;
    bool is_even = c->width_from == c->width_to;
    bool is_level = c->from.y == c->to.y && c->control_1.y == c->to.y && c->control_2.y == c->to.y;
    bool is_upright =
        c->from.x == c->to.x && c->control_1.x == c->to.x && c->control_2.x == c->to.x;
    Vec2 *const points[] = {&c->from, &c->control_1, &c->control_2, &c->to};
    for (int i = 0; i < 4 && is_even; i++) {
        if (is_level)
            points[i]->y = snap_middle(points[i]->y, width);
        else if (is_upright)
            points[i]->x = snap_middle(points[i]->x, width);
    }
}

void paint_curve(Painter *painter, const DrawCurve *draw) {
    bool is_visible = paint_is_visible(draw->colour_from) || paint_is_visible(draw->colour_to);
    if (!is_visible || !(fmaxf(draw->width_from, draw->width_to) > 0))
        return;
    CurvePoint points[PIECES_MAX + 1];
    DrawCurve curve = camera_curve(&(Camera){.zoom = painter->list->scale}, draw);
    snap_line(&curve);
    int pieces = piece_count(&curve);
    float length = flatten(points, pieces, &curve);
    if (!(length > 0))
        return;
    extend(&points[0], -1);
    extend(&points[pieces], 1);
    float on = curve.dash_on > 0 ? rounded(curve.dash_on) : 0;
    for (int i = 0; i < pieces; i++) {
        const CurvePoint *a = &points[i], *b = &points[i + 1];
        float reach = fmaxf(0.5f, fmaxf(a->half_width, b->half_width)) + SOFT_PX;
        PaintItem item = {.kind = DRAW_CURVE,
                          .as.curve = {.at = {a->at, b->at},
                                       .normal = {a->normal, b->normal},
                                       .half_width = {a->half_width, b->half_width},
                                       .colour = {a->colour, b->colour},
                                       .along = {a->along, b->along},
                                       .length = length,
                                       .dash_on = on,
                                       .dash_period = on + rounded(curve.dash_off)}};
        paint_add(painter, &item,
                  (Rect){fminf(a->at.x, b->at.x) - reach, fminf(a->at.y, b->at.y) - reach,
                         fabsf(a->at.x - b->at.x) + 2 * reach,
                         fabsf(a->at.y - b->at.y) + 2 * reach});
    }
}
