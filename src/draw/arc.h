/* arc.h: the geometry of arrows between tokens that stand in one column. Pure. */
#ifndef HEADLIGHT_DRAW_ARC_H
#define HEADLIGHT_DRAW_ARC_H

#include "draw/curve.h"

/* An arrow: a curve that ends at the base of its head, the head, and the curve's middle. */
typedef struct Arc {
    DrawCurve curve;
    DrawTriangle head;
    Vec2 middle;
} Arc;

/* From (x, from_y) to (x, to_y), bulging by so much to the right (to the left if negative). Equal
 * heights give a loop. width is the curve's; the head grows with it. */
Arc arc_between(float x, float from_y, float to_y, float bulge, float width, Colour colour);

/* The width of an edge of this weight, 0 to 1, and the length of the head of one of that width. */
float arc_width(float weight);
float arc_head_length(float width);

/* The head of that length with its tip at a point; back is the unit vector from there along the
 * arrow. */
DrawTriangle arc_head(Vec2 tip, Vec2 back, float length, Colour colour);

#endif
