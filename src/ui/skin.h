/* skin.h: the look of every control at rest, hovered, pressed, disabled, or with a wrong value. The
 * focus is drawn by ui_focus_ring. */
#ifndef HEADLIGHT_UI_SKIN_H
#define HEADLIGHT_UI_SKIN_H

#include "ui/ui.h"

#define SKIN_TEXT     18 /* size of a control's text */
#define SKIN_RADIUS   8
#define SKIN_DISABLED 0.45f /* alpha of a disabled control */

/* Return the background of a control, given its background at rest. It fades if the control is
 * hovered (MOTION_HOVER), and changes at once if it is pressed. */
Colour skin_ground(Ui *ui, UiId id, UiState state, Colour rest);

/* Return a colour for use on a control: fainter if the control is disabled. */
Colour skin_ink(UiState state, Colour colour);

/* Draw the edge of a control with a wrong value, and a "!" at its right end, because not everyone
 * can see colours. *inside shrinks by the width of the sign. */
void skin_wrong(Ui *ui, Rect rect, Rect *inside);

/* Draw the soft shadow, background and edge of a menu, tooltip or sheet. */
void skin_raise(Ui *ui, Rect rect, float radius, Colour ground, Colour edge);

#endif
