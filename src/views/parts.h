/* parts.h: the parts of the picture that tours and addresses can name, as a registry. Views name
 * parts where they draw them (draw/part.h). */
#ifndef HEADLIGHT_VIEWS_PARTS_H
#define HEADLIGHT_VIEWS_PARTS_H

#include "base/registry.h"

/* One kind of part. entry.id is a part's id with 1 in place of every number. entry.formula lists
 * addresses of places inside the part, such as cell(9,2). state is a state string that shows the
 * part. term is the id of the word in the glossary that explains it, or NULL. */
typedef struct PartRow {
    Entry entry;
    const char *state, *term;
    bool has_view_numbers; /* true if its exported numbers are those of its view */
} PartRow;

extern const PartRow PARTS[];
extern const Registry PART_REGISTRY;

/* Return the row that matches a part's id (any numbers match), or -1. */
int part_row(const char *id, size_t bytes);

#endif
