/* skin.h: what every control looks like in each of its states: at rest, hovered, pressed,
 * disabled, and holding a value that is wrong. Focus is ui_focus_ring. */
#ifndef HEADLIGHT_UI_SKIN_H
#define HEADLIGHT_UI_SKIN_H

#include "ui/ui.h"

#define SKIN_TEXT     18 /* size of a control's words */
#define SKIN_HEIGHT   36
#define SKIN_RADIUS   8
#define SKIN_DISABLED 0.45f /* alpha of what is disabled */

/* The ground of a control whose ground at rest is given: it lights up in 80 ms and darkens at once
 * while pressed. */
Colour skin_ground(Ui *ui, UiId id, UiState state, Colour rest);

/* A colour as it stands on a control: fainter where that is disabled. */
Colour skin_ink(UiState state, Colour colour);

/* The edge of a control whose value cannot hold, with a `!` at the right end of its inside, since
 * colour alone is not read by everyone. *inside loses the room that the sign takes. */
void skin_wrong(Ui *ui, Rect rect, Rect *inside);

/* The soft shadow, ground and edge of what lies above the window: a menu, a tooltip, a sheet. */
void skin_raise(Ui *ui, Rect rect, float radius, Colour ground, Colour edge);

#endif
