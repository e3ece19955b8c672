/* parts.h: the parts of the picture that tours and addresses can name, as a registry. Views name
 * parts where they draw them (draw/part.h). */
#ifndef HEADLIGHT_VIEWS_PARTS_H
#define HEADLIGHT_VIEWS_PARTS_H

#include "base/registry.h"

/* One kind of part. The entry's id has 1 for every number that a part's id holds. Its formula lists
 * the addresses inside the part. state is a state string that shows the part, term the id of the
 * word in the glossary that explains it, or NULL. */
typedef struct PartRow {
    Entry entry;
    const char *state, *term;
} PartRow;

extern const PartRow PARTS[];
extern const Registry PART_REGISTRY;

/* Return the row of a part's id, whatever numbers the id holds, or -1. */
int part_row(const char *id, size_t bytes);

#endif
