/* surface.h: a soft picture in a window that has no OpenGL, by SDL's surface of the window. */
#ifndef HEADLIGHT_GFX_SURFACE_H
#define HEADLIGHT_GFX_SURFACE_H

#include <SDL.h>
#include <stdbool.h>

#include "gfx/soft.h"

/* Copy the changes of the picture to the window, or all of it. False, and nothing counts as shown,
 * if the window has another size by now or the system has no room for its picture. */
bool surface_show(Soft *soft, SDL_Window *window, bool all);

#endif
