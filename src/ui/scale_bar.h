/* scale_bar.h: the colour scale of a heatmap, with numbers. */
#ifndef HEADLIGHT_UI_SCALE_BAR_H
#define HEADLIGHT_UI_SCALE_BAR_H

#include "draw/palette.h"
#include "ui/ui.h"

typedef struct ScaleBar {
    int palette;
    float lo, hi;
    const char *name; /* name of the scale as formula markup, drawn at the left */
    float marked;     /* the hovered or pinned value; NaN for none */
    /* An even share, marked on the bar and named above it if the bar is long enough; 0 for none. */
    float even;
    Warp warp; /* if warp is not linear, lo is 0 or −hi */
    /* Texts at the start, middle and end instead of numbers; NULL for numbers. */
    const char *words[3];
    bool is_inside; /* true if no number may extend beyond the ends of the bar */
    float size; /* letter size of the numbers, 0 for the default; everything else scales with it */
} ScaleBar;

/* Draw the bar in the upper part of rect, with ticks and numbers below it. The numbers at the ends
 * and the marked value are written first; a tick's number that would touch them is left out. Unless
 * is_inside, a number may extend a few pixels beyond an end of the bar. The name of an even share
 * takes SCALE_EVEN_H above rect. For ui_point, the words "colour scale" are under the pointer
 * anywhere on the bar and its numbers. */
#define SCALE_EVEN_H 16
void scale_bar(Ui *ui, Rect rect, const ScaleBar *scale);

/* Return a round distance for ticks that divide the range into at most `most` parts. */
float scale_tick(float range, int most);

#endif
