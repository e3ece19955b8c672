/* part.h: memory that may have several owners. It is changed only while it has a single owner.
 * part_share and part_release may be called in any thread. */
#ifndef HEADLIGHT_BASE_PART_H
#define HEADLIGHT_BASE_PART_H

#include <stdatomic.h>

#include "base/arena.h"

typedef struct Part {
    atomic_int owners;
    Arena arena;
} Part;

/* Add an owner. Return the part; NULL stays NULL. */
Part *part_share(Part *part);

/* Remove an owner and set *part to NULL. The last owner frees the memory. */
void part_release(Part **part);

/* Return an arena that this owner may fill: the arena of *part, if *part has no other owner.
 * Otherwise set *part to a new part and return its arena. Return NULL if memory runs out. */
Arena *part_own(Part **part, Err *err);

/* Like part_own, but return an empty arena with this number of bytes reserved. */
Arena *part_reserve(Part **part, uint64_t bytes, Err *err);

#endif
