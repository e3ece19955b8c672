/* surface.h: shows a picture of soft.h in a window without OpenGL, through SDL's window surface. */
#ifndef HEADLIGHT_GFX_SURFACE_H
#define HEADLIGHT_GFX_SURFACE_H

#include <SDL.h>
#include <stdbool.h>

#include "gfx/soft.h"

/* Copy the changed areas, or if `all` the whole picture, to the window. Return false if the window
 * has another size by now, or if the system has no memory for its surface; then no area counts as
 * shown. */
bool surface_show(Soft *soft, SDL_Window *window, bool all);

#endif
