/* curve.h: the geometry of the draw list's cubic Bézier curves, for all that places, hits or paints
 * them. Pure. */
#ifndef HEADLIGHT_DRAW_CURVE_H
#define HEADLIGHT_DRAW_CURVE_H

#include "draw/draw.h"

/* The point of a curve at t from 0 to 1. */
Vec2 curve_point(const DrawCurve *curve, float t);

/* The distance of a point to a curve, within a pixel for curves of screen size. */
float curve_distance(const DrawCurve *curve, Vec2 point);

/* False only where its distance is more than most: a quick answer, before that is found. */
bool curve_may_be_near(const DrawCurve *curve, Vec2 point, float most);

/* The same curve with all its lengths times scale, dashes included. */
DrawCurve curve_scaled(const DrawCurve *curve, float scale);

/* How many straight pieces it takes for none to stray from the curve by more than tolerance: no
 * whole number, 0 for a line, not finite where the curve is not.
 * Source: Wang's bound on the second differences of the control points. */
float curve_pieces(const DrawCurve *curve, float tolerance);

#endif
