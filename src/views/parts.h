/* parts.h: what can be pointed at in the picture, as a registry. Views name parts where they draw
 * them (draw/part.h). */
#ifndef HEADLIGHT_VIEWS_PARTS_H
#define HEADLIGHT_VIEWS_PARTS_H

#include "base/registry.h"

/* The entry's id has 1 for every number that a part's id holds, and its formula lists the addresses
 * inside. state is a state string with which the part is in the picture. */
typedef struct PartRow {
    Entry entry;
    const char *state;
} PartRow;

extern const PartRow PARTS[];
extern const Registry PART_REGISTRY;

/* Return the row of a part's id, whatever its numbers are, or -1. */
int part_row(const char *id, size_t bytes);

#endif
