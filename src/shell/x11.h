/* x11.h: X11 functions that SDL lacks. They use the Xlib that SDL has loaded, and ignore windows
 * that are not X11's (Wayland). */
#ifndef HEADLIGHT_SHELL_X11_H
#define HEADLIGHT_SHELL_X11_H

#include <SDL.h>
#include <stdbool.h>

/* Return the size that the window really has on the X server, because SDL returns the requested
 * size. Return false, with 0 × 0, if it is unknown. */
bool x11_true_size(SDL_Window *window, int *width, int *height);

/* Set the title again in UTF-8. SDL sets it only in the locale's character set, so programs that
 * look up windows by name (xdotool, older window managers) would not find this window. */
void x11_set_title(SDL_Window *window, const char *title);

/* Return the scale of text on the user's desktop relative to 96 dots per inch, from the resource
 * Xft.dpi: 1 to 4; 1 if it is not set. */
float x11_text_density(SDL_Window *window);

/* Return the scale of text for the value of Xft.dpi (may be NULL): 1 if it is not a number.
 * Pure. */
float x11_density_of(const char *dpi);

/* Prevent Xlib from ending the program. The error of a single request is ignored, because the
 * window of another program may vanish while a file is dragged from it. If the display is gone,
 * lost is called; it must end the program. Does nothing without X11. */
void x11_guard(SDL_Window *window, void (*lost)(void *context), void *context);

#endif
