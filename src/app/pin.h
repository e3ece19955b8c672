/* pin.h: move the pin by keys. */
#ifndef HEADLIGHT_APP_PIN_H
#define HEADLIGHT_APP_PIN_H

#include "app/app_state.h"

/* Move the pin, or else the focus, by one cell; without both, pin the first cell. way: 0 left, 1
 * right, 2 up, 3 down. At the edge nothing changes. */
void pin_move(App *app, int way);

/* Command: pin the cell under the pointer, otherwise the focused one; its head becomes the chosen one. */
void pin_here(App *app, int unused);

#endif
