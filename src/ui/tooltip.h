/* tooltip.h: a few words on a control or a cell, beside it and never over it.
 * It comes when the pointer has rested on its owner, or at once when the focus came there by key;
 * it stays while the pointer is on it, Esc sends it away, and a click on it pins it until Esc or
 * its cross. One is shown at a time, and none of what lies behind a menu or a sheet. */
#ifndef HEADLIGHT_UI_TOOLTIP_H
#define HEADLIGHT_UI_TOOLTIP_H

#include "ui/label.h"

/* text is one or more sentences; title and key ("Ctrl K") may be NULL. Borrowed for the call. */
typedef struct Tooltip {
    const char *title, *text, *key;
} Tooltip;

/* Call right after the control of that id and rect, in the same layer. True while it is shown. */
bool tooltip(Ui *ui, UiId owner, Rect rect, const Tooltip *tip);

/* As tooltip, of a text that holds a path or the like, in which an underscore is just that. */
bool tooltip_plain(Ui *ui, UiId owner, Rect rect, const char *text);

/* As tooltip, for what is no control: hovered says whether the pointer is on it. */
bool tooltip_on(Ui *ui, UiId owner, Rect rect, bool hovered, const Tooltip *tip);

/* The whole of a label, as it is written, where that is wider than the room it has been given,
 * while hovered says that the pointer is on it. */
void tooltip_cut(Ui *ui, UiId owner, Rect rect, bool hovered, const LabelStyle *style, float room,
                 const char *text, size_t bytes);

/* One line that says why a control's value cannot hold, with a `!`, under it or above it. It is
 * shown as long as it is called for. */
void tooltip_warn(Ui *ui, Rect rect, const char *why);

/* Where a box of that size stands so that it covers nothing of owner: below, above, right or left,
 * inside the window as far as one of these allows. */
Rect tooltip_place(const Ui *ui, Rect owner, float width, float height);

#endif
