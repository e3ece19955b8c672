/* surface.h: a soft target on a window that has no OpenGL, by SDL's surface of the window. */
#ifndef HEADLIGHT_GFX_SURFACE_H
#define HEADLIGHT_GFX_SURFACE_H

#include <SDL.h>
#include <stdbool.h>

#include "gfx/target.h"

/* Bring to the window what of the target was drawn since it was brought there last, or all of it.
 * False where the window is of another size by now or the system has no room for its picture:
 * nothing counts as shown then. */
bool surface_show(Target *target, SDL_Window *window, bool all);

#endif
