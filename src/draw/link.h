/* link.h: the geometry of arrows between discs that stand anywhere. Pure. */
#ifndef HEADLIGHT_DRAW_LINK_H
#define HEADLIGHT_DRAW_LINK_H

#include "draw/arc.h"

typedef struct Disc {
    Vec2 at;
    float radius;
} Disc;

/* From the edge of one disc to that of another, leaving towards control_1 and arriving from
 * control_2. The head is at most so long, and shorter where the discs are close. */
Arc link_between(Disc from, Disc to, Vec2 control_1, Vec2 control_2, float width, float head_most,
                 Colour colour);

/* A loop of that height on a disc, in the direction of the unit vector out. */
Arc link_loop(Disc disc, Vec2 out, float height, float width, Colour colour);

#endif
