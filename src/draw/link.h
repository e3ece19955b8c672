/* link.h: geometry of arrows between discs. Pure. */
#ifndef HEADLIGHT_DRAW_LINK_H
#define HEADLIGHT_DRAW_LINK_H

#include "draw/arc.h"

typedef struct Disc {
    Vec2 at;
    float radius;
} Disc;

/* Return an arrow from the edge of one disc to the edge of another. It leaves towards control_1 and
 * arrives from control_2. The head is at most head_most long, and shorter if the discs are
 * close. */
Arc link_between(Disc from, Disc to, Vec2 control_1, Vec2 control_2, float width, float head_most,
                 Colour colour);

/* Return a loop of this height on a disc, in the direction of the unit vector out. */
Arc link_loop(Disc disc, Vec2 out, float height, float width, Colour colour);

#endif
