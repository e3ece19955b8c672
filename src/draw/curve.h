/* curve.h: geometry of cubic Bézier curves, for placement, hit tests and painting. Pure. */
#ifndef HEADLIGHT_DRAW_CURVE_H
#define HEADLIGHT_DRAW_CURVE_H

#include "draw/draw.h"

/* Return the point of the curve at t from 0 to 1. */
Vec2 curve_point(const DrawCurve *curve, float t);

/* Return false only if the distance between point and curve exceeds `most`. */
bool curve_may_be_near(const DrawCurve *curve, Vec2 point, float most);

/* Return the distance between point and curve, within a pixel for curves of screen size. To save
 * time, may return INFINITY if the distance exceeds `most`. */
float curve_distance(const DrawCurve *curve, Vec2 point, float most);

/* Return the number of straight pieces with which no piece deviates from the curve by more than
 * tolerance. The result is not rounded: 0 for a line, not finite for a curve that is not finite.
 * Source: Wang's bound on the second differences of the control points. */
float curve_pieces(const DrawCurve *curve, float tolerance);

#endif
