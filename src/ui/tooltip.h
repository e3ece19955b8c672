/* tooltip.h: a short text about a control or a cell, next to it and never over it. A tip appears
 * after the pointer has rested on its owner, or the owner has had the focus by keyboard, for half a
 * second; at once if another tip is open. It stays while the pointer is on the tip. Only one tip is
 * shown at a time, and none for controls behind a menu or a sheet.
 *
 * Esc closes a tip; a click on it pins it until Esc or its cross. A press on the owner also closes
 * it. After a press, no tip opens on what is under the pointer until the pointer has left it,
 * because the tip would cover what the press has opened. */
#ifndef HEADLIGHT_UI_TOOLTIP_H
#define HEADLIGHT_UI_TOOLTIP_H

#include "ui/label.h"

/* text: sentences; title, key ("Ctrl K") and formula may be NULL. Borrowed for the call. */
typedef struct Tooltip {
    const char *title, *text, *key, *formula;
    bool is_plain; /* true: an underscore begins no subscript, as in a path or words of the user */
    /* True: a click leads to more about the owner and closes the tip. A dotted line is below the
     * title. */
    bool is_link;
} Tooltip;

/* Show a tip if needed. Call right after the control with this id and rect, in the same layer. */
void tooltip(Ui *ui, UiId owner, Rect rect, const char *title, const char *text);

/* Like tooltip, for something that is not a control. */
void tooltip_over(Ui *ui, UiId owner, Rect rect, const char *title, const char *text);

/* Like tooltip. hovered: true if the pointer is on the owner. Return true if a link was clicked. */
bool tooltip_on(Ui *ui, UiId owner, Rect rect, bool hovered, const Tooltip *tip);

/* While hovered is true, show the whole text of a label that was cut because it is too wide. */
void tooltip_cut(Ui *ui, UiId owner, Rect rect, bool hovered, const LabelStyle *style, float room,
                 const char *text, size_t bytes);

/* Show one line marked "!" below or above a control whose value is wrong. It is shown in each pass
 * that calls this function. */
void tooltip_warn(Ui *ui, Rect rect, const char *why);

/* Return the place for a box of this size that covers no part of owner: below, above, right or left
 * of it, inside the window if one of these fits. */
Rect tooltip_place(const Ui *ui, Rect owner, float width, float height);

#endif
