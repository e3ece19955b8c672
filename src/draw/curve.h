/* curve.h: geometry of cubic Bézier curves, for placement, hit tests and painting, and of arrows
 * between tokens in one column and between discs. Pure. */
#ifndef HEADLIGHT_DRAW_CURVE_H
#define HEADLIGHT_DRAW_CURVE_H

#include "draw/draw.h"

/* t from 0 to 1. */
Vec2 curve_point(const DrawCurve *curve, float t);

/* Return false only if the distance between point and curve exceeds `most`. */
bool curve_may_be_near(const DrawCurve *curve, Vec2 point, float most);

/* Return the distance, within a pixel for curves of screen size; may be INFINITY, to save time, if
 * it exceeds `most`. */
float curve_distance(const DrawCurve *curve, Vec2 point, float most);

/* Return the number of straight pieces that deviate from the curve by at most tolerance. Not
 * rounded: 0 for a line, not finite for a curve that is not finite. Source: Wang's bound on the
 * second differences of the control points. */
float curve_pieces(const DrawCurve *curve, float tolerance);

/* An arrow. The curve ends at the base of the head; middle is the curve's midpoint. */
typedef struct Arc {
    DrawCurve curve;
    DrawTriangle head;
    Vec2 middle;
} Arc;

typedef struct Disc {
    Vec2 at;
    float radius;
} Disc;

/* Return an arrow from (x, from_y) to (x, to_y) that bulges to the right by `bulge`, to the left if
 * negative. Equal heights give a loop. The head grows with the curve's width. */
Arc arc_between(float x, float from_y, float to_y, float bulge, float width, Colour colour);

/* Return an arrow from edge to edge of two discs. It leaves towards control_1 and arrives from
 * control_2. The head is at most head_most long, shorter if the discs are close. */
Arc arc_link(Disc from, Disc to, Vec2 control_1, Vec2 control_2, float width, float head_most,
             Colour colour);

/* Return a loop of this height on a disc, in the direction of the unit vector `out`. */
Arc arc_loop(Disc disc, Vec2 out, float height, float width, Colour colour);

/* Return the width of an edge of weight 0 to 1, or the length of an arrowhead for a width. */
float arc_width(float weight);
float arc_head_length(float width);

/* Return the colour of an arrow that is not highlighted, on a ground of this colour. share: the
 * weight of the arrow divided by the largest weight. The contrast is at least 3 and grows with
 * share; if other arrows are highlighted (is_beside_lit), the contrast is 2. A colour that cannot
 * reach the contrast stays opaque. */
Colour arc_faint(Colour colour, Colour ground, float share, bool is_beside_lit);

/* back is the unit vector from the tip back along the arrow. */
DrawTriangle arc_head(Vec2 tip, Vec2 back, float length, Colour colour);

#endif
