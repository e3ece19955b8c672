/* force.h: force-directed layout: links pull nodes together, all nodes repel each other. Pure and
 * deterministic: it starts on a circle, and the number of steps depends only on the node count.
 * Source: Fruchterman and Reingold 1991, "Graph drawing by force-directed placement". */
#ifndef HEADLIGHT_DRAW_FORCE_H
#define HEADLIGHT_DRAW_FORCE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/geom.h"

typedef struct ForceLink {
    int a, b;
    float pull; /* strength of the attraction, above 0; 1 for a weight of 1 */
} ForceLink;

/* Place count nodes so that they fill the square from -1 to 1. The pulls of several links between
 * two nodes add up. scratch must hold force_scratch_bytes(count). */
void force_layout(Vec2 *at, int count, const ForceLink *links, int link_count, Arena *scratch);
size_t force_scratch_bytes(int count);

/* Adapt a layout after some nodes were moved. rest is the layout before the move, in which the
 * forces count as balanced. `at` equals rest, except for the moved nodes, which is_fixed marks.
 * They stay; the other nodes move inside the square. For few nodes this takes about as long as
 * force_layout. scratch must hold 2 * force_scratch_bytes(count). */
void force_settle(Vec2 *at, const Vec2 *rest, const bool *is_fixed, int count,
                  const ForceLink *links, int link_count, Arena *scratch);

/* The box around a node and its name below; its centre is `down` below the node. */
typedef struct ForceBox {
    Vec2 half;
    float down;
} ForceBox;

/* Push overlapping boxes apart, and all boxes into bounds, as far as space permits. Fixed boxes
 * stay. is_fixed may be NULL. */
void force_part(Vec2 *at, const ForceBox *boxes, const bool *is_fixed, int count, Rect bounds);

/* Push boxes away from the fixed ones, and further boxes away from the pushed ones. Boxes that are
 * not pushed stay, even if they overlap. scratch must hold force_scratch_bytes(count). */
void force_make_room(Vec2 *at, const ForceBox *boxes, const bool *is_fixed, int count, Rect bounds,
                     Arena *scratch);

#endif
