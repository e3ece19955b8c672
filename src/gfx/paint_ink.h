/* paint_ink.h: long runs of thin curves of one colour, drawn together where the processor draws. */
#ifndef HEADLIGHT_GFX_PAINT_INK_H
#define HEADLIGHT_GFX_PAINT_INK_H

#include "gfx/ink.h"
#include "gfx/paint.h"

#define PAINT_INK_CURVES_MIN 300 /* in a run; fewer are as fast as triangles */

/* All zero is none made yet. */
typedef struct InkPaint {
    Ink ink;
    uint64_t key; /* of the run that it shows; 0: of none */
} InkPaint;

void paint_ink_release(InkPaint *paint);

/* How many commands from index on are curves without dashes and triangles, all of one colour but
 * for alpha and with one clip; 0 where too few of them are curves. */
size_t paint_ink_run(const DrawList *list, size_t index);

/* Draw such a run of commands. key is a hash of all that it shows, or 0: a run that was drawn last
 * is there already. False where there was no memory: draw them one by one then. */
bool paint_ink(Painter *painter, InkPaint *paint, size_t index, size_t count, uint64_t key);

#endif
