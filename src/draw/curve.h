/* curve.h: geometry of cubic Bézier curves, for placement, hit tests and painting. Pure. */
#ifndef HEADLIGHT_DRAW_CURVE_H
#define HEADLIGHT_DRAW_CURVE_H

#include "draw/draw.h"

/* Return the point of the curve at t from 0 to 1. */
Vec2 curve_point(const DrawCurve *curve, float t);

/* Return false only if the distance of point to the curve is more than most. */
bool curve_may_be_near(const DrawCurve *curve, Vec2 point, float most);

/* Return the distance of point to the curve, within a pixel for curves of screen size. May return
 * INFINITY if it is more than most, which saves time. */
float curve_distance(const DrawCurve *curve, Vec2 point, float most);

/* Return the number of straight pieces needed so that none strays from the curve by more than
 * tolerance.
 * The result is not rounded: 0 for a line, not finite for a curve that is not finite.
 * Source: Wang's bound on the second differences of the control points. */
float curve_pieces(const DrawCurve *curve, float tolerance);

#endif
