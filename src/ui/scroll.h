/* scroll.h: shows a part of larger content, scrolled with the wheel, with scroll bars or with keys.
 * Controls that Tab focuses, and parts that DrawList.reveal names, are scrolled into view. */
#ifndef HEADLIGHT_UI_SCROLL_H
#define HEADLIGHT_UI_SCROLL_H

#include "ui/ui.h"

/* Logical pixels: width of a scroll bar, which is at the right or bottom if content overflows. */
#define SCROLL_BAR 14

/* A scrolled area between scroll_begin and scroll_end. Areas may be nested. */
typedef struct ScrollArea {
    UiId id;
    Scroll *scroll;
    Rect inside;       /* the visible part of the area, without the scroll bars */
    Rect content;      /* where to draw the whole content; at least as large as inside */
    Rect clip;         /* the clip that scroll_end restores */
    UiId around;       /* the scroll area around this one, or 0 */
    Vec2 most;         /* largest offset */
    int first_control; /* index, in tab order, of the first control inside the area */
    UiState control;
} ScrollArea;

/* Begin an area whose content has this size. If size.x <= area.w, the content is as wide as the
 * area without its scroll bar. Drawing is clipped until scroll_end. */
ScrollArea scroll_begin(Ui *ui, UiId id, Rect area, Scroll *scroll, Vec2 size);

/* Like scroll_begin, for a widget that handles Tab and keys itself. */
ScrollArea scroll_begin_silent(Ui *ui, UiId id, Rect area, Scroll *scroll, Vec2 size);

/* Handle the keys and, if nothing inside the area has used it, the wheel. Scroll the focused
 * control into view, and draw the scroll bars. */
void scroll_end(Ui *ui, ScrollArea *area);

/* Scroll so that rect, in the current coordinates of the content, is visible. */
void scroll_show(Ui *ui, const ScrollArea *area, Rect rect);

#endif
