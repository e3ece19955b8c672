/* pin.h: move the pin by keys. */
#ifndef HEADLIGHT_APP_PIN_H
#define HEADLIGHT_APP_PIN_H

#include "app/app_state.h"

/* Move the pin, or if there is none the focus, by one cell. Without either, pin the first cell.
 * way: 0 left, 1 right, 2 up, 3 down. Nothing happens at the edge. */
void pin_move(App *app, int way);

/* Command: pin the cell under the pointer, or else the focused one; choose its head. */
void pin_here(App *app, int unused);

#endif
