/* pin.h: moving the pin by keys. */
#ifndef HEADLIGHT_APP_PIN_H
#define HEADLIGHT_APP_PIN_H

#include "app/app_state.h"

/* One cell on, from the pin, or without one from what is looked at, or to the first cell: way is 0
 * left, 1 right, 2 up, 3 down. At the edge nothing changes. */
void pin_move(App *app, int way);

/* Pin the cell under the pointer, or what is looked at where nothing is pinned; its head becomes
 * the chosen one. */
void pin_here(App *app);

#endif
