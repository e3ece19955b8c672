/* space.h: the occupied areas of a picture, to find free places for labels. A grid makes adding and
 * querying take constant time on average. Pure. */
#ifndef HEADLIGHT_DRAW_SPACE_H
#define HEADLIGHT_DRAW_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/geom.h"

/* A rotated box. half_w is its half size along the unit vector `along`, half_h across it. */
typedef struct SpaceBox {
    Vec2 middle, along;
    float half_w, half_h;
} SpaceBox;

#define SPACE_OF_NOBODY (-1)
#define SPACE_BUT_NONE  (-2)

/* An occupied box or disc. The caller chooses kind (one bit) and owner (any number, or
 * SPACE_OF_NOBODY). */
typedef struct SpaceItem {
    SpaceBox box;
    float radius; /* 0 for a box */
    unsigned kind;
    int owner;
    bool is_gone; /* set by the caller to remove the item */
} SpaceItem;

typedef struct SpaceLink {
    int item, next;
} SpaceLink;

/* Arrays belong to the arena. */
typedef struct Space {
    Rect area;
    SpaceItem *items;
    SpaceLink *links;
    int *first; /* the first link of each grid cell; -1 for none */
    int item_count, item_capacity, link_count, link_capacity, columns, rows, cell;
} Space;

/* Return an empty space for at most `most` items. Items outside the area are ignored. scratch must
 * hold space_bytes(most). */
Space space_begin(Rect area, int most, Arena *scratch);
size_t space_bytes(int most);

/* Add a box or a disc. Return NULL if it is outside the area or the space is full. */
SpaceItem *space_take(Space *space, const SpaceBox *box, unsigned kind, int owner);
SpaceItem *space_take_disc(Space *space, Vec2 middle, float radius, unsigned kind, int owner);

/* Return an item of one of these kinds that overlaps the box and whose owner is not but_owner; NULL
 * if there is none or the box is outside the area. */
SpaceItem *space_hit(const Space *space, const SpaceBox *box, unsigned kinds, int but_owner);

bool space_is_inside(const SpaceBox *box, Rect rect);

/* Return the box of an upright rectangle, or the bounding rectangle of a box. */
SpaceBox space_box(Rect rect);
Rect space_around(const SpaceBox *box);

#endif
