/* fullscreen.h: the window over all of its display, and back. */
#ifndef HEADLIGHT_SHELL_FULLSCREEN_H
#define HEADLIGHT_SHELL_FULLSCREEN_H

#include <SDL.h>
#include <stdbool.h>

/* All zero is a window among others. */
typedef struct Fullscreen {
    bool is_stretched; /* by us, where nobody else does it */
    SDL_Rect before;   /* where it then was */
} Fullscreen;

/* On X11 it is the window manager that makes a window fill the display. Where there is none, or one
 * that does not know how, the window is moved and sized from here. May take a quarter of a second
 * to find that out. */
void fullscreen_toggle(Fullscreen *full, SDL_Window *window);

bool fullscreen_is_on(const Fullscreen *full, SDL_Window *window);

#endif
