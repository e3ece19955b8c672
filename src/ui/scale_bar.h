/* scale_bar.h: the colour scale of a heatmap, with numbers. */
#ifndef HEADLIGHT_UI_SCALE_BAR_H
#define HEADLIGHT_UI_SCALE_BAR_H

#include "draw/warp.h"
#include "ui/ui.h"

typedef struct ScaleBar {
    int palette;
    float lo, hi;
    const char *name; /* formula markup, drawn at the left */
    float marked;     /* the hovered or pinned value; NaN for none */
    float even;       /* an even share, named above the bar if the bar is long enough; 0 for none */
    Warp warp;        /* if not linear, lo is 0 or −hi */
    /* Texts at the start, middle and end instead of numbers; NULL for numbers. */
    const char *words[3];
    bool is_inside; /* no number extends beyond the bar's ends */
    float size; /* letter size of the numbers, 0 for the default; everything else scales with it */
} ScaleBar;

/* Draw the bar in the upper part of rect, ticks and numbers below. The ends and the marked value
 * are written first; a tick's number that would touch them is omitted. Unless
 * is_inside, half of a short number may extend beyond the bar's end. An even share's name takes
 * SCALE_EVEN_H above rect. The pointer finds the words "colour scale" on the bar and its numbers.
 */
#define SCALE_EVEN_H 16
void scale_bar(Ui *ui, Rect rect, const ScaleBar *scale);

/* Return a round distance between ticks, so that at most `most` of them divide the range. */
float scale_tick(float range, int most);

#endif
