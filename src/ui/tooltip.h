/* tooltip.h: a short text about a control or a cell, next to it and never over it.
 * It appears after the pointer has rested on its owner, or at once if the owner was focused by key.
 * It stays while the pointer is on it. Esc closes it; a click pins it until Esc or its cross. One
 * is shown at a time, and none for controls behind a menu or a sheet. */
#ifndef HEADLIGHT_UI_TOOLTIP_H
#define HEADLIGHT_UI_TOOLTIP_H

#include "ui/label.h"

/* text is one or more sentences; title, key ("Ctrl K") and formula may be NULL. Borrowed for the
 * call. */
typedef struct Tooltip {
    const char *title, *text, *key, *formula;
} Tooltip;

/* Call directly after the control of this id and rect, in the same layer. Return true while it is
 * shown. */
bool tooltip(Ui *ui, UiId owner, Rect rect, const Tooltip *tip);

/* Like tooltip, for text with a path or similar, in which an underscore is just an underscore. */
bool tooltip_plain(Ui *ui, UiId owner, Rect rect, const char *text);

/* Like tooltip, for something that is no control. hovered: the pointer is on it. */
bool tooltip_on(Ui *ui, UiId owner, Rect rect, bool hovered, const Tooltip *tip);

/* Like tooltip_on, with a dotted line under the title, because a click leads to more about it. The
 * click closes it. Return true if it was clicked. */
bool tooltip_link(Ui *ui, UiId owner, Rect rect, bool hovered, const Tooltip *tip);

/* Show the whole text of a label that is wider than its room, while hovered is true. */
void tooltip_cut(Ui *ui, UiId owner, Rect rect, bool hovered, const LabelStyle *style, float room,
                 const char *text, size_t bytes);

/* Show one line, marked `!`, under or above a control whose value is wrong. Shown as long as it is
 * called. */
void tooltip_warn(Ui *ui, Rect rect, const char *why);

/* Return the place of a box of this size that covers no part of owner: below, above, right or left,
 * inside the window if one of these fits. */
Rect tooltip_place(const Ui *ui, Rect owner, float width, float height);

#endif
