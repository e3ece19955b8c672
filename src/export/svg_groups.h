/* svg_groups.h: the parts of a picture (draw/part.h) as nested groups such as <g
 * id="heads.matrix.1">. A command belongs to the smallest part that it lies in. The order of
 * commands is kept, so if other commands interrupt a part, it continues in a group with the class
 * "part" and no id. For svg.c. */
#ifndef HEADLIGHT_EXPORT_SVG_GROUPS_H
#define HEADLIGHT_EXPORT_SVG_GROUPS_H

#include "draw/part.h"
#include "export/svg_out.h"

typedef struct SvgGroups {
    const DrawList *list;
    int *parents; /* owned: the smallest part that contains each, or -1; NULL for no groups */
    bool *is_open;
    int current; /* the innermost open part, or -1 */
} SvgGroups;

/* Find how the parts are nested. Fails if memory runs out. */
bool svg_groups_begin(SvgGroups *groups, const DrawList *list);
void svg_groups_release(SvgGroups *groups);

/* Return the part that a command with these bounds belongs to, or -1. */
int svg_groups_find(const SvgGroups *groups, Rect bounds);

/* Close and open groups so that this part (-1: none) is the innermost one. */
void svg_groups_go(SvgGroups *groups, SvgOut *out, int part);

/* Close all groups, and add an empty group for each part that had no command. */
void svg_groups_end(SvgGroups *groups, SvgOut *out);

#endif
