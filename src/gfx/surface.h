/* surface.h: shows a soft picture in a window without OpenGL, by SDL's surface of the window. */
#ifndef HEADLIGHT_GFX_SURFACE_H
#define HEADLIGHT_GFX_SURFACE_H

#include <SDL.h>
#include <stdbool.h>

#include "gfx/soft.h"

/* Copy the changes of the picture, or all of it, to the window. If the window has another size by
 * now, or the system has no memory for its picture, return false; then nothing counts as shown. */
bool surface_show(Soft *soft, SDL_Window *window, bool all);

#endif
