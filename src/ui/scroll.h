/* scroll.h: a window onto what is larger than it: the wheel, a bar to drag, keys, and whatever gets
 * the focus by Tab moves into sight. */
#ifndef HEADLIGHT_UI_SCROLL_H
#define HEADLIGHT_UI_SCROLL_H

#include "ui/ui.h"

#define SCROLL_BAR 14 /* logical pixels taken at the right or the bottom when it overflows */

/* One area between scroll_begin and scroll_end; areas may lie in each other. */
typedef struct ScrollArea {
    UiId id;
    Scroll *scroll;
    Rect inside;       /* what is seen: the area without its bars */
    Rect content;      /* where the whole content lies, mostly beyond inside: draw it here */
    Rect clip;         /* in force before */
    Vec2 most;         /* how far it can be scrolled */
    int first_control; /* of those inside, in the order of Tab */
    UiState control;
} ScrollArea;

/* Begin to show a content of that size in area. size.x <= area.w: the content takes the width that
 * the bars leave. Drawing is clipped until scroll_end. */
ScrollArea scroll_begin(Ui *ui, UiId id, Rect area, Scroll *scroll, Vec2 size);

/* The same for a widget that has its own stop of Tab and its own keys. */
ScrollArea scroll_begin_silent(Ui *ui, UiId id, Rect area, Scroll *scroll, Vec2 size);

/* Draw the bars and take the wheel, unless something inside has. */
void scroll_end(Ui *ui, ScrollArea *area);

/* Scroll so that rect, a part of the content as it now lies, is seen. */
void scroll_show(Ui *ui, const ScrollArea *area, Rect rect);

#endif
