/* damage.h: which parts of a picture a new draw list changes. Pure; calls no OpenGL.
 * Both lists are compared command by command: what both have in the same order stays as it is, and
 * everything else, of the old list and of the new, is within the damage. Outside of it the same
 * commands follow each other, so that the pixels there are the same. */
#ifndef HEADLIGHT_GFX_DAMAGE_H
#define HEADLIGHT_GFX_DAMAGE_H

#include "draw/draw.h"
#include "gfx/batch.h"

#define DAMAGE_RECTS BATCH_REGIONS

/* A command as it was drawn. */
typedef struct DamageMark {
    uint64_t key;     /* a hash of all that it shows */
    PixelRect bounds; /* all pixels that it may have touched; right <= left: none */
    bool is_new;      /* it has no counterpart in the list before, and no bounds yet */
} DamageMark;

/* The marks of a list, owned. */
typedef struct DamageMarks {
    DamageMark *at;
    size_t count, capacity;
} DamageMarks;

/* The parts to draw again. */
typedef struct Damage {
    PixelRect rects[DAMAGE_RECTS];
    int count;
} Damage;

void damage_marks_release(DamageMarks *marks);

/* Fill marks with the keys of list, all new. False when memory ran out. */
bool damage_marks_fill(DamageMarks *marks, const DrawList *list);

/* Give what marks and before share its bounds from before, and add the bounds of what only before
 * has to damage. */
void damage_compare(Damage *damage, DamageMarks *marks, const DamageMarks *before);

/* Add pixels; an empty rectangle adds none. */
void damage_add(Damage *damage, const PixelRect *rect);

bool damage_touches(const Damage *damage, const PixelRect *rect);

/* How many pixels the rectangles have, each counted for itself. */
double damage_area(const Damage *damage);

#endif
