/* fullscreen.h: the window over all of its display, and back. */
#ifndef HEADLIGHT_SHELL_FULLSCREEN_H
#define HEADLIGHT_SHELL_FULLSCREEN_H

#include <SDL.h>
#include <stdbool.h>

/* All zero is a window among others. */
typedef struct Fullscreen {
    bool is_stretched; /* we made the window full screen, because the window manager did not */
    SDL_Rect before;   /* where it then was */
} Fullscreen;

/* On X11 the window manager makes a window fill the display. If there is none, or it does not know
 * how, this moves and sizes the window itself. May take a quarter of a second to find that out. */
void fullscreen_toggle(Fullscreen *full, SDL_Window *window);

bool fullscreen_is_on(const Fullscreen *full, SDL_Window *window);

#endif
