/* fullscreen.h: makes the window fill its display, and restores it. */
#ifndef HEADLIGHT_SHELL_FULLSCREEN_H
#define HEADLIGHT_SHELL_FULLSCREEN_H

#include <SDL.h>
#include <stdbool.h>

/* The state. All zero is a normal window. */
typedef struct Fullscreen {
    bool is_stretched; /* we made the window full screen, because the window manager did not */
    SDL_Rect before;   /* place of the window before that */
} Fullscreen;

/* Toggle full screen. On X11 the window manager makes a window fill the display. If there is none,
 * or it cannot do that, this function moves and sizes the window itself. Finding that out may take
 * a quarter of a second. */
void fullscreen_toggle(Fullscreen *full, SDL_Window *window);

bool fullscreen_is_on(const Fullscreen *full, SDL_Window *window);

#endif
