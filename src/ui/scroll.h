/* scroll.h: a window onto larger content, with the wheel, bars to drag, and keys. A control that
 * Tab focuses is scrolled into view, and so are the parts that DrawList.reveal names. */
#ifndef HEADLIGHT_UI_SCROLL_H
#define HEADLIGHT_UI_SCROLL_H

#include "ui/ui.h"

#define SCROLL_BAR 14 /* logical pixels at the right or the bottom, if the content overflows */

/* One area between scroll_begin and scroll_end. Areas may be nested. */
typedef struct ScrollArea {
    UiId id;
    Scroll *scroll;
    Rect inside;       /* the visible area, without the bars */
    Rect content;      /* the place of the whole content, to draw in; usually larger than inside */
    Rect clip;         /* the clip that scroll_end restores */
    Vec2 most;         /* largest offset */
    int first_control; /* the first control inside, in the order of Tab */
    UiState control;
} ScrollArea;

/* Begin an area with content of this size. If size.x <= area.w, the content is as wide as the bars
 * leave. Drawing is clipped until scroll_end. */
ScrollArea scroll_begin(Ui *ui, UiId id, Rect area, Scroll *scroll, Vec2 size);

/* Like scroll_begin, for a widget with its own stop of Tab and its own keys. */
ScrollArea scroll_begin_silent(Ui *ui, UiId id, Rect area, Scroll *scroll, Vec2 size);

/* Draw the bars, and handle the wheel if nothing inside has. */
void scroll_end(Ui *ui, ScrollArea *area);

/* Scroll so that rect, in the current coordinates of the content, is visible. */
void scroll_show(Ui *ui, const ScrollArea *area, Rect rect);

#endif
