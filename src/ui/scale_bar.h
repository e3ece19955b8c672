/* scale_bar.h: the colour scale of a heatmap, with numbers. */
#ifndef HEADLIGHT_UI_SCALE_BAR_H
#define HEADLIGHT_UI_SCALE_BAR_H

#include "draw/warp.h"
#include "ui/ui.h"

typedef struct ScaleBar {
    int palette;
    float lo, hi;
    const char *name; /* a formula's markup, drawn at its left */
    float marked;     /* the value under the pointer or pinned; NaN for none */
    Warp warp;        /* other than linear: lo is 0 or −hi */
    /* What stands at its start, middle and end in place of numbers; NULL for numbers. */
    const char *words[3];
    float size; /* of its numbers; 0 for the usual, and all else grows with it */
} ScaleBar;

/* Draw in rect: the bar in its upper part, ticks and numbers below. The marked value is written
 * among them, then the scale's ends; a number that these would touch is left out.
 * Half of a short number may reach over the bar's end. */
void scale_bar(Ui *ui, Rect rect, const ScaleBar *scale);

/* A round distance between ticks for a range, so that there are at most `most` of them. */
float scale_tick(float range, int most);

#endif
