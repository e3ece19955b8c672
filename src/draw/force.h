/* force.h: a layout in which what is joined stands near and everything else keeps away. Pure and
 * deterministic: it starts on a circle and makes a number of steps that depends on the count alone.
 * Source: Fruchterman and Reingold 1991, "Graph drawing by force-directed placement". */
#ifndef HEADLIGHT_DRAW_FORCE_H
#define HEADLIGHT_DRAW_FORCE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/geom.h"

typedef struct ForceLink {
    int a, b;
    float pull; /* above 0; 1 is that of a whole weight */
} ForceLink;

/* Place count nodes so that they fill the square from -1 to 1. Pulls of several links between two
 * nodes add up. scratch gives count * 2 vectors. */
void force_layout(Vec2 *at, int count, const ForceLink *links, int link_count, Arena *scratch);
size_t force_scratch_bytes(int count);

/* About how many steps (base/job.h) that takes. */
double force_steps(int count);

/* Move nodes on from `rest`, where all forces are held to be even, after the fixed ones were put
 * elsewhere: at is rest but for those, which stay. All end in the square. Takes scratch and, for
 * few nodes, about as long as force_layout. scratch gives 2 * force_scratch_bytes(count). */
void force_settle(Vec2 *at, const Vec2 *rest, const bool *is_fixed, int count,
                  const ForceLink *links, int link_count, Arena *scratch);

/* What a node and the name below it take: a box about a middle that is so far below the node's. */
typedef struct ForceBox {
    Vec2 half;
    float down;
} ForceBox;

/* Push boxes off each other and into bounds, by the shortest way and as far as there is room: what
 * stood free stays. is_fixed may be NULL for none. scratch gives force_room_bytes(count). */
void force_part(Vec2 *at, const ForceBox *boxes, const bool *is_fixed, int count, Rect bounds,
                Arena *scratch);

/* The same for many, of which few are fixed: push the others off these, and further ones off those
 * that were pushed; all else stays, whatever lies on what. scratch gives force_room_bytes(count).
 */
void force_make_room(Vec2 *at, const ForceBox *boxes, const bool *is_fixed, int count, Rect bounds,
                     Arena *scratch);
size_t force_room_bytes(int count);

#endif
