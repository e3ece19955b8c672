/* space.h: what is taken of a picture, so that whoever writes into it finds a place that is free.
 * Boxes may be turned. Pure; T things cost about T steps to enter, and each question looks at what
 * stands near alone. */
#ifndef HEADLIGHT_DRAW_SPACE_H
#define HEADLIGHT_DRAW_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/geom.h"

/* A box about its middle: half its width goes along the unit vector, half its height across. */
typedef struct SpaceBox {
    Vec2 middle, along;
    float half_w, half_h;
} SpaceBox;

#define SPACE_OF_NOBODY (-1)
#define SPACE_BUT_NONE  (-2)

/* What stands somewhere. kind is one bit of the caller's; owner is the caller's number for whose it
 * is, or SPACE_OF_NOBODY. */
typedef struct SpaceItem {
    SpaceBox box;
    float radius; /* of a disc; 0 for a box */
    unsigned kind;
    int owner;
    bool is_gone; /* no longer there: the caller may set it */
} SpaceItem;

typedef struct SpaceLink {
    int item, next;
} SpaceLink;

/* Owns nothing: its arrays are the arena's. */
typedef struct Space {
    Rect area;
    SpaceItem *items;
    SpaceLink *links;
    int *first; /* by cell of a grid, the chain of what reaches into it; -1 for none */
    int item_count, item_capacity, link_count, link_capacity, columns, rows, cell;
} Space;

/* An empty space for at most so many items; what lies outside of the area is not kept. scratch
 * gives space_bytes(most), whatever the area. */
Space space_begin(Rect area, int most, Arena *scratch);
size_t space_bytes(int most);

/* Enter a box or a disc. Returns it as it is kept, or NULL: outside of the area, or beyond `most`.
 */
SpaceItem *space_take(Space *space, const SpaceBox *box, unsigned kind, int owner);
SpaceItem *space_take_disc(Space *space, Vec2 middle, float radius, unsigned kind, int owner);

/* An item of one of the kinds, of any owner but that one, that a box lies on; or NULL,
 * also for a box outside of the area. */
SpaceItem *space_hit(const Space *space, const SpaceBox *box, unsigned kinds, int but_owner);

/* Whether a box lies wholly inside a rectangle. */
bool space_is_inside(const SpaceBox *box, Rect rect);

/* An upright box, and the rectangle around any. */
SpaceBox space_box(Rect rect);
Rect space_around(const SpaceBox *box);

#endif
