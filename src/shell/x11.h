/* x11.h: what SDL does not tell or do about a window of X11, by the Xlib that SDL has loaded. Other
 * windows are left as they are. */
#ifndef HEADLIGHT_SHELL_X11_H
#define HEADLIGHT_SHELL_X11_H

#include <SDL.h>
#include <stdbool.h>

/* The size that the X server has for the window: SDL says what it has asked for. False, with 0 x 0,
 * where that is not to be had. */
bool x11_true_size(SDL_Window *window, int *width, int *height);

/* The title once more, in UTF-8 by its proper name: SDL names the letters of the locale, and what
 * looks windows up by their name (xdotool, older window managers) knows none of that name. */
void x11_set_title(SDL_Window *window, const char *title);

/* How much denser than 96 dots to an inch the person's desktop draws text, by its resource Xft.dpi:
 * 1 to 4; 1 where it is not set. */
float x11_text_density(SDL_Window *window);

/* The same of that resource's text; NULL where it is not set. What is no number counts for nothing.
 * Pure. */
float x11_density_of(const char *dpi);

/* Keep the program from being ended by Xlib. An error of one request is passed over: a window that
 * drags a file to us may vanish meanwhile. If the display is gone, lost is called; it must end the
 * program. Does nothing without X11. */
void x11_guard(SDL_Window *window, void (*lost)(void *context), void *context);

#endif
