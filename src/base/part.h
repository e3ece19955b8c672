/* part.h: memory with several owners, which is not changed while it has more than one. part_share
 * and part_release are safe in any thread. */
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

/* Return an arena that this owner may fill: that of *part if it has no other owner. Otherwise *part
 * becomes a new part, and its arena is returned. Return NULL if memory runs out. */
Arena *part_own(Part **part, Err *err);

/* Return an arena that this owner may fill, as part_own does, but empty and with this number of
 * bytes reserved. */
Arena *part_reserve(Part **part, size_t bytes, Err *err);

#endif
